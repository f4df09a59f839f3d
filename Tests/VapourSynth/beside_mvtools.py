"""MVTools and this plug-in in one process, from 24 to 60 frames per second: beside_mvtools.py CLIP.y4m [FRAMES]

Needs `pip install vapoursynth-mvtools`. Prints, for the source alone and for each filter in turn, frames per second of the
result, processor time per result, the time to the first one, and the resident memory while it runs. For figures only.
"""

import gc
import resource
import sys
import time

import clip
import vapoursynth as vs

core = vs.core
core.num_threads = 2


def mvtools(source):
    super_clip = core.mv.Super(source, pel=2)
    backward = core.mv.Analyse(super_clip, isb=True, blksize=16, overlap=8)
    forward = core.mv.Analyse(super_clip, isb=False, blksize=16, overlap=8)
    return core.mv.FlowFPS(source, super_clip, backward, forward, num=60, den=1)


def processor_seconds():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize() >> 20


def measure(name, node):
    start, spent, first, most = time.monotonic(), processor_seconds(), None, 0
    for frame in node.frames(close=True):
        first = first or time.monotonic() - start
        most = max(most, resident())
    seconds, spent = time.monotonic() - start, processor_seconds() - spent
    print(
        f"{name}: {node.num_frames / seconds:.1f} frames/s, {spent * 1e3 / node.num_frames:.1f} ms of processor time per frame, "
        f"first after {first * 1e3:.0f} ms, {most} MiB", flush=True)


def main():
    source = clip.read(sys.argv[1]).std.AssumeFPS(fpsnum=24, fpsden=1)
    if len(sys.argv) > 2:
        source = source[:int(sys.argv[2])]
    makers = {
        "source alone": lambda: source, "core.vfx.Interpolate": lambda: core.vfx.Interpolate(source, num=60),
        "MVTools FlowFPS": lambda: mvtools(source), "core.vfx.Interpolate again": lambda: core.vfx.Interpolate(source, num=60),
    }
    for name, make in makers.items():
        measure(name, make())
        gc.collect()
        core.clear_cache()


main()
