#!/usr/bin/env python3
"""Measures how well aesthetics scores, feature prints, smudge detection and saliency work, on real frames (altered, degraded
or smudged) and on drawn scenes. Needs ffmpeg, numpy and OpenCV."""
import argparse
import base64
import json
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import cv2
import numpy as np

W, H = 960, 540
SKIP = ("f_corrupted", "f_failing", "f_missing", "f_moov", "f_no_timescale", "f_unordered", "f_sar_16_9", "f_8k24", "f_rot", "f_bogus",
        "f_fragmented", "f_editlist", "f_ass", "f_srt", "f_h264_b", "f_av1_hdr", "f_hlg", "f_hevc_hlg", "c_pdf", "f_odd", "f_sef", "f_interlaced", "f_12_5", "f_hevc_10bit")
FAMILIES = {"bbb": "bunny", "sar": "bunny", "big_buck": "bunny"}


def fill(image, w=W, h=H):
    scale = max(w / image.shape[1], h / image.shape[0])
    size = (max(w, round(image.shape[1] * scale)), max(h, round(image.shape[0] * scale)))
    image = cv2.resize(image, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC)
    y, x = (image.shape[0] - h) // 2, (image.shape[1] - w) // 2
    return image[y:y + h, x:x + w]


def real_frames(folder):
    """(family, image) pairs: three frames of each suitable clip, and the photos."""
    frames = []
    for path in sorted((folder).glob("[a-f]_*")):
        if path.name.startswith(SKIP):
            continue
        video = cv2.VideoCapture(str(path))
        total = int(video.get(cv2.CAP_PROP_FRAME_COUNT)) or 60
        if total < 0 or total > 5000:
            total = 60
        family = next((f for k, f in FAMILIES.items() if k in path.name), path.name)
        wanted, n = {int(total * p) for p in (.2, .5, .8)}, 0
        while True:
            ok, image = video.read()
            if not ok or n > max(wanted):
                break
            if n in wanted and image.std() > 18:
                frames.append((family, fill(image)))
            n += 1
    for path in sorted(folder.glob("h_*")) + sorted((folder.parent / "photos").glob("*.jpg")):
        image = cv2.imread(str(path))
        if image is not None and not path.name.startswith(("h_brick", "h_grass")):
            frames.append((path.name, fill(image)))
    return frames


