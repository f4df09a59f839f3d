"""What the network for restoration is told about its source, and how that weights the planes of weights.

- `coding`: how strongly the plane was compressed, 0…512, as `DegradationCondition.coding(ofStep:)` gives it.
- `video`: 0 for JPEG and the like, 1 for codecs with a loop filter.
"""
import math

import numpy as np

PLANES = 6
STRONGEST = 40  # the quantizer's step from which `coding` is 512
HEVC = 0.35  # what part of its own step the network is told for HEVC
# Last layer and linear filter have no plane of these, so that nothing changes what was not compressed.
CONSTANT = (0, 3)


def coding(step):
    return round(512 * math.log(min(step, STRONGEST)) / math.log(STRONGEST)) if step > 1 else 0


def table_step(table):
    """Of a JPEG table in rows of eight."""
    return (table[1] + table[8] + table[9]) / 35 * 11


def plane_weights(coding, video):
    """The weights of the planes in 256ths."""
    medium, strong = min(coding, 512 - coding), max(0, coding - 256)
    return np.array([256, medium, strong, 256 * video, medium * video, strong * video], np.int64)
