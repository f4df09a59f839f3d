#!/usr/bin/env python3
"""Draws clips with labelled transitions and measures how many picks lie in one, and how many good frames count as one.

Scenes are parts of real clips and photos under a drawn camera move; the transitions between them are drawn at known times. Needs
ffmpeg, numpy and OpenCV."""
import argparse
import json
import math
import subprocess
import tempfile
from collections import defaultdict
from pathlib import Path

import cv2
import numpy as np

W, H, RATE = 320, 180, 25
# The thresholds were set on one half; the other is held out.
TUNE = ["a_highway_cars", "d_dog_livingroom", "e_bbb_intro", "f_12_5fps", "f_8k24", "f_mpeg2", "f_mpeg4", "f_srt", "f_vfr_round"]
HELD = ["a_highway_drive", "a_skater", "a_phone", "d_chaplin", "a_traffic", "b_station", "a_dog_jump", "a_bikes", "c_bbb", "c_sintel", "f_hevc_hlg",
        "b_bbb", "e_tears", "d_nasa"]


# Scenes

def filled(image, w=W, h=H):
    scale = max(w / image.shape[1], h / image.shape[0])
    size = (max(w, math.ceil(image.shape[1] * scale)), max(h, math.ceil(image.shape[0] * scale)))
    image = cv2.resize(image, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC)
    y, x = (image.shape[0] - h) // 2, (image.shape[1] - w) // 2
    return image[y:y + h, x:x + w]


def load(folder, half):
    """Frames of each clip of the half, and its photos."""
    clips = []
    for name in TUNE if half == "tune" else HELD:
        for path in sorted(folder.glob(name + "*")):
            rate = ["-r", "25"] if path.suffix == ".264" else []
            if "bbb_intro" in name:                            # its first shot is a fade
                rate = ["-ss", "8"]
            raw = subprocess.run(["ffmpeg", "-v", "error", "-nostdin", *rate, "-i", str(path), "-map", "0:v:0", "-frames:v", "400", "-vf",
                                  f"scale={W}:{H}:force_original_aspect_ratio=increase:flags=area,crop={W}:{H}", "-fps_mode", "passthrough",
                                  "-pix_fmt", "bgr24", "-f", "rawvideo", "-"], check=True, capture_output=True).stdout
            frames = np.frombuffer(raw, np.uint8).reshape(-1, H, W, 3)
            # Scenes must not have cuts of their own.
            step = [0] + [np.abs(cv2.resize(a, (32, 18)).astype(int) - cv2.resize(b, (32, 18)).astype(int)).mean() for a, b in zip(frames, frames[1:])]
            cuts = [0] + [i for i, s in enumerate(step) if s > 22] + [len(frames)]
            clips += [frames[a + 2:b - 2] for a, b in zip(cuts, cuts[1:]) if b - a > 40]
    photos = [cv2.imread(str(p)) for p in sorted((folder.parent / "photos").glob("*.jpg"))]
    photos = [cv2.resize(p, None, fx=900 / p.shape[1], fy=900 / p.shape[1], interpolation=cv2.INTER_AREA) for p in photos]
    return clips, photos[0 if half == "tune" else 1::2]


def camera(photo, count, rng, speed=0.0, zoom=(1.15, 1.15)):
    """A view that moves over a photo: `speed` in widths of the view a second, `zoom` at the first and last frame."""
    angle = rng.choice([0, math.pi]) + rng.normal(0, .15)
    shake = np.cumsum(rng.normal(0, .35, (count, 2)), 0)
    frames, (h, w) = [], photo.shape[:2]
    for i in range(count):
        t = i / max(1, count - 1)
        scale = zoom[0] * (zoom[1] / zoom[0]) ** t * max(W / w, H / h) * (1.6 if speed else 1)
        reach = speed * W * count / RATE * (t - .5)
        x, y = w / 2 + (reach * math.cos(angle) + shake[i, 0]) / scale, h / 2 + (reach * math.sin(angle) * .3 + shake[i, 1]) / scale
        matrix = np.float32([[scale, 0, W / 2 - scale * x], [0, scale, H / 2 - scale * y]])
        frames.append(cv2.warpAffine(photo, matrix, (W, H), flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REFLECT))
    return frames


