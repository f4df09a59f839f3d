"""Converts the network for restoration to integers: python restoration_export.py CHECKPOINT WORK TABLES.npz [--check SET14]

The integers are those of `integers.py`, with planes as in StillImages/image_export.py. `mixed` makes from them the layers
for one condition with whole numbers only, and `restored` runs those as the kernels do.
"""
import argparse
import itertools
import pickle
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

from integers import LIMIT, UNIT, convolve, shift_for
from restoration_conditions import coding, plane_weights, table_step
from restoration_measure import cleaned, load, luma, padded, psnr
from restoration_network import WINDOW
from restoration_samples import LUMA, jpeg, table

CORNERS = list(itertools.product((0, 256, 512), (0, 1)))  # between these, everything is linear
OWN = [4 * WINDOW + 4, 4 * WINDOW + 5, 5 * WINDOW + 4, 5 * WINDOW + 5]  # where each output's own sample is in the window


def mix(weights, planes):
    """The sum of planes (the first axis), rounded."""
    return (np.tensordot(weights, planes, 1) + 128) >> 8


def largest(kernel, base, slopes):
    """The largest sum of the last layer: features below zero reach as far as their slope lets them."""
    reach = 32768 * np.maximum(slopes, 0) / 32768
    kernel = kernel.reshape(4, len(slopes), -1).astype(np.float64)
    above, below = np.maximum(kernel, 0).sum(2), np.maximum(-kernel, 0).sum(2)
    high, low = (above * 32768 + below * reach).sum(1), (below * 32768 + above * reach).sum(1)
    return np.maximum(high, low) + np.abs(base).reshape(4, -1).sum(1) * 32768


def fold(model, samples):
    """The tables. `samples`: a batch of planes in 0…1, from which the range of the features is measured."""
    count, corners = len(model.biases), torch.tensor(np.stack([plane_weights(*c) for c in CORNERS]) / 256, dtype=torch.float32)
    with torch.no_grad():
        first, last, skip, biases, slopes, _ = model.mixed(corners)
        middles = model.middles.permute(0, 1, 4, 2, 3).contiguous()
        peaks = np.zeros((count, len(slopes[0, 0])))
        for k in range(len(CORNERS)):
            x = samples[:, None] - 0.5
            for index in range(count):
                kernel = first[k].view(-1, 1, WINDOW, WINDOW) if index == 0 else middles[index - 1]
                x = F.conv2d(x, kernel, biases[k, index], stride=2 if index == 0 else 1)
                # The kernels limit a sum to 16 bits before they bend it.
                peaks[index] = np.maximum(peaks[index], x.abs().amax((0, 2, 3)).numpy())
                x = F.prelu(x, slopes[k, index])
        firsts, biases = first.double().numpy(), biases.double().numpy()
        slopes = np.rint(slopes.double().numpy() * 32768)
        middles = middles.double().numpy()
        first, last, skip = (t.double().numpy() for t in model.centred())
        last = last.transpose(0, 1, 4, 2, 3)
    # A channel may have any positive scale. With one for each, none is cut off and none is coarse.
    # Those of the last layer are cut off where a condition that does not fit the picture makes them largest: with the finer
    # weights that this allows, the linear filter loses less.
    room = np.where(np.arange(count) == count - 1, 0.81, 1.25)[:, None]
    targets = 32767 / (room * np.maximum(peaks, peaks.max(1, keepdims=True) / 16))
    tables = {"middles": [], "shifts": [], "biases": []}
    for index in range(count):
        planes = model.biases[index].detach().double().numpy()
        if index == 0:
            gain = (targets[0] / UNIT)[:, None]
            shift = min(shift_for(k * gain, 1, b[0] * targets[0]) for k, b in zip(firsts, biases))
            while np.abs(first * gain).max() * 2.0 ** shift > 32767:
                shift -= 1
            tables["first"] = np.rint(first * gain * 2.0 ** shift).astype(np.int64)
        else:
            gain = (targets[index][:, None] / targets[index - 1])[:, :, None, None]
            shift = min(shift_for(middles[index - 1] * gain, 1, b[index] * targets[index]) for b in biases)
            tables["middles"].append(np.rint(middles[index - 1] * gain * 2.0 ** shift).astype(np.int64))
        tables["shifts"].append(shift)
        tables["biases"].append(np.rint(planes * targets[index] * 2.0 ** shift).astype(np.int64))
    tables["slopes"] = np.rint(model.slopes.detach().double().numpy() * 32768).astype(np.int64)
    skip[0, range(4), OWN] += 1
    for shift in range(14, 5, -1):
        tables["last"] = np.rint(last * UNIT * 2.0 ** shift / targets[-1][:, None, None]).astype(np.int64)
        tables["skip"] = np.rint(skip * 2.0 ** shift).astype(np.int64)
        worst = 0
        for corner, slope in zip(CORNERS, slopes):
            kernel, base = (mix(plane_weights(*corner), tables[name]) for name in ("last", "skip"))
            worst = max(worst, largest(kernel, base, slope[-1].clip(-32440, 32440)).max() + 2.0 ** (shift + 17))
        if worst < LIMIT and max(np.abs(tables[name]).max() for name in ("last", "skip")) < 32760:
            break
    else:
        raise SystemExit("the last layer is too large for 16 bits")
    tables["shifts"].append(shift)
    return {name: np.array(value) for name, value in tables.items()}


