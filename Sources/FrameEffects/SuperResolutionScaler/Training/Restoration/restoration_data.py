"""Prepares the pictures that the network for restoration is trained with: python restoration_data.py SHARED WORK

SHARED has `training/photos`, `photos` and `training/clips`. WORK gets one file for each part; restoration_train.py reads
those that are there, so that it can begin before the last one is written. `truth` has clean full-range planes, which are
compressed as JPEG when patches are drawn. The others have pairs of clean and coded limited-range planes from video encoders.
"""
import argparse
import pickle
import re
import subprocess
from multiprocessing import Pool
from pathlib import Path

import cv2
import numpy as np

from dataset import drawing, fit, text_page

SIZES = (0.7, 0.5, 0.35)  # photographs are JPEG files: at full size, they are not clean
HELD_OUT = ("jad_limcaco_183877", "morskie_oko", "nasa_45068", "sean_afnan_244576", "bu0062", "bu0068")
SEED = 20
PAGES, DRAWINGS = 40, 24


def paths(shared):
    return [p for folder in ("training/photos", "photos") for p in sorted(Path(shared, folder).glob("*.jpg"))]


def reduced(path, size):
    """The photograph reduced by area, blue, green and red; large ones as if they had at most 1000 samples a side."""
    image = cv2.imread(str(path)).astype(np.float32)
    size *= min(1, 1000 / max(image.shape))
    return cv2.resize(image, None, fx=size, fy=size, interpolation=cv2.INTER_AREA)


def luma(image):
    return 0.114 * image[..., 0] + 0.587 * image[..., 1] + 0.299 * image[..., 2]


def whole(plane):
    return fit(np.clip(np.round(plane), 0, 255).astype(np.uint8))


def limited(plane):
    return whole(16 + plane * (219 / 255))


def clean(path):
    """(kind, name, plane) of a photograph: luma at each size, and its two chroma planes at half of the largest."""
    out = []
    for size in SIZES:
        image = reduced(path, size)
        y = luma(image)
        out.append((f"photo/{size}", path.stem, whole(y)))
        if size == SIZES[0]:
            for channel, scale in ((0, 1.772), (2, 1.402)):
                chroma = 128 + (image[..., channel] - y) / scale
                out.append(("chroma", path.stem, whole(cv2.resize(chroma, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA))))
    return out


def drawn():
    rng = np.random.default_rng(SEED)
    pages = [("text", f"page_{k}", fit(text_page(rng))) for k in range(PAGES)]
    return pages + [("lines", f"drawing_{k}", fit(drawing(rng))) for k in range(DRAWINGS)]


def ffmpeg(arguments, data):
    """The program's output and what it reports."""
    done = subprocess.run(["ffmpeg", "-hide_banner", "-nostats", *arguments, "-"], input=data, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, check=True)
    return done.stdout, done.stderr.decode(errors="replace")


def vp9_step(index):
    """As `vp9QuantizerStep` has it."""
    knots = [(0, 7), (95, 102), (120, 152), (144, 231), (176, 408), (208, 743), (240, 1369), (255, 1828)]
    at, values = zip(*knots)
    return (np.interp(index, at, values) if index <= 95 else np.exp(np.interp(index, at, np.log(values)))) / 8


def encode(planes, codec, quality, preset):
    """(decoded luma and chroma planes of each frame, step of the key frame) of 4:2:0 frames; `planes`: bytes of each frame,
    height, width."""
    frames, height, width = planes
    options = {
        "x264": ["-c:v", "libx264", "-threads", "1", "-preset", preset, "-crf", str(quality), "-f", "matroska"],
        "x265": ["-c:v", "libx265", "-preset", preset, "-crf", str(quality), "-x265-params", "pools=1:frame-threads=1", "-f", "matroska"],
        "vp9": ["-c:v", "libvpx-vp9", "-threads", "1", "-cpu-used", "5", "-crf", str(quality), "-b:v", "0", "-f", "matroska"],
    }[codec]
    raw = ["-f", "rawvideo", "-pix_fmt", "yuv420p"]
    coded, report = ffmpeg(raw + ["-s", f"{width}x{height}", "-r", "25", "-i", "-", *options], b"".join(frames))
    extra = ["-export_side_data", "venc_params"] if codec == "vp9" else []
    back, shown = ffmpeg(extra + ["-threads", "1", "-i", "-", "-vf", "showinfo", *raw], coded)
    if codec == "vp9":
        step = 0.6 * vp9_step(int(re.search(r"qp=(\d+)", shown)[1]))
    else:
        step = 0.625 * 2 ** (float(re.search(r"frame I:.*?Avg QP:\s*([\d.]+)", report)[1]) / 6)
    size = width * height * 3 // 2
    back = np.frombuffer(back, np.uint8).reshape(-1, size)
    assert len(back) == len(frames), (codec, len(back), len(frames))
    return back, step


