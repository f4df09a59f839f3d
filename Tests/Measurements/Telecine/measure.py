"""Telecines progressive clips, undoes it with vfx, and compares: python3 measure.py VFX WORK CLIP...

Each clip is scaled to 720x480, at most 110 frames of it become film of 24000/1001 frames/s, and eight frames of the
telecined video are cut out in the middle, which breaks the cadence. Field order, pattern, noise and codec change from
clip to clip. Needs NumPy and ffmpeg.
"""
import subprocess
import sys
from pathlib import Path

import numpy as np

WIDTH, HEIGHT, FRAMES, BREAK = 720, 480, 110, 8
SIZE = WIDTH * HEIGHT * 3 // 2
# The fields of each film frame, top field first, the standard deviation of noise, codec options and ending.
X264 = ["-c:v", "libx264", "-crf", "20"], ".mkv"
MPEG2 = ["-c:v", "mpeg2video", "-q:v", "4"], ".ts"
FFV1 = ["-c:v", "ffv1"], ".mkv"
VARIANTS = [
    ("23", True, 0, X264), ("23", False, 0, MPEG2), ("2332", True, 0, X264), ("23", True, 3, X264), ("32", True, 0, MPEG2),
    ("23", False, 0, X264), ("23", True, 0, MPEG2), ("2332", False, 2, MPEG2), ("23", True, 2, FFV1), ("32", False, 0, X264),
]


def ffmpeg(*arguments, data=None):
    return subprocess.run(["ffmpeg", "-v", "error", *map(str, arguments)], input=data, capture_output=True, check=True).stdout


def decode(path, *options):
    raw = ffmpeg("-i", path, *options, "-vsync", "0", "-pix_fmt", "yuv420p", "-f", "rawvideo", "-")
    return np.frombuffer(raw, np.uint8).reshape(-1, SIZE)


def planes(frame):
    luma, chroma = WIDTH * HEIGHT, WIDTH * HEIGHT // 4
    return [
        frame[:luma].reshape(HEIGHT, WIDTH), frame[luma:luma + chroma].reshape(HEIGHT // 2, -1),
        frame[luma + chroma:].reshape(HEIGHT // 2, -1)]


def telecine(film, pattern, is_top_first, noise):
    """The video frames, and the film frames of the fields of each."""
    fields = [i for i in range(len(film)) for _ in range(int(pattern[i % len(pattern)]))]
    pairs = list(zip(fields[::2], fields[1::2]))
    middle = len(pairs) // 2 + 3
    pairs = pairs[:middle] + pairs[middle + BREAK:]
    rng, frames = np.random.default_rng(1), []
    for first, second in pairs:
        woven = []
        for a, b in zip(planes(film[first]), planes(film[second])):
            plane = a.copy()
            plane[is_top_first::2] = b[is_top_first::2]
            if noise:
                plane = np.clip(plane + np.rint(rng.normal(0, noise, plane.shape)), 0, 255).astype(np.uint8)
            woven.append(plane.ravel())
        frames.append(np.concatenate(woven))
    return frames, pairs


def measure(vfx, work, clip, variant):
    pattern, is_top_first, noise, (codec, ending) = variant
    film = decode(clip, "-vf", f"scale={WIDTH}:{HEIGHT}:flags=bicubic", "-frames:v", FRAMES)
    frames, pairs = telecine(film, pattern, is_top_first, noise)
    video, result = work / (clip.stem + ending), work / (clip.stem + "_film.mkv")
    interlaced = ["-flags", "+ilme+ildct", "-top", int(is_top_first)]
    if "libx264" in codec:
        interlaced += ["-x264-params", "tff=1" if is_top_first else "bff=1"]
    ffmpeg(
        "-y", "-f", "rawvideo", "-s", f"{WIDTH}x{HEIGHT}", "-pix_fmt", "yuv420p", "-r", "30000/1001", "-i", "-",
        "-vf", f"setfield={'tff' if is_top_first else 'bff'}", *codec, *interlaced, video, data=b"".join(map(bytes, frames)))
    subprocess.run([vfx, "deinterlace", video, "-o", result, "--codec", "ffv1", "--overwrite"], check=True, capture_output=True)
    made = decode(result)[:, :WIDTH * HEIGHT].astype(np.float32)
    listed = subprocess.run(
        ["ffprobe", "-v", "error", "-select_streams", "v", "-show_entries", "packet=pts_time", "-of", "csv=p=0", result],
        capture_output=True, text=True, check=True).stdout
    times = np.sort([float(line.strip(",")) for line in listed.split()])
    luma = film[:, :WIDTH * HEIGHT].astype(np.float32)
    quality = []
    for picture, time in zip(made, times):
        near = pairs[min(len(pairs) - 1, round((time - times[0]) * 30000 / 1001))][0]
        errors = [np.mean((luma[i] - picture) ** 2) for i in range(max(0, near - 4), min(len(luma), near + 5))]
        quality.append(10 * np.log10(255 ** 2 / max(min(errors), 0.05)))
    quality, steps = np.array(quality), np.diff(times) * 30000 / 1001
    whole = len({i for pair in pairs for i in pair})
    combed = int((quality < np.median(quality) - 4).sum())
    uneven = int((np.abs(steps - 1.25) > 0.06).sum())
    print(
        f"| {clip.stem} | {pattern} {'top' if is_top_first else 'bottom'}, noise {noise}, {codec[1]} | {len(pairs)} | {whole} "
        f"| {len(made)} | {np.median(quality):.2f} | {quality.min():.2f} | {combed} | {uneven} |", flush=True)


def main(vfx, work, *clips):
    work = Path(work)
    work.mkdir(parents=True, exist_ok=True)
    print("| clip | telecine | frames | film frames | made | median PSNR | least | combed | uneven steps |\n|---|---|---|---|---|---|---|---|---|")
    for index, clip in enumerate(clips):
        measure(vfx, work, Path(clip), VARIANTS[index % len(VARIANTS)])


main(*sys.argv[1:])
