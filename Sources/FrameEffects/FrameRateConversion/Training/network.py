"""The fusion network: 3×3 convolutions at half size that weigh eight predictions of a frame between two others: both
neighbours along two motions, and those of the first motion smoothed a little, and smoothed more.

Scores are added to the logarithm of the priors, so that a network without weights blends by visibility alone.
"""
import torch
import torch.nn.functional as F
from torch import nn

MODELS = {"small": (8, 2), "large": (16, 3)}  # channels, middle layers
INPUTS, PREDICTIONS = 30, 8
NARROW, WIDE = 2, 4  # reach of smoothing, in samples


def inputs(predictions, cells, phase):
    """The input at half size, as Kernels/include/vfx_fusion.h describes it, with 1.0 for 2048.

    predictions: N×8×H×W, 0…255; cells: N×5×H/2×W/2, share, trust, share, trust, distance, 0…255; phase: N, 0…1.
    """
    a1, b1, a2, b2, a, b = predictions[:, :6].split(1, 1)
    d = F.pixel_unshuffle(torch.cat([a1 - b1, a2 - b2, a1 - a2, b1 - b2, a1 - a, b1 - b], 1) / 32, 2)
    p = (phase * 2 - 1).view(-1, 1, 1, 1).expand(-1, 1, *cells.shape[2:])
    return torch.cat([d, cells / 128 - 1, p], 1)


def smoothed(x, radius):
    """Smooths in both directions, as Kernels/include/vfx_fusion.h describes it."""
    weights = torch.full((2 * radius + 1,), 0.5 / radius)
    weights[0] = weights[-1] = 0.25 / radius
    x = F.conv2d(F.pad(x, (radius, radius, 0, 0), mode="replicate"), weights.view(1, 1, 1, -1))
    return F.conv2d(F.pad(x, (0, 0, radius, radius), mode="replicate"), weights.view(1, 1, -1, 1))


def completed(predictions):
    """The first four predictions with the smoothed ones. Only at the edges do these differ from what the program computes."""
    little = [smoothed(predictions[:, k:k + 1], NARROW) for k in range(2)]
    return torch.cat([predictions, *little, *(smoothed(plane, WIDE) for plane in little)], 1)


class FusionNetwork(nn.Module):
    def __init__(self, channels, middles):
        super().__init__()
        self.first = nn.Conv2d(INPUTS, channels, 3)
        self.mid = nn.ModuleList([nn.Conv2d(channels, channels, 3) for _ in range(middles)])
        self.last = nn.Conv2d(channels, 4 * PREDICTIONS, 3)
        self.act = nn.ModuleList([nn.PReLU(channels, 0.1) for _ in range(middles + 1)])
        self.halo = middles + 2
        nn.init.normal_(self.last.weight, std=0.01)
        with torch.no_grad():
            # The second motion and smoothed predictions are the exception.
            self.last.bias.copy_(torch.tensor([0.0] * 8 + [-3.0] * (4 * PREDICTIONS - 8)))
            for m in self.mid:
                m.weight.mul_(0.5)
                for k in range(channels):
                    m.weight[k, k, 1, 1] += 1

    def forward(self, predictions, cells, shares, phase):
        """The frame at the phase, without 2·halo samples at each side.

        predictions: the first four, N×4×H×W; shares: N×2×H×W, 0…255 of 256.
        """
        predictions = completed(predictions)
        x = self.act[0](self.first(inputs(predictions, cells, phase)))
        for m, act in zip(self.mid, list(self.act)[1:]):
            x = act(m(x))
        scores = F.pixel_shuffle(self.last(x), 2)
        edge = 2 * self.halo
        inner = (slice(None), slice(None), slice(edge, -edge), slice(edge, -edge))
        s = (shares[inner] / 256).clamp(1 / 256, 255 / 256)
        t = phase.view(-1, 1, 1, 1)
        first = torch.cat([(1 - s[:, :1]) * (1 - t), s[:, :1] * t], 1)
        second = torch.cat([(1 - s[:, 1:]) * (1 - t), s[:, 1:] * t], 1)
        # The program smooths less where the motion is certain and near either frame. In training, scores would make up for
        # that.
        smooth = torch.ones_like(predictions[inner][:, 4:])
        weights = torch.softmax(scores + torch.cat([first, second, smooth], 1).log(), 1)
        return (weights * predictions[inner]).sum(1, keepdim=True)
