"""The deinterlacing network: 3×3 convolutions that weigh four predictions of the missing rows and add a residual.

A position stands for two samples of two missing rows. Kernels/include/vfx_deinterlace.h describes the inputs.
"""
import torch
import torch.nn.functional as F
from torch import nn

MODELS = {"small": (8, 2), "large": (16, 3)}  # channels, middle layers
INPUTS = 30
# Interpolated rows, previous and next field along the motion between them, mean of both fields in place, previous and
# next field along the motion of the field itself.
PREDICTIONS = 6
RESIDUAL = 32  # levels for which the residual is 1.0


def inputs(planes, cells):
    """The input, with 1.0 for 2048.

    planes: N×8×H/2×W, 0…255: at the missing rows the interpolated rows, the two fields along the motion between them,
    the two fields in place, and the two fields along the motion of the field itself; the known rows above.
    cells: N×2×H/4×W/2: the vertical part of the motion between the fields, to both of them, in 1/32 row.
    """
    s, b, f, p, n, own_b, own_f, k = planes.split(1, 1)

    def pairs(*differences):
        """Each for the first missing row of a position, then each for the second: left and right sample."""
        d = torch.cat(differences, 1) / 32
        count, planes, height, width = d.shape
        d = d.view(count, planes, height // 2, 2, width // 2, 2)
        return d.permute(0, 3, 1, 5, 2, 4).reshape(count, 4 * planes, height // 2, width // 2)

    # How near a sample along the motion falls to a row of the other field: 1.0 on it, −1.0 in the middle.
    m = cells.remainder(64)
    return torch.cat([
        pairs(b - s, f - s, p - s, n - s, own_b - s, own_f - s), pairs((k - 128) / 4),
        1 - torch.minimum(m, 64 - m) / 16], 1)


def predictions(planes):
    return torch.cat([planes[:, :3], planes[:, 3:5].mean(1, keepdim=True), planes[:, 5:7]], 1)


class DeinterlacingNetwork(nn.Module):
    def __init__(self, channels, middles):
        super().__init__()
        self.first = nn.Conv2d(INPUTS, channels, 3)
        self.mid = nn.ModuleList([nn.Conv2d(channels, channels, 3) for _ in range(middles)])
        self.last = nn.Conv2d(channels, 4 * (PREDICTIONS + 1), 3)
        self.act = nn.ModuleList([nn.PReLU(channels, 0.1) for _ in range(middles + 1)])
        self.halo = middles + 2
        nn.init.normal_(self.last.weight, std=0.01)
        nn.init.zeros_(self.last.bias)
        with torch.no_grad():
            for m in self.mid:
                m.weight.mul_(0.5)
                for k in range(channels):
                    m.weight[k, k, 1, 1] += 1

    def output(self, x):
        x = self.act[0](self.first(x))
        for m, act in zip(self.mid, list(self.act)[1:]):
            x = act(m(x))
        return self.last(x)

    def forward(self, planes, cells):
        """The missing rows, without `halo` positions at each side."""
        out = F.pixel_shuffle(self.output(inputs(planes, cells)), 2)
        edge = 2 * self.halo
        weights = torch.softmax(out[:, :PREDICTIONS], 1)
        inner = predictions(planes)[:, :, edge:-edge, edge:-edge]
        return (weights * inner).sum(1, keepdim=True) + out[:, PREDICTIONS:] * RESIDUAL
