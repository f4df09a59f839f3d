"""Checks the VapourSynth plug-in in one process: checks.py CLIP.y4m VECTORS.flo

Random access, several clips and threads at once, filters made and dropped, frame properties, motion vectors (the file has
those of the first frame) and wrong input.
"""

import array
import concurrent.futures
import gc
import hashlib
import pathlib
import random
import resource
import statistics
import sys
import tempfile
import time

import clip
import vapoursynth as vs

core = vs.core


def digest(frame):
    sums = hashlib.sha256()
    for plane in range(frame.format.num_planes):
        sums.update(bytes(frame[plane]))
    return sums.hexdigest()


def digests(node):
    return [digest(frame) for frame in node.frames(close=True)]


def counted(source, requests):
    """The same clip, which notes the frames that are requested."""
    def note(n, f):
        requests.append(n)
        return f

    return source.std.ModifyFrame(source, note)


# Grain in the first 4 seconds of a clip.
GRAIN = """filmgrn1
E 0 40000000 1 7391 1
\tp 1 7 2 10 0 1 128 192 256 100 150 300
\tsY 2 0 20 255 40
\tsCb 1 128 30
\tsCr 0
\tcY -6 26 -6 26
\tcCb 1 2 3 4 5
\tcCr -1 -2 -3 -4 -128
"""


