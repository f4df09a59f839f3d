#!/usr/bin/env python3
"""Checksums of what vfx writes, to show that a code change does not alter any output.

    .ci/outputs/outputs.py record [FILE]     write the checksums (default: checksums.txt next to this script)
    .ci/outputs/outputs.py compare [FILE]    run everything again and list each output that differs

Runs every command on the fixtures and, if they exist, on twelve clips of ../shared/clips, and hashes each result: packets,
times, streams, tags and chapters of media files, and the bytes of all other files. Video is written with FFV1, so that only
the frames count. Uses .build/release/vfx and Debian's ffmpeg; checksums with another version of libav differ.
"""
import argparse, concurrent.futures, hashlib, json, os, pathlib, re, subprocess, sys, tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
CLIPS = ROOT.parent / "shared" / "clips"

# Each clip with the number of seconds used.
OPEN_CLIPS = [
    ("a_dog_jump_464p30.mp4", 0.4), ("a_skater_street_360p25.mp4", 0.4), ("b_station_pan_240p60.mp4", 0.25),
    ("c_sintel_snow_546p24.mp4", 0.3), ("d_chaplin_grain_360p25.mp4", 0.4), ("d_dog_livingroom_vfr_720p.mp4", 0.25),
    ("f_av1_hdr10_portrait.mp4", 0.15), ("f_hevc_10bit_200.mp4", 0.3), ("f_odd_161x121.webm", 0.4),
    ("f_ass_subs.mkv", 0.3),
]
# Too large to run every effect: 2160x3840, HLG, rotated, with an edit list.
LARGE_CLIPS = [("f_hevc_hlg_rot90_editlist.mp4", 0.15)]
LONG_CLIPS = ["e_bbb_minute_240p24.mp4"]
PHOTOS = ["h_astronaut.png", "h_parrot.jpg"]

BOTH = ("normal", "high")
VIDEO = {
    **{f"slomo-{q}": ["slomo", "IN", "-o", "out.mkv", "--phases", "0.25,0.5,0.75", "--quality", q] for q in BOTH},
    **{f"rate60-{q}": ["rate", "IN", "-o", "out.mkv", "--fps", "60", "--quality", q] for q in BOTH},
    "rate-film-blend": ["rate", "IN", "-o", "out.mkv", "--fps", "24000/1001", "--at-cut", "blend"],
    **{f"blur-{q}": ["blur", "IN", "-o", "out.mkv", "--strength", "40", "--quality", q] for q in BOTH},
    **{f"denoise-{q}": ["denoise", "IN", "-o", "out.mkv", "--quality", q] for q in BOTH},
    "denoise-sigma": ["denoise", "IN", "-o", "out.mkv", "--sigma", "9", "--quality", "high"],
    **{f"upscale2-{q}": ["upscale", "IN", "-o", "out.mkv", "--scale", "2", "--quality", q] for q in BOTH},
    "upscale1.5": ["upscale", "IN", "-o", "out.mkv", "--scale", "1.5"],
    "upscale-low-latency": ["upscale", "IN", "-o", "out.mkv", "--scale", "2", "--low-latency"],
    "smooth": ["smooth", "IN", "-o", "out.mkv", "--depth", "1"],
    "smooth-scale": ["smooth", "IN", "-o", "out.mkv", "--depth", "1", "--scale", "2"],
    "flow-overlay": ["flow", "IN", "-o", "out.mkv", "--overlay"],
    "flow-arrows": ["flow", "IN", "-o", "out.mkv", "--arrows"],
    "chain": ["enhance", "IN", "-o", "out.mkv", "--chain", "slomo=0.5,denoise=0.5,blur=30"],
    "chain-own-motion": ["enhance", "IN", "-o", "out.mkv", "--chain", "denoise=auto,blur=30", "--own-motion"],
}
FOLDERS = {
    "enhance": ["enhance", "IN", "-o", "out.mkv", "--denoise", "auto", "--upscale", "2", "--slomo", "0.5", "--blur", "30",
                "--thumbnails", "best", "--storyboard", "board", "--quality", "high"],
    "thumbnails": ["thumbnails", "IN", "-o", "best", "--count", "3"],
    "storyboard": ["storyboard", "IN", "-o", "board", "--interval", "0.2"],
    "storyboard-keyframes": ["storyboard", "IN", "-o", "board", "--keyframes"],
    "still": ["still", "IN", "--at", "0.1", "-o", "still.png"],
    "still-jpeg": ["still", "IN", "--at", "0.1", "-o", "still.jpg", "--embed-thumbnail", "160x90"],
    "still-webp": ["still", "IN", "--at", "0.1", "-o", "still.webp"],
    "flow-at": ["flow", "IN", "--at", "0.1", "-o", "flow.png"],
    "flow-vectors": ["flow", "IN", "--at", "0.1", "-o", "flow.vfxflow"],
    "pictures": ["slomo", "IN", "-o", "%03d.png", "--phases", "0.5"],
    "info": ["info", "IN", "--json"],
    "info-text": ["info", "IN"],
    "recipe": ["enhance", "IN", "-o", "out.mkv", "--chain", "slomo=x4,denoise=0.5,upscale=4/3", "--print-recipe"],
}
PHOTO = {
    **{f"upscale{s}-{q}": ["upscale", "IN", "-o", "large.png", "--scale", s, "--quality", q]
       for s in ("2", "3") for q in BOTH},
    "upscale-jpeg": ["upscale", "IN", "-o", "large.jpg", "--scale", "2"],
}
# Durations and memory use depend on the machine.
FLEETING = [
    (re.compile(r'"(seconds|framesPerSecond|medianMilliseconds|slowMilliseconds|peakMemory\w*|version|libraries)":[^,}\]]*'), r'"\1":0'),
    (re.compile(r"\d+(\.\d+)? (ms|s|frames/s)\b"), r"0 \2"),
]
MEDIA = {".mkv", ".mp4", ".mov", ".webm"}


