"""Makes what the fusion networks are trained with: drawn scenes of photographs and pages in motion, and parts of clips.

    python dataset.py scenes PHOTOS COUNT SEED OUT [--phase 0.5] [--pages 0]
    python dataset.py clips OUT CLIP... [--phase 0.5]

With --pages, this share of the layers shows text, small shapes, fine lines or a rough texture instead of a photograph.
A sample is five planes of 384×288 bytes: the frame before a pair, its first frame, the frame at the phase, its second
frame, and the frame after it. `records` runs vfx-fusiondata on a file of samples. Needs NumPy, OpenCV and, for clips,
ffmpeg.
"""
import argparse
import subprocess
from pathlib import Path

import cv2
import numpy as np

WIDTH, HEIGHT = 384, 288
FRAMES, TRUTH = 5, 2  # planes of a sample, and which of them is the frame at the phase
SCALE = 2  # scenes are drawn at twice the size and reduced by area


def read_photos(folder):
    full = [cv2.cvtColor(cv2.imread(str(f)), cv2.COLOR_BGR2GRAY) for f in sorted(Path(folder).glob("*.jpg"))]
    half = [cv2.resize(p, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA) for p in full]
    return full, half


def page(rng):
    """Lines of text, rows of small shapes, fine lines, which neighbours along a wrong motion resemble, or a rough texture."""
    height, width, kind = 640, 900, rng.integers(8)
    paper, ink = (rng.uniform(170, 255), rng.uniform(0, 90))[::1 if rng.random() < 0.7 else -1]
    picture = np.full((height, width), paper, np.float32)
    if kind < 2:
        scale, y = rng.uniform(0.4, 1.3), 0
        while y < height:
            y += int(28 * scale * rng.uniform(1, 1.6)) + 4
            text = "".join(chr(rng.integers(33, 126)) if rng.random() < 0.85 else " " for _ in range(90))
            cv2.putText(picture, text, (int(rng.uniform(0, 60)), y), rng.integers(0, 5), scale, ink,
                        1 if scale < 0.8 else int(rng.integers(1, 3)), cv2.LINE_AA)
    elif kind == 2:
        step = int(rng.integers(10, 36))
        for y in range(step, height, step):
            for x in range(step, width, step):
                size, level = int(rng.uniform(0.15, 0.45) * step) + 1, paper + (ink - paper) * rng.uniform(0.4, 1)
                if rng.random() < 0.5:
                    cv2.circle(picture, (x, y), size, level, -1 if rng.random() < 0.6 else 1, cv2.LINE_AA)
                else:
                    cv2.rectangle(picture, (x - size, y - size), (x + size, y + size), level, -1 if rng.random() < 0.6 else 1)
    elif kind > 3:
        picture = rng.normal(size=(height, width)).astype(np.float32)
        if rng.random() < 0.7:
            picture = cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.5, 2.5))
        picture = np.clip(rng.uniform(80, 180) + picture / picture.std() * rng.uniform(15, 60), 0, 255)
    else:
        for _ in range(rng.integers(2, 6)):
            step, slope, at = rng.uniform(5, 24), rng.normal(0, 0.4), rng.uniform(0, height)
            rows = slice(int(at), int(at + rng.uniform(60, 400)))
            y, x = np.mgrid[0:height, 0:width]
            wave = ((y + slope * x) % step < step * rng.uniform(0.2, 0.6)).astype(np.float32)
            picture[rows] = (paper + (ink - paper) * wave)[rows]
    return cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.4, 0.9)).astype(np.uint8)


def blob(rng, n):
    noise = cv2.GaussianBlur(rng.normal(size=(n, n)).astype(np.float32), (0, 0), rng.uniform(10, 30))
    radius = np.hypot(*(np.mgrid[0:n, 0:n] - n / 2)) / (n / 2)
    return ((noise / noise.std() - 3 * (radius - 0.6)) > 0).astype(np.uint8) * 255


def shape(rng, n=256):
    """The outline of an object: a blob, a polygon, an ellipse, bars, text or strokes."""
    kind, mask = rng.integers(6), np.zeros((n, n), np.uint8)
    if kind == 0:
        return blob(rng, n)
    if kind == 1:
        angles = np.sort(rng.uniform(0, 2 * np.pi, rng.integers(3, 8)))
        radii = rng.uniform(0.4, 1, len(angles)) * 120
        points = np.stack([128 + radii * np.cos(angles), 128 + radii * np.sin(angles)], 1)
        cv2.fillPoly(mask, [points.astype(np.int32)], 255, cv2.LINE_AA)
    elif kind == 2:
        axes = int(rng.uniform(30, 120)), int(rng.uniform(30, 120))
        cv2.ellipse(mask, (128, 128), axes, rng.uniform(0, 180), 0, 360, 255, -1, cv2.LINE_AA)
    elif kind == 3:
        step, thickness, crossed = int(rng.integers(20, 50)), int(rng.integers(3, 12)), rng.random() < 0.5
        for q in range(0, n, step):
            cv2.line(mask, (q, 0), (q, n), 255, thickness, cv2.LINE_AA)
            if crossed:
                cv2.line(mask, (0, q), (n, q), 255, thickness, cv2.LINE_AA)
    elif kind == 4:
        for q in range(5):
            text = "".join(chr(rng.integers(65, 91)) for _ in range(9))
            cv2.putText(mask, text, (4, 40 + q * 48), rng.integers(0, 5), 1.2, 255, int(rng.integers(2, 5)), cv2.LINE_AA)
    else:
        for _ in range(6):
            points = rng.integers(20, 236, (4, 2)).astype(np.int32)
            cv2.polylines(mask, [points], False, 255, int(rng.integers(4, 24)), cv2.LINE_AA)
    return mask


