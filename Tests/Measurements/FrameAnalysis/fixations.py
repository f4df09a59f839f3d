#!/usr/bin/env python3
"""Compares the saliency maps with where people look, beside a Gaussian in the centre of the picture.

The data is what `cvzoya/saliency` on GitHub has of the photographs of Judd and others (ICCV 2009): 100 photographs and smoothed
fixation maps, without the fixations themselves. It is research data: for measuring only, never in the repository. The half `tune` is
every second photograph by name; weights may be set on it, figures are given for the half `held`. Needs ffmpeg, numpy and OpenCV."""
import argparse
import json
import subprocess
from pathlib import Path

import cv2
import numpy as np

SIDE = 256          # the longer side on which maps are compared


def maps(tool, photo):
    """The attention and objectness map of a photograph, from measure-frames."""
    h, w = photo.shape[0] // 2 * 2, photo.shape[1] // 2 * 2
    encoder = subprocess.run(["ffmpeg", "-v", "error", "-f", "rawvideo", "-pix_fmt", "bgr24", "-s", f"{w}x{h}", "-r", "25", "-i", "-", "-pix_fmt", "yuv420p",
                              "-f", "yuv4mpegpipe", "-"], input=np.ascontiguousarray(photo[:h, :w]).tobytes(), capture_output=True, check=True)
    out = json.loads(subprocess.run([tool, "maps"], input=encoder.stdout, capture_output=True, check=True).stdout)
    return {name: np.array(out[name], np.float64).reshape(64, 64) for name in ("attention", "objectness")}


def gaussian(height, width, sigma):
    """A Gaussian in the centre, with a standard deviation in shares of each side."""
    y, x = np.mgrid[:height, :width]
    return np.exp(-(((x + .5) / width - .5) ** 2 + ((y + .5) / height - .5) ** 2) / (2 * sigma * sigma))


def metrics(found, truth):
    """CC, SIM, KL and AUC. AUC takes the hottest twentieth of the fixation map as fixated, because the maps do not tell single fixations."""
    p, q = found / found.sum(), truth / truth.sum()
    fixated = truth.ravel() >= np.quantile(truth, .95)
    order = found.ravel().argsort(kind="stable")
    ranks = np.empty(order.size)
    ranks[order] = np.arange(1, order.size + 1)
    n, m = fixated.sum(), (~fixated).sum()
    return {"CC": np.corrcoef(p.ravel(), q.ravel())[0, 1], "SIM": np.minimum(p, q).sum(), "KL": (q * np.log(1e-7 + q / (p + 1e-7))).sum(),
            "AUC": (ranks[fixated].sum() - n * (n + 1) / 2) / (n * m)}


def pairs(folder):
    """(name, photograph, fixation map) from a copy of the repository."""
    truths = {path.stem: path for path in folder.rglob("ALLFIXATIONMAPSICCV/*.jpg")}
    found = []
    for path in sorted(folder.rglob("100_ICCV_STIMULI/*")):
        if path.stem in truths:
            found.append((path.stem, cv2.imread(str(path)), cv2.imread(str(truths[path.stem]), 0).astype(np.float64)))
    if not found:
        raise SystemExit(f"{folder} has no folders 100_ICCV_STIMULI and ALLFIXATIONMAPSICCV; it must be a copy of cvzoya/saliency")
    return found


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("data", type=Path, help="a copy of cvzoya/saliency")
    p.add_argument("tool", help="the measure-frames program")
    p.add_argument("--half", choices=["tune", "held", "both"], default="held")
    args = p.parse_args()
    scores = {}
    data = pairs(args.data)
    for index, (_, photo, truth) in enumerate(data):
        if args.half != "both" and (index % 2 == 1) != (args.half == "held"):
            continue
        scale = SIDE / max(photo.shape[:2])
        w, h = round(photo.shape[1] * scale), round(photo.shape[0] * scale)
        truth = cv2.resize(truth, (w, h), interpolation=cv2.INTER_AREA)
        rows = {f"Gaussian {sigma}": gaussian(h, w, sigma) for sigma in (.2, .25, .3)}
        rows |= {name: cv2.resize(map, (w, h), interpolation=cv2.INTER_LINEAR) for name, map in maps(args.tool, photo).items()}
        for name, map in rows.items():
            scores.setdefault(name, []).append(metrics(map + 1e-9, truth + 1e-9))
    print(f"{len(next(iter(scores.values())))} photographs ({args.half})")
    print(f"{'':16s}" + "".join(f"{m:>9s}" for m in ("CC", "SIM", "KL", "AUC")))
    for name, values in scores.items():
        print(f"{name:16s}" + "".join(f"{np.mean([v[m] for v in values]):9.3f}" for m in ("CC", "SIM", "KL", "AUC")))


if __name__ == "__main__":
    main()
