"""Measures a checkpoint: python restoration_measure.py CHECKPOINT [--set14 FOLDER] [--quality 10 20] [--turns 4]
[--chroma] [--clips CLIP…] [--crf 30]

PSNR in dB of the decoded pictures and of the cleaned ones. Pictures: luma in full range as grey JPEG by libjpeg. Clips:
reduced to at most 720 samples, encoded by x264; VMAF too if the program `--ffmpeg` has it.
"""
import argparse
import json
import math
import re
import subprocess
import tempfile
from pathlib import Path

import cv2
import numpy as np
import torch

from restoration_conditions import HEVC, coding, plane_weights, table_step
from restoration_data import encode, ffmpeg
from restoration_network import RestorationNetwork
from restoration_samples import CHROMA, LUMA, jpeg, table


def load(path):
    saved = torch.load(path, map_location="cpu")
    model = RestorationNetwork(saved["channels"], saved["middles"])
    model.load_state_dict({k: v.float() for k, v in saved["model"].items()})
    return model.eval()


def padded(plane, halo):
    """With `2 · halo` more samples on each side, and one more at odd ends."""
    return np.pad(plane, [(2 * halo, 2 * halo + n % 2) for n in plane.shape], "edge")


@torch.no_grad()
def cleaned(model, plane, condition, turns=1):
    weights = torch.tensor(plane_weights(*condition) / 256, dtype=torch.float32)
    height, width = plane.shape
    plane, sum = np.pad(plane, [(0, n % 2) for n in plane.shape], "edge"), 0
    for turn in range(turns):
        x = padded(np.rot90(plane, turn), model.halo).astype(np.float32) / 255
        rows = 128 + 4 * model.halo  # in strips, which need less memory
        strips = [model(torch.from_numpy(x[None, y:y + rows]), weights)[0].numpy() for y in range(0, x.shape[0] - 4 * model.halo, 128)]
        sum = sum + np.rot90(np.concatenate(strips), -turn)
    return np.clip(np.round(sum / turns * 255), 0, 255).astype(np.uint8)[:height, :width]


def psnr(a, b):
    return 10 * math.log10(255 ** 2 / max(1e-9, np.mean((a.astype(np.float64) - b) ** 2)))


def luma(path):
    blue, green, red = (cv2.imread(str(path)).astype(np.float64)[..., k] for k in range(3))
    return np.round(0.299 * red + 0.587 * green + 0.114 * blue).astype(np.uint8)


def chroma(path):
    """Both chroma planes at half size."""
    image = cv2.imread(str(path)).astype(np.float64)
    y = 0.114 * image[..., 0] + 0.587 * image[..., 1] + 0.299 * image[..., 2]
    planes = [128 + (image[..., channel] - y) / scale for channel, scale in ((0, 1.772), (2, 1.402))]
    planes = [cv2.resize(p, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA) for p in planes]
    return [np.round(p).clip(0, 255).astype(np.uint8) for p in planes if p.std() > 1]  # grey pictures have none


def pictures(model, planes, base, qualities, turns, factor=1.0, video=0):
    """factor: of the step that the network is told."""
    for quality in qualities:
        quantizer = table(base, quality)
        condition = coding(table_step(quantizer) * factor), video
        decoded = [jpeg(plane, quantizer) for plane in planes]
        before = [psnr(a, b) for a, b in zip(planes, decoded)]
        for count in turns:
            gains = [psnr(a, cleaned(model, b, condition, count)) - c for a, b, c in zip(planes, decoded, before)]
            print(f"quality {quality}, told {condition}, {count} turns: {np.mean(before):.3f} {np.mean(gains):+.3f} dB, "
                  f"smallest {min(gains):+.3f}", flush=True)


def vmaf(program, truth, other, height, width):
    """Of lists of 4:2:0 frames."""
    with tempfile.TemporaryDirectory() as folder:
        names = [Path(folder) / name for name in ("a.yuv", "b.yuv", "log.json")]
        for name, frames in zip(names, (other, truth)):
            name.write_bytes(b"".join(frames))
        raw = ["-f", "rawvideo", "-pix_fmt", "yuv420p", "-s", f"{width}x{height}"]
        subprocess.run([program, "-v", "error", *raw, "-i", names[0], *raw, "-i", names[1], "-lavfi",
                        f"libvmaf=log_fmt=json:log_path={names[2]}", "-f", "null", "-"], check=True)
        return json.loads(names[2].read_text())["pooled_metrics"]["vmaf"]["mean"]


def clip(model, path, crf, codec, preset, count, program, factor=1.0):
    probe = ffmpeg(["-i", str(path), "-frames:v", "1", "-f", "rawvideo", "-pix_fmt", "yuv420p"], b"")[1]
    width, height = map(int, re.search(r"Video:.*? (\d{2,4})x(\d{2,4})", probe).groups())
    scale = min(1, 720 / max(width, height))
    w, h = (int(n * scale) // 2 * 2 for n in (width, height))
    data, _ = ffmpeg(["-i", str(path), "-vf", f"trim=start_frame=10,scale={w}:{h}:flags=area", "-frames:v", str(count),
                      "-f", "rawvideo", "-pix_fmt", "yuv420p"], b"")
    size = w * h * 3 // 2
    frames = [data[k:k + size] for k in range(0, len(data), size)]
    back, step = encode((frames, h, w), codec, crf, preset)
    condition = coding(step * factor * (HEVC if codec == "x265" else 1)), 1
    before, after, decoded, clean = [], [], [], []
    for frame, other in zip(frames, back):
        truth, y = np.frombuffer(frame, np.uint8)[:w * h].reshape(h, w), other[:w * h].reshape(h, w)
        better = cleaned(model, y, condition)
        before.append(psnr(truth, y))
        after.append(psnr(truth, better))
        decoded.append(other.tobytes())
        clean.append(better.tobytes() + other[w * h:].tobytes())
    text = f"{path.name} {w}×{h} {codec} {crf}, coding {condition[0]}: {np.mean(before):.3f} {np.mean(after) - np.mean(before):+.3f} dB"
    if program:
        a, b = (vmaf(program, frames, part, h, w) for part in (decoded, clean))
        text += f", VMAF {a:.2f} {b - a:+.2f}"
    print(text, flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("checkpoint")
    parser.add_argument("--set14")
    parser.add_argument("--quality", type=int, nargs="+", default=[10, 20, 40, 95])
    parser.add_argument("--turns", type=int, nargs="+", default=[1])
    parser.add_argument("--chroma", action="store_true", help="chroma planes with their table instead of luma")
    parser.add_argument("--factor", type=float, default=1, help="of the step that the network is told")
    parser.add_argument("--video", type=int, default=0, help="tell the network that the pictures are frames of a video")
    parser.add_argument("--clips", type=Path, nargs="+", default=[])
    parser.add_argument("--crf", type=int, default=30)
    parser.add_argument("--codec", default="x264")
    parser.add_argument("--preset", default="medium")
    parser.add_argument("--frames", type=int, default=8)
    parser.add_argument("--ffmpeg", help="a program with libvmaf")
    args = parser.parse_args()
    torch.set_num_threads(1)
    model = load(args.checkpoint)
    if args.set14:
        paths = sorted(Path(args.set14).glob("*_HR.png"))
        planes = [p for path in paths for p in chroma(path)] if args.chroma else [luma(path) for path in paths]
        pictures(model, planes, CHROMA if args.chroma else LUMA, args.quality, args.turns, args.factor, args.video)
    for path in args.clips:
        clip(model, path, args.crf, args.codec, args.preset, args.frames, args.ffmpeg, args.factor)


if __name__ == "__main__":
    main()