def distance(rng):
    """How far something moves between the outer frames, in samples."""
    u = rng.random()
    return rng.uniform(0, 8) if u < 0.5 else rng.uniform(8, 25) if u < 0.85 else rng.uniform(25, 60)


class Layer:
    """A photograph that moves, turns, grows and bends; the background fills the frame, others have an outline."""

    def __init__(self, rng, photos, grid, background, pages):
        self.background, (self.x, self.y) = background, grid
        self.texture = photos[int(rng.random() >= 0.5)][rng.integers(len(photos[0]))]
        if pages and rng.random() < pages:
            self.texture = page(rng)
        h, w = self.texture.shape
        self.centre = (WIDTH / 2, HEIGHT / 2) if background else (rng.uniform(0, WIDTH), rng.uniform(0, HEIGHT))
        self.origin = rng.uniform(0.2 * w, 0.8 * w), rng.uniform(0.2 * h, 0.8 * h)
        angle, size = rng.uniform(0, 2 * np.pi), distance(rng) * (0.6 if background else 1)
        self.motion = np.array([np.cos(angle), np.sin(angle)]) * size * (rng.random() >= 0.15)
        self.acceleration = rng.normal(0, 0.02) * self.motion
        self.turn = np.deg2rad(rng.normal(0, 2 if background else 4)) * (rng.random() < 0.6)
        self.growth = rng.normal(0, 0.03) * (rng.random() < 0.6)
        self.angle = rng.normal(0, 0.2) if background else rng.uniform(0, 2 * np.pi)
        self.scale = rng.uniform(0.8, 1.6)
        self.bend = rng.uniform(0, 3) * (rng.random() < 0.4)
        self.wave, self.offset = rng.uniform(30, 150), rng.uniform(0, 2 * np.pi, 2)
        if not background:
            self.gain, self.level, self.size = rng.uniform(0.6, 1.2), rng.uniform(-30, 30), rng.uniform(40, 260)
            self.mask, self.soft = shape(rng), rng.random() < 0.15

    def positions(self, t):
        centre = np.array(self.centre) + self.motion * (t - 0.5) + self.acceleration * (t * t - t)
        x, y = self.x - centre[0], self.y - centre[1]
        if self.bend:
            x = x + self.bend * t * np.sin(self.y * (2 * np.pi / self.wave) + self.offset[0])
            y = y + self.bend * t * np.sin(self.x * (2 * np.pi / self.wave) + self.offset[1])
        angle, scale = self.angle + self.turn * (t - 0.5), self.scale * (1 + self.growth * (t - 0.5))
        c, s = np.cos(angle) / scale, np.sin(angle) / scale
        return (x * c + y * s).astype(np.float32), (y * c - x * s).astype(np.float32)

    def draw(self, t, canvas):
        u, v = self.positions(t)
        map_x, map_y = u + np.float32(self.origin[0]), v + np.float32(self.origin[1])
        picture = cv2.remap(
            self.texture, map_x, map_y, cv2.INTER_CUBIC, borderMode=cv2.BORDER_REFLECT).astype(np.float32)
        if self.background:
            return picture
        f = np.float32(256 / self.size)
        alpha = cv2.remap(self.mask, u * f + 128, v * f + 128, cv2.INTER_LINEAR, borderValue=0).astype(np.float32) / 255
        if self.soft:
            alpha = cv2.GaussianBlur(alpha, (0, 0), 3)
        return canvas * (1 - alpha) + (picture * self.gain + self.level) * alpha


def overlay(rng):
    """Text that stands still over the scene."""
    mask = np.zeros((HEIGHT * SCALE, WIDTH * SCALE), np.uint8)
    text = "".join(chr(rng.integers(48, 91)) for _ in range(10))
    at = int(rng.uniform(0, 300)), int(rng.uniform(40, 500))
    cv2.putText(mask, text, at, rng.integers(0, 5), rng.uniform(1, 3), 255, int(rng.integers(2, 7)), cv2.LINE_AA)
    return mask.astype(np.float32) / 255, rng.uniform(0, 255)


