"""The ×2 super-resolution network: a few 3×3 convolutions at the source size, plus a learned 5×5 linear upscale.

A constant image stays the same constant: the first filters sum to zero, the linear ones to one, and the response of the
convolutions to a constant image is subtracted.
"""
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

MODELS = {  # channels, middle layers
    "normal": (8, 1),
    "quality": (16, 4),
    "compressed": (16, 4),
}
WIDE = 96


def cubic_taps(offset, b=0.0, c=0.6):
    """Five taps of the cubic kernel for a position `offset` samples from the middle one."""
    def value(x):
        x = abs(x)
        if x < 1:
            return ((12 - 9 * b - 6 * c) * x ** 3 + (-18 + 12 * b + 6 * c) * x ** 2 + 6 - 2 * b) / 6
        if x < 2:
            return ((-b - 6 * c) * x ** 3 + (6 * b + 30 * c) * x ** 2 + (-12 * b - 48 * c) * x + 8 * b + 24 * c) / 6
        return 0.0
    return np.array([value(k - offset) for k in range(-2, 3)])


def cubic_skip():
    phases = [np.outer(cubic_taps(dy), cubic_taps(dx)) for dy in (-0.25, 0.25) for dx in (-0.25, 0.25)]
    return torch.tensor(np.stack(phases)[:, None], dtype=torch.float32)


class Collapsible(nn.Module):
    """A convolution trained as a wide one and a 1×1 mix, folded at every step; it can include the identity."""

    def __init__(self, inputs, outputs, size, identity):
        super().__init__()
        self.wide = nn.Parameter(torch.randn(WIDE, inputs * size * size) * (2 / (inputs * size * size)) ** 0.5)
        self.mix = nn.Parameter(torch.randn(outputs, WIDE) * (1 / WIDE) ** 0.5)
        self.bias = nn.Parameter(torch.zeros(outputs))
        self.shape = (outputs, inputs, size, size)
        base = torch.zeros(self.shape)
        if identity:
            for k in range(outputs):
                base[k, k, size // 2, size // 2] = 1
        self.register_buffer("base", base)

    def kernel(self):
        return (self.mix @ self.wide).view(self.shape) + self.base


class SuperResolutionNetwork(nn.Module):
    def __init__(self, channels, middles):
        super().__init__()
        self.first = Collapsible(1, channels, 5, False)
        self.middles = nn.ModuleList(Collapsible(channels, channels, 3, True) for _ in range(middles))
        self.last = Collapsible(channels, 4, 3, False)
        self.slopes = nn.ParameterList(nn.Parameter(torch.full((channels,), 0.1)) for _ in range(middles + 1))
        self.skip = nn.Parameter(torch.zeros(4, 1, 5, 5))
        self.register_buffer("cubic", cubic_skip())
        self.halo = 3 + middles
        with torch.no_grad():
            self.last.mix.mul_(0.05)
            for middle in self.middles:
                middle.mix.mul_(0.5)

    def folded(self):
        """The folded kernels: first, middles, last, skip."""
        first = self.first.kernel()
        first = first - first.mean(dim=(1, 2, 3), keepdim=True)
        skip = self.cubic + self.skip - self.skip.mean(dim=(1, 2, 3), keepdim=True)
        return first, [m.kernel() for m in self.middles], self.last.kernel(), skip

    def features(self, x, first, middles, last):
        x = F.prelu(F.conv2d(x, first, self.first.bias), self.slopes[0].clamp(-0.99, 0.99))
        for middle, kernel, slope in zip(self.middles, middles, self.slopes[1:]):
            x = F.prelu(F.conv2d(x, kernel, middle.bias), slope.clamp(-0.99, 0.99))
        return F.conv2d(x, last)

    def forward(self, x):
        """The valid part of the output: `halo` source samples are lost on each side."""
        first, middles, last, skip = self.folded()
        detail = self.features(x, first, middles, last)
        size = 2 * self.halo + 1
        detail = detail - self.features(torch.zeros(1, 1, size, size), first, middles, last)
        inner = x[:, :, self.halo - 2:x.shape[2] - self.halo + 2, self.halo - 2:x.shape[3] - self.halo + 2]
        return F.pixel_shuffle(detail + F.conv2d(inner, skip), 2)
