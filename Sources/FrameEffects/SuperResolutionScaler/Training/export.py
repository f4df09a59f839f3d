"""Writes trained networks as C: python export.py WORK KERNELS/superres [--model NAME]

If the work folder has no checkpoint, the untrained network is written, which is a cubic upscale. The checksums in the
model card are updated.
"""
import argparse
import pickle
import re
from pathlib import Path

import numpy as np
import torch

from integers import fold
from network import MODELS, SuperResolutionNetwork


def load(work, name):
    torch.manual_seed(1)
    model = SuperResolutionNetwork(*MODELS[name])
    path = Path(work) / f"{name}.pt"
    if path.exists():
        model.load_state_dict(torch.load(path)["model"])
    store = Path(work) / ("coded.pkl" if "compressed" in name else "pairs.pkl")
    images = pickle.loads(store.read_bytes()) if store.exists() else []
    tiles = [small[y:y + 160, x:x + 160] for _, _, variants in images for _, small in variants[:1]
             for y, x in ((0, 0), ((small.shape[0] - 160) // 2, (small.shape[1] - 160) // 2)) if min(small.shape) >= 160]
    if not tiles:
        tiles = [np.random.default_rng(1).integers(0, 256, (160, 160))]
    return model, torch.from_numpy(np.stack(tiles)[:, None].astype(np.float32) / 255)


def feature_order(kernel):
    """The weights of a kernel over channels as [outputs / 4][rows, columns, pairs][4][2]."""
    outputs, inputs, height, width = kernel.shape
    pairs = kernel.reshape(outputs // 4, 4, inputs // 2, 2, height, width)
    return pairs.transpose(0, 4, 5, 2, 1, 3).reshape(outputs // 4, height * width * inputs // 2, 4, 2)


def picture_order(kernel):
    """Likewise for a kernel over the image: horizontal pairs at dx = −2, 0, 2; the sixth column has zero weights."""
    outputs, _, height, width = kernel.shape
    wide = np.concatenate([kernel[:, 0], np.zeros((outputs, height, 1), np.int64)], axis=2)
    pairs = wide.reshape(outputs // 4, 4, height, 3, 2)
    return pairs.transpose(0, 2, 3, 1, 4).reshape(outputs // 4, height * 3, 4, 2)


def checksum(*arrays):
    value = 0xcbf29ce484222325
    for data in b"".join(a.tobytes() for a in arrays):
        value = (value ^ data) * 0x100000001b3 & 0xffffffffffffffff
    return value


def literal(kind, name, values):
    rows = [", ".join(str(v) for v in values[k:k + 20]) for k in range(0, len(values), 20)]
    return f"static const {kind} {name}[] = {{\n    " + ",\n    ".join(rows) + ",\n};\n"


def source(name, layers):
    blocks, places, weight_at, bias_at, slope_at = [], [], 0, 0, 0
    biases, slopes = [], []
    for index, layer in enumerate(layers):
        block = picture_order(layer["kernel"]) if index == 0 else feature_order(layer["kernel"])
        if "skip" in layer:
            block = np.concatenate([block, picture_order(layer["skip"])], axis=1)
        outputs = 4 * len(block)
        bent = f"slopes + {slope_at}" if layer["slopes"] is not None else "0"
        places.append(f"    {{weights + {weight_at}, biases + {bias_at}, {bent}, {block.shape[1]}, {outputs}, "
                      f"{layer['shift']}}},")
        blocks.append(block.reshape(-1))
        biases.append(layer["bias"])
        weight_at, bias_at = weight_at + block.size, bias_at + outputs
        if layer["slopes"] is not None:
            slopes.append(layer["slopes"])
            slope_at += outputs
    weights = np.concatenate(blocks).astype("<i2")
    biases, slopes = np.concatenate(biases).astype("<i4"), np.concatenate(slopes).astype("<i2")
    value = checksum(weights, biases, slopes)
    channels, middles = MODELS[name]
    return value, f"""// Written by Sources/FrameEffects/SuperResolutionScaler/Training/export.py.
#include "weights.h"

{literal("int16_t", "weights", weights)}
{literal("int32_t", "biases", biases)}
{literal("int16_t", "slopes", slopes)}
static const vfx_superres_layer layers[] = {{
{chr(10).join(places)}
}};

const vfx_superres_network vfx_superres_{name} = {{
    "{name}", {channels}, {middles}, layers, weights, biases, slopes,
    {len(weights)}, {len(biases)}, {len(slopes)}, 0x{value:016x}u}};
"""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("work")
    parser.add_argument("kernels")
    parser.add_argument("--model", action="append", choices=list(MODELS))
    args = parser.parse_args()
    for name in args.model or MODELS:
        value, text = source(name, fold(*load(args.work, name)))
        (Path(args.kernels) / f"weights_{name}.c").write_text(text)
        card = Path(__file__).with_name("ModelCard.md")
        card.write_text(re.sub(rf"(?m)^\| `{name}` \| [0-9a-f]+ ", f"| `{name}` | {value:016x} ", card.read_text()))
        print(f"{name}: checksum {value:016x}, {len(text) // 1024} KB of source")


if __name__ == "__main__":
    main()
