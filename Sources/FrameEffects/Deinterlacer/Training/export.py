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

sys.path.append(str(Path(__file__).resolve().parents[2] / "FrameRateConversion/Training"))
from layer_source import ONE, SCORE, integers, source

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
        yield integers(kernel, bias, slopes, gains)


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


def main(work, folder, records=None):
    for name, (channels, middles) in MODELS.items():
        path = Path(work) / f"{name}.pt"
        if not path.exists():
            continue
        state = torch.load(path)
        rounded = list(layers(state, middles, RANGES[name]))
        text, hash = source("Deinterlacer/Training/export.py", "deinterlace", name, rounded)
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
