"""Makes small pictures from full ones as cameras, programs and the web do, and says what was done (see `conditions.py`).

Everything runs on tensors, for many patches at once.
"""
import math

import numpy as np
import torch

from conditions import MEAN_STEP, STRONGEST
from dataset import cubic

TAPS = 12  # of the reduction
BLUR = 7  # taps of what comes after it

LUMA_TABLE = np.array([  # of JPEG's annex K
    [16, 11, 10, 16, 24, 40, 51, 61], [12, 12, 14, 19, 26, 58, 60, 55], [14, 13, 16, 24, 40, 57, 69, 56],
    [14, 17, 22, 29, 51, 87, 80, 62], [18, 22, 37, 56, 68, 109, 103, 77], [24, 35, 55, 64, 81, 104, 113, 92],
    [49, 64, 78, 87, 103, 121, 120, 101], [72, 92, 95, 98, 112, 100, 103, 99]])


def lanczos(x):
    return np.where(np.abs(x) < 3, np.sinc(x) * np.sinc(x / 3), 0)


def reductions():
    """The kernels: mean of areas, cubic as MATLAB and as swscale have it, Lanczos; each as taps at twice the width."""
    at = (np.arange(TAPS) - (TAPS - 1) / 2) / 2
    kernels = np.stack([np.abs(at) < 0.5, cubic(at, -0.5), cubic(at, -0.6), lanczos(at)]).astype(np.float64)
    return kernels / kernels.sum(1, keepdims=True)


def response(taps, frequency):
    """Of an even kernel with its middle in the middle of the taps; frequency in radians per tap."""
    at = np.arange(len(taps)) - (len(taps) - 1) / 2
    return float((taps * np.cos(at * frequency)).sum())


# The share of each reduction, and its sharpness; the last is a mixture of the first two.
SHARES = (0.32, 0.36, 0.11, 0.08, 0.13)
SHARPNESS = [0, 0] + [math.log2(response(k, math.pi / 4) / response(reductions()[1], math.pi / 4)) for k in reductions()[2:]] + [0]
BLURRED, SHARPENED, NOISY, CODED = 0.12, 0.08, 0.07, 0.22  # shares of the patches


class Degradation:
    def __init__(self, device):
        self.device = device
        t = lambda a: torch.as_tensor(np.asarray(a), dtype=torch.float32, device=device)
        self.kernels, self.sharpness = t(reductions()), t(SHARPNESS)
        self.bounds = t(np.cumsum(SHARES)[:-1])
        self.table = t(LUMA_TABLE)
        k, n = np.mgrid[:8, :8]
        self.dct = t(np.cos((2 * n + 1) * k * math.pi / 16) * np.where(k == 0, math.sqrt(1 / 8), 0.5))
        self.at = t(np.arange(BLUR) - BLUR // 2)

    def rand(self, count, low=0.0, high=1.0):
        return torch.rand(count, device=self.device) * (high - low) + low

    def __call__(self, full):
        """full: pictures × (2 n + 10) × (2 n + 10), with n a multiple of eight. Returns pictures × n × n of whole values,
        and their conditions: kernel, sharpness, coding."""
        count, n = len(full), (full.shape[1] - TAPS + 2) // 2
        kind = torch.bucketize(self.rand(count), self.bounds)
        blend = self.rand(count)
        kernel = (kind == 4) * blend + ((kind > 0) & (kind < 4))
        mixed = (1 - blend)[:, None] * self.kernels[0] + blend[:, None] * self.kernels[1]
        taps = torch.where((kind == 4)[:, None], mixed, self.kernels[kind.clamp_max(3)])
        small = (full.unfold(1, TAPS, 2) * taps[:, None, None]).sum(3)
        small = (small.unfold(2, TAPS, 2) * taps[:, None, None]).sum(3)
        # Blurred or sharpened: a Gaussian, or its opposite.
        what = self.rand(count)
        blurred, sharpened = what < BLURRED, what > 1 - SHARPENED
        sigma = torch.where(blurred, self.rand(count, 0.3, 0.75), self.rand(count, 0.6, 1.5))
        amount = sharpened * self.rand(count, 0.1, 1.0) - blurred.float()
        gauss = torch.exp(-self.at ** 2 / (2 * sigma[:, None] ** 2))
        gauss = gauss / gauss.sum(1, keepdim=True)
        wide = torch.nn.functional.pad(small[:, None], (BLUR // 2,) * 4, "replicate")[:, 0]
        soft = (wide.unfold(1, BLUR, 1) * gauss[:, None, None]).sum(3)
        soft = (soft.unfold(2, BLUR, 1) * gauss[:, None, None]).sum(3)
        small = small + amount[:, None, None] * (small - soft)
        middle = gauss[:, BLUR // 2] - 2 * gauss[:, BLUR // 2 - 2]  # response of the Gaussian at half Nyquist
        sharpness = self.sharpness[kind] + torch.log2(1 + amount * (1 - middle))
        deviation = (self.rand(count) < NOISY) * self.rand(count, 0.5, 2)
        small = small + deviation[:, None, None] * torch.randn_like(small)
        small = small.round().clamp(0, 255)
        coded = self.rand(count) < CODED
        coding = self.rand(count, 0.02, 1)
        scale = STRONGEST ** coding / MEAN_STEP
        small = torch.where(coded[:, None, None], self.jpeg(small, scale), small)
        return small, torch.stack([kernel, sharpness.clamp(-1, 1), coding * coded], 1)

    def jpeg(self, plane, scale):
        """Limited-range luma, coded as full-range JPEG whose table is `scale` times that of the standard."""
        count, n = len(plane), plane.shape[1]
        table = (self.table * scale[:, None, None]).round().clamp(1, 255)[:, None, :, None, :]
        x = ((plane - 16) * (255 / 219)).round().clamp(0, 255) - 128
        x = torch.einsum("ai,nbicj,dj->nbacd", self.dct, x.view(count, n // 8, 8, n // 8, 8), self.dct)
        x = (x / table).round() * table
        x = torch.einsum("ai,nbacd,dj->nbicj", self.dct, x, self.dct).reshape(count, n, n) + 128
        return (16 + x.round().clamp(0, 255) * (219 / 255)).round()

    def mistaken(self, conditions):
        """What the network is told: the truth (40 % of patches), nearly the truth (20 %), something wrong (32 %), or that
        nothing is known (8 %). In the first training, it was 53, 22, 15 and 10 %."""
        count = len(conditions)
        kernel, sharpness, coding = conditions.unbind(1)
        what, which = self.rand(count), self.rand(count)
        near = what < 0.2
        normal = lambda deviation: near * deviation * torch.randn(count, device=self.device)
        wrong, unknown = (what > 0.6) & (what < 0.92), what >= 0.92
        far = lambda value, chosen, other: torch.where(wrong & chosen, other, value)
        kernel = far(kernel + normal(0.15), which < 0.6, torch.where(self.rand(count) < 0.8, 1 - kernel, self.rand(count)))
        sharpness = far(sharpness + normal(0.12), (which > 0.5) & (which < 0.75), self.rand(count, -1, 1))
        coding = far(coding + normal(0.08) * (coding > 0), which > 0.7, self.rand(count))
        half, none = torch.full_like(kernel, 0.5), torch.zeros_like(kernel)
        kernel, sharpness, coding = (torch.where(unknown, u, v) for u, v in
                                     ((half, kernel), (none, sharpness), (none, coding)))
        return torch.stack([kernel.clamp(0, 1), sharpness.clamp(-1, 1), coding.clamp(0, 1)], 1)
