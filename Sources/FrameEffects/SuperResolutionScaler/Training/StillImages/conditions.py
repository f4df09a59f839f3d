"""What the network for still images is told about its source: three numbers, and how they weight the planes of weights.

- `kernel`: how the picture was reduced, from 0 (mean of areas) to 1 (cubic kernel, a = −0.5). Kernels between are mixtures.
- `sharpness`: what was done beside that, as the binary logarithm of the response at half the source's Nyquist
  frequency: from −1 (blurred) over 0 (nothing) to 1 (sharpened).
- `coding`: how strongly the picture was compressed, as `strength` of the quantizer's step, from 0 (not at all) to 1.

The parts of the network that depend on the condition are sums of planes, weighted by `features`. They are mixed once per
picture, so a condition costs nothing per sample.
"""
import math

import numpy as np

PLANES = 6  # what `features` returns
STRONGEST = 40  # the quantizer's step, in code values of full-range luma, from which `coding` is 1

# The first three AC steps of the luma table of JPEG's annex K, which all common encoders scale, have the mean 11.
MEAN_STEP = 11.0


def features(kernel, sharpness, coding, stack=np.stack, clamp=np.clip):
    """The weights of the planes. With the tensors' `stack` and `clamp`, it works on tensors."""
    one = kernel * 0 + 1
    return stack([one, kernel, clamp(-sharpness, 0, 1), clamp(sharpness, 0, 1),
                  1 - abs(2 * coding - 1), clamp(2 * coding - 1, 0, 1)], -1)


def jpeg_scale(quality):
    """The factor by which the usual encoders scale the tables for a quality of 1 to 100."""
    return (5000 / quality if quality < 50 else 200 - 2 * quality) / 100


def strength(step):
    """`coding` for a mean low-frequency step in code values; steps up to 1 do not show."""
    return min(1.0, max(0.0, math.log(max(step, 1e-6)) / math.log(STRONGEST)))


def jpeg_strength(quality):
    return strength(max(1.0, MEAN_STEP * jpeg_scale(quality)))
