"""The ×2 network for still images: that of `network.py`, with parts that depend on the condition (see `conditions.py`).

First and last layer, linear upscale, biases and slopes are weighted sums of planes. The middle layers, which have nearly
all weights, are the same for all conditions. For one condition, the network is a `SuperResolutionNetwork`.
"""
import torch
import torch.nn.functional as F
from torch import nn

from conditions import PLANES
from fused import rectified
from network import SuperResolutionNetwork

CHANNELS, MIDDLES = 32, 10


class ImageNetwork(nn.Module):
    def __init__(self, channels=CHANNELS, middles=MIDDLES):
        super().__init__()
        start = SuperResolutionNetwork(channels, middles)
        c, k = channels, PLANES
        def planes(shape, place, value):
            tensor = torch.zeros(shape)
            tensor.select(place, 0).copy_(value.detach())
            return nn.Parameter(tensor)
        self.first = planes((c, k, 25), 1, start.first.view(c, 25))
        # output, row, column, input: the order in which a GPU wants them
        self.middles = nn.Parameter(torch.stack([m.detach().permute(0, 2, 3, 1) for m in start.middles]).contiguous())
        self.last = planes((k, 4, 3, 3, c), 0, start.last.permute(0, 2, 3, 1))
        self.skip = planes((4, k, 25), 1, start.skip.view(4, 25))
        self.biases = nn.Parameter(torch.zeros(middles + 1, k, c))
        self.slopes = planes((middles + 1, k, c), 1, torch.full((middles + 1, c), 0.1))
        self.halo = start.halo
        self.half = torch.float32  # the type of the features

    def matrices(self):
        """Of each parameter, how many matrices it is and how many rows they have, for the optimizer; None for vectors."""
        return {"first": (1, self.first.shape[0]), "middles": self.middles.shape[:2],
                "last": (1, 4 * PLANES), "skip": (1, 4), "biases": None, "slopes": None}

    def centred(self):
        """First layer and linear upscale, so that a constant image stays one with every condition."""
        first = self.first - self.first.mean(dim=2, keepdim=True)
        wanted = torch.zeros(PLANES, device=self.skip.device)
        wanted[:1] = 1
        return first, self.skip + (wanted[:, None] - self.skip.sum(dim=2, keepdim=True)) / 25

    def forward(self, x, weights):
        """The valid part of the output for luma x, pictures × rows × columns in 0…1, as pictures × rows × columns × 4:
        the four samples that replace each one. weights: pictures × planes, from `features`.
        """
        count, height, width = x.shape
        channels = self.first.shape[0]
        first, skip = self.centred()
        biases = torch.einsum("nk,mkc->mnc", weights, self.biases)
        slopes = torch.einsum("nk,mkc->mnc", weights, self.slopes).clamp(-0.99, 0.99)
        # Rows of five samples are taken as rows of eight, which have an alignment that matrix products like.
        def taps(kernel):
            return F.pad(torch.einsum("nk,okt->not", weights, kernel).view(count, -1, 5, 5), (0, 3)).flatten(2).transpose(1, 2)
        patches = F.pad(x - 0.5, (0, 3)).to(self.half).unfold(1, 5, 1).unfold(2, 8, 1)
        inner = slice(self.halo - 2, 2 - self.halo)
        middle = patches[:, inner, inner].float()
        base = torch.bmm(middle.reshape(count, -1, 40), taps(skip)).view(*middle.shape[:3], 4) + 0.5
        h = torch.bmm(patches.reshape(count, -1, 40), taps(first).to(self.half)).view(*patches.shape[:3], channels)
        h = rectified(h, biases[0], slopes[0])
        for kernel, bias, slope in zip(self.middles.to(self.half).unbind(), biases[1:], slopes[1:]):
            h = F.conv2d(h.permute(0, 3, 1, 2), kernel.permute(0, 3, 1, 2)).permute(0, 2, 3, 1)
            h = rectified(h, bias, slope)
        last = self.last.flatten(0, 1)
        detail = F.conv2d(h.permute(0, 3, 1, 2), last.to(self.half).permute(0, 3, 1, 2)).permute(0, 2, 3, 1)
        # What the convolutions answer to a constant image is subtracted.
        flat = rectified(torch.zeros_like(biases[0]), biases[0], slopes[0])
        for kernel, bias, slope in zip(self.middles.sum(dim=(2, 3)).unbind(), biases[1:], slopes[1:]):
            flat = rectified(flat @ kernel.T, bias, slope)
        flat = flat @ last.sum(dim=(1, 2)).T
        detail = (detail.float() - flat[:, None, None]).unflatten(3, (PLANES, 4))
        return base + (detail * weights[:, None, None, :, None]).sum(3)

    @torch.no_grad()
    def plain(self, weights):
        """The network for one condition. weights: an array or a tensor from `features`."""
        w = torch.as_tensor(weights, dtype=self.first.dtype, device=self.first.device)
        channels, middles = self.first.shape[0], len(self.middles)
        out = SuperResolutionNetwork(channels, middles).to(w.device)
        first, skip = self.centred()
        out.first.copy_(torch.einsum("k,ckt->ct", w, first).view(-1, 1, 5, 5))
        out.skip.copy_(torch.einsum("k,ckt->ct", w, skip).view(-1, 1, 5, 5))
        out.last.copy_(torch.einsum("k,koyxc->ocyx", w, self.last))
        for index in range(middles + 1):
            out.biases[index].copy_(w @ self.biases[index])
            out.slopes[index].copy_((w @ self.slopes[index]).clamp(-0.99, 0.99))
            if index:
                out.middles[index - 1].copy_(self.middles[index - 1].permute(0, 3, 1, 2))
        return out
