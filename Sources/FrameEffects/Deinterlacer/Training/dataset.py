"""Makes what the deinterlacing networks are trained with: progressive clips, and the records of their fields.

    python dataset.py clips RECORDED PHOTOS OUT
    python dataset.py records CLIPS TOOL OUT [--high]

RECORDED has recorded clips, PHOTOS photographs. Writes OUT/NAME_WxH.gray, eleven frames of luma each. Names that begin
with val_ are held out. TOOL is the program vfx-deinterlacedata; it writes a file of records for each clip, with the motion
of `normal` or of `high`. Needs NumPy, OpenCV, Pillow and ffmpeg. The seed is fixed.
"""
import argparse
import subprocess
from pathlib import Path

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

FRAMES = 11
SCALE = 2  # scenes are drawn at twice the size and reduced by area
TEXT = 4  # text at four times the size
HELD_OUT = ["cat360p25_a", "crystal480p30_a", "flower540p30_a", "coffee720p30_a", "talkB720p25_a", "juggle720p24_b",
            "maxwalk480p30_c", "karma480p30_b"]
SIZES = [(320, 240), (352, 288), (384, 272), (400, 224), (480, 272)]
VERTICAL = [0.25, 1 / 3, 0.5, 0.75, 1, 1, 1.5, 2, 2, 2.5, 3, 3, 3.7, 4, 5, 6, 6.4, 8]  # rows per frame
FONTS = ["DejaVuSans.ttf", "DejaVuSans-Bold.ttf", "DejaVuSerif.ttf", "DejaVuSerif-Bold.ttf", "DejaVuSansMono.ttf"]
DRAWN = ["pan", "pan", "scroll", "scroll", "layers", "layers", "layers", "credits", "credits", "ticker", "lines",
         "still"]
FINE = ["pan", "scroll", "layers", "pan", "scroll", "layers", "pan", "lines"]


