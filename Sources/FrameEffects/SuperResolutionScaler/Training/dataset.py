"""Pairs of small and full luma planes for training: photographs, frames of clips, drawn text and lines.

Planes are 8-bit limited-range luma.
"""
import subprocess
from pathlib import Path

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

FONTS = sorted(Path("/usr/share/fonts/truetype/dejavu").glob("DejaVu*.ttf"))
HOWS = {"area": 0.45, "matlab": 0.3, "bicubic": 0.25}  # the share of each kind of halving
SIZES = (1, 0.7, 0.5, 0.35)  # of the photographs
# Photographs that are not trained with; they measure what the networks do on pictures they have not seen.
HELD_OUT = ("jad_limcaco_183877", "morskie_oko", "nasa_45068", "sean_afnan_244576",
            "roman_colosseum", "oakland_zoo_otters")


RAW = ["-f", "rawvideo", "-pix_fmt", "yuv420p", "-"]


def cubic(x, a):
    """Keys' cubic kernel."""
    x = np.abs(x)
    return np.where(x < 1, ((a + 2) * x - (a + 3)) * x ** 2 + 1, np.where(x < 2, (((x - 5) * x + 8) * x - 4) * a, 0))


def halve(plane, how):
    """The plane at half size: the mean of four samples, or the cubic kernel at twice its width as MATLAB (a = -0.5) and
    swscale (a = -0.6) do it.
    """
    if how == "area":
        taps = np.array([0.5, 0.5])
    else:
        taps = cubic((np.arange(8) - 3.5) / 2, {"matlab": -0.5, "bicubic": -0.6}[how])
        taps /= taps.sum()
    small = plane.astype(np.float64)
    for _ in range(2):  # rows, then columns
        edge = len(taps) // 2 - 1
        padded = np.pad(small, ((edge, edge), (0, 0)), "symmetric")
        small = sum(t * padded[k:k + len(small):2] for k, t in enumerate(taps)).T
    return np.clip(np.round(small), 0, 255).astype(np.uint8)


