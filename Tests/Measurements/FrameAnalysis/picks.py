#!/usr/bin/env python3
"""Counts the bad picks of `vfx thumbnails`, by the labels in labels.txt: which parts of which clips are bad, and why."""
import argparse
import json
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path


def read_labels(path):
    """The labelled parts of each clip, as (start, end, reason); a clip without bad parts has none."""
    labels = {}
    for line in path.read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        clip, *part = line.split()
        labels.setdefault(clip, [])
        if part:
            labels[clip].append((float(part[0]), float(part[1]), " ".join(part[2:])))
    return labels


def picks(vfx, clip, count):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([vfx, "thumbnails", clip, "-o", folder, "--overwrite", "--count", str(count), "--quiet"], stderr=subprocess.DEVNULL)
        return json.loads((Path(folder) / "scores.json").read_text())["picks"]


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("folders", type=Path, nargs="+", help="folders with the clips that labels.txt names")
    p.add_argument("--vfx", default="vfx")
    p.add_argument("--count", type=int, default=2)
    p.add_argument("--only", metavar="TEXT", help="only clips whose names contain this")
    args = p.parse_args()
    labels = read_labels(Path(__file__).with_name("labels.txt"))
    total, bad = Counter(), Counter()
    for index, (name, parts) in enumerate(sorted(labels.items())):
        path = next((f / name for f in args.folders if (f / name).exists()), None)
        if path is None or (args.only and args.only not in name):
            continue
        half = "weights set" if index % 2 == 0 else "checked"
        for number, pick in enumerate(picks(args.vfx, path, args.count), 1):
            total[half] += 1
            reason = next((r for start, end, r in parts if start <= pick["time"] <= end), None)
            if reason:
                bad[half] += 1
                print(f"{name} pick {number} at {pick['time']:.2f} s: {reason}; score {pick['score']:.2f}; {', '.join(pick['reasons'])}")
    for half in total:
        print(f"{half}: {bad[half]} of {total[half]} picks are bad, {100 * bad[half] / total[half]:.1f} %")
    print(f"all: {sum(bad.values())} of {sum(total.values())} picks are bad, {100 * sum(bad.values()) / max(1, sum(total.values())):.1f} %")
    return 0 if total else "none of the clips was found"


if __name__ == "__main__":
    sys.exit(main())
