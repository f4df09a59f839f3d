"""Converts a trained network to integers, and runs it as the kernels do (a slow reference implementation)."""
import numpy as np
import torch
import torch.nn.functional as F

UNIT = 65280  # the kernels' 16-bit value of 1.0 (a sample of 255)
LIMIT = 2 ** 31 - 1


def shift_for(kernel, gain, bias):
    """The most fractional bits with which weights fit 16 bits and sums 32 for any source; `bias` has none."""
    for shift in range(20, 0, -1):
        whole = np.abs(kernel) * gain * 2.0 ** shift
        worst = (whole.reshape(len(kernel), -1).sum(axis=1) * 32768 + np.abs(bias) * 2.0 ** shift).max() + 2.0 ** shift
        if whole.max() < 32000 and worst < LIMIT * 0.995:
            return shift
    raise SystemExit("the weights are too large for 16 bits")


def fold(model, samples):
    """Integer layers: a list of dicts with kernel, bias, slopes and shift; the last also has a skip kernel.

    `samples` is a batch of images in 0…1 from which the range of the features is measured.
    """
    model = model.double().eval()
    with torch.no_grad():
        first, middles, last, skip = model.folded()
        biases = list(model.biases)
        x, peaks = samples.double(), []
        for kernel, bias, slope in zip([first] + middles, biases, model.slopes):
            x = F.prelu(F.conv2d(x, kernel, bias), slope.clamp(-0.99, 0.99))
            peaks.append(float(x.abs().max()))
    layers, scale = [], float(UNIT)
    kernels = [k.detach().numpy() for k in [first] + middles]
    for index, (kernel, bias, slope, peak) in enumerate(zip(kernels, biases, model.slopes, peaks)):
        target = 32767 / (1.25 * peak)
        shift = shift_for(kernel, target / scale, bias.detach().numpy() * target)
        gain = target / scale * 2.0 ** shift
        whole = np.rint(kernel * gain).astype(np.int64)
        if index == 0:  # weights sum to exactly 0, so that a constant offset has no effect
            for k in range(len(whole)):
                flat = whole[k].reshape(-1)
                flat[np.abs(flat).argmax()] -= flat.sum()
        slopes = np.rint(slope.detach().numpy().clip(-0.99, 0.99) * 32768).astype(np.int64)
        layers.append({"kernel": whole, "shift": shift, "slopes": slopes,
                       "bias": np.rint(bias.detach().numpy() * target * 2.0 ** shift).astype(np.int64)})
        scale = target
    last, skip = last.detach().numpy(), skip.detach().numpy()
    for shift in range(13, 7, -1):
        kernel = np.rint(last * UNIT * 2.0 ** shift / scale).astype(np.int64)
        base = np.rint(skip * 2.0 ** shift).astype(np.int64)
        worst = (np.abs(kernel).reshape(4, -1).sum(axis=1) + np.abs(base).reshape(4, -1).sum(axis=1)) * 32768
        if max(np.abs(kernel).max(), np.abs(base).max()) < 32768 and worst.max() + 2 ** (shift + 17) < LIMIT:
            break
    else:
        raise SystemExit("the last layer is too large for 16 bits")
    for k in range(4):
        base[k, 0, 2, 2] += 2 ** shift - base[k].sum()
    layers.append({"kernel": kernel, "skip": base, "shift": shift, "slopes": None, "bias": np.zeros(4, np.int64)})
    flat = np.zeros((1, 2 * model.halo + 1, 2 * model.halo + 1), np.int64)
    layers[-1]["bias"] = -convolve(hidden(layers, flat), kernel)[:, 0, 0]
    return layers


def convolve(x, kernel):
    """Valid cross-correlation of integer maps, exact in double precision."""
    x, kernel = torch.from_numpy(x[None].astype(np.float64)), torch.from_numpy(kernel.astype(np.float64))
    return F.conv2d(x, kernel)[0].numpy().astype(np.int64)


def hidden(layers, x):
    for layer in layers[:-1]:
        x = convolve(x, layer["kernel"]) + layer["bias"][:, None, None]
        assert np.abs(x).max() < 2 ** 31
        x = np.clip((x + (1 << layer["shift"] - 1)) >> layer["shift"], -32768, 32767)
        x = np.where(x < 0, (x * layer["slopes"][:, None, None] + 16384) >> 15, x)
    return x


def double(layers, plane, depth=8):
    """The doubled plane, exactly as the kernels compute it."""
    halo = len(layers) + 1
    x = np.pad((plane.astype(np.int64) << (16 - depth)) - 32768, halo, "edge")[None]
    last = layers[-1]
    sums = convolve(hidden(layers, x), last["kernel"]) + last["bias"][:, None, None]
    sums += convolve(x[:, halo - 2:x.shape[1] - halo + 2, halo - 2:x.shape[2] - halo + 2], last["skip"])
    s = last["shift"] + 16 - depth
    out = np.clip((sums + (1 << last["shift"] + 15) + (1 << s - 1)) >> s, 0, (1 << depth) - 1)
    height, width = plane.shape
    return out.reshape(2, 2, height, width).transpose(2, 0, 3, 1).reshape(2 * height, 2 * width)
