"""Writes a network for restoration as C: python restoration_source.py TABLES.npz weights_NAME.c [--expected FILE]

Planes are written in the order of the kernels' weights, so that a mixture of them is in that order, too. `--expected`
writes what the integer reference makes of a picture that a formula draws, for a test.
"""
import argparse
import json
from pathlib import Path

import numpy as np

from export import checksum
from image_source import source
from restoration_export import mixed, restored
from restoration_network import WINDOW

CASES = ((380, 0), (300, 1), (512, 0), (0, 1))  # coding, video


def window_order(kernel):
    """The weights of a kernel over 10×10 samples as [outputs / 4][rows, pairs][4][2]."""
    outputs = len(kernel)
    pairs = kernel.reshape(outputs // 4, 4, WINDOW, WINDOW // 2, 2)
    return pairs.transpose(0, 2, 3, 1, 4).reshape(outputs // 4, WINDOW * WINDOW // 2, 4, 2)


def picture(width=48, height=40):
    """A ramp, squares and some noise."""
    y, x = np.mgrid[:height, :width]
    return (64 + (5 * x + 3 * y) % 96 + (x // 8 + y // 8) % 2 * 40 + x * y % 13).astype(np.uint8)


def expected(tables):
    cases = []
    for depth, (strength, video) in [(8, case) for case in CASES] + [(10, CASES[0])]:
        plane = picture().astype(np.int64)
        if depth > 8:
            plane = plane * 4 + plane % 4
        out = restored(mixed(tables, (strength, video)), plane, depth).astype("<u2" if depth > 8 else np.uint8)
        cases.append({"coding": strength, "video": video, "depth": depth, "fnv1a": f"{checksum(out):016x}",
                      "row 0": out[0].tolist(), "row 17": out[17].tolist(), "row 39": out[39].tolist()})
    return {"width": 48, "height": 40,
            "picture": "v(x, y) = 64 + (5x + 3y) % 96 + (x / 8 + y / 8) % 2 * 40 + x * y % 13, whole numbers; with 10 bits 4v + v % 4",
            "checksum": "FNV-1a, 64 bits, of the samples by rows; with 10 bits as little-endian 16-bit values", "cases": cases}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tables")
    parser.add_argument("out", type=Path)
    parser.add_argument("--expected", type=Path)
    args = parser.parse_args()
    tables = {name: value.astype(np.int64) for name, value in np.load(args.tables).items()}
    name = args.out.stem.removeprefix("weights_")
    value, text = source(tables, name, "Restoration/restoration_source.py", window_order)
    args.out.write_text(text)
    print(f"{name}: checksum {value:016x}, {len(text) // 1024} KB of source", flush=True)
    if args.expected:
        text = json.dumps(expected(tables), indent=1)
        args.expected.write_text(text + "\n")


if __name__ == "__main__":
    main()
