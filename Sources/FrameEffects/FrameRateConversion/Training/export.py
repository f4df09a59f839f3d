"""Writes the trained fusion networks as C: python export.py WORK ../../../../Kernels/fusion"""
import sys
from pathlib import Path

import numpy as np
import torch

from network import MODELS

ONE = 2048  # VFX_FUSION_ONE
SCORE = 1024 * np.log2(np.e)  # scores are binary logarithms in units of 1/1024


def layers(state, middles):
    names = ["first"] + [f"mid.{k}" for k in range(middles)] + ["last"]
    for k, name in enumerate(names):
        kernel, bias = (state[f"{name}.{part}"].double().numpy() for part in ("weight", "bias"))
        slopes = state[f"act.{k}.weight"].double().numpy() if name != "last" else np.ones(len(bias))
        yield integers(kernel, bias, slopes, SCORE / ONE if name == "last" else 1.0)


def integers(kernel, bias, slopes, gain):
    """The most fractional bits with which weights fit 16 bits and sums 32 for any source."""
    for shift in range(20, 0, -1):
        scale = gain * 2.0 ** shift
        worst = (np.abs(kernel).reshape(len(kernel), -1).sum(axis=1) * 32768 + np.abs(bias) * ONE).max() * scale
        if np.abs(kernel).max() * scale < 32000 and worst < 2 ** 31 * 0.99:
            return (np.rint(kernel * scale).astype(int), np.rint(bias * ONE * scale).astype(int),
                    np.clip(np.rint(slopes * 32768), -32768, 32767).astype(int), shift)
    raise SystemExit("the weights are too large for 16 bits")


def ordered(kernel):
    """Weights as vfx_superres_layer holds them: [outputs / 4][row][column][pair][4][2]."""
    outputs, inputs = kernel.shape[:2]
    blocks = kernel.reshape(outputs // 4, 4, inputs // 2, 2, 3, 3)
    return blocks.transpose(0, 4, 5, 2, 1, 3).ravel()


def checksum(lists):
    hash = 0xcbf29ce484222325
    for values, size in lists:
        for value in values:
            for byte in int(value).to_bytes(size, "little", signed=True):
                hash = ((hash ^ byte) * 0x100000001b3) & 0xffffffffffffffff
    return hash


def array(kind, name, values):
    lines, line = [], "   "
    for value in values:
        if len(line) + len(f" {value},") > 118:
            lines.append(line)
            line = "   "
        line += f" {value},"
    return f"static const {kind} {name}[] = {{\n" + "\n".join(lines + [line]) + "\n};\n"


def main(work, folder):
    for name, (channels, middles) in MODELS.items():
        text = "// Written by Sources/FrameEffects/FrameRateConversion/Training/export.py.\n#include \"weights.h\"\n\n"
        table, lists = "", []
        for k, (kernel, bias, slopes, shift) in enumerate(layers(torch.load(Path(work) / f"{name}.pt"), middles)):
            weights = ordered(kernel)
            lists += [(weights, 2), (bias, 4), (slopes, 2)]
            text += array("int16_t", f"weights_{k}", weights) + array("int32_t", f"bias_{k}", bias)
            text += array("int16_t", f"slopes_{k}", slopes)
            outputs, inputs = kernel.shape[:2]
            table += f"    {{weights_{k}, bias_{k}, slopes_{k}, {9 * inputs // 2}, {outputs}, {shift}}},\n"
        hash = checksum(lists)
        text += f"\nstatic const vfx_superres_layer layers[] = {{\n{table}}};\n\n"
        text += f"const vfx_fusion_network vfx_fusion_{name} = {{\"{name}\", layers, {middles + 2}, 0x{hash:016x}}};\n"
        (Path(folder) / f"weights_{name}.c").write_text(text)
        print(name, f"{hash:016x}")


if __name__ == "__main__":
    main(*sys.argv[1:])