def split(frame, height, width):
    """Luma and the two chroma planes of a 4:2:0 frame."""
    frame, count = np.frombuffer(frame, np.uint8), height * width
    return [frame[:count].reshape(height, width)] + [
        frame[count + k * count // 4:count + (k + 1) * count // 4].reshape(height // 2, width // 2) for k in range(2)]


def choice(rng, many):
    """An encoder, its quality and preset."""
    if many:
        codec = rng.choice(["x264", "x264", "x264", "x264", "x265", "vp9"])
    else:
        codec = rng.choice(["x264"] * 9 + ["x265", "vp9"])
    quality = int(rng.integers(30, 54)) if codec == "vp9" else int(rng.integers(20, 41))
    return str(codec), quality, str(rng.choice(["veryfast", "medium"]))


def panned(job):
    """Frames of a still that moves by whole samples."""
    kind, name, plane, seed = job
    cv2.setNumThreads(1)
    rng = np.random.default_rng(seed)
    height, width = plane.shape
    dy, dx = rng.integers(-4, 5, 2)
    count = int(rng.integers(3, 9))
    moved = [np.roll(plane, (k * dy, k * dx), (0, 1)) for k in range(count)]
    codec, quality, preset = choice(rng, False)
    grey = bytes([128]) * (width * height // 2)
    back, step = encode(([p.tobytes() + grey for p in moved], height, width), codec, quality, preset)
    return [(kind, f"{name} {codec} {quality} {k}", moved[k], split(back[k], height, width)[0].copy(), step)
            for k in rng.choice(count, 2, replace=False)]


def clip(job):
    """Frames of a clip, reduced so that they are clean, from several encoders."""
    path, seed = job
    rng = np.random.default_rng(seed)
    probe = ffmpeg(["-i", str(path), "-frames:v", "1", "-f", "rawvideo", "-pix_fmt", "yuv420p"], b"")[1]
    width, height = map(int, re.search(r"Video:.*? (\d{2,4})x(\d{2,4})", probe).groups())
    out = []
    for _ in range(2):
        size = rng.uniform(0.5, 0.75) if height > 400 else rng.uniform(0.6, 0.8)
        w, h = (int(n * size) // 8 * 8 for n in (width, height))
        data, _ = ffmpeg(["-i", str(path), "-vf", f"trim=start_frame={rng.integers(0, 20)},scale={w}:{h}:flags=area",
                          "-frames:v", "14", "-f", "rawvideo", "-pix_fmt", "yuv420p"], b"")
        frames = [data[k:k + w * h * 3 // 2] for k in range(0, len(data), w * h * 3 // 2)]
        for _ in range(3):
            codec, quality, preset = choice(rng, True)
            back, step = encode((frames, h, w), codec, quality, preset)
            for k in rng.choice(len(frames), 4, replace=False):
                truth, coded = split(frames[k], h, w), split(back[k], h, w)
                label = f"{path.stem} {codec} {quality} {k}"
                out.append(("clip", label, truth[0].copy(), coded[0].copy(), step))
                if w >= 2 * 160 and h >= 2 * 160 and k % 2:
                    out.append(("clip chroma", label, truth[1].copy(), coded[1].copy(), step))
    return out


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("shared", type=Path)
    parser.add_argument("work", type=Path)
    args = parser.parse_args()
    args.work.mkdir(parents=True, exist_ok=True)

    def store(name, values):
        part = args.work / f"{name}.part"
        part.write_bytes(pickle.dumps(values, 4))
        part.rename(args.work / f"{name}.pkl")
        print(name, len(values), f"{sum(v[2].size for v in values) / 1e6:.0f} M samples", flush=True)

    cv2.setNumThreads(1)
    with Pool(2) as pool:
        every = [p for group in pool.imap(clean, paths(args.shared), 4) for p in group] + drawn()
        store("held", [p for p in every if p[1] in HELD_OUT and p[0] in ("photo/0.35", "photo/0.5")])
        every = [p for p in every if p[1] not in HELD_OUT]
        store("truth", every)
        stills = [p for p in every if p[0] not in ("photo/0.7", "chroma")]
        order = np.random.default_rng(SEED).permutation(len(stills))
        jobs = [("pan " + stills[i][0].split("/")[0], stills[i][1], limited(stills[i][2].astype(np.float32)), 100 + i) for i in order]
        half = len(jobs) // 2
        run = lambda name, work, items: store(name, [p for group in pool.imap_unordered(work, items) for p in group])
        run("stills_1", panned, jobs[:half])
        clips = [(path, 9000 + k) for k, path in enumerate(sorted(Path(args.shared, "training/clips").glob("*.mp4")))]
        run("clips", clip, clips)
        run("stills_2", panned, jobs[half:])


if __name__ == "__main__":
    main()
