"""Writes the trained fusion networks as C: python export.py WORK ../../../../Kernels/fusion"""
import re
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


def floats(text):
    """The state of a network from its C source."""
    arrays = {name: np.array([int(v) for v in re.findall(r"-?\d+", values)])
              for name, values in re.findall(r"(\w+)\[\] = \{([^{}]*)\};", text)}
    layers = [[int(v) for v in row] for row in re.findall(r"\{weights_\d+, bias_\d+, slopes_\d+, (\d+), (\d+), (\d+)\}", text)]
    state = {}
    for k, (pairs, outputs, shift) in enumerate(layers):
        is_last = k == len(layers) - 1
        name = "first" if k == 0 else "last" if is_last else f"mid.{k - 1}"
        scale = 2.0 ** shift * (SCORE / ONE if is_last else 1)
        blocks = arrays[f"weights_{k}"].reshape(outputs // 4, 3, 3, pairs // 9, 4, 2)
        state[f"{name}.weight"] = blocks.transpose(0, 4, 3, 5, 1, 2).reshape(outputs, -1, 3, 3) / scale
        state[f"{name}.bias"] = arrays[f"bias_{k}"] / ONE / scale
        if not is_last:
            state[f"act.{k}.weight"] = arrays[f"slopes_{k}"] / 32768
    return state


def main(work, folder):
    for name, (_, middles) in MODELS.items():
        rounded = list(layers(torch.load(Path(work) / f"{name}.pt"), middles))
        text, hash = source("FrameRateConversion/Training/export.py", "fusion", name, rounded)
        (Path(folder) / f"weights_{name}.c").write_text(text)
        print(name, f"{hash:016x}")


if __name__ == "__main__":
    main(*sys.argv[1:])