def compress(plane, crf, pan, at, preset="medium"):
    """The plane as frame `at` of a panning H.264 clip, so that there are predicted frames, not only keyframes."""
    height, width = plane.shape
    dx, dy = pan
    planes = [np.roll(plane, ((at - k) * dy, (at - k) * dx), (0, 1)) for k in range(at + 2)]
    encode = subprocess.run(
        ["ffmpeg", "-v", "error", "-f", "rawvideo", "-pix_fmt", "yuv420p", "-s", f"{width}x{height}", "-i", "-",
         "-c:v", "libx264", "-threads", "1", "-preset", preset, "-crf", str(crf), "-f", "h264", "-"],
        input=b"".join(p.tobytes() + bytes([128]) * (width * height // 2) for p in planes),
        stdout=subprocess.PIPE, check=True).stdout
    out = subprocess.run(["ffmpeg", "-v", "error", "-f", "h264", "-i", "-"] + RAW, input=encode,
                         stdout=subprocess.PIPE, check=True).stdout
    size = width * height * 3 // 2
    return np.frombuffer(out, np.uint8).reshape(-1, size)[at, :width * height].reshape(height, width)


def jpeg(plane, quality):
    return cv2.imdecode(cv2.imencode(".jpg", plane, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], cv2.IMREAD_GRAYSCALE)


def fit(plane):
    """The plane cropped to a multiple of four in each direction."""
    return np.ascontiguousarray(plane[:plane.shape[0] // 4 * 4, :plane.shape[1] // 4 * 4])


def photographs(folder, held_out):
    """The photographs, held out or not, at each of the sizes."""
    for path in sorted(Path(folder).glob("*.jpg")):
        if (path.stem in HELD_OUT) != held_out:
            continue
        image = cv2.imread(str(path)).astype(np.float32)
        for size in SIZES:
            small = image if size == 1 else cv2.resize(image, None, fx=size, fy=size, interpolation=cv2.INTER_AREA)
            blue, green, red = small[..., 0], small[..., 1], small[..., 2]
            luma = 16 + (0.299 * red + 0.587 * green + 0.114 * blue) * 219 / 255
            yield f"photo/{size}", fit(np.round(luma).astype(np.uint8))


CLIPS = (  # name, filter; none of these is in a benchmark table
    ("f_12_5fps_720p.mp4", "select='eq(n,3)'"),
    ("f_srt_1080x720.mkv", "select='eq(n,20)'"),
    ("f_8k24_hevc.mp4", "select='eq(n,2)',scale=1920:1080:flags=area"),
    ("f_hlg_10bit_dash_fmp4.mp4", "select='eq(n,10)+eq(n,60)'"),
    ("d_dog_livingroom_vfr_720p.mp4", "select='eq(n,5)',scale=960:540:flags=area"),
)


def frames(folder):
    for name, filters in CLIPS:
        path = Path(folder) / name
        if not path.exists():
            continue
        out = subprocess.run(["ffmpeg", "-v", "error", "-noautorotate", "-i", str(path), "-map", "0:v:0", "-vf",
                              filters + ",format=gray", "-fps_mode", "passthrough", "-f", "image2pipe", "-c:v", "pgm",
                              "-"], stdout=subprocess.PIPE, check=True).stdout
        while out:
            head = out.split(b"\n", 3)
            width, height = map(int, head[1].split())
            size = len(out) - len(head[3])
            full = np.frombuffer(out[size:size + width * height], np.uint8).reshape(height, width)
            out = out[size + width * height:]
            # FFmpeg's gray is full range; convert it back to limited range
            yield "frame", fit(np.round(16 + full.astype(np.float32) * 219 / 255).astype(np.uint8))


WORDS = ("the of and to in is that for it as was with be by on not he his but at are this have from which one you were "
         "all her she there would their we him been has when who will no more if out so what up said its about than "
         "into them can only other time new some could these two may first then do any like my now over such our man "
         "Section 3.1 Theorem Figure Table (1984) 27% fig. [12] x+y=z Kernel, Filter; Velocity: 0.125 Abstract — "
         "Übung naïve façade, equation; therefore illumination WAVE MINIMUM Quartz jumps 4096×2160").split()


def text_page(rng, width=1024, height=768):
    light, dark = int(rng.integers(200, 256)), int(rng.integers(0, 60))
    if rng.random() < 0.6:
        light, dark = 255, 0
    paper, ink = (light, dark) if rng.random() < 0.75 else (dark, light)
    page = Image.new("L", (width, height), paper)
    draw = ImageDraw.Draw(page)
    y = 8
    while y < height:
        size = int(rng.choice([8, 9, 10, 11, 12, 13, 14, 16, 18, 22, 28, 40]))
        font = ImageFont.truetype(str(FONTS[rng.integers(len(FONTS))]), size)
        for _ in range(int(rng.integers(2, 7))):
            line = " ".join(rng.choice(WORDS) for _ in range(width // (size * 2)))
            draw.text((float(rng.uniform(4, 60)), y + float(rng.random())), line, fill=ink, font=font)
            y += int(size * 1.3)
        if rng.random() < 0.4:
            draw.line((10, y + 3, width - 10, y + 3), fill=ink, width=int(rng.integers(1, 3)))
        y += int(rng.integers(4, 16))
    return np.asarray(page)


def drawing(rng, width=768, height=512):
    """Thin lines, circles and shapes, drawn at four times the size and averaged down."""
    scale = 4
    page = np.full((height * scale, width * scale), int(rng.integers(0, 256)), np.uint8)
    for _ in range(220):
        shade, kind = int(rng.integers(0, 256)), int(rng.integers(0, 4))
        thick = int(rng.integers(2, 4 * scale))
        p, q = (tuple(int(v) for v in rng.integers(0, (width * scale, height * scale))) for _ in range(2))
        if kind == 0:
            cv2.line(page, p, q, shade, thick, cv2.LINE_AA)
        elif kind == 1:
            cv2.circle(page, p, int(rng.integers(8, 300)), shade, thick if rng.random() < 0.6 else -1, cv2.LINE_AA)
        elif kind == 2:
            box = cv2.boxPoints((p, tuple(float(v) for v in rng.integers(10, 500, 2)), float(rng.uniform(0, 90))))
            cv2.fillPoly(page, [box.astype(np.int32)], shade, cv2.LINE_AA)
        else:
            points = (rng.integers(0, 600, (3, 2)) + np.array(p)).astype(np.int32)
            cv2.polylines(page, [points], False, shade, thick, cv2.LINE_AA)
    return cv2.resize(page, (width, height), interpolation=cv2.INTER_AREA)


def drawn(rng):
    for _ in range(10):
        page = text_page(rng).astype(np.float32)
        yield "text", np.round(16 + page * 219 / 255).astype(np.uint8)
    for _ in range(6):
        page = drawing(rng).astype(np.float32)
        yield "lines", np.round(16 + page * 219 / 255).astype(np.uint8)


def clean_variants(rng, plane):
    """Small planes as in real footage: exact, slightly noisy or slightly compressed."""
    for how, share in HOWS.items():
        small = halve(plane, how)
        yield 0.8 * share, small
        if rng.random() < 0.5:
            noise = rng.normal(0, rng.uniform(0.5, 2), small.shape)
            yield 0.2 * share, np.clip(np.round(small + noise), 0, 255).astype(np.uint8)
        else:
            pan = rng.integers(-3, 4, 2)
            yield 0.2 * share, compress(small, int(rng.integers(14, 22)), pan, int(rng.integers(0, 4)), "veryfast")


def compressed_variants(rng, plane):
    for how, share in HOWS.items():
        small = halve(plane, how)
        for weight, crf in ((0.5, int(rng.integers(24, 32))), (1.5, int(rng.integers(32, 41)))):
            yield weight * share, compress(small, crf, rng.integers(-4, 5, 2), int(rng.integers(0, 6)))
    yield 0.2, jpeg(small, int(rng.integers(20, 80)))


def pairs(photos, clips, seed, variants):
    """A list of (kind, full plane, [(weight, small plane)]); `variants` makes the small planes."""
    rng = np.random.default_rng(seed)
    sources = list(photographs(photos, False)) + (list(frames(clips)) if clips else []) + list(drawn(rng))
    return [(kind, plane, list(variants(rng, plane))) for kind, plane in sources]


def held_out(photos, seed):
    """A list of (kind, full plane, small plane) that no network is trained with."""
    rng = np.random.default_rng(seed)
    sources = [s for s in photographs(photos, True) if s[0] == "photo/0.35"] + list(drawn(rng))[9:11]
    return [(f"{kind.split('/')[0]}, {how}", plane, halve(plane, how)) for kind, plane in sources
            for how in ("matlab", "area")]