def bend(x, layer):
    x = np.clip((x + (1 << layer["shift"] - 1)) >> layer["shift"], -32768, 32767)
    slopes = layer["slopes"].reshape(-1, *[1] * (x.ndim - 1))
    return np.where(x < 0, (x * slopes + 16384) >> 15, x)


def mixed(tables, condition):
    """The layers for one condition: coding and video."""
    weights, layers, shifts = plane_weights(*condition), [], [int(s) for s in tables["shifts"]]
    flat = np.zeros(tables["first"].shape[1], np.int64)  # what each layer answers to a constant plane
    for index, shift in enumerate(shifts[:-1]):
        layer = {"shift": shift, "bias": mix(weights, tables["biases"][index]),
                 "slopes": mix(weights, tables["slopes"][index]).clip(-32440, 32440)}
        if index == 0:  # weights sum to exactly 0, so that a constant offset has no effect
            layer["kernel"] = mix(weights, tables["first"])
            for filter in layer["kernel"]:
                filter[np.abs(filter).argmax()] -= filter.sum()
            flat = bend(layer["bias"], layer)
        else:
            layer["kernel"] = tables["middles"][index - 1].astype(np.int64)
            flat = bend(layer["kernel"].sum((2, 3)) @ flat + layer["bias"], layer)
        layers.append(layer)
    kernel, skip = mix(weights, tables["last"]), mix(weights, tables["skip"])
    for k in range(4):
        skip[k, OWN[k]] += 2 ** shifts[-1] - skip[k].sum()
    layers.append({"kernel": kernel, "skip": skip, "shift": shifts[-1], "bias": -(kernel.sum((2, 3)) @ flat)})
    return layers


def window(x, kernel):
    """The integer response of filters over 10×10 samples, for each position."""
    kernel = torch.from_numpy(kernel.reshape(-1, 1, WINDOW, WINDOW).astype(np.float64))
    return F.conv2d(torch.from_numpy(x[None, None].astype(np.float64)), kernel, stride=2)[0].numpy().astype(np.int64)


def restored(layers, plane, depth=8):
    """The cleaned plane, exactly as the kernels compute it."""
    halo = len(layers) + 1
    x = (padded(plane.astype(np.int64), halo) << (16 - depth)) - 32768
    last, cut = layers[-1], 2 * (halo - 2)
    for index, layer in enumerate(layers[:-1]):
        h = (window(x, layer["kernel"]) if index == 0 else convolve(h, layer["kernel"])) + layer["bias"][:, None, None]
        assert np.abs(h).max() < 2 ** 31
        h = bend(h, layer)
    sums = convolve(h, last["kernel"]) + last["bias"][:, None, None] + window(x[cut:-cut, cut:-cut], last["skip"])
    assert np.abs(sums).max() + 2 ** (last["shift"] + 17) < 2 ** 31
    s = last["shift"] + 16 - depth
    out = np.clip((sums + (1 << last["shift"] + 15) + (1 << s - 1)) >> s, 0, (1 << depth) - 1)
    rows, columns = out.shape[1:]
    out = out.reshape(2, 2, rows, columns).transpose(2, 0, 3, 1).reshape(2 * rows, 2 * columns)
    return out[:plane.shape[0], :plane.shape[1]]


def tiles(work):
    """Parts of clean and coded pictures."""
    out = []
    for kind, _, plane in pickle.loads((work / "truth.pkl").read_bytes())[::24]:
        part = np.ascontiguousarray(plane[40:168, 40:168])
        if part.shape == (128, 128):
            out += [part, jpeg(part, table(LUMA, 10)), jpeg(part, table(LUMA, 40))]
    for _, _, _, coded, _ in pickle.loads((work / "clips.pkl").read_bytes())[::24]:
        if min(coded.shape) >= 128:
            out.append(coded[:128, :128])
    return torch.from_numpy(np.stack(out).astype(np.float32) / 255)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("checkpoint")
    parser.add_argument("work", type=Path)
    parser.add_argument("tables")
    parser.add_argument("--check", type=Path)
    args = parser.parse_args()
    torch.set_num_threads(1)
    model = load(args.checkpoint)
    tables = fold(model, tiles(args.work))
    np.savez_compressed(args.tables, **{k: v.astype(np.int32 if k in ("biases", "slopes") else np.int16) for k, v in tables.items()})
    print("shifts", tables["shifts"], {k: (v.shape, int(np.abs(v).max())) for k, v in tables.items()}, flush=True)
    for corner in CORNERS + [(333, 0), (77, 1)]:
        layers = mixed(tables, corner)
        for value in (0, 97, 255):
            assert (restored(layers, np.full((9, 11), value)) == value).all()
        noise = np.random.default_rng(1).integers(0, 256, (30, 40))
        assert corner[0] or (restored(layers, noise) == noise).all()
    print("a constant plane stays the same with every condition, and every plane with coding 0", flush=True)
    if args.check:
        for path in sorted(args.check.glob("*_HR.png"))[3:8:2]:
            full = luma(path)
            for quality in (10, 40, 80):
                quantizer = table(LUMA, quality)
                plane, strength = jpeg(full, quantizer), coding(table_step(quantizer))
                for video in (0, 1):
                    print(path.name, quality, (strength, video), "decoded", round(psnr(full, plane), 3), "integers",
                          round(psnr(full, restored(mixed(tables, (strength, video)), plane)), 4), "float",
                          round(psnr(full, cleaned(model, plane, (strength, video))), 4), flush=True)


if __name__ == "__main__":
    main()