def scene(rng, photos, grid, phase, pages):
    """A sample. The frame at the phase has no noise and no JPEG artefacts."""
    layers = [Layer(rng, photos, grid, True, pages)]
    layers += [Layer(rng, photos, grid, False, pages) for _ in range(rng.integers(0, 5))]
    still = overlay(rng) if rng.random() < 0.12 else None
    fade = rng.uniform(0.9, 1.1) if rng.random() < 0.1 else 1
    blur = rng.uniform(0.3, 0.9) if rng.random() < 0.4 else 0
    sigma = rng.uniform(0.3, 2.5) if rng.random() < 0.5 else 0
    quality = int(rng.integers(70, 97)) if rng.random() < 0.35 else 0
    for k, t in enumerate((-1, 0, phase, 1, 2)):
        canvas = None
        for layer in layers:
            canvas = layer.draw(t, canvas)
        if still:
            canvas = canvas * (1 - still[0]) + still[1] * still[0]
        frame = cv2.resize(canvas, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA)
        if blur:
            frame = cv2.GaussianBlur(frame, (0, 0), blur)
        frame = 16 + frame * (1 + (fade - 1) * t) * 219 / 255
        if k != TRUTH:
            frame = frame + rng.normal(0, sigma, frame.shape)
        frame = np.clip(np.rint(frame), 0, 255).astype(np.uint8)
        if k != TRUTH and quality:
            frame = cv2.imdecode(cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], 0)
        yield frame


def scenes(args):
    rng, photos = np.random.default_rng(args.seed), read_photos(args.photos)
    y, x = np.mgrid[0:HEIGHT * SCALE, 0:WIDTH * SCALE].astype(np.float32)
    grid = (x + 0.5) / SCALE - 0.5, (y + 0.5) / SCALE - 0.5
    with open(args.out, "wb") as out:
        for _ in range(args.count):
            for frame in scene(rng, photos, grid, args.phase, args.pages):
                out.write(frame.tobytes())


def clips(args):
    """Takes up to 40 samples of each clip, where something moves and nothing is cut."""
    rng, parts = np.random.default_rng(5), round(1 / args.phase)
    if parts * args.phase != 1:
        raise SystemExit(f"the phase is {args.phase}; for clips it must be 1 divided by a whole number")
    with open(args.out, "wb") as out:
        for clip in args.clip:
            size = subprocess.run(
                ["ffprobe", "-v", "error", "-select_streams", "v:0", "-show_entries", "stream=width,height", "-of",
                 "csv=p=0", clip], capture_output=True, text=True, check=True).stdout.split()[0].split(",")
            w = min(960, max(WIDTH, int(size[0]) // 2 * 2))
            h = max(HEIGHT, round(w * int(size[1]) / int(size[0]) / 2) * 2)
            raw = subprocess.run(
                ["ffmpeg", "-v", "error", "-i", clip, "-vf", f"scale={w}:{h}:flags=area,format=gray", "-frames:v", "400",
                 "-f", "rawvideo", "-"], capture_output=True, check=True).stdout
            frames = np.frombuffer(raw, np.uint8).reshape(-1, h, w)
            taken = 0
            for _ in range(1200):
                step = int(rng.integers(1, 4))
                pair = parts * step
                if taken == 40 or len(frames) <= 3 * pair:
                    break
                i, y, x = rng.integers(pair, len(frames) - 2 * pair), rng.integers(0, h - HEIGHT + 1), rng.integers(0, w - WIDTH + 1)
                planes = [frames[k][y:y + HEIGHT, x:x + WIDTH] for k in (i - pair, i, i + step, i + pair, i + 2 * pair)]
                numbers = [plane.astype(np.int16) for plane in planes]
                before, change, after = np.abs(numbers[0] - numbers[1]), np.abs(numbers[1] - numbers[3]), np.abs(numbers[3] - numbers[4])
                repeats = min(np.abs(numbers[TRUTH] - numbers[k]).mean() for k in (1, 3)) < 0.2
                if (change > 12).mean() < 0.02 or max(d.mean() for d in (before, change, after)) > 25 or repeats:
                    continue
                out.write(b"".join(np.ascontiguousarray(plane).tobytes() for plane in planes))
                taken += 1


def records(samples, tool, level, refinements, coarse, phase, pair_only):
    """Runs vfx-fusiondata on a file of samples; returns the file with its records."""
    planes = np.memmap(samples, np.uint8, "r").reshape(-1, FRAMES, WIDTH * HEIGHT)
    out = Path(samples).with_suffix(f".{level}{'.pair' if pair_only else ''}.records")
    command = [
        tool, "--width", WIDTH, "--height", HEIGHT, "--level", level, "--refinements", refinements,
        "--coarse-refinements", coarse, "--phase", phase] + ["--pair-only"] * pair_only
    with open(out, "wb") as file:
        subprocess.run(
            [str(part) for part in command], input=np.delete(planes, TRUTH, axis=1).tobytes(), stdout=file, check=True)
    return out


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("scenes")
    command.add_argument("photos")
    command.add_argument("count", type=int)
    command.add_argument("seed", type=int)
    command.add_argument("out")
    command.add_argument("--phase", type=float, default=0.5)
    command.add_argument("--pages", type=float, default=0)
    command.set_defaults(run=scenes)
    command = commands.add_parser("clips")
    command.add_argument("out")
    command.add_argument("clip", nargs="+")
    command.add_argument("--phase", type=float, default=0.5)
    command.set_defaults(run=clips)
    arguments = parser.parse_args()
    arguments.run(arguments)