def scene(kind, clips, photos, count, rng):
    photo = lambda: photos[rng.integers(len(photos))]
    def clip():
        frames = clips[rng.integers(len(clips))]
        start = int(rng.integers(max(1, len(frames) - count)))
        return [frames[min(len(frames) - 1, start + i)] for i in range(count)]
    if kind == "photo":
        return camera(photo(), count, rng, zoom=(1.1, rng.uniform(1.1, 1.25)))
    if kind == "pan":
        return camera(photo(), count, rng, speed=rng.uniform(.3, .55))
    if kind == "zoom":
        return camera(photo(), count, rng, zoom=tuple(rng.permutation([1.05, 1.9])))
    frames = clip() if rng.random() < .6 else camera(photo(), count, rng)
    if kind == "object":
        thing, size = camera(photo(), 1, rng)[0], rng.uniform(.2, .4)
        mask = np.zeros((H, W), np.float32)
        cv2.ellipse(mask, (W // 2, H // 2), (int(W * size / 2), int(H * size)), rng.uniform(0, 180), 0, 360, 1, -1, cv2.LINE_AA)
        out = []
        for i, f in enumerate(frames):
            x = W * (1.6 * ((i / RATE * .7) % 1) - .8)
            move = np.float32([[1, 0, x], [0, 1, 8 * math.sin(i / 5)]])
            m = cv2.warpAffine(mask, move, (W, H))[..., None]
            out.append((f * (1 - m) + cv2.warpAffine(thing, move, (W, H)) * m).astype(np.uint8))
        return out
    if kind == "scroll":
        sheet = np.zeros((H * 4, W, 3), np.uint8)
        for row in range(10, H * 4, 22):
            cv2.putText(sheet, "".join(rng.choice(list("abcdefghi klmnop rstu"), rng.integers(10, 26))), (30, row), cv2.FONT_HERSHEY_SIMPLEX, .5,
                        (255, 255, 255), 1, cv2.LINE_AA)
        return [np.maximum(f // 2, sheet[int(i * 2.2):int(i * 2.2) + H]) for i, f in enumerate(frames)]
    if kind == "letterbox":
        bar = int(H * rng.uniform(.12, .17))
        out = [f.copy() for f in frames]
        for f in out:
            f[:bar], f[-bar:] = 16, 16
        return out
    if kind == "split":
        other = clip()
        return [np.concatenate([cv2.resize(a, (W // 2, H)), cv2.resize(b, (W // 2, H))], 1) for a, b in zip(frames, other)]
    if kind == "dark":
        return [np.clip(f * .22 + rng.normal(0, 2, f.shape), 0, 255).astype(np.uint8) for f in frames]
    return frames


def pattern(rng):
    """A drawn test pattern."""
    y, x = np.mgrid[:H, :W]
    source = ["smptebars", "smptehdbars", "testsrc", "testsrc2", "pal75bars", "pal100bars", "rgbtestsrc", "yuvtestsrc", "zone", "ramp", "grid", "checks"][rng.integers(12)]
    if source == "zone":
        flat = 128 + 127 * np.cos(((x - W / 2) ** 2 + (y - H / 2) ** 2) * math.pi / W)
    elif source == "ramp":
        flat = np.where(y < H / 2, x * 255 / W, 255 - (x * 11 // W) * 25)
    elif source == "grid":
        flat = np.where((x % 20 == 0) | (y % 20 == 0), 235, 60)
    elif source == "checks":
        flat = np.where((x // 16 + y // 16) % 2, 200, 40)
    else:
        raw = subprocess.run(["ffmpeg", "-v", "error", "-f", "lavfi", "-i", f"{source}=s={W}x{H}:r=25:d=3", "-pix_fmt", "bgr24", "-f", "rawvideo", "-"], check=True,
                             capture_output=True).stdout
        return list(np.frombuffer(raw, np.uint8).reshape(-1, H, W, 3)[:45]), source
    return [np.repeat(flat.astype(np.uint8)[..., None], 3, 2)] * 45, source


# Transitions: (the scene before, the scene after, progress 0…1) to a picture

def shifted(image, dx, dy):
    return cv2.warpAffine(image, np.float32([[1, 0, dx], [0, 1, dy]]), (W, H))


def over(picture, corners, ground):
    """The picture warped so that its corners (top left, clockwise) lie there, over the ground."""
    source = np.float32([[0, 0], [W, 0], [W, H], [0, H]])
    matrix = cv2.getPerspectiveTransform(source, np.float32(corners))
    mask = cv2.warpPerspective(np.ones((H, W), np.float32), matrix, (W, H), flags=cv2.INTER_AREA)[..., None]
    return (ground * (1 - mask) + cv2.warpPerspective(picture, matrix, (W, H), flags=cv2.INTER_AREA) * mask).astype(np.uint8)


def box(x, y, w, h):
    return [[x, y], [x + w, y], [x + w, y + h], [x, y + h]]


def masked(a, b, order, t, soft):
    """A wipe: the points turn to the scene after in this order, 0…1, over an edge of this width."""
    m = np.clip((t * (1 + soft) - order) / max(soft, .004), 0, 1)[..., None]
    return (a * (1 - m) + b * m).astype(np.uint8)


def wipe(rng):
    y, x = np.mgrid[:H, :W].astype(np.float32)
    dx, dy = (x - W / 2) / W, (y - H / 2) / H
    kind = ["left", "right", "up", "down", "diagonal", "clock", "iris", "iris in", "box", "doors", "blinds"][rng.integers(11)]
    order = {"left": 1 - x / W, "right": x / W, "up": 1 - y / H, "down": y / H, "diagonal": (x / W + y / H) / 2, "clock": (np.arctan2(dx, -dy) / math.pi + 1) / 2,
             "iris": np.hypot(x - W / 2, y - H / 2) / math.hypot(W / 2, H / 2), "iris in": 1 - np.hypot(x - W / 2, y - H / 2) / math.hypot(W / 2, H / 2),
             "box": 2 * np.maximum(abs(dx), abs(dy)), "doors": 2 * abs(dx), "blinds": (x / W * 6) % 1}[kind]
    soft = rng.choice([0, 0, .1, .3])
    return "wipe " + kind + (" soft" if soft else ""), lambda a, b, t: masked(a, b, order, t, soft)


def slide(rng):
    kind, (ux, uy) = ["push", "slide over", "slide away"][rng.integers(3)], [(1, 0), (-1, 0), (0, 1), (0, -1)][rng.integers(4)]
    eased = rng.random() < .5
    def draw(a, b, t):
        t = t * t * (3 - 2 * t) if eased else t
        ax, ay, bx, by = ux * W * t, uy * H * t, -ux * W * (1 - t), -uy * H * (1 - t)
        if kind == "push":
            return np.maximum(shifted(a, round(ax), round(ay)), shifted(b, round(bx), round(by)))
        if kind == "slide over":
            return over(b, box(round(bx), round(by), W, H), a)
        return over(a, box(round(ax), round(ay), W, H), b)
    return kind, draw


def page_turn(rng):
    def draw(a, b, t):
        x = np.mgrid[:H, :W][1] + np.mgrid[:H, :W][0] * .3
        fold = (W + .3 * H) * (1 - t)
        out = np.where((x > fold)[..., None], b, a)
        # The back of the page lies mirrored on the page, paler.
        width = min(W * .35, (W - fold) * .5) if fold < W else 0
        back = (x > fold - width) & (x <= fold)
        columns = np.clip(2 * fold - x, 0, W - 1).astype(int)
        mirrored = np.take_along_axis(a, np.repeat(columns[..., None], 3, 2), 1)
        return np.where(back[..., None], (mirrored * .35 + 140).astype(np.uint8), out)
    return "page turn", draw


def cover_flow(rng):
    ground = np.zeros((H, W, 3), np.uint8) + np.uint8(rng.choice([0, 0, 12, 200]))
    def draw(a, b, t):
        s = 1 - .5 * math.sin(math.pi * t)                    # both pictures stand back in the middle of the move
        tilt = .3 * math.sin(math.pi * t)
        def panel(centre, side):
            w, h = W * s * .9 if s < 1 else W, H * s
            x, y, k = centre - w / 2, (H - h) / 2, h * tilt
            left, right = (0, k) if side < 0 else (k, 0)
            return [[x, y + left], [x + w, y + right], [x + w, y + h - right], [x, y + h - left]]
        out = over(a, panel(W * (.5 - t), -1), ground)
        return over(b, panel(W * (1.5 - t), 1), out)
    return "cover flow", draw


def cube(rng):
    ground = np.zeros((H, W, 3), np.uint8)
    def draw(a, b, t):
        x, d = W * (1 - t), .22 * H * math.sin(math.pi * t)
        out = over(a, [[0, d * t], [x, d], [x, H - d], [0, H - d * t]], ground) if x > 2 else ground
        return over(b, [[x, d], [W, d * (1 - t)], [W, H - d * (1 - t)], [x, H - d]], out) if x < W - 2 else out
    return "cube", draw


def picture_in_picture(rng):
    kind = ["grows", "shrinks", "moves on black"][rng.integers(3)]
    cx, cy = rng.uniform(.1, .9), rng.uniform(.1, .9)
    def inset(p, s):
        return box(W * cx * (1 - s), H * cy * (1 - s), max(4, W * s), max(3, H * s))
    def draw(a, b, t):
        if kind == "grows":
            return over(b, inset(b, t), a)
        if kind == "shrinks":
            return over(a, inset(a, 1 - t), b)
        s, black = 1 - .55 * math.sin(math.pi * t), np.zeros_like(a)
        out = over(a, box(W * (1 - s) / 2 - W * t * 1.2, H * (1 - s) / 2, W * s, H * s), black)
        return over(b, box(W * (1 - s) / 2 + W * (1 - t) * 1.2, H * (1 - s) / 2, W * s, H * s), out)
    return "picture in picture " + kind, draw


def dissolve(rng):
    kind = ["dissolve", "half dissolve", "zoom dissolve"][rng.integers(3)]
    def draw(a, b, t):
        if kind == "half dissolve":
            t = .5 * min(1, t / .2) if t < .8 else .5 + .5 * (t - .8) / .2
        if kind == "zoom dissolve":
            a = over(a, box(-W * t * .4, -H * t * .4, W * (1 + .8 * t), H * (1 + .8 * t)), a)
        return cv2.addWeighted(a, 1 - t, b, t, 0)
    return kind, draw


def fade(rng):
    return "fade", lambda a, b, t: (a * (1 - 2 * t)).astype(np.uint8) if t < .5 else (b * (2 * t - 1)).astype(np.uint8)


KINDS = [wipe, wipe, slide, slide, page_turn, cover_flow, cube, picture_in_picture, picture_in_picture, dissolve, fade]
SCENES = ["plain", "plain", "photo", "photo", "pan", "zoom", "object", "scroll", "letterbox", "split", "dark"]


def draw_clip(clips, photos, rng, steps):
    """Pictures and labels: 'good KIND', 'transition KIND', 'pattern NAME', or 'edge' where a transition has hardly begun."""
    pictures, labels = [], []
    kinds = [SCENES[i] for i in rng.permutation(len(SCENES))][:steps + 1]
    length = [int(rng.integers(60, 90)) for _ in kinds]
    scenes = [scene(k, clips, photos, n, rng) for k, n in zip(kinds, length)]
    used = 0
    for index, (kind, frames) in enumerate(zip(kinds, scenes)):
        last = index == len(scenes) - 1
        if not last and rng.random() < .15:                   # a hard cut
            count, name, draw = 0, "", None
        else:
            name, draw = KINDS[rng.integers(len(KINDS))](rng)
            count = 0 if last else int(RATE * rng.uniform(.4, 1.6) * (1.6 if name == "half dissolve" else 1))
        count = min(count, len(frames) - used - 20, 0 if last else len(scenes[index + 1]) - 25)
        for picture in frames[used:len(frames) - count]:
            pictures.append(picture)
            labels.append("good " + kind)
        for i in range(count):
            t = (i + 1) / (count + 1)
            pictures.append(draw(frames[len(frames) - count + i], scenes[index + 1][i], t))
            labels.append("transition " + name if .1 < t < .9 else "edge")
        used = count
    if rng.random() < .5:
        extra, name = pattern(rng)
        pictures += extra
        labels += ["pattern " + name] * len(extra)
    return pictures, labels


def encode(pictures, path):
    encoder = subprocess.Popen(["ffmpeg", "-v", "error", "-y", "-f", "rawvideo", "-pix_fmt", "bgr24", "-s", f"{W}x{H}", "-r", str(RATE), "-i", "-", "-pix_fmt", "yuv420p",
                                "-c:v", "libx264", "-preset", "veryfast", "-crf", "18", str(path)], stdin=subprocess.PIPE)
    for picture in pictures:
        encoder.stdin.write(np.ascontiguousarray(picture).tobytes())
    encoder.stdin.close()
    if encoder.wait():
        raise SystemExit(f"cannot encode {path}")


# Measures

def picks(vfx, path, count):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([vfx, "thumbnails", str(path), "-o", folder + "/out", "--count", str(count), "--overwrite"], check=True, capture_output=True)
        return [float(p["time"]) for p in json.loads(Path(folder, "out", "scores.json").read_text())["picks"]]


def flags(tool, path):
    """For each frame, whether it counts as part of a transition."""
    y4m = subprocess.Popen(["ffmpeg", "-v", "error", "-i", str(path), "-pix_fmt", "yuv420p", "-f", "yuv4mpegpipe", "-"], stdout=subprocess.PIPE)
    out = subprocess.run([tool, "transitions"], stdin=y4m.stdout, capture_output=True, text=True, check=True).stdout
    return [line.split()[0] == "1" for line in out.splitlines()]


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("clips", type=Path, help="folder with clips; the photos are in the folder photos next to it")
    p.add_argument("drawn", type=Path, help="folder for the drawn clips; those that exist are used again")
    p.add_argument("--half", choices=["tune", "held"], default="held")
    p.add_argument("--count", type=int, default=20, help="number of clips")
    p.add_argument("--steps", type=int, default=6, help="transitions in each clip")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--vfx", help="measure the picks of this program")
    p.add_argument("--picks", type=int, default=6, help="picks from each clip")
    p.add_argument("--tool", help="measure every frame with this measure-frames program")
    args = p.parse_args()
    args.drawn.mkdir(parents=True, exist_ok=True)
    paths = [args.drawn / f"{args.half}-{args.seed}-{n}.mp4" for n in range(args.count)]
    if not all(path.with_suffix(".json").exists() for path in paths):
        clips, photos = load(args.clips, args.half)
        for n, path in enumerate(paths):
            pictures, labels = draw_clip(clips, photos, np.random.default_rng([args.seed, n, args.half == "held"]), args.steps)
            encode(pictures, path)
            path.with_suffix(".json").write_text(json.dumps(labels))
    labels = {path: json.loads(path.with_suffix(".json").read_text()) for path in paths}
    everything = [label for path in paths for label in labels[path]]
    print(f"{len(paths)} clips, {len(everything)} frames, {100 * np.mean([l.startswith('transition') for l in everything]):.1f} % in transitions, "
          f"{100 * np.mean([l.startswith('pattern') for l in everything]):.1f} % test patterns")
    if args.vfx:
        found = []
        for path in paths:
            chosen = [(t, labels[path][min(len(labels[path]) - 1, int(t * RATE + .5))]) for t in picks(args.vfx, path, args.picks)]
            found += chosen
            wrong = [f"{t:.2f} s {l}" for t, l in chosen if l.startswith(("transition", "pattern"))]
            if wrong:
                print(f"  {path.name}: {', '.join(wrong)}")
        share = lambda start: 100 * np.mean([l.startswith(start) for _, l in found])
        print(f"picks: {len(found)}, in transitions {share('transition'):.1f} %, in test patterns {share('pattern'):.1f} %, at edges {share('edge'):.1f} %")
    if args.tool:
        counts = defaultdict(lambda: [0, 0])
        for path in paths:
            for flag, label in zip(flags(args.tool, path), labels[path]):
                for key in (label, label.split()[0]):
                    counts[key][0] += flag
                    counts[key][1] += 1
        for key in sorted(counts):
            print(f"  {key:32s} {100 * counts[key][0] / counts[key][1]:5.1f} % of {counts[key][1]} frames count as a transition")


if __name__ == "__main__":
    main()