def seeks(source, count=240):
    """Any order gives the same frames, and none makes the source be read from its beginning."""
    file = tempfile.NamedTemporaryFile("w", suffix=".tbl")
    file.write(GRAIN)
    file.flush()
    generator = random.Random(1)
    turns = [source, source.std.FlipHorizontal(), source[::-1]]
    clip = core.std.CropAbs(core.std.Splice(turns), width=96, height=64, left=32, top=12)
    effects = {
        "Interpolate": (2, lambda clip: core.vfx.Interpolate(clip, num=60)),
        "Slomo": (3, lambda clip: core.vfx.Slomo(clip, factor=3)),
        "MotionBlur": (1, lambda clip: core.vfx.MotionBlur(clip)),
        "Denoise": (1, lambda clip: core.vfx.Denoise(clip, strength=0.8)),
        "Smooth": (4, lambda clip: core.vfx.Smooth(clip, depth=2)),
        "Grain": (1, lambda clip: core.vfx.Grain(clip, table=file.name)),
        "Flow": (1, lambda clip: core.vfx.Flow(clip, output="colors")),
        "Flow backward": (1, lambda clip: core.vfx.Flow(clip, output="colors", direction="previous")),
    }
    for name, (pace, make) in effects.items():
        expected, requests, times, most = digests(make(clip)), [], [], 0
        node = make(counted(clip, requests))
        for _ in range(-(-count // len(effects))):
            n = generator.randrange(len(expected))
            requests.clear()
            start = time.monotonic()
            with node.get_frame(n) as frame:
                times.append(time.monotonic() - start)
                assert digest(frame) == expected[n], f"{name}: frame {n} differs after a seek"
            core.clear_cache()
            if requests:
                most = max(most, len(requests))
                first = max(0, n // pace // 240 * 240 - 64)
                assert min(requests) >= first, f"{name}: frame {n} needs source frame {min(requests)}"
        assert most <= 64 + 240 + 32, f"{name}: a seek reads {most} source frames"
        print(
            f":: {name}, {len(times)} seeks in {clip.num_frames} frames of {clip.width}x{clip.height}: "
            f"mean {statistics.mean(times):.2f} s, worst {max(times):.2f} s, at most {most} source frames")


def two_places(source):
    """Two places 20 frames apart take one run over the source, also where they are on both sides of a reset point."""
    requests = []
    small = core.std.CropAbs(source, width=64, height=48)
    node = core.vfx.MotionBlur(counted(small, requests))
    for n in range(200, source.num_frames - 20):
        for place in (n, n + 20):
            node.get_frame(place).close()
        core.clear_cache()
    assert 200 < len(requests) <= source.num_frames, f"two places in turn read {len(requests)} source frames"


def shared_planes(source):
    """Frames that share the memory of their luma keep their own chroma."""
    grey = core.std.BlankClip(width=64, height=48, format=vs.GRAY8, length=24, color=90, keep=True)
    small = core.std.CropAbs(source, width=64, height=48)[:24]
    clip = core.std.ShufflePlanes([grey, small, small], planes=[0, 1, 2], colorfamily=vs.YUV)
    assert digests(core.vfx.Slomo(clip, factor=2)[::2]) == digests(clip)


def vectors(source, file):
    """Motion vectors are those of the program, and 0 where there are none."""
    node = core.vfx.Flow(source)
    assert node.format.id == vs.RGBS and (node.width, node.height) == (source.width, source.height)
    with open(file, "rb") as flo:
        assert flo.read(4) == b"PIEH" and array.array("i", flo.read(8)).tolist() == [node.width, node.height]
        known = array.array("f", flo.read())
    with node.get_frame(0) as frame:
        planes = [array.array("f", bytes(frame[plane])) for plane in range(3)]
        assert planes[0] == known[0::2] and planes[1] == known[1::2]
        assert 0.2 < max(planes[2]) <= 1 and min(planes[2]) >= 0
        assert "_Matrix" not in frame.props and "_Range" not in frame.props
    with node.get_frame(source.num_frames - 1) as frame:
        assert not any(bytes(frame[0])) and not any(bytes(frame[2]))
    backward = core.vfx.Flow(source, direction="previous")
    with backward.get_frame(0) as first, backward.get_frame(1) as second:
        assert not any(bytes(first[0])) and not any(bytes(first[2])) and any(bytes(second[0])) and any(bytes(second[2]))
    with core.vfx.Flow(source, output="arrows", direction="previous", maximum=9, legend=0).get_frame(1) as frame:
        assert frame.format.id == vs.YUV444P8


def threads(source):
    """Several threads may ask one filter for frames."""
    expected, node = digests(core.vfx.Slomo(source, factor=2)), core.vfx.Slomo(source, factor=2)

    def look(offset):
        for n in range(offset, 80, 4):
            with node.get_frame(n) as frame:
                assert digest(frame) == expected[n], n

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for result in [pool.submit(look, offset) for offset in range(4)]:
            result.result()


def together(source):
    """Three filters in one script."""
    alone = digests(core.vfx.Interpolate(source, num=60))
    nodes = [core.vfx.Interpolate(source, num=60) for _ in range(3)]
    stacked = digests(core.std.StackVertical(nodes))
    assert len(stacked) == len(alone)
    with nodes[1].get_frame(5) as frame:
        assert digest(frame) == alone[5]


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


def reloads(source, count=50):
    """Filters that are dropped in the middle of their work leave nothing behind."""
    def once():
        node = core.vfx.Slomo(source, factor=3)
        futures = [node.get_frame_async(n) for n in (20, 0, 7)]
        futures[0].result().close()
        del node, futures
        gc.collect()
        core.clear_cache()

    for _ in range(10):
        once()
    before = resident()
    for _ in range(count):
        once()
    growth = resident() - before
    print(f":: {count} reloads: {growth // 1024} KiB more")
    assert growth < 8 << 20


def properties(source):
    """The reserved properties are kept or set."""
    tagged = source.std.SetFrameProps(_Matrix=1, _Range=0, _Transfer=1, _Primaries=1, _ChromaLocation=0, own=7)
    node = core.vfx.Interpolate(tagged, num=60)
    assert (node.fps.numerator, node.fps.denominator) == (60, 1)
    scenes = {"next": [], "previous": []}
    for n, frame in enumerate(node.frames(close=True)):
        props = frame.props
        assert (props["_DurationNum"], props["_DurationDen"]) == (1, 60)
        assert (props["_Matrix"], props["_Transfer"], props["_Primaries"], props["_ChromaLocation"]) == (1, 1, 1, 0)
        assert props["_Range"] == 0 and props["own"] == 7
        if props["_SceneChangePrev"]:
            scenes["previous"].append(n)
        if props["_SceneChangeNext"]:
            scenes["next"].append(n)
    assert len(scenes["previous"]) >= 2 and scenes["previous"][0] == 0
    assert scenes["next"] == [n - 1 for n in scenes["previous"][1:]]
    evenly = core.vfx.Interpolate(source, phases="0.5")
    assert evenly.fps == source.fps * 2 and evenly.num_frames == source.num_frames * 2 - 1
    with evenly.get_frame(1) as frame:
        assert frame.props["_DurationDen"] == source.fps.numerator * 2
    slow = core.vfx.Slomo(source, factor=2)
    assert slow.fps == source.fps and digests(slow[:9]) == digests(evenly[:9])


def formats():
    """All formats are taken and kept."""
    for family in ("YUV420P", "YUV422P", "YUV444P", "GRAY"):
        for bits in (8, 9, 10, 12, 14, 16):
            blank = core.std.BlankClip(width=64, height=48, format=getattr(vs, f"{family}{bits}"), length=4)
            for node in (core.vfx.Slomo(blank, factor=2), core.vfx.Denoise(blank, sigma=3), core.vfx.MotionBlur(blank)):
                with node.get_frame(2) as frame:
                    assert frame.format.id == blank.format.id
    with core.vfx.Upscale(core.std.BlankClip(width=64, height=48, format=vs.YUV420P8), scale=1.5).get_frame(0) as frame:
        assert (frame.width, frame.height) == (96, 72)


def refusals(source):
    """Wrong input gives an error with a reason."""
    binary = tempfile.NamedTemporaryFile()
    binary.write(pathlib.Path(__file__).read_bytes() + b"\0")
    binary.flush()
    small = core.std.BlankClip(width=8, height=8, format=vs.YUV420P8)
    variable = core.std.Splice([source, core.std.BlankClip(format=vs.YUV444P8)], mismatch=True)
    uneven = core.std.Splice([source, source.std.AssumeFPS(fpsnum=7, fpsden=1)], mismatch=True)
    for words, make in [
        ("RGB", lambda: core.vfx.Denoise(core.std.BlankClip(format=vs.RGB24))),
        ("not supported", lambda: core.vfx.Denoise(core.std.BlankClip(format=vs.YUV444PS))),
        ("not supported", lambda: core.vfx.Denoise(core.std.BlankClip(format=vs.YUV411P8))),
        ("variable", lambda: core.vfx.Denoise(variable)),
        ("16x16", lambda: core.vfx.Denoise(small)),
        ("frame rate", lambda: core.vfx.Interpolate(uneven, num=60)),
        ("num and den", lambda: core.vfx.Interpolate(source)),
        ("num and den", lambda: core.vfx.Interpolate(source, num=0)),
        ("exclude", lambda: core.vfx.Interpolate(source, num=60, phases="0.5")),
        ("1 to 1000", lambda: core.vfx.Interpolate(source, num=5000)),
        ("too fine", lambda: core.vfx.Interpolate(source, num=2147483647, den=2147483629)),
        ("best", lambda: core.vfx.Interpolate(source, num=60, quality="best")),
        ("threads", lambda: core.vfx.Interpolate(source, num=60, threads=-1)),
        ("2 to 256", lambda: core.vfx.Slomo(source, factor=1)),
        ("exclusive", lambda: core.vfx.Slomo(source, factor=2, phases="0.5")),
        ("1 to 4", lambda: core.vfx.Smooth(source, depth=5)),
        ("0 to 1", lambda: core.vfx.MotionBlur(source, cut_threshold=2)),
        ("no cuts", lambda: core.vfx.Upscale(source, scale=2, low_latency=1, cut_threshold=0.5)),
        ("deblock", lambda: core.vfx.Upscale(source, scale=2, low_latency=1, deblock="off")),
        ("compression", lambda: core.vfx.Upscale(source, scale=2, deblock="off", compression=1)),
        ("quantizer_step", lambda: core.vfx.Upscale(source, scale=1)),
        ("either", lambda: core.vfx.Grain(source)),
        ("0 to 32", lambda: core.vfx.Grain(source, strength=33)),
        ("cannot be read", lambda: core.vfx.Grain(source, table="/nothing/there")),
        ("ascend", lambda: core.vfx.Slomo(source, phases="0.5,0.25")),
        ("1 to 100", lambda: core.vfx.MotionBlur(source, strength=0)),
        ("0 to 1", lambda: core.vfx.Denoise(source, strength=2)),
        ("0 to 3", lambda: core.vfx.Denoise(source, past=5)),
        ("0 to 8", lambda: core.vfx.Denoise(source, past=9)),
        ("scale", lambda: core.vfx.Upscale(source)),
        ("even sizes", lambda: core.vfx.Upscale(source, width=321, height=181)),
        ("together", lambda: core.vfx.Upscale(source, width=640)),
        ("16", lambda: core.vfx.Upscale(source, scale=99)),
        ("vectors", lambda: core.vfx.Flow(source, output="waves")),
        ("next", lambda: core.vfx.Flow(source, direction="up")),
        ("colors or arrows", lambda: core.vfx.Flow(source, maximum=4)),
        ("0.01", lambda: core.vfx.Flow(source, output="colors", maximum=0)),
        ("RGB", lambda: core.vfx.Flow(core.std.BlankClip(format=vs.RGB24))),
        ("cannot be read", lambda: core.vfx.Denoise(source, model="/nothing/there")),
        ("noise model 1", lambda: core.vfx.Denoise(source, model=__file__)),
        ("a byte of value 0", lambda: core.vfx.Denoise(source, model=binary.name)),
        ("exclusive", lambda: core.vfx.Denoise(source, model=__file__, sigma=3)),
    ]:
        try:
            make()
        except vs.Error as error:
            assert words in str(error), f"'{words}' is not in: {error}"
        else:
            raise AssertionError(f"accepted, but should be refused with '{words}'")

    slow = core.vfx.Slomo(source, factor=2)
    for n in (-1, slow.num_frames, 10**6):
        try:
            slow.get_frame(n)
        except (vs.Error, ValueError):
            continue
        raise AssertionError(f"frame {n} does not exist")

    def broken(n, f):
        raise RuntimeError("deliberate")

    node = core.vfx.Slomo(source.std.ModifyFrame(source, broken), factor=2)
    try:
        node.get_frame(0)
    except vs.Error as error:
        assert "deliberate" in str(error), error
    else:
        raise AssertionError("an error of the source is lost")


def interlaced(source):
    """Fields are refused, as by the program, also where only a later part of the clip has them."""
    progressive = source.std.SetFieldBased(0)
    later = core.std.Splice([progressive[:30], progressive[30:].std.SetFieldBased(1)])
    for clip, n in ((source.std.SetFieldBased(1), 0), (source.std.SetFieldBased(2), 0), (later, 80)):
        for make in (
            lambda clip: core.vfx.Slomo(clip, factor=2), lambda clip: core.vfx.Interpolate(clip, num=60),
            core.vfx.MotionBlur, lambda clip: core.vfx.Denoise(clip, sigma=3),
            lambda clip: core.vfx.Upscale(clip, scale=2.0), core.vfx.Flow,
        ):
            try:
                make(clip).get_frame(n)
            except vs.Error as error:
                assert "interlaced" in str(error) and "SetFieldBased" in str(error), error
            else:
                raise AssertionError("interlaced frames are processed as progressive ones")
    assert digests(core.vfx.Slomo(progressive[:9], factor=2)) == digests(core.vfx.Slomo(source[:9], factor=2))


def deinterlaced(source):
    """Fields become frames at twice the rate; progressive frames are shown twice; settings and requests are checked."""
    progressive = source.std.SetFieldBased(0)[:12]
    fields = progressive.std.SetFieldBased(2)
    doubled = core.vfx.Deinterlace(fields)
    assert doubled.num_frames == 24 and doubled.fps == 2 * source.fps
    frames = list(doubled.frames())
    assert all(frame.props["_FieldBased"] == 0 for frame in frames)
    # The rows of each field are those of the source.
    for n, frame in enumerate(frames):
        row = n % 2
        assert bytes(frame[0])[row * frame.width:(row + 1) * frame.width] == \
            bytes(fields.get_frame(n // 2)[0])[row * frame.width:(row + 1) * frame.width], n
    bottom = core.vfx.Deinterlace(progressive.std.SetFieldBased(1))
    assert digests(bottom) == digests(core.vfx.Deinterlace(progressive, fields="bff"))
    assert digests(bottom) != digests(doubled)
    assert digests(core.vfx.Deinterlace(progressive))[::2] == digests(progressive)
    single = core.vfx.Deinterlace(fields, field_rate="frame")
    assert single.num_frames == 12 and digests(single) == digests(doubled)[::2]
    last = core.vfx.Deinterlace(fields).get_frame(23)
    assert bytes(last[0]) == bytes(frames[23][0])
    for options, part in (({"fields": "up"}, "auto or tff or bff"), ({"field_rate": "double"}, "field or frame")):
        try:
            core.vfx.Deinterlace(fields, **options)
        except vs.Error as error:
            assert part in str(error), error
        else:
            raise AssertionError(f"{options} are accepted")


def main():
    source = clip.read(sys.argv[1])
    refusals(source)
    formats()
    properties(source)
    interlaced(source)
    deinterlaced(source)
    together(source)
    threads(source)
    two_places(source)
    shared_planes(source)
    vectors(source, sys.argv[2])
    reloads(source)
    seeks(source)
    print("checks: done")


main()
