"""Measures the plug-in: overhead.py WIDTH HEIGHT THREADS. The pictures and the effect are those of Tests/CVFX/overhead.c, so
the difference in processor time per source frame is what the plug-in adds. For figures only; no speed is required.
"""

import ctypes
import resource
import sys
import time

import vapoursynth as vs

core = vs.core
PICTURES, FRAMES = 24, 120


def draw(frame, index, width, height):
    rows = [bytes((((x + 3 * index) // 9 ^ k) * 5) & 255 for x in range(width)) for k in range((height + 6) // 7)]
    base, stride = frame.get_write_ptr(0).value, frame.get_stride(0)
    for y in range(height):
        ctypes.memmove(base + y * stride, rows[y // 7], width)
    for plane in (1, 2):
        base, stride = frame.get_write_ptr(plane).value, frame.get_stride(plane)
        for y in range(height // 2):
            ctypes.memset(base + y * stride, 128, width // 2)
    return frame


def main():
    width, height, threads = map(int, sys.argv[1:])
    core.num_threads = 2
    blank = core.std.BlankClip(
        width=width, height=height, format=vs.YUV420P8, length=FRAMES, fpsnum=25, fpsden=1, keep=True)
    first = blank.get_frame(0)
    pictures = [draw(first.copy(), index, width, height) for index in range(PICTURES)]

    def show(n, f):
        place = n % (2 * PICTURES - 2)
        return pictures[place if place < PICTURES else 2 * PICTURES - 2 - place]

    node = core.vfx.Slomo(blank.std.ModifyFrame(blank, show), factor=2, threads=threads)
    start, before, began = time.monotonic(), resource.getrusage(resource.RUSAGE_SELF), None
    for frame in node.frames(close=True):
        began = began or time.monotonic() - start
    seconds, usage = time.monotonic() - start, resource.getrusage(resource.RUSAGE_SELF)
    spent = usage.ru_utime + usage.ru_stime - before.ru_utime - before.ru_stime
    print(
        f"{node.num_frames} results, first after {began * 1e3:.1f} ms; per source frame {seconds * 1e3 / FRAMES:.2f} ms and "
        f"{spent * 1e3 / FRAMES:.2f} ms of processor time")


main()