def decode(path):
    size = subprocess.run(
        ["ffprobe", "-v", "error", "-select_streams", "v:0", "-show_entries", "stream=width,height", "-of", "csv=p=0",
         path], capture_output=True, text=True, check=True).stdout.split()[0].split(",")
    w, h = int(size[0]), int(size[1])
    raw = subprocess.run(
        ["ffmpeg", "-v", "error", "-threads", "1", "-i", path, "-pix_fmt", "yuv420p", "-f", "rawvideo", "-"],
        capture_output=True, check=True).stdout
    return np.frombuffer(raw, np.uint8).reshape(-1, w * h * 3 // 2)[:, :w * h].reshape(-1, h, w)


def write(out, name, frames):
    h, w = frames[0].shape
    frames = [np.clip(np.rint(frame), 0, 255).astype(np.uint8) for frame in frames]
    (Path(out) / f"{name}_{w}x{h}.gray").write_bytes(b"".join(np.ascontiguousarray(f).tobytes() for f in frames))


def recorded(rng, frames, least=0.35):
    """A part of a clip, as it is or reduced by area or bicubically, so that its sharpness varies."""
    h, w = frames[0].shape
    ow, oh = SIZES[rng.integers(len(SIZES))]
    ow, oh = min(ow, w // 16 * 16), min(oh, h // 8 * 8)
    fit = max(ow / w, oh / h)
    scale = 1 if rng.random() < 0.25 else max(fit, rng.uniform(max(fit, least), max(fit, 0.85)))
    first = rng.integers(0, len(frames) - FRAMES + 1)
    sw, sh = max(ow, round(w * scale)), max(oh, round(h * scale))
    x, y = rng.integers(0, sw - ow + 1), rng.integers(0, sh - oh + 1)
    cubic, blur = rng.random() < 0.4, rng.uniform(0.3, 0.6) if rng.random() < 0.15 else 0
    result = []
    for frame in frames[first:first + FRAMES]:
        frame = frame.astype(np.float32)
        if scale < 1:
            if cubic:  # sharper than by area: a little aliasing stays
                frame = cv2.GaussianBlur(frame, (0, 0), 0.32 / scale)
                frame = cv2.resize(frame, (sw, sh), interpolation=cv2.INTER_CUBIC)
            else:
                frame = cv2.resize(frame, (sw, sh), interpolation=cv2.INTER_AREA)
        frame = frame[y:y + oh, x:x + ow]
        if blur:
            frame = cv2.GaussianBlur(frame, (1, 5), sigmaX=0.01, sigmaY=blur)
        result.append(frame)
    return result


def outline(rng, n=512):
    """The outline of an object: a blob, a polygon, an ellipse, bars or strokes."""
    kind, mask = rng.integers(5), np.zeros((n, n), np.uint8)
    if kind == 0:
        noise = cv2.GaussianBlur(rng.normal(size=(n, n)).astype(np.float32), (0, 0), rng.uniform(20, 60))
        radius = np.hypot(*(np.mgrid[0:n, 0:n] - n / 2)) / (n / 2)
        mask = ((noise / noise.std() - 3 * (radius - 0.6)) > 0).astype(np.uint8) * 255
    elif kind == 1:
        angles = np.sort(rng.uniform(0, 2 * np.pi, rng.integers(3, 8)))
        radii = rng.uniform(0.4, 1, len(angles)) * 0.47 * n
        points = np.stack([n / 2 + radii * np.cos(angles), n / 2 + radii * np.sin(angles)], 1)
        cv2.fillPoly(mask, [points.astype(np.int32)], 255, cv2.LINE_AA)
    elif kind == 2:
        axes = int(rng.uniform(0.12, 0.47) * n), int(rng.uniform(0.12, 0.47) * n)
        cv2.ellipse(mask, (n // 2, n // 2), axes, rng.uniform(0, 180), 0, 360, 255, -1, cv2.LINE_AA)
    elif kind == 3:
        step, thickness, crossed = int(rng.integers(30, 90)), int(rng.integers(6, 24)), rng.random() < 0.5
        for q in range(0, n, step):
            cv2.line(mask, (0, q), (n, q), 255, thickness, cv2.LINE_AA)
            if crossed:
                cv2.line(mask, (q, 0), (q, n), 255, thickness, cv2.LINE_AA)
    else:
        for _ in range(6):
            points = rng.integers(40, n - 40, (4, 2)).astype(np.int32)
            cv2.polylines(mask, [points], False, 255, int(rng.integers(6, 40)), cv2.LINE_AA)
    return mask


def velocity(rng, most=12):
    """In samples per frame: at random, along an axis, or in whole rows."""
    u, angle = rng.random(), rng.uniform(0, 2 * np.pi)
    speed = rng.uniform(0, 3) if rng.random() < 0.55 else rng.uniform(3, most)
    if u < 0.6:
        return np.array([np.cos(angle), np.sin(angle)]) * speed
    if u < 0.75:
        return np.array([speed * rng.choice([-1, 1]), 0.0])
    if u < 0.9:
        return np.array([0.0, rng.choice(VERTICAL) * rng.choice([-1, 1])])
    return np.zeros(2)


def shake(rng):
    """By how much each frame is off its way, across and down: of a camera that shakes from field to field."""
    kind = rng.integers(4)
    if kind == 0:
        return rng.normal(0, 1.2, 2) * (-1.0) ** np.arange(FRAMES)[:, None]
    if kind == 1:
        return rng.normal(0, rng.uniform(0.3, 2), (FRAMES, 2))
    if kind == 2:
        return rng.integers(-2, 3, (FRAMES, 2)).astype(float)
    return rng.normal(0, 2, (FRAMES, 2)) * (rng.random((FRAMES, 1)) < 0.4)


def shaken(rng, frames, edge=16):
    """A clip that shakes, `edge` samples smaller at each side."""
    h, w = frames[0].shape
    return [cv2.warpAffine(frame.astype(np.float32), np.float32([[1, 0, dx], [0, 1, dy]]), (w, h),
                           flags=cv2.INTER_LANCZOS4, borderMode=cv2.BORDER_REFLECT)[edge:-edge, edge:-edge]
            for frame, (dx, dy) in zip(frames, shake(rng))]


class Layer:
    """A photograph that moves, turns, grows and bends; the background fills the frame, others have an outline."""

    def __init__(self, rng, photo, size, background, move=None, rigid=False):
        self.background, self.photo, self.size = background, photo, size
        w, h = size
        y, x = np.mgrid[0:h * SCALE, 0:w * SCALE].astype(np.float32)
        self.x, self.y = (x + 0.5) / SCALE - 0.5, (y + 0.5) / SCALE - 0.5
        ph, pw = photo.shape
        self.centre = np.array((w / 2, h / 2) if background else (rng.uniform(0, w), rng.uniform(0, h)))
        self.origin = rng.uniform(0.35 * pw, 0.65 * pw), rng.uniform(0.35 * ph, 0.65 * ph)
        self.motion = velocity(rng) * (0.7 if background else 1) if move is None else np.array(move, float)
        self.acceleration = rng.normal(0, 0.01) * self.motion * (not rigid)
        self.turn = np.deg2rad(rng.normal(0, 0.5)) * (rng.random() < 0.4) * (not rigid)
        self.growth = rng.normal(0, 0.006) * (rng.random() < 0.5) * (not rigid)
        self.angle = rng.normal(0, 0.15) * (not rigid) if background else rng.uniform(0, 2 * np.pi)
        self.scale = rng.uniform(0.45, 1.1)  # samples of the frame per sample of the photograph
        self.bend = rng.uniform(0, 0.5) * (rng.random() < 0.3) * (not rigid)
        self.wave, self.offset = rng.uniform(30, 150), rng.uniform(0, 2 * np.pi, 2)
        if not background:
            self.gain, self.level, self.extent = rng.uniform(0.6, 1.2), rng.uniform(-30, 30), rng.uniform(40, 200)
            self.mask = outline(rng)

    def draw(self, t, canvas, shake=0):
        centre = self.centre + shake + self.motion * t + self.acceleration * t * t
        x, y = self.x - np.float32(centre[0]), self.y - np.float32(centre[1])
        if self.bend:
            x = x + self.bend * t * np.sin(self.y * (2 * np.pi / self.wave) + self.offset[0])
            y = y + self.bend * t * np.sin(self.x * (2 * np.pi / self.wave) + self.offset[1])
        angle, scale = self.angle + self.turn * t, self.scale * (1 + self.growth * t)
        c, s = np.cos(angle) / scale, np.sin(angle) / scale
        u, v = (x * c + y * s).astype(np.float32), (y * c - x * s).astype(np.float32)
        picture = cv2.remap(self.photo, u + np.float32(self.origin[0]), v + np.float32(self.origin[1]), cv2.INTER_CUBIC,
                            borderMode=cv2.BORDER_REFLECT)
        if self.background:
            return picture
        f = np.float32(512 / self.extent * self.scale)
        alpha = cv2.remap(self.mask, u * f + 256, v * f + 256, cv2.INTER_LINEAR, borderValue=0).astype(np.float32) / 255
        return canvas * (1 - alpha) + (picture * self.gain + self.level) * alpha


def words(rng, letters):
    text = ""
    while len(text) < letters:
        word = "".join(chr(rng.integers(97, 123)) for _ in range(rng.integers(2, 10)))
        text += (word.upper() if rng.random() < 0.25 else word.capitalize() if rng.random() < 0.4 else word) + " "
    return text[:letters]


def font(rng, least, most):
    name = "/usr/share/fonts/truetype/dejavu/" + FONTS[rng.integers(len(FONTS))]
    return ImageFont.truetype(name, int(rng.uniform(least, most) * TEXT))


class Text:
    """Text that moves or stands still, drawn at TEXT times the size and reduced by area at each position."""

    def __init__(self, rng, size, kind):
        w, h = size
        self.size = size
        if kind == "ticker":
            self.move = np.array([-rng.choice([1, 1.5, 2, 2.7, 3, 4, 5.3, 6, 8]), 0.0])
            image = Image.new("L", ((w + 140) * TEXT, h * TEXT))
            draw, face = ImageDraw.Draw(image), font(rng, 12, 26)
            draw.text((0, (h - rng.integers(30, 60)) * TEXT), words(rng, 120), fill=255, font=face)
        elif kind == "credits":
            self.move = np.array([0.0, -rng.choice(VERTICAL)])
            image = Image.new("L", (w * TEXT, (h + 120) * TEXT))
            draw, y = ImageDraw.Draw(image), 0
            face, centred = font(rng, 9, 22), rng.random() < 0.7
            while y < (h + 120) * TEXT:
                line = words(rng, rng.integers(8, 30))
                x = (w * TEXT - draw.textlength(line, font=face)) / 2 if centred else 20 * TEXT
                draw.text((x, y), line, fill=255, font=face)
                y += int(face.size * rng.choice([1.2, 1.2, 2.2]))
        else:
            self.move = np.zeros(2)
            image = Image.new("L", (w * TEXT, h * TEXT))
            draw = ImageDraw.Draw(image)
            for _ in range(rng.integers(1, 4)):
                at = int(rng.integers(0, w // 2)) * TEXT, int(rng.integers(0, h - 30)) * TEXT
                draw.text(at, words(rng, 14), fill=255, font=font(rng, 10, 40))
        self.mask = np.asarray(image).astype(np.float32) / 255
        self.level = rng.choice([16.0, 235.0, rng.uniform(0, 255)], p=[0.15, 0.6, 0.25])
        self.shadow = rng.random() < 0.3

    def reduced(self, t, down):
        w, h = self.size
        dx, dy = self.move * t * TEXT
        matrix = np.float32([[1, 0, dx + down * TEXT], [0, 1, dy + down * TEXT]])
        moved = cv2.warpAffine(self.mask, matrix, (w * TEXT, h * TEXT), flags=cv2.INTER_LINEAR)
        return cv2.resize(moved, (w, h), interpolation=cv2.INTER_AREA)

    def draw(self, t, frame):
        if self.shadow:
            frame = frame * (1 - self.reduced(t, 1.5))
        alpha = self.reduced(t, 0)
        return frame * (1 - alpha) + self.level * alpha


def chart(rng, w=900, h=900):
    """Thin lines, grids and zone plates."""
    y, x = np.mgrid[0:h, 0:w].astype(np.float32)
    kind = rng.integers(4)
    if kind == 0:
        q = rng.uniform(0.0008, 0.003)
        return 128 + 100 * np.cos(q * ((x - w / 2) ** 2 + (y - h / 2) ** 2))
    mask = np.full((h, w), int(rng.uniform(10, 240)), np.uint8)
    for _ in range(rng.integers(15, 60)):
        level, thickness = int(rng.uniform(0, 255)), int(rng.integers(2, 7))
        a = int(rng.integers(0, h))
        slope = 0 if kind == 1 else int(rng.integers(-40, 40)) if kind == 2 else int(rng.integers(-h, h))
        cv2.line(mask, (0, a), (w, a + slope), level, thickness, cv2.LINE_AA)
        if rng.random() < 0.3:
            a = int(rng.integers(0, w))
            cv2.line(mask, (a, 0), (a + slope, h), level, thickness, cv2.LINE_AA)
    return mask.astype(np.float32)


def drawn(rng, kind, photos, clips, shakes=None):
    """`shakes`: what the pictures of the layers shake by, frame by frame; captions stand still."""
    size = SIZES[rng.integers(len(SIZES))]
    photo = lambda: photos[rng.integers(len(photos))]
    vertical = (0, rng.choice(VERTICAL) * rng.choice([-1, 1]))
    over, texts, layers = None, [], []
    if kind == "pan":
        layers = [Layer(rng, photo(), size, True)]
    elif kind == "scroll":
        layers = [Layer(rng, photo(), size, True, vertical, True)]
    elif kind == "layers":
        layers = [Layer(rng, photo(), size, True)]
        layers += [Layer(rng, photo(), size, False) for _ in range(rng.integers(1, 5))]
    elif kind == "lines":
        picture = chart(rng)
        move = (0, 0) if rng.random() < 0.25 else vertical if rng.random() < 0.4 else None
        layers = [Layer(rng, picture, size, True, move)]
    elif kind == "still":
        layers = [Layer(rng, photo(), size, True, (0, 0), True)]
    else:
        u = rng.random()
        if u < 0.4:
            over = recorded(rng, clips[rng.integers(len(clips))])
            size = over[0].shape[1], over[0].shape[0]
        elif u < 0.8:
            layers = [Layer(rng, photo(), size, True, (0, 0) if rng.random() < 0.6 else None, True)]
        else:
            over = [np.full((size[1], size[0]), rng.uniform(0, 60), np.float32)] * FRAMES
        texts = [Text(rng, size, kind)]
    if rng.random() < 0.2:
        texts.append(Text(rng, size, "still"))
    sigma = rng.uniform(0.3, 4) if rng.random() < (0.5 if kind == "still" else 0.35) else 0
    fade, frames = rng.uniform(-0.04, 0.04) if rng.random() < 0.06 else 0, []
    for t in range(FRAMES):
        t -= FRAMES // 2
        if over:
            frame = over[t + FRAMES // 2].astype(np.float32)
        else:
            canvas = None
            for layer in layers:
                canvas = layer.draw(t, canvas, 0 if shakes is None else shakes[t + FRAMES // 2])
            frame = cv2.resize(canvas, size, interpolation=cv2.INTER_AREA)
        for text in texts:
            frame = text.draw(t, frame)
        frame = 16 + np.clip(frame, 0, 255) * (1 + fade * t) * 219 / 255
        frames.append(frame + rng.normal(0, sigma, frame.shape))
    return frames


def clips(args):
    cv2.setNumThreads(1)
    rng = np.random.default_rng(1)
    photos = [cv2.imread(str(f), 0).astype(np.float32) for f in sorted(Path(args.photos).glob("*.jpg"))]
    held_photos, photos = photos[::16], [p for k, p in enumerate(photos) if k % 16]
    recordings = {f.stem: decode(str(f)) for f in sorted(Path(args.recorded).glob("*.mp4"))}
    held = [recordings.pop(name) for name in HELD_OUT]
    for name, frames in zip(HELD_OUT, held):
        write(args.out, f"val_{name}", recorded(rng, frames))
    for kind in ["pan", "scroll", "layers", "credits", "ticker", "lines", "still"]:
        write(args.out, f"val_{kind}", drawn(rng, kind, held_photos, held))
    for name, frames in recordings.items():
        for k in range(4):
            write(args.out, f"{name}_{k}", recorded(rng, frames))
    pool = list(recordings.values())
    for k in range(48):
        write(args.out, f"{DRAWN[k % len(DRAWN)]}_{k}", drawn(rng, DRAWN[k % len(DRAWN)], photos, pool))
    for k in range(3):  # cuts
        a, b = (recorded(rng, pool[rng.integers(len(pool))]) for _ in range(2))
        h, w = min(a[0].shape[0], b[0].shape[0]), min(a[0].shape[1], b[0].shape[1])
        write(args.out, f"cut_{k}", [f[:h, :w] for f in a[:5] + b[5:]])
    small = [cv2.resize(photo, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA) for photo in photos]
    detailed = sorted(small, key=lambda photo: -np.abs(np.diff(photo, 2, axis=0)).mean())[:70]
    for k in range(24):  # fine detail, which a field alone shows wrongly
        write(args.out, f"fine_{k}", drawn(rng, FINE[k % len(FINE)], detailed, pool))
    rng = np.random.default_rng(2)
    for k, frames in enumerate(held[:2]):
        write(args.out, f"val_shake_{k}", shaken(rng, recorded(rng, frames)))
    for k, kind in enumerate(["pan", "layers"]):
        write(args.out, f"val_shake_{k + 2}", drawn(rng, kind, held_photos, held, shake(rng)))
    for k in range(20):
        write(args.out, f"shake_recorded_{k}", shaken(rng, recorded(rng, pool[k])))
        kind = ["pan", "layers", "scroll", "lines"][k % 4]
        write(args.out, f"shake_drawn_{k}", drawn(rng, kind, photos, pool, shake(rng)))


def records(args):
    """Parities alternate from clip to clip; with `normal`, two clips of four have motion without the finest level."""
    Path(args.out).mkdir(exist_ok=True)
    for k, clip in enumerate(sorted(Path(args.clips).glob("*.gray"))):
        w, h = clip.stem.split("_")[-1].split("x")
        effort = ["--level", str(k // 2 % 2)]
        if args.high:
            effort = ["--level", "0", "--refinements", "5", "--coarse-refinements", "8"]
        with open(clip) as source, open(Path(args.out) / f"{clip.stem}.rec", "wb") as file:
            subprocess.run(
                [args.tool, "--width", w, "--height", h, "--parity", str(k % 2)] + effort, stdin=source, stdout=file,
                check=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("clips")
    for name in ("recorded", "photos", "out"):
        command.add_argument(name)
    command.set_defaults(run=clips)
    command = commands.add_parser("records")
    for name in ("clips", "tool", "out"):
        command.add_argument(name)
    command.add_argument("--high", action="store_true")
    command.set_defaults(run=records)
    arguments = parser.parse_args()
    arguments.run(arguments)
