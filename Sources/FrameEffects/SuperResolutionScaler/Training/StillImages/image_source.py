"""Writes the network for still images as C, and the weights of the estimate as Swift: python image_source.py ../../../../..

Reads image_tables.npz and estimator.json beside it. Planes are written in the order of the kernels' weights, so that a
mixture of them is in that order, too. The checksum in the model card is updated.
"""
import argparse
import json
import re
from pathlib import Path

import numpy as np

from export import checksum, feature_order, literal, picture_order

HERE = Path(__file__).resolve().parent


def arrays(tables, window):
    """Name, type and values of each table, in the order of the checksum. `window` orders weights of the picture's samples."""
    blocks = {
        "first": ("int16_t", [window(plane) for plane in tables["first"]]),
        "middle": ("int16_t", [feature_order(layer) for layer in tables["middles"]]),
        "last": ("int16_t", [np.concatenate([feature_order(last), window(skip)], axis=1)
                             for last, skip in zip(tables["last"], tables["skip"])]),
        "biases": ("int32_t", tables["biases"]),
        "slopes": ("int32_t", tables["slopes"]),
        "shifts": ("int32_t", tables["shifts"]),
    }
    return [(name, kind, np.stack(values).astype("<i2" if kind == "int16_t" else "<i4").reshape(-1))
            for name, (kind, values) in blocks.items()]


def source(tables, name="image", script="StillImages/image_source.py", window=picture_order):
    """Checksum and C source of a network."""
    parts = arrays(tables, window)
    value = checksum(*(values for _, _, values in parts))
    planes, channels = tables["first"].shape[:2]
    counts = ", ".join(str(len(values)) for _, _, values in parts)
    names = ", ".join(name for name, _, _ in parts)
    text = "\n".join(literal(kind, name, values) for name, kind, values in parts)
    return value, f"""// Written by Sources/FrameEffects/SuperResolutionScaler/Training/{script}.
#include "weights.h"

{text}
const vfx_superres_conditioned_network vfx_superres_{name} = {{
    "{name}", {channels}, {len(tables["middles"])}, {planes}, {names},
    {counts}, 0x{value:016x}u}};
"""


def estimator(weights):
    def rows(name):
        return ",\n".join(f"        {value!r}" for value in weights[name])
    text = "\n".join(f"    static let {name}: [Double] = [\n{rows(name)},\n    ]" for name in ("mean", "deviation", "weights"))
    return f"""// Written by Training/StillImages/image_source.py.

/// The weights of ``DegradationEstimator``: mean and deviation of each statistic, and its weight, after a constant.
enum DegradationEstimatorWeights {{
{text}
}}
"""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("package", type=Path, help="the folder of the package")
    package = parser.parse_args().package
    value, text = source(dict(np.load(HERE / "image_tables.npz")))
    (package / "Kernels/superres/weights_image.c").write_text(text)
    swift = package / "Sources/FrameEffects/SuperResolutionScaler/StillImages/DegradationEstimatorWeights.swift"
    swift.write_text(estimator(json.loads((HERE / "estimator.json").read_text())))
    card = HERE.parent / "ModelCard.md"
    card.write_text(re.sub(r"(?m)^\| `image` \| [0-9a-f]+ ", f"| `image` | {value:016x} ", card.read_text()))
    print(f"image: checksum {value:016x}, {len(text) // 1024} KB of source")


if __name__ == "__main__":
    main()
