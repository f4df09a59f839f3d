"""The ×2 super-resolution network: a few 3×3 convolutions at the source size, plus a learned 5×5 linear upscale.

A constant image stays the same constant: the first filters sum to zero, the linear ones to one, and the response of the
convolutions to a constant image is subtracted.
"""
import re

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

MODELS = {  # channels and middle layers to train; the weights in Kernels/superres may still have fewer layers
    "small": (8, 1),
    "large": (16, 8),
    "medium_compressed": (16, 4),
}
UNIT = 65280  # the kernels' 16-bit value of 1.0 (a sample of 255)


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


def identity(channels):
    kernel = torch.zeros(channels, channels, 3, 3)
    kernel[range(channels), range(channels), 1, 1] = 1
    return kernel


class SuperResolutionNetwork(nn.Module):
    def __init__(self, channels, middles):
        super().__init__()
        def noise(outputs, inputs, size, gain):
            return torch.randn(outputs, inputs, size, size) * gain * (2 / (inputs * size * size)) ** 0.5
        self.first = nn.Parameter(noise(channels, 1, 5, 1))
        self.middles = nn.ParameterList(
            nn.Parameter(identity(channels) + noise(channels, channels, 3, 0.5)) for _ in range(middles))
        self.last = nn.Parameter(noise(4, channels, 3, 0.05))
        self.biases = nn.ParameterList(nn.Parameter(torch.zeros(channels)) for _ in range(middles + 1))
        self.slopes = nn.ParameterList(nn.Parameter(torch.full((channels,), 0.1)) for _ in range(middles + 1))
        self.skip = nn.Parameter(cubic_skip())
        self.halo = 3 + middles

    def folded(self):
        """The kernels as the integer network has them: first, middles, last, skip."""
        first = self.first - self.first.mean(dim=(1, 2, 3), keepdim=True)
        skip = self.skip + (1 - self.skip.sum(dim=(1, 2, 3), keepdim=True)) / 25
        return first, list(self.middles), self.last, skip

    def constant_response(self, middles, last):
        """What the convolutions answer to a constant image."""
        x = torch.zeros_like(self.biases[0])
        for index, (bias, slope) in enumerate(zip(self.biases, self.slopes)):
            if index > 0:
                x = middles[index - 1].sum(dim=(2, 3)) @ x
            x = x + bias
            x = torch.where(x < 0, x * slope.clamp(-0.99, 0.99), x)
        return last.sum(dim=(2, 3)) @ x

    def forward(self, x):
        """The valid part of the output: `halo` source samples are lost on each side."""
        first, middles, last, skip = self.folded()
        inner = x[:, :, self.halo - 2:x.shape[2] - self.halo + 2, self.halo - 2:x.shape[3] - self.halo + 2]
        base = F.conv2d(inner, skip)
        for kernel, bias, slope in zip([first] + middles, self.biases, self.slopes):
            x = F.prelu(F.conv2d(x, kernel, bias), slope.clamp(-0.99, 0.99))
        detail = F.conv2d(x, last) - self.constant_response(middles, last)[None, :, None, None]
        return F.pixel_shuffle(base + detail, 2)


def numbers(source, name):
    body = re.search(rf"{name}\[\] = {{(.*?)}};", source, re.S)[1]
    return np.array([int(v) for v in body.replace("\n", " ").split(",") if v.strip()], np.float64)


def load_integers(model, path):
    """Starts a network from the integer weights in a C source that export.py wrote. Layers that the source does not have
    become identities, spread between its layers, so that the deeper network computes almost the same.
    """
    source = path.read_text()
    weights, biases, slopes = (numbers(source, name) for name in ("weights", "biases", "slopes"))
    layers = [[int(v) for v in re.findall(r"\d+", row)] for row in re.findall(r"\{weights \+ (.*?)\}", source)]
    channels, middles = model.first.shape[0], len(layers) - 2
    scale = float(UNIT)
    places = [round((k + 1) * len(model.middles) / middles) - 1 for k in range(middles)]
    with torch.no_grad():
        for index, kernel in enumerate(model.middles):
            if index not in places:
                kernel.copy_(identity(channels) + 0.02 * torch.randn(kernel.shape) / 12)
                model.biases[index + 1].zero_()
                model.slopes[index + 1].fill_(0.98)
        for index, layer in enumerate(layers):
            at, bias_at, sources, outputs, shift = layer[0], layer[1], layer[-3], layer[-2], layer[-1]
            block = weights[at:at + sources * outputs * 2].reshape(outputs // 4, sources, 4, 2)
            def picture(part):
                rows = part.reshape(outputs // 4, 5, 3, 4, 2).transpose(0, 3, 1, 2, 4)
                return rows.reshape(outputs, 1, 5, 6)[..., :5]
            def feature(part):
                pairs = part.reshape(outputs // 4, 3, 3, channels // 2, 4, 2).transpose(0, 4, 3, 5, 1, 2)
                return pairs.reshape(outputs, channels, 3, 3)
            last = index == len(layers) - 1
            # Features may have any positive scale; this keeps those of the integers, divided by 2¹⁵.
            gain = 2.0 ** -shift * (scale if index == 0 else 1) / (32768 if index == 0 else 1)
            if last:
                nine = 9 * channels // 2
                model.last.copy_(torch.tensor(feature(block[:, :nine]) * 2.0 ** -shift * 32768 / UNIT))
                model.skip.copy_(torch.tensor(picture(block[:, nine:]) * 2.0 ** -shift))
                continue
            kernel = picture(block) if index == 0 else feature(block)
            target = model.first if index == 0 else model.middles[places[index - 1]]
            place = 0 if index == 0 else places[index - 1] + 1
            target.copy_(torch.tensor(kernel * gain))
            model.biases[place].copy_(torch.tensor(biases[bias_at:bias_at + outputs] * 2.0 ** -shift / 32768))
            model.slopes[place].copy_(torch.tensor(slopes[layer[2]:layer[2] + outputs] / 32768))
