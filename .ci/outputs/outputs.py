#!/usr/bin/env python3
"""Checksums of what vfx writes, to show that a code change does not alter any output.

    .ci/outputs/outputs.py record            write the checksums of the fixtures to checksums.txt next to this script
    .ci/outputs/outputs.py check             run everything again and list each output that differs from checksums.txt
    .ci/outputs/outputs.py compare A B [CLIP...]
                                             list the outputs that differ between two builds of vfx, over the fixtures and
                                             the first 0.3 s of each clip; an image is enlarged

Runs every command and hashes each result: packets, times, streams, tags and chapters of media files, and the bytes of all
other files. Video is written with FFV1, so that only the frames count. Uses Debian's ffmpeg; checksums with another version
of libav differ.
"""
import argparse, concurrent.futures, hashlib, json, os, pathlib, re, subprocess, sys, tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
RECORDED = HERE / "checksums.txt"
# Seconds used of each clip.
SECONDS = 0.3
IMAGES = {".png", ".jpg", ".jpeg", ".webp", ".avif", ".tif", ".tiff"}

BOTH = ("normal", "high")
VIDEO = {
    **{f"slomo-{q}": ["slomo", "IN", "-o", "out.mkv", "--phases", "0.25,0.5,0.75", "--quality", q] for q in BOTH},
    **{f"rate60-{q}": ["rate", "IN", "-o", "out.mkv", "--fps", "60", "--quality", q] for q in BOTH},
    "rate-film-blend": ["rate", "IN", "-o", "out.mkv", "--fps", "24000/1001", "--at-cut", "blend"],
    **{f"blur-{q}": ["blur", "IN", "-o", "out.mkv", "--strength", "40", "--quality", q] for q in BOTH},
    **{f"denoise-{q}": ["denoise", "IN", "-o", "out.mkv", "--quality", q] for q in BOTH},
    **{f"deinterlace-{q}": ["deinterlace", "IN", "-o", "out.mkv", "--fields", "tff", "--quality", q] for q in BOTH},
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


def everything(vfx, verbose, clips=()):
    """The checksums of all commands over the fixtures and these clips."""
    with tempfile.TemporaryDirectory() as temporary:
        work = pathlib.Path(temporary)
        (work / "in").mkdir()
        run = Run(vfx, work, verbose)
        os.symlink(ROOT / "Fixtures" / "all-streams.mkv", work / "in" / "all-streams.mkv")
        run.clip("all-streams.mkv")
        output_of("ffmpeg", "-v", "error", "-i", ROOT / "Fixtures" / "dog.mp4", "-frames:v", "1", work / "in" / "dog.png")
        run.clip("dog.png", {}, PHOTO)
        for clip in (ROOT / "Fixtures" / "dog.mp4", *clips):
            if clip.suffix in IMAGES:
                os.symlink(clip.resolve(), work / "in" / clip.name)
                run.clip(clip.name, {}, PHOTO)
            else:
                cut(clip, SECONDS, work / "in" / clip.name)
                run.clip(clip.name)
        return {**run.sums, **compared(vfx)}


def compared(run_vfx):
    """The checksum of a comparison page, which needs two clips."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        cut(ROOT / "Fixtures" / "dog.mp4", 0.3, folder / "before.mp4")
        for arguments in (["denoise", "before.mp4", "-o", "after.mkv", "--sigma", "9", "--codec", "ffv1", "--quiet"],
                          ["compare", "before.mp4", "after.mkv", "-o", "report.html", "--quiet"]):
            subprocess.run([run_vfx, *arguments], cwd=folder, check=True)
        return {"compare\treport.html": file_digest(folder / "report.html")[:24]}


def differences(before, after):
    """Prints how two sets of checksums differ, and returns whether they do."""
    differing = [key for key in before if key in after and after[key] != before[key]]
    missing = [key for key in before if key not in after]
    new = [key for key in after if key not in before]
    for title, keys in (("differs", differing), ("missing", missing), ("new", new)):
        for key in keys: print(f"{title}: {key}")
    same = len(before) - len(differing) - len(missing)
    print(f":: {same} outputs are the same, {len(differing)} differ, {len(missing)} are missing, {len(new)} are new")
    return bool(differing or missing or new)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--vfx", type=pathlib.Path, default=ROOT / ".build/release/vfx", help="the program for record and check")
    parser.add_argument("--verbose", action="store_true", help="print each checksum as it is made")
    actions = parser.add_subparsers(dest="action", required=True)
    actions.add_parser("record")
    actions.add_parser("check")
    compare = actions.add_parser("compare")
    compare.add_argument("builds", nargs=2, type=pathlib.Path, metavar="BUILD", help="the program of each build")
    compare.add_argument("clips", nargs="*", type=pathlib.Path, metavar="CLIP")
    arguments = parser.parse_args()
    if arguments.action == "compare":
        before, after = (everything(vfx.resolve(), arguments.verbose, arguments.clips) for vfx in arguments.builds)
        sys.exit(differences(before, after))
    if arguments.action == "check" and not RECORDED.is_file():
        sys.exit(f"{RECORDED} does not exist; create it with record")
    sums = everything(arguments.vfx.resolve(), arguments.verbose)
    if arguments.action == "record":
        RECORDED.write_text("".join(f"{key} {value}\n" for key, value in sums.items()))
        return
    sys.exit(differences(dict(line.rpartition(" ")[::2] for line in RECORDED.read_text().splitlines()), sums))


main()
