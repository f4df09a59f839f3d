"""Reads a y4m file (4:2:0, 8 bits) as a clip, so that the tests need no source plug-in."""

import ctypes
import threading

import vapoursynth as vs

MARK = len(b"FRAME\n")


def read(path):
    file = open(path, "rb")
    header = file.readline().decode().split()
    values = {word[0]: word[1:] for word in header[1:]}
    width, height = int(values["W"]), int(values["H"])
    num, den = map(int, values["F"].split(":"))
    start, lock = file.tell(), threading.Lock()
    planes = [(width, height)] + 2 * [((width + 1) // 2, (height + 1) // 2)]
    size = MARK + sum(w * h for w, h in planes)
    count = (file.seek(0, 2) - start) // size

    def fill(n, f):
        with lock:
            file.seek(start + n * size + MARK)
            samples = file.read(size - MARK)
        frame, position = f.copy(), 0
        for plane, (w, h) in enumerate(planes):
            base, stride = frame.get_write_ptr(plane).value, frame.get_stride(plane)
            for y in range(h):
                ctypes.memmove(base + y * stride, samples[position:position + w], w)
                position += w
        return frame

    blank = vs.core.std.BlankClip(
        width=width, height=height, format=vs.YUV420P8, length=count, fpsnum=num, fpsden=den, keep=True)
    return blank.std.ModifyFrame(blank, fill)
