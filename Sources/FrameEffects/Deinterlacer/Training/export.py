"""Writes the trained deinterlacing networks as C: python export.py WORK ../../../../Kernels/deinterlace [RECORDS]

With records, it also tells how much PSNR the held-out clips lose by computing with integers, as the kernels do.
"""
import sys
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

from network import MODELS, PREDICTIONS, RESIDUAL, DeinterlacingNetwork, inputs, predictions
from train import evaluate, load, means

ONE = 2048  # VFX_DEINTERLACE_ONE
SCORE = 1024 * np.log2(np.e)  # scores are binary logarithms in units of 1/1024
RANGES = {"small": 1, "large": 2}  # features are divided by this, so that 16 bits hold them
LEVEL = 16  # residuals are in units of 1/16 level


def layers(state, middles, reach):
    names = ["first"] + [f"mid.{k}" for k in range(middles)] + ["last"]
    for k, name in enumerate(names):
        kernel, bias = (state[f"{name}.{part}"].double().numpy() for part in ("weight", "bias"))
        slopes = state[f"act.{k}.weight"].double().numpy() if name != "last" else np.ones(len(bias))
        gains = np.ones(len(bias))
        if name == "last":
            gains[:4 * PREDICTIONS], gains[4 * PREDICTIONS:] = SCORE / ONE, RESIDUAL * LEVEL / ONE
        # Activations keep the scale: the first layer takes the division, the last one undoes it.
        if name == "first":
            kernel = kernel / reach
        if name != "last":
            bias = bias / reach
        else:
            kernel = kernel * reach
        yield integers(kernel * gains[:, None, None, None], bias * gains, slopes)


def integers(kernel, bias, slopes):
    """The most fractional bits with which weights fit 16 bits and sums 32 for any source."""
    for shift in range(20, 0, -1):
        scale = 2.0 ** shift
        worst = (np.abs(kernel).reshape(len(kernel), -1).sum(axis=1) * 32768 + np.abs(bias) * ONE).max() * scale
        if np.abs(kernel).max() * scale < 32000 and worst < 2 ** 31 * 0.99:
            return (np.rint(kernel * scale).astype(int), np.rint(bias * ONE * scale).astype(int),
                    np.clip(np.rint(slopes * 32768), -32767, 32767).astype(int), shift)
    raise SystemExit("the weights are too large for 16 bits")


def ordered(kernel):
    """Weights as vfx_superres_layer holds them: [outputs / 4][row][column][pair][4][2]."""
    outputs, inputs = kernel.shape[:2]
    blocks = kernel.reshape(outputs // 4, 4, inputs // 2, 2, 3, 3)
    return blocks.transpose(0, 4, 5, 2, 1, 3).ravel()


class IntegerNetwork:
    """What the kernels compute, bit by bit, the exponential function aside."""

    def __init__(self, layers):
        self.layers, self.halo = layers, len(layers)

    def output(self, x):
        for kernel, bias, slopes, shift in self.layers:
            # Sums fit 32 bits, so they are exact in double precision.
            sums = F.conv2d(x, torch.from_numpy(kernel).double(), torch.from_numpy(bias).double())
            f = torch.floor((sums + 2 ** (shift - 1)) / 2 ** shift).clamp(-32768, 32767)
            x = torch.where(f < 0, torch.floor((f * torch.from_numpy(slopes).view(1, -1, 1, 1) + 16384) / 32768), f)
        return x

    def __call__(self, planes, cells):
        planes = planes.double()
        out = F.pixel_shuffle(self.output(torch.floor(inputs(planes, cells.double()) * ONE)), 2)
        scores = out[:, :PREDICTIONS]
        e = torch.exp2((scores - scores.max(1, keepdim=True).values).clamp(-16384) / 1024)
        weights = torch.floor(16384 * 0.99999 * e / e.sum(1, keepdim=True))
        weights[:, 0] = 16384 - weights[:, 1:].sum(1)
        edge = 2 * self.halo
        sums = (predictions(planes)[:, :, edge:-edge, edge:-edge] * 16 * weights).sum(1, keepdim=True)
        residual = out[:, PREDICTIONS:].clamp(-4080, 4080)
        return torch.floor((sums + residual * 16384 + 131072) / 2 ** 18)


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


def main(work, folder, records=None):
    for name, (channels, middles) in MODELS.items():
        path = Path(work) / f"{name}.pt"
        if not path.exists():
            continue
        text = "// Written by Sources/FrameEffects/Deinterlacer/Training/export.py.\n#include \"weights.h\"\n\n"
        table, lists, state = "", [], torch.load(path)
        rounded = list(layers(state, middles, RANGES[name]))
        for k, (kernel, bias, slopes, shift) in enumerate(rounded):
            weights = ordered(kernel)
            lists += [(weights, 2), (bias, 4), (slopes, 2)]
            text += array("int16_t", f"weights_{k}", weights) + array("int32_t", f"bias_{k}", bias)
            text += array("int16_t", f"slopes_{k}", slopes)
            outputs, inputs = kernel.shape[:2]
            table += f"    {{weights_{k}, bias_{k}, slopes_{k}, {9 * inputs // 2}, {outputs}, {shift}}},\n"
        hash = checksum(lists)
        text += f"\nstatic const vfx_superres_layer layers[] = {{\n{table}}};\n\n"
        text += f"const vfx_deinterlace_network vfx_deinterlace_{name} = "
        text += f"{{\"{name}\", layers, {middles + 2}, 0x{hash:016x}}};\n"
        (Path(folder) / f"weights_{name}.c").write_text(text)
        print(name, f"{hash:016x}", "shifts", [layer[3] for layer in rounded])
        if records:
            network = DeinterlacingNetwork(channels, middles)
            network.load_state_dict(state)
            table = evaluate(load(records)[1], {"float": network, "integers": IntegerNetwork(rounded)})
            for clip, row in table.items():
                print(f"{clip:40}", " ".join(f"{key} {value:6.3f}" for key, value in row.items()))
            print(f"{'mean':40}", " ".join(f"{key} {value:6.3f}" for key, value in means(table).items()))


if __name__ == "__main__":
    torch.set_num_threads(1)
    main(*sys.argv[1:])
