#!/usr/bin/env python3
"""Precision and recall of cut and duplicate detection on scenes joined from real clips.

    swift build -c release --product list-transitions
    measure.py CLIPS_FOLDER .build/release/list-transitions [--half tune|held|all] [--count 40] [--seed 1]
        [--keep FOLDER]

Takes scenes without internal cuts from the clips below and joins them by hard cuts, fades, dissolves and whip pans, with
flashes, whip pans, flicker, noise, hand-held shake, darkness and pulldown added inside. Half of the sequences are encoded
with x264 at a low bit rate. Only a hard join counts as a cut, and only at its exact frame.
Needs ffmpeg and numpy.
"""
import argparse, collections, glob, json, os, random, subprocess, sys
import numpy as np

W, H = 480, 272
# Single shots: (file, first frame, frame after the last), counted in decoded frames.
TUNE = [
    ("a_bikes_272p25.mp4", 0, 30), ("a_bikes_272p25.mp4", 30, 76), ("a_bikes_272p25.mp4", 76, 137),
    ("a_bikes_272p25.mp4", 137, 187), ("a_bikes_272p25.mp4", 187, 242), ("a_dog_jump_464p30.mp4", 0, 96),
    ("a_highway_cars_720p25.mp4", 0, 38), ("a_traffic_12fps_432p.mp4", 90, 170), ("c_bbb_720p25.mp4", 20, 100),
    ("d_chaplin_grain_360p25.mp4", 0, 90), ("c_pdf_scroll_768p.264", 0, 50), ("f_12_5fps_720p.mp4", 0, 13),
    ("f_hevc_hlg_rot90_editlist.mp4", 0, 77), ("f_8k24_hevc.mp4", 0, 9), ("f_failing_audio.mp4", 0, 60),
    ("e_bbb_intro_30s_720p24.webm", 200, 283), ("e_bbb_intro_30s_720p24.webm", 283, 376),
    ("e_bbb_intro_30s_720p24.webm", 376, 480), ("e_bbb_intro_30s_720p24.webm", 551, 600),
    ("e_bbb_minute_240p24.mp4", 830, 905), ("e_bbb_minute_240p24.mp4", 1040, 1106), ("e_bbb_minute_240p24.mp4", 1120, 1216),
    ("e_bbb_minute_240p24.mp4", 1216, 1291), ("e_bbb_minute_240p24.mp4", 1291, 1426),
]
HELD = [
    ("a_highway_drive_540p25.mp4", 0, 80), ("a_phone_handheld_flower_720p30.264", 100, 190),
    ("a_skater_street_360p25.mp4", 0, 100), ("b_station_pan_240p60.mp4", 270, 350), ("b_station_pan_240p60.mp4", 600, 680),
    ("b_station_pan_240p60.mp4", 850, 930), ("b_bbb_1080p60_overlay.webm", 0, 60), ("c_sintel_snow_546p24.mp4", 0, 39),
    ("c_sintel_snow_546p24.mp4", 39, 105), ("c_sintel_snow_546p24.mp4", 105, 119), ("d_dog_livingroom_vfr_720p.mp4", 0, 25),
    ("d_nasa_dark_180p25.mp4", 0, 90), ("d_nasa_dark_180p25.mp4", 240, 325), ("e_tears_of_steel_17s_800p24.webm", 0, 44),
    ("e_tears_of_steel_17s_800p24.webm", 44, 120), ("e_tears_of_steel_17s_800p24.webm", 196, 295),
    ("e_tears_of_steel_17s_800p24.webm", 295, 400), ("f_ass_subs.mkv", 0, 30), ("f_av1_hdr10_portrait.mp4", 0, 100),
    ("f_hlg_10bit_dash_fmp4.mp4", 0, 73), ("f_interlaced_480i.ts", 0, 30), ("f_odd_161x121.webm", 0, 30),
    ("f_sef_slowmo.mp4", 0, 63),
]
# Stills that a slow pan turns into scenes.
TUNE_STILLS = ["h_chelsea.png", "h_rocket.jpg", "h_brick.png", "h_kite_beach.jpg", "h_u76c0g_bliznaca.png"]
HELD_STILLS = ["h_astronaut.png", "h_coffee.png", "h_motorcycle_left.png", "h_grass.png", "h_parrot.jpg"]
# Whole clips with cuts determined by eye: (file, cuts, pairs that are debatable because of a bad encode).
WHOLE = [
    ("a_bikes_272p25.mp4", [30, 76, 137, 187, 242], []), ("c_sintel_snow_546p24.mp4", [39, 105], []),
    ("d_nasa_dark_180p25.mp4", [240], []), ("e_bbb_intro_30s_720p24.webm", [283, 376, 551], []),
    ("e_bbb_minute_240p24.mp4", [45, 138, 313, 905, 1106, 1216, 1291, 1426], [563]),
    ("e_tears_of_steel_17s_800p24.webm", [44, 295], []), ("a_dog_jump_464p30.mp4", [], []),
    ("a_highway_cars_720p25.mp4", [], []), ("a_highway_drive_540p25.mp4", [], []),
    ("a_phone_handheld_flower_720p30.264", [], []), ("a_skater_street_360p25.mp4", [], []),
    ("a_traffic_12fps_432p.mp4", [], []), ("b_bbb_1080p60_overlay.webm", [], []), ("b_station_pan_240p60.mp4", [], []),
    ("c_bbb_720p25.mp4", [], []), ("c_pdf_scroll_768p.264", [], []), ("d_chaplin_grain_360p25.mp4", [], []),
    ("d_dog_livingroom_vfr_720p.mp4", [], []),
]


