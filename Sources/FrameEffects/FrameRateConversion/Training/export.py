"""Writes the trained fusion networks as C: python export.py WORK ../../../../Kernels/fusion"""
import sys
from pathlib import Path

import numpy as np
import torch

from layer_source import ONE, SCORE, integers, source
from network import MODELS


def layers(state, middles):
    names = ["first"] + [f"mid.{k}" for k in range(middles)] + ["last"]
    for k, name in enumerate(names):
        kernel, bias = (state[f"{name}.{part}"].double().numpy() for part in ("weight", "bias"))
        slopes = state[f"act.{k}.weight"].double().numpy() if name != "last" else np.ones(len(bias))
        yield integers(kernel, bias, slopes, SCORE / ONE if name == "last" else 1.0)


def main(work, folder):
    for name, (_, middles) in MODELS.items():
        rounded = list(layers(torch.load(Path(work) / f"{name}.pt"), middles))
        text, hash = source("FrameRateConversion/Training/export.py", "fusion", name, rounded)
        (Path(folder) / f"weights_{name}.c").write_text(text)
        print(name, f"{hash:016x}")


if __name__ == "__main__":
    main(*sys.argv[1:])