def output_of(*command, **options):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, **options).stdout


def media_digest(path):
    """Hash of the packets, their times, and the description of the streams.

    Audio packets are left out: libav's audio filters and encoders round differently on different processors.
    """
    packets = output_of("ffmpeg", "-v", "error", "-i", path, "-map", "0", "-map", "-0:a", "-c", "copy", "-f", "framehash", "-")
    packets = b"\n".join(line for line in packets.splitlines() if not line.startswith(b"#"))
    described = json.loads(output_of("ffprobe", "-v", "error", "-show_streams", "-show_chapters", "-show_format", "-of", "json", path))
    described["format"] = {k: v for k, v in described["format"].items() if k not in ("filename", "size", "bit_rate", "probe_score")}
    return hashlib.sha256(packets + json.dumps(described, sort_keys=True).encode()).hexdigest()


def file_digest(path):
    data = path.read_bytes()
    if path.suffix in (".json", ".html", ".txt"):
        text = data.decode("utf-8", "replace")
        for pattern, replacement in FLEETING: text = pattern.sub(replacement, text)
        data = text.encode()
    return hashlib.sha256(data).hexdigest()


class Run:
    def __init__(self, vfx, work, verbose):
        self.vfx, self.work, self.sums, self.verbose = str(vfx), work, {}, verbose

    def checksums(self, arguments):
        """Runs vfx in a folder that contains only its input, and hashes the files it writes and what it prints."""
        folder = pathlib.Path(tempfile.mkdtemp(dir=self.work))
        source, name = next((self.work / "in" / a[3:], a[3:]) for a in arguments if a.startswith("IN:"))
        os.symlink(source, folder / name)
        arguments = [a[3:] if a.startswith("IN:") else a for a in arguments]
        writes_video = "out.mkv" in arguments and "--print-recipe" not in arguments
        if writes_video: arguments += ["--codec", "ffv1"]
        if arguments[0] not in ("info",): arguments += ["--quiet"]
        if arguments[0] not in ("info", "still", "compare"): arguments += ["--threads", "2"]
        done = subprocess.run([self.vfx, *arguments], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        sums = [f"status {done.returncode}"]
        if done.returncode not in (0, 3):
            sums.append(done.stderr.decode("utf-8", "replace").strip().splitlines()[-1])
        if done.stdout:
            (folder / "standard-output.txt").write_bytes(done.stdout)
        for path in sorted(p for p in folder.rglob("*") if p.is_file() and not p.is_symlink()):
            digest = media_digest(path) if path.suffix in MEDIA else file_digest(path)
            sums.append(f"{path.relative_to(folder)} {digest[:24]}")
        output_of("rm", "-rf", folder)
        return sums

    def note(self, line):
        key, _, value = line.rpartition(" ")
        self.sums[key] = value
        if self.verbose: print(line, flush=True)

    def clip(self, name, video=VIDEO, folders=FOLDERS):
        """Runs all commands on a clip, as many at a time as there are processors, and notes their checksums in order."""
        commands = {**video, **folders}
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            lists = [["IN:" + name if a == "IN" else a for a in arguments] for arguments in commands.values()]
            for label, sums in zip(commands, pool.map(self.checksums, lists)):
                for line in sums: self.note(f"{name} {label}\t{line}")


def cut(source, seconds, target):
    streams = [word for kind in ("v:0", "a?", "s?") for word in ("-map", f"0:{kind}")]
    output_of("ffmpeg", "-v", "error", "-y", "-i", source, *streams, "-c", "copy", "-t", str(seconds), target)


def everything(vfx, verbose):
    with tempfile.TemporaryDirectory() as temporary:
        work = pathlib.Path(temporary)
        (work / "in").mkdir()
        run = Run(vfx, work, verbose)
        os.symlink(ROOT / "Fixtures" / "all-streams.mkv", work / "in" / "all-streams.mkv")
        cut(ROOT / "Fixtures" / "dog.mp4", 0.3, work / "in" / "dog.mp4")
        run.clip("all-streams.mkv")
        run.clip("dog.mp4")
        if not CLIPS.is_dir(): return run.sums
        for name, seconds in OPEN_CLIPS:
            cut(CLIPS / name, seconds, work / "in" / name)
            run.clip(name)
        for name, seconds in LARGE_CLIPS:
            cut(CLIPS / name, seconds, work / "in" / name)
            run.clip(name, {key: VIDEO[key] for key in ("slomo-normal", "denoise-normal")},
                     {key: value for key, value in FOLDERS.items() if key != "enhance"})
        for name in LONG_CLIPS:
            os.symlink(CLIPS / name, work / "in" / name)
            run.clip(name, {key: VIDEO[key] for key in ("slomo-normal", "denoise-normal", "flow-overlay")},
                     {key: FOLDERS[key] for key in ("thumbnails", "storyboard", "storyboard-keyframes", "info", "info-text")})
        for name in PHOTOS:
            os.symlink(CLIPS / name, work / "in" / name)
            run.clip(name, {}, PHOTO)
        return run.sums


def compared(run_vfx):
    """The checksum of a comparison page, which needs two clips."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        cut(ROOT / "Fixtures" / "dog.mp4", 0.3, folder / "before.mp4")
        for arguments in (["denoise", "before.mp4", "-o", "after.mkv", "--sigma", "9", "--codec", "ffv1", "--quiet"],
                          ["compare", "before.mp4", "after.mkv", "-o", "report.html", "--quiet"]):
            subprocess.run([run_vfx, *arguments], cwd=folder, check=True)
        return {"compare\treport.html": file_digest(folder / "report.html")[:24]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("action", choices=["record", "compare"])
    parser.add_argument("file", nargs="?", type=pathlib.Path, default=HERE / "checksums.txt")
    parser.add_argument("--vfx", type=pathlib.Path, default=ROOT / ".build/release/vfx", help="the program")
    parser.add_argument("--verbose", action="store_true", help="print each checksum as it is made")
    arguments = parser.parse_args()
    if arguments.action == "compare" and not arguments.file.is_file():
        sys.exit(f"{arguments.file} does not exist; create it with record")
    vfx = arguments.vfx.resolve()
    sums = {**everything(vfx, arguments.verbose), **compared(vfx)}
    if arguments.action == "record":
        arguments.file.write_text("".join(f"{key} {value}\n" for key, value in sums.items()))
        return
    before = dict(line.rpartition(" ")[::2] for line in arguments.file.read_text().splitlines())
    differing = [key for key in before if key in sums and sums[key] != before[key]]
    missing = [key for key in before if key not in sums and (CLIPS.is_dir() or key.split()[0] in ("dog.mp4", "all-streams.mkv"))]
    new = [key for key in sums if key not in before]
    for title, keys in (("differs", differing), ("missing", missing), ("new", new)):
        for key in keys: print(f"{title}: {key}")
    print(f"{len(sums) - len(differing) - len(new)} outputs are the same, {len(differing)} differ, {len(missing)} are missing, {len(new)} are new")
    sys.exit(bool(differing or missing or new))


main()