# What may be added to a frame; for a pair of frames, the later kind in this list counts.
KINDS = ["", "whip", "dissolve", "fade", "flash"]


class Frame:
    """Planes as float32: y (H, W), u and v (H/2, W/2); and what was added to the frame, one of KINDS."""

    def __init__(self, y, u, v, kind=""):
        self.planes, self.kind = [y, u, v], kind

    def marked(self, kind):
        """The same frame; a kind it already has takes precedence."""
        return Frame(*self.planes, kind=self.kind or kind)

    def map(self, f):
        return Frame(*[f(p, i) for i, p in enumerate(self.planes)], kind=self.kind)

    def mix(self, other, t):
        return Frame(*[a * (1 - t) + b * t for a, b in zip(self.planes, other.planes)], kind=self.kind)

    def light(self, gain, offset, mask=None):
        y, u, v = self.planes
        lit = np.clip((y - 16) * gain + offset + 16, 0, 235)
        pull = 1 / max(1.0, gain * 0.7) if offset < 150 else 0.1
        lu, lv = (u - 128) * pull + 128, (v - 128) * pull + 128
        if mask is None:
            return Frame(lit, lu, lv, self.kind)
        m2 = mask[::2, ::2][: u.shape[0], : u.shape[1]]
        return Frame(y * (1 - mask) + lit * mask, u * (1 - m2) + lu * m2, v * (1 - m2) + lv * m2, self.kind)

    def shifted(self, dx, dy):
        """Shifted by an even number of luma pixels over a plane tiled with mirror images."""
        def move(p, i):
            x, y = (int(dx), int(dy)) if i == 0 else (int(dx) // 2, int(dy) // 2)
            h, w = p.shape
            xs = (np.arange(w) + x) % (2 * w)
            ys = (np.arange(h) + y) % (2 * h)
            return p[np.where(ys < h, ys, 2 * h - 1 - ys)][:, np.where(xs < w, xs, 2 * w - 1 - xs)]
        return self.map(move)

    def bytes(self):
        return b"".join(np.clip(np.rint(p), 0, 255).astype(np.uint8).tobytes() for p in self.planes)


BLACK = Frame(np.full((H, W), 16.0, np.float32), *[np.full((H // 2, W // 2), 128.0, np.float32)] * 2)
WHITE = Frame(np.full((H, W), 235.0, np.float32), *[np.full((H // 2, W // 2), 128.0, np.float32)] * 2)


def split(raw):
    """The frames in raw 4:2:0 bytes at W x H."""
    h2, w2 = H // 2, W // 2
    size = H * W + 2 * h2 * w2
    out = []
    for k in range(len(raw) // size):
        d = np.frombuffer(raw, np.uint8, size, k * size)
        out.append((d[: H * W].reshape(H, W), d[H * W: H * W + h2 * w2].reshape(h2, w2), d[H * W + h2 * w2:].reshape(h2, w2)))
    return out


def decode(path, filters):
    rate = ["-r", "25"] if path.endswith(".264") else []
    command = ["ffmpeg", "-v", "error", *rate, "-i", path]
    return subprocess.run(
        [*command, "-an", "-vf", filters, "-vsync", "0", "-pix_fmt", "yuv420p", "-f", "rawvideo", "-"],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout


class Scenes:
    def __init__(self, folder, half, rng):
        clips = {"tune": TUNE, "held": HELD, "all": TUNE + HELD}[half]
        stills = {"tune": TUNE_STILLS, "held": HELD_STILLS, "all": TUNE_STILLS + HELD_STILLS}[half]
        self.items = []
        for name, first, end in clips:
            frames = split(decode(os.path.join(folder, name), f"select='between(n,{first},{end - 1})',scale={W}:{H - H % 2}"))
            if len(frames) < 4:
                print(f"warning: {name} gave {len(frames)} frames", file=sys.stderr)
                continue
            self.items.append((name, frames, False))
        for name in stills:
            frames = split(decode(os.path.join(folder, name), f"scale={W}:{H - H % 2}"))
            if frames:
                self.items.append((name, frames, True))

    def take(self, rng, length, avoid):
        while True:
            index = rng.randrange(len(self.items))
            if index != avoid:
                break
        name, frames, still = self.items[index]
        if still:
            f = Frame(*[p.astype(np.float32) for p in frames[0]])
            vx, vy, x0, y0 = rng.uniform(-6, 6), rng.uniform(-3, 3), rng.randrange(2 * W), rng.randrange(2 * H)
            return index, [f.shifted(2 * ((x0 + vx * t) // 2), 2 * ((y0 + vy * t) // 2)) for t in range(length)]
        skip = rng.choice([1, 1, 1, 2, 3])
        skip = min(skip, max(1, len(frames) // max(1, length)))
        length = min(length, (len(frames) - 1) // skip + 1)
        start = rng.randrange(len(frames) - (length - 1) * skip)
        return index, [Frame(*[p.astype(np.float32) for p in frames[start + t * skip]]) for t in range(length)]


def blurred_shift(frame, x0, y0, x1, y1):
    n = int(max(1, min(24, max(abs(x1 - x0), abs(y1 - y0)) / 3)))
    total = None
    for k in range(n):
        t = k / n
        f = frame.shifted(2 * round((x0 + (x1 - x0) * t) / 2), 2 * round((y0 + (y1 - y0) * t) / 2))
        total = f if total is None else Frame(*[a + b for a, b in zip(total.planes, f.planes)], kind=f.kind)
    return total.map(lambda p, i: p / n)


def draw_whip(frames, rng, notes):
    """Adds a pan inside the scene, at up to more than half the width per frame, with motion blur."""
    n = rng.randint(5, 14)
    if len(frames) < n + 4:
        return frames
    start = rng.randint(2, len(frames) - n - 2)
    peak = rng.uniform(0.1, 0.6)
    vertical = rng.random() < 0.25
    span = (H if vertical else W) * peak * rng.choice([-1, 1])
    shutter = rng.choice([0.5, 0.8, 1.0])
    out, offset = [], 0.0
    for t, f in enumerate(frames):
        speed = span * np.sin(np.pi * (t - start + 1) / (n + 1)) if start <= t < start + n else 0.0
        a, b = offset, offset + speed * shutter
        moved = blurred_shift(f, *((0, a, 0, b) if vertical else (a, 0, b, 0))) if offset or speed else f
        out.append(moved.marked("whip") if speed else moved)
        offset += speed
    notes.append(f"whip {peak:.2f}")
    return out


def draw_flash(frames, rng, notes, at=None, longest=4):
    n = rng.randint(1, longest)
    if len(frames) < n + 3:
        return frames
    start = rng.randint(1, len(frames) - n - 1) if at is None else at
    kind = rng.choice(["white", "gain", "gain", "decay", "part", "tint", "dark"] if at is None else ["gain", "decay"])
    mask = None
    if kind == "part":
        yy, xx = np.mgrid[0:H, 0:W].astype(np.float32)
        cx, cy, r = rng.uniform(0, W), rng.uniform(0, H), rng.uniform(80, 300)
        mask = np.clip(1.5 - np.hypot(xx - cx, yy - cy) / r, 0, 1)
    gain, offset = rng.uniform(1.3, 2.5), rng.uniform(10, 80)
    for k in range(n):
        f = frames[start + k]
        if kind == "white":
            g = WHITE
        elif kind == "decay":
            t = 1 - k / n
            g = f.light(1 + gain * t, offset * t)
        elif kind == "dark":
            g = f.light(0.15, 0)
        elif kind == "tint":
            g = f.light(gain, offset).map(lambda p, i: p if i == 0 else np.clip(p + (25 if i == 2 else -20), 16, 240))
        else:
            g = f.light(gain, offset + (60 if kind == "part" else 0), mask)
        frames[start + k] = g.marked("flash")
    notes.append(f"flash {kind} {n} at +{start}")
    return frames


def disturb(frames, rng, notes):
    """Applies up to two disturbances to a scene as a whole."""
    chosen = [k for k, p in (("dark", 0.2), ("shake", 0.25), ("flicker", 0.2), ("whip", 0.35), ("flash", 0.4), ("noise", 0.25)) if rng.random() < p]
    rng.shuffle(chosen)
    for kind in [k for k in ("dark", "shake", "flicker", "whip", "flash", "noise") if k in chosen[:2]]:
        if kind == "dark":
            dark = rng.uniform(0.08, 0.3)
            frames = [f.map(lambda p, i: (p - (16 if i == 0 else 128)) * (dark if i == 0 else dark ** 0.5) + (20 if i == 0 else 128)) for f in frames]
            notes.append(f"dark {dark:.2f}")
        elif kind == "shake":
            frames = [f.shifted(2 * rng.randint(-4, 4), 2 * rng.randint(-3, 3)) for f in frames]
            notes.append("shake")
        elif kind == "flicker":
            frames = [f.light(rng.uniform(0.88, 1.12), 0) for f in frames]
            notes.append("flicker")
        elif kind == "whip":
            frames = draw_whip(frames, rng, notes)
        elif kind == "flash":
            frames = draw_flash(frames, rng, notes)
        else:
            sigma = rng.uniform(1, 7)
            noise = np.random.default_rng(rng.randrange(1 << 30))
            frames = [f.map(lambda p, i: p + noise.normal(0, sigma if i == 0 else sigma / 2, p.shape).astype(np.float32)) for f in frames]
            notes.append(f"noise {sigma:.1f}")
    return frames


def punch_in(frames, rng):
    """The same scene framed closer: 60 % of the frame, enlarged."""
    k = 0.6
    x0, y0 = rng.uniform(0, 1 - k), rng.uniform(0, 1 - k)
    def crop(p, i):
        h, w = p.shape
        return p[((y0 + k * np.arange(h) / h) * h).astype(int)][:, ((x0 + k * np.arange(w) / w) * w).astype(int)]
    return [f.map(crop) for f in frames]


def make(scenes, rng):
    """One sequence: frames, positions of the cuts, positions of inserted duplicates or None, notes by position."""
    frames, cuts, notes = [], [], {}
    previous, joining = -1, "start"
    for _ in range(rng.randint(5, 9)):
        length = rng.choice([rng.randint(2, 8), rng.randint(8, 20), rng.randint(20, 60), rng.randint(30, 60)])
        index, part = scenes.take(rng, length, previous)
        remarks = [scenes.items[index][0]]
        part = disturb(part, rng, remarks)
        joining = rng.choices(["cut", "fade", "dissolve", "whip"], [70, 10, 13, 7])[0] if frames else "start"
        if min(len(part), len(frames)) < 8 and joining != "start":
            joining = "cut"
        here = len(frames)
        if joining == "cut":
            cuts.append(here)
            if rng.random() < 0.15 and len(part) > 6 and not any(n.startswith("flash") for n in remarks):
                part = draw_flash(part, rng, remarks, at=0, longest=2)
        elif joining == "fade":
            n, hold = rng.randint(5, min(20, len(part) - 1, here - 1)), rng.choice([0, 1, 3, 8])
            to = BLACK if rng.random() < 0.8 else WHITE
            for k in range(min(n, here)):
                frames[here - 1 - k] = frames[here - 1 - k].mix(to, 1 - (k + 0.5) / n if k < n else 0).marked("fade")
            part = [p.mix(to, max(0.0, 1 - (k + 0.5) / n)).marked("fade" if k < n else "") for k, p in enumerate(part)]
            frames += [to.marked("fade")] * hold
        elif joining == "dissolve":
            n = min(rng.randint(5, 24), len(part) - 1, here - (cuts[-1] if cuts else 0) - 1)
            if n < 4:
                cuts.append(here)
                joining = "cut"
            else:
                for k in range(n):
                    frames[here - n + k] = frames[here - n + k].mix(part[k], (k + 1) / (n + 1)).marked("dissolve")
                part = part[n:]
        elif joining == "whip":
            n = rng.randint(4, 8)
            a, b = frames[-1], part[0]
            wide = Frame(*[np.concatenate([p, q], axis=1) for p, q in zip(a.planes, b.planes)])
            edges = [(1 - np.cos(np.pi * k / n)) / 2 * W for k in range(n + 1)]
            for k in range(n):
                m = blurred_shift(wide, edges[k], 0, edges[k + 1], 0)
                frames.append(m.map(lambda p, i: p[:, : p.shape[1] // 2]).marked("whip"))
        remarks.append(joining)
        notes[here] = remarks
        frames += part
        previous = index
        if rng.random() < 0.1 and len(part) > 8:
            here = len(frames)
            cuts.append(here)
            frames += punch_in(part[-rng.randint(4, 8):], rng)
            notes[here] = ["punch-in", "cut"]
    duplicates = None
    if rng.random() < 0.25:
        pattern = rng.choice([[1, 1, 1, 2], [2, 3], [2]])
        out, moved, duplicates, k = [], {}, [], 0
        for i, f in enumerate(frames):
            moved[i] = len(out)
            times = pattern[k % len(pattern)]
            k += 1
            out.append(f)
            for _ in range(times - 1):
                duplicates.append(len(out))
                out.append(f)
        frames, cuts = out, [moved[c] for c in cuts]
        notes = {moved.get(i, i): n + ["pulldown"] for i, n in notes.items()}
    return frames, cuts, duplicates, notes


def run_program(program, command, stdin=None):
    source = subprocess.Popen(command, stdin=subprocess.PIPE if stdin else None, stdout=subprocess.PIPE)
    sink = subprocess.Popen([program], stdin=source.stdout, stdout=subprocess.PIPE, text=True)
    source.stdout.close()
    if stdin:
        for chunk in stdin:
            source.stdin.write(chunk)
        source.stdin.close()
    text = sink.communicate()[0]
    source.wait()
    return [line.split() for line in text.splitlines()]


Y4M = ["-pix_fmt", "yuv420p", "-f", "yuv4mpegpipe", "-"]


def score(name, rows, cuts, ignored, notes, totals, verbose, kind="join"):
    found = {int(r[0]) for r in rows if r[1] == "cut"} - set(ignored)
    right = found & set(cuts)
    totals["right"] += len(right)
    totals["false"] += len(found - right)
    totals["missed"] += len(set(cuts) - found)
    # A cut to the same shot framed closer is the hardest to detect; such misses are also counted separately.
    totals["closer"] += sum("punch-in" in notes.get(c, []) for c in set(cuts) - found)
    table = {int(r[0]): r for r in rows}
    if verbose:
        for label, positions in (("FALSE", found - right), ("MISSED", set(cuts) - found)):
            for p in sorted(positions):
                near = [k for k in notes if k <= p]
                note = f"{max(near)}: {notes[max(near)]}" if near else ""
                after = [k for k in notes if k > p]
                note += f" then {min(after)}: {notes[min(after)]}" if after else ""
                print(f"  {label} {name} at {p}: {' '.join(table.get(p, ['-']))} | {note}")


def joined_sequences(arguments, half):
    """Yields (truth, the program's output split into words) for each joined sequence, new or replayed."""
    if arguments.replay:
        paths = glob.glob(os.path.join(arguments.replay, f"cuts-{half}-{arguments.seed}-*.mkv"))
        made = sorted(paths, key=lambda path: int(path[:-4].rsplit("-", 1)[1]))[: arguments.count]
    else:
        made = draw(arguments, half)
    for path in made:
        with open(path[:-4] + ".json") as file:
            truth = json.load(file)
        rows = run_program(arguments.program, ["ffmpeg", "-v", "error", "-i", path, "-strict", "-1", "-f", "yuv4mpegpipe", "-"])
        if len(rows) != truth["frames"] - 1:
            print(f"  {truth['name']}: {len(rows)} transitions for {truth['frames']} frames", file=sys.stderr)
        with open(path[:-4] + ".txt", "w") as file:
            file.write("\n".join(" ".join(r) for r in rows))
        yield truth, rows
        if not arguments.replay and not arguments.keep:
            for suffix in (".mkv", ".json", ".txt"):
                os.remove(path[:-4] + suffix)


def judge(arguments, truth, rows, joined, dup):
    """Adds the program's results for one joined sequence to the counts."""
    notes = {int(k): v for k, v in truth["notes"].items()}
    score(truth["name"], rows, truth["cuts"], [], notes, joined, arguments.verbose)
    found = {int(r[0]) for r in rows if r[1] == "duplicate"}
    dup["right"] += len(found & set(truth["same"]))
    dup["missed"] += len(set(truth["same"]) - found)
    dup["false"] += len(found & set(truth["moving"]))


def draw(arguments, half):
    """Makes the joined sequences and yields the path of each; the truth is in a JSON file next to it."""
    rng = random.Random(arguments.seed)
    scenes = Scenes(arguments.clips, half, rng)
    for number in range(arguments.count):
        frames, cuts, duplicates, notes = make(scenes, rng)
        size = rng.choice([(480, 270), (480, 270), (240, 136), (640, 360), (96, 54)])
        depth = rng.choice(["yuv420p", "yuv420p", "yuv422p10", "yuv444p12"])
        raw = ["ffmpeg", "-v", "error", "-f", "rawvideo", "-s", f"{W}x{H - H % 2}", "-pix_fmt", "yuv420p", "-r", "25", "-i", "-"]
        coded = rng.random() < 0.5
        crf = rng.choice(["24", "30", "36"])
        path = os.path.join(arguments.keep or "/tmp", f"cuts-{half}-{arguments.seed}-{number}.mkv")
        codec = ["-c:v", "libx264", "-preset", "veryfast", "-crf", crf] if coded else ["-c:v", "ffv1"]
        with subprocess.Popen([*raw, "-vf", f"scale={size[0]}:{size[1]}", *codec, "-pix_fmt", "yuv420p" if coded else depth, "-y", path], stdin=subprocess.PIPE) as encoder:
            for f in frames:
                encoder.stdin.write(f.bytes())
        # In clips that repeat frames themselves, pairs that change far less than their neighbours count as neither kind.
        shown = [np.clip(f.planes[0], 0, 255) for f in frames]
        change = [0.0] + [float(np.abs(q - p).mean()) for p, q in zip(shown, shown[1:])]
        usual = [float(np.median(change[max(1, i - 2): i + 3])) for i in range(len(change))]
        moving = [i for i in range(1, len(frames)) if change[i] > max(1, 0.15 * usual[i])]
        same = [i for i in range(1, len(frames)) if np.array_equal(frames[i].planes[0], frames[i - 1].planes[0])]
        name = f"{number} {size[0]}x{size[1]} {'crf' + crf if coded else depth}"
        # What was added at each pair. The pairs of a flash include those that lead into it and out of it.
        kinds = {i: max((frames[i - 1].kind, frames[i].kind), key=KINDS.index) for i in range(1, len(frames))}
        truth = {"name": name, "frames": len(frames), "cuts": cuts, "notes": notes, "moving": moving, "same": same,
                 "kinds": {i: kind for i, kind in kinds.items() if kind}}
        with open(path[:-4] + ".json", "w") as file:
            json.dump(truth, file)
        yield path


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("clips")
    options.add_argument("program")
    options.add_argument("--half", default="all", choices=["tune", "held", "all"])
    options.add_argument("--count", type=int, default=40)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--keep", help="folder to keep the joined sequences and the program's output in")
    options.add_argument("--replay", help="folder filled by --keep; its sequences are used instead of new ones")
    options.add_argument("--joined-only", action="store_true", help="skip the whole clips")
    options.add_argument("--verbose", action="store_true")
    arguments = options.parse_args()
    joined, whole, dup = collections.Counter(), collections.Counter(), collections.Counter()
    for truth, rows in joined_sequences(arguments, arguments.half):
        judge(arguments, truth, rows, joined, dup)
    for name, cuts, ignored in WHOLE if not arguments.joined_only else []:
        clip = os.path.join(arguments.clips, name)
        listed = {n for n, _, _ in {"tune": TUNE, "held": HELD, "all": TUNE + HELD}[arguments.half]}
        if name not in listed:
            continue
        rate = ["-r", "25"] if name.endswith(".264") else []
        rows = run_program(arguments.program, ["ffmpeg", "-v", "error", *rate, "-i", clip, "-an", "-vsync", "0", *Y4M])
        score(name, rows, cuts, ignored, {}, whole, arguments.verbose)
    def show(title, c):
        precision = c["right"] / max(1, c["right"] + c["false"])
        recall = c["right"] / max(1, c["right"] + c["missed"])
        print(f"{title}: precision {precision:.4f} recall {recall:.4f} ({c['right']} right, {c['false']} false, {c['missed']} missed" + (f", {c['closer']} of them the same shot framed closer)" if c["closer"] else ")"))
    show(f"{arguments.half}, joined scenes, cuts", joined)
    show(f"{arguments.half}, whole clips, cuts", whole)
    show(f"{arguments.half}, joined scenes, duplicates", dup)


if __name__ == "__main__":
    main()
