"""The network for restoration: takes the artefacts of compression from a plane at its own size.

A position stands for 2×2 samples. The first layer reads the 10×10 samples around them (rows and columns −4…5), as does a
linear filter beside the convolutions. First and last layer, linear filter, biases and slopes are weighted sums of planes
(see `restoration_conditions.py`). A constant plane stays the same.
"""
import torch
import torch.nn.functional as F
from torch import nn

from network import identity
from restoration_conditions import CONSTANT, PLANES

CHANNELS, MIDDLES, WINDOW = 32, 10, 10


def bent(x, slope):
    return torch.where(x < 0, x * slope, x)


class RestorationNetwork(nn.Module):
    def __init__(self, channels=CHANNELS, middles=MIDDLES):
        super().__init__()
        c, k, taps = channels, PLANES, WINDOW * WINDOW
        self.first = nn.Parameter(torch.zeros(k, c, taps))
        self.first.data[0] = torch.randn(c, taps) * (2 / taps) ** 0.5
        start = torch.stack([identity(c) + torch.randn(c, c, 3, 3) * 0.5 * (2 / (9 * c)) ** 0.5 for _ in range(middles)])
        self.middles = nn.Parameter(start.permute(0, 1, 3, 4, 2).contiguous())  # layer, output, row, column, input
        self.last = nn.Parameter(torch.zeros(k, 4, 3, 3, c))
        self.last.data[1:3] = torch.randn(4, 3, 3, c) * 0.05 * (2 / (9 * c)) ** 0.5
        self.skip = nn.Parameter(torch.zeros(k, 4, taps))  # without the sample itself
        self.biases = nn.Parameter(torch.zeros(middles + 1, k, c))
        self.slopes = nn.Parameter(torch.zeros(middles + 1, k, c))
        self.slopes.data[:, 0] = 0.1
        self.halo = middles + 3  # positions
        changing = torch.ones(k)
        changing[list(CONSTANT)] = 0
        self.register_buffer("changing", changing, persistent=False)

    def matrices(self):
        """Of each parameter, how many matrices it is and how many rows they have, for the optimizer; None for vectors."""
        return {"first": self.first.shape[:2], "middles": self.middles.shape[:2], "last": (1, 4 * PLANES), "skip": (PLANES, 4),
                "biases": None, "slopes": None}

    def centred(self):
        """First layer, last layer and linear filter as they are used."""
        first = self.first - self.first.mean(2, keepdim=True)
        skip = self.skip - self.skip.mean(2, keepdim=True)
        return first, self.last * self.changing[:, None, None, None, None], skip * self.changing[:, None, None]

    def mixed(self, weights):
        """For each row of plane weights: first n×o×100, last n×o×3×3×c, linear filter n×4×100, biases n×(m + 1)×c, slopes
        likewise, and n×4 that is added so that a constant plane stays the same."""
        first, last, skip = (torch.einsum("nk,k...->n...", weights, part) for part in self.centred())
        biases = torch.einsum("nk,mkc->nmc", weights, self.biases)
        slopes = torch.einsum("nk,mkc->nmc", weights, self.slopes).clamp(-0.99, 0.99)
        flat = bent(biases[:, 0], slopes[:, 0])
        for index, kernel in enumerate(self.middles.sum((2, 3)).unbind(), 1):
            flat = bent(flat @ kernel.T + biases[:, index], slopes[:, index])
        return first, last, skip, biases, slopes, -torch.einsum("noc,nc->no", last.sum((2, 3)), flat)

    def forward(self, x, weights):
        """The valid part of the output for planes x (n × rows × columns, in 0…1, of even size), all with the same condition:
        2 · halo samples are lost on each side. weights: the weights of the planes."""
        first, last, skip, biases, slopes, flat = (part[0] for part in self.mixed(weights[None]))
        window = lambda kernel: kernel.view(-1, 1, WINDOW, WINDOW)
        x = x[:, None]
        cut = 2 * (self.halo - 2)
        base = F.conv2d(x[..., cut:-cut, cut:-cut] - 0.5, window(skip), stride=2)
        h = F.conv2d(x - 0.5, window(first), biases[0], stride=2)
        h = F.prelu(h, slopes[0])
        for kernel, bias, slope in zip(self.middles.permute(0, 1, 4, 2, 3).unbind(), biases[1:], slopes[1:]):
            h = F.prelu(F.conv2d(h, kernel, bias), slope)
        detail = F.conv2d(h, last.permute(0, 3, 1, 2), flat)
        inner = x[..., 2 * self.halo:-2 * self.halo, 2 * self.halo:-2 * self.halo]
        return (inner + F.pixel_shuffle(base + detail, 2))[:, 0]