def measure(tool, pictures):
    """The tool's results for each image; images of one size share a run."""
    sizes = defaultdict(list)
    for index, picture in enumerate(pictures):
        sizes[picture.shape[:2]].append(index)
    found = [None] * len(pictures)
    for (h, w), indices in sizes.items():
        encoder = subprocess.Popen(["ffmpeg", "-v", "error", "-f", "rawvideo", "-pix_fmt", "bgr24", "-s", f"{w}x{h}", "-r", "25", "-i", "-",
                                    "-pix_fmt", "yuv420p", "-f", "yuv4mpegpipe", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        reader = subprocess.Popen([tool], stdin=encoder.stdout, stdout=subprocess.PIPE, text=True)
        encoder.stdout.close()
        import threading
        def feed():
            for index in indices:
                encoder.stdin.write(np.ascontiguousarray(pictures[index]).tobytes())
            encoder.stdin.close()
        thread = threading.Thread(target=feed)
        thread.start()
        for index, line in zip(indices, reader.stdout):
            found[index] = json.loads(line)
        thread.join()
    return found


def jpeg(image, quality):
    return cv2.imdecode(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], 1)


def roc_area(positive, negative):
    both = np.concatenate([positive, negative])
    order = both.argsort(kind="stable")
    ranks = np.empty(len(both))
    sorted_values = both[order]
    _, first, counts = np.unique(sorted_values, return_index=True, return_counts=True)
    for start, count in zip(first, counts):
        ranks[order[start:start + count]] = start + (count + 1) / 2
    p, n = len(positive), len(negative)
    return (ranks[:p].sum() - p * (p + 1) / 2) / (p * n)


def degraded(image, rng):
    noise = rng.normal(0, 15, image.shape)
    length = 31
    return {"blurred": cv2.GaussianBlur(image, (0, 0), 2.5), "noisy": np.clip(image + noise, 0, 255).astype(np.uint8),
            "over-exposed": np.clip(image.astype(float) * max(1.9, 255 / max(1, np.percentile(image, 75))), 0, 255).astype(np.uint8),
            "under-exposed": (image * .4).astype(np.uint8), "blocky": jpeg(image, 8),
            "motion-blurred": cv2.filter2D(image, -1, np.full((1, length), 1 / length, np.float32))}


def aesthetics(tool, frames, rng, show=False):
    print("aesthetics: share of pairs in which the clean frame has the higher score")
    pictures = []
    for _, image in frames:
        pictures += [image] + list(degraded(image, rng).values())
    found, names = measure(tool, pictures), list(degraded(frames[0][1], rng))
    step, wins, all_pairs = len(names) + 1, 0, 0
    for k, name in enumerate(names):
        pairs = [(found[i]["score"], found[i + k + 1]["score"], i // step) for i in range(0, len(found), step)]
        good = sum(a > b for a, b, _ in pairs)
        wins, all_pairs = wins + good, all_pairs + len(pairs)
        losers = [frames[i][0][:24] for a, b, i in pairs if a <= b]
        if show:
            for a, b, i in pairs:
                if a <= b:
                    print(f"    {frames[i][0]} {a:.3f} {b:.3f}", [(found[i * step + j]["utility"], {c: round(v, 2) for c, v in found[i * step + j]["cues"].items()}, [round(found[i * step + j][m][0], 2) for m in ("noise", "blocks")], [round(found[i * step + j]["light"][m], 2) for m in (0, 5, 8)]) for j in (0, k + 1)])
        print(f"  {name:15s} {100 * good / len(pairs):5.1f} % of {len(pairs)}   {', '.join(losers[:5])}")
    print(f"  all             {100 * wins / all_pairs:5.1f} %")
    return found[::step]


def altered(image, rng):
    h, w = image.shape[:2]
    dx, dy = int(w * .1 * rng.random()), int(h * .1 * rng.random())
    crop = image[dy:dy + int(h * .9), dx:dx + int(w * .9)]
    return {"crop": cv2.resize(crop, (w, h), interpolation=cv2.INTER_CUBIC), "scale": cv2.resize(image, (w // 2, h // 2), interpolation=cv2.INTER_AREA),
            "brighter": np.clip(image.astype(float) * 1.2 + 8, 0, 255).astype(np.uint8), "darker": (image * .7).astype(np.uint8), "jpeg 30": jpeg(image, 30)}


COUNTS = (63, 48, 128, 50, 8)
SCALES = ((.33, .30), (.16, .20), (1.74, .20), (.98, .20), (.375, .10))


def parts(a, b):
    result, at = [], 0
    for n, count in enumerate(COUNTS):
        d = ((a[at:at + count] - b[at:at + count]) ** 2).sum() / 65025
        result.append((d / count if n < 2 else d) ** .5)
        at += count
    return result


def all_parts(a, b):
    half = sum(COUNTS)
    return [parts(a[:half], b[:half]), parts(a[:half], b[half:]), parts(a[half:], b[:half])]


def distance(three):
    return min(sum(w * d / s for d, (s, w) in zip(p, SCALES)) for p in three)


def prints(tool, frames, rng, dump=None):
    names = list(altered(frames[0][1], rng))
    pictures = []
    for _, image in frames:
        pictures += [image] + list(altered(image, rng).values())
    vectors = [np.frombuffer(base64.b64decode(f["print"]), np.uint8).astype(float) for f in measure(tool, pictures)]
    step = len(names) + 1
    same = {name: [all_parts(vectors[i], vectors[i + k + 1]) for i in range(0, len(vectors), step)] for k, name in enumerate(names)}
    clean = vectors[::step]
    other = [all_parts(clean[i], clean[j]) for i in range(len(clean)) for j in range(i) if frames[i][0] != frames[j][0]]
    far = np.array([distance(p) for p in other])
    near = {n: np.array([distance(p) for p in v]) for n, v in same.items()}
    every = np.concatenate(list(near.values()))
    print(f"feature prints: {len(every)} altered copies, {len(far)} pairs of different scenes")
    print("  median of each part between scenes", np.round(np.median([p[0] for p in other], 0), 3))
    print("  median of each part, altered      ", np.round(np.median([p[0] for v in same.values() for p in v], 0), 3))
    for name, values in near.items():
        print(f"  {name:9s} distance median {np.median(values):.3f}, 95 % below {np.percentile(values, 95):.3f}, most {values.max():.3f}, ROC area {roc_area(far, values):.4f}")
    print(f"  scenes    1 % below {np.percentile(far, 1):.3f}, 5 % below {np.percentile(far, 5):.3f}, median {np.median(far):.3f}, all: ROC area {roc_area(far, every):.4f}")


def smudged(image, rng):
    """Simulates a smudge on the lens: a soft, veiled patch with a soft outline that spreads the light of the image."""
    h, w = image.shape[:2]
    y, x = np.mgrid[:h, :w].astype(np.float32)
    mask = np.zeros((h, w), np.float32)
    cx, cy = w * rng.uniform(.2, .8), h * rng.uniform(.2, .8)
    for _ in range(rng.integers(1, 4)):
        rx, ry, angle = w * rng.uniform(.2, .4), w * rng.uniform(.15, .32), rng.uniform(0, np.pi)
        ox, oy = cx + rng.normal(0, w * .06), cy + rng.normal(0, w * .04)
        u = (x - ox) * np.cos(angle) + (y - oy) * np.sin(angle)
        v = (y - oy) * np.cos(angle) - (x - ox) * np.sin(angle)
        mask = np.maximum(mask, 1 / (1 + np.exp(6 * (np.hypot(u / rx, v / ry) - 1) * rng.uniform(1, 2))))
    soft = cv2.GaussianBlur(image, (0, 0), rng.uniform(9, 18)).astype(np.float32)
    veil = rng.uniform(.25, .45)
    small = cv2.GaussianBlur(cv2.resize(image, (w // 8, h // 8), interpolation=cv2.INTER_AREA), (0, 0), 7.5)
    glow = cv2.resize(small, (w, h)).astype(np.float32) * .5 + 100
    inside = soft * (1 - veil) + glow * veil
    mask = (mask * rng.uniform(.9, 1))[..., None]
    return np.clip(image * (1 - mask) + inside * mask, 0, 255).astype(np.uint8)


def motion_blurred(image, rng):
    length = int(rng.integers(15, 50))
    kernel = np.zeros((length, length), np.float32)
    angle = rng.uniform(0, np.pi)
    c = length / 2
    cv2.line(kernel, (int(c - c * np.cos(angle)), int(c - c * np.sin(angle))), (int(c + c * np.cos(angle)), int(c + c * np.sin(angle))), 1)
    return cv2.filter2D(image, -1, kernel / kernel.sum())


def hazy(image, rng):
    h, w = image.shape[:2]
    depth = np.linspace(rng.uniform(.6, 1), rng.uniform(0, .3), h, dtype=np.float32)[:, None, None]
    t = np.exp(-rng.uniform(.5, 1.6) * depth)
    return np.clip(image * t + rng.uniform(170, 225) * (1 - t), 0, 255).astype(np.uint8)


def smudges(tool, frames, rng, fit=None):
    pictures, kinds = [], []
    rounds = 2 if fit else 1
    for _, image in frames * rounds:
        for kind, picture in (("smudge", smudged(image, rng)), ("smudge", smudged(image, rng)), ("clean", image), ("motion blur", motion_blurred(image, rng)), ("haze", hazy(image, rng))):
            pictures.append(picture)
            kinds.append(kind)
    found, kinds = measure(tool, pictures), np.array(kinds)
    families = sorted({f for f, _ in frames})
    half = np.array([families.index(f) % 2 for f, _ in frames * rounds for _ in range(5)])
    features, truth = np.array([f["smudgeFeatures"] for f in found]), (kinds == "smudge").astype(float)
    if fit:
        def logistic(x, y):
            mean, scale = x.mean(0), x.std(0) + 1e-6
            z, w, b = (x - mean) / scale, np.zeros(x.shape[1]), 0.
            for _ in range(4000):
                p = 1 / (1 + np.exp(-(z @ w + b)))
                w -= .3 * (z.T @ (p - y) / len(y) + .05 * w)
                b -= .3 * (p - y).mean()
            return w / scale, b - (w / scale * mean).sum()
        w, b = logistic(features[half == 0], truth[half == 0])
        score = features @ w + b
        print("  fitted on one half: weights", [round(float(v), 3) for v in w], "bias", round(float(b), 4))
    else:
        score = np.array([f["smudge"] for f in found])
    unseen = half == 1
    print(f"smudges: ROC area {roc_area(score[unseen & (truth == 1)], score[unseen & (truth == 0)]):.4f} on the held-out half ({unseen.sum()} images), all {roc_area(score[truth == 1], score[truth == 0]):.4f}")
    for kind in ("clean", "motion blur", "haze"):
        print(f"  against {kind:12s} {roc_area(score[unseen & (truth == 1)], score[unseen & (kinds == kind)]):.4f}")


def drawn_scene(rng):
    """Draws an object of a different color, brightness or texture on an uneven background."""
    y, x = np.mgrid[:H, :W].astype(np.float32)
    def surface(base):
        image = np.zeros((H, W, 3), np.float32) + base
        slope = rng.normal(0, 25, 3)
        direction = rng.uniform(0, 2 * np.pi)
        image += ((np.cos(direction) * (x / W - .5) + np.sin(direction) * (y / H - .5))[..., None]) * slope
        for size in (8, 16, 64):
            grain = cv2.resize(rng.normal(0, rng.uniform(2, 9), (H // size + 2, W // size + 2)).astype(np.float32), (W, H), interpolation=cv2.INTER_CUBIC)
            image += grain[..., None]
        return image
    ground = rng.uniform(40, 210, 3)
    while True:
        thing = rng.uniform(20, 235, 3)
        if np.linalg.norm(thing - ground) > 70:
            break
    cx, cy = W * rng.uniform(.15, .85), H * rng.uniform(.15, .85)
    rx, ry, angle = W * rng.uniform(.04, .12), W * rng.uniform(.04, .12), rng.uniform(0, np.pi)
    u = (x - cx) * np.cos(angle) + (y - cy) * np.sin(angle)
    v = (y - cy) * np.cos(angle) - (x - cx) * np.sin(angle)
    shape = np.hypot(u / rx, v / ry) if rng.random() < .6 else np.maximum(abs(u / rx), abs(v / ry))
    mask = np.clip((1 - shape) * 20 + .5, 0, 1)[..., None]
    image = surface(ground) * (1 - mask) + surface(thing) * mask
    return np.clip(image, 0, 255).astype(np.uint8), mask[..., 0] > .5


def saliency(tool, rng, count=200):
    scenes = [drawn_scene(rng) for _ in range(count)]
    found = measure(tool, [image for image, _ in scenes])
    for name in ("attention", "objectness"):
        hits = sum(bool(mask[min(H - 1, int(f[name][1] * H)), min(W - 1, int(f[name][0] * W))]) for f, (_, mask) in zip(found, scenes))
        print(f"saliency: {name} peak on the object in {100 * hits / count:.1f} % of {count} drawn scenes")
    overlap = []
    for f, (_, mask) in zip(found, scenes):
        ys, xs = np.nonzero(mask)
        box = (xs.min() / W, ys.min() / H, (xs.max() + 1) / W, (ys.max() + 1) / H)
        best = 0
        for bx, by, bw, bh in f["boxes"]:
            i = max(0, min(box[2], bx + bw) - max(box[0], bx)) * max(0, min(box[3], by + bh) - max(box[1], by))
            best = max(best, i / (bw * bh + (box[2] - box[0]) * (box[3] - box[1]) - i))
        overlap.append(best)
    print(f"  best object box: overlap over union, median {np.median(overlap):.2f}")


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("clips", type=Path, help="folder with clips; the photos are in the folder photos next to it")
    p.add_argument("tool", help="the measure-frames program")
    p.add_argument("--only", default="aesthetics,prints,smudges,saliency")
    p.add_argument("--fit", action="store_true", help="refit the smudge weights and print them")
    p.add_argument("--show", action="store_true", help="print the pairs that the aesthetics score gets wrong")
    p.add_argument("--keep", type=Path, metavar="FILE", help="read the frames from this file if it exists; otherwise save them to it")
    p.add_argument("--seed", type=int, default=1)
    args = p.parse_args()
    wanted, frames = args.only.split(","), []
    if set(wanted) & {"aesthetics", "prints", "smudges"}:
        if args.keep and args.keep.exists():
            kept = np.load(args.keep)
            frames = list(zip(kept["names"].tolist(), kept["pictures"]))
        else:
            frames = real_frames(args.clips)
            if args.keep:
                np.savez(args.keep, names=[f for f, _ in frames], pictures=np.stack([p for _, p in frames]))
        print(f"{len(frames)} real frames of {len({f for f, _ in frames})} clips and photos")
    if "aesthetics" in wanted:
        aesthetics(args.tool, frames, np.random.default_rng(args.seed), args.show)
    if "prints" in wanted:
        prints(args.tool, frames, np.random.default_rng(args.seed + 1))
    if "smudges" in wanted:
        smudges(args.tool, frames, np.random.default_rng(args.seed + 2), args.fit)
    if "saliency" in wanted:
        saliency(args.tool, np.random.default_rng(args.seed + 3))


if __name__ == "__main__":
    main()
