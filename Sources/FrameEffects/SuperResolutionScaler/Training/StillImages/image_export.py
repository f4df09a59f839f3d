"""Converts the network for still images to integers: python image_export.py CHECKPOINT PICTURES TABLES.npz [--check SET14]

The integers are those of `integers.py`, with planes where the network depends on the condition. `mixed` makes from them
the layers for one condition as `integers.fold` gives them: `integers.double` runs them, `export.feature_order` and
`picture_order` order them for the kernels. It uses whole numbers only, so it gives the same everywhere.
"""
import argparse
import itertools
from pathlib import Path

import cv2
import numpy as np
import torch
import torch.nn.functional as F

from conditions import PLANES, features
from dataset import halve
from image_network import ImageNetwork
from integers import UNIT, convolve, hidden, shift_for, LIMIT

ONE = 256  # the weight of a plane is a whole number of 256ths
CORNERS = list(itertools.product((0, 1), (-1, 0, 1), (0, 0.5, 1)))  # between these, everything is linear


def whole(condition):
    """The weights of the planes in 256ths."""
    return np.rint(np.array(features(*(np.float64(v) for v in condition))) * ONE).astype(np.int64)


def mix(weights, planes):
    """The sum of planes (the first axis), rounded."""
    return (np.tensordot(weights, planes, 1) + ONE // 2) >> 8


def fold(model, samples):
    """The tables. `samples`: a batch of pictures in 0…1, from which the range of the features is measured."""
    model = model.double().eval()
    plains = [model.plain(np.asarray(features(*map(np.float64, c)))).double() for c in CORNERS]
    count = len(model.biases)
    peaks = np.zeros(model.biases.shape[::2])  # of each layer and channel
    with torch.no_grad():
        for plain in plains:
            first, middles, _, _ = plain.float().folded()
            x = samples
            for index, (kernel, bias, slope) in enumerate(zip([first] + middles, plain.biases, plain.slopes)):
                x = F.conv2d(x, kernel, bias)
                # The kernels limit a sum to 16 bits before they bend it.
                peaks[index] = np.maximum(peaks[index], x.abs().amax((0, 2, 3)).numpy())
                x = F.prelu(x, slope.clamp(-0.99, 0.99))
        plains = [plain.double() for plain in plains]
        first, skip = (t.detach().numpy() for t in model.centred())
        middles = model.middles.detach().permute(0, 1, 4, 2, 3).numpy()
        biases, slopes = model.biases.detach().numpy(), model.slopes.detach().numpy()
        last = model.last.detach().permute(0, 1, 4, 2, 3).numpy()
    first, skip = (t.reshape(*t.shape[:2], 1, 5, 5).swapaxes(0, 1) for t in (first, skip))
    # A channel may have any positive scale. With one for each, none is cut off and none is coarse.
    targets = 32767 / (1.25 * np.maximum(peaks, peaks.max(1, keepdims=True) / 16))
    scales = [np.array([float(UNIT)])] + list(targets)
    tables = {"middles": [], "shifts": [], "biases": []}
    for index in range(count):
        gain = (targets[index][:, None] / scales[index])[:, :, None, None]
        kernels = [p.first.detach().numpy() if index == 0 else middles[index - 1] for p in plains]
        shift = min(shift_for(k * gain, 1, p.biases[index].detach().numpy() * targets[index]) for k, p in zip(kernels, plains))
        rounded = lambda kernel: np.rint(kernel * gain * 2.0 ** shift).astype(np.int64)
        if index == 0:
            tables["first"] = rounded(first)
        else:
            tables["middles"].append(rounded(middles[index - 1]))
        tables["shifts"].append(shift)
        tables["biases"].append(np.rint(biases[index] * targets[index] * 2.0 ** shift).astype(np.int64))
    tables["slopes"] = np.rint(slopes * 32768).astype(np.int64)
    for shift in range(13, 7, -1):
        tables["last"] = np.rint(last * UNIT * 2.0 ** shift / scales[-1][:, None, None]).astype(np.int64)
        tables["skip"] = np.rint(skip * 2.0 ** shift).astype(np.int64)
        worst = 0
        for corner in CORNERS:
            kernel, base = (np.abs(mix(whole(corner), tables[name])) for name in ("last", "skip"))
            worst = max(worst, ((kernel.reshape(4, -1).sum(1) + base.reshape(4, -1).sum(1)).max()) * 32768 + 2 ** (shift + 17),
                        LIMIT if max(kernel.max(), base.max()) > 32767 else 0)
        if worst < LIMIT:
            break
    else:
        raise SystemExit("the last layer is too large for 16 bits")
    tables["shifts"].append(shift)
    return {name: np.array(value) for name, value in tables.items()}


def mixed(tables, condition):
    """The layers for one condition."""
    weights, layers, shifts = whole(condition), [], tables["shifts"]
    for index, shift in enumerate(shifts[:-1]):
        if index == 0:  # weights sum to exactly 0, so that a constant offset has no effect
            kernel = mix(weights, tables["first"])
            for filter in kernel:
                flat = filter.reshape(-1)
                flat[np.abs(flat).argmax()] -= flat.sum()
        else:
            kernel = tables["middles"][index - 1]
        layers.append({"kernel": kernel, "shift": int(shift), "bias": mix(weights, tables["biases"][index]),
                       "slopes": mix(weights, tables["slopes"][index]).clip(-32440, 32440)})
    kernel, skip, shift = mix(weights, tables["last"]), mix(weights, tables["skip"]), int(shifts[-1])
    for k in range(4):
        skip[k, 0, 2, 2] += 2 ** shift - skip[k].sum()
    layers.append({"kernel": kernel, "skip": skip, "shift": shift, "slopes": None, "bias": np.zeros(4, np.int64)})
    flat = np.zeros((1,) + (2 * len(layers) + 3,) * 2, np.int64)
    layers[-1]["bias"] = -convolve(hidden(layers, flat), kernel)[:, 0, 0]
    return layers


def load(path):
    saved = torch.load(path, map_location="cpu")
    model = ImageNetwork(saved["channels"], saved["middles"])
    model.load_state_dict({k: v.float() for k, v in saved["model"].items()})
    return model


def tiles(folder):
    """Parts of the pictures, halved in both ways."""
    out = []
    for path in sorted(Path(folder).iterdir())[::16]:
        plane = cv2.imread(str(path), cv2.IMREAD_GRAYSCALE)
        plane = np.round(16 + plane[100:196, 100:196] * (219 / 255)).astype(np.uint8)
        if plane.shape == (96, 96):
            out += [halve(plane, how) for how in ("area", "matlab")]
    return torch.from_numpy(np.stack(out)[:, None].astype(np.float32) / 255)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("checkpoint")
    parser.add_argument("pictures", nargs="+", help="folders")
    parser.add_argument("tables")
    parser.add_argument("--check", type=Path)
    args = parser.parse_args()
    model = load(args.checkpoint)
    with torch.no_grad():
        tables = fold(model, torch.cat([tiles(folder) for folder in args.pictures]))
    np.savez_compressed(args.tables, **{k: v.astype(np.int32 if k in ("biases", "slopes") else np.int16) for k, v in tables.items()})
    print("shifts", tables["shifts"], {k: (v.shape, int(np.abs(v).max())) for k, v in tables.items()}, flush=True)
    if args.check:
        from image_measure import doubled, luma, psnr
        from integers import double
        model = model.float()
        for path in sorted(args.check.glob("*_HR.png"))[3:8:4]:
            full, cubic = luma(path), luma(path.with_name(path.name.replace("_HR", "_LR")))
            for small, condition in ((halve(full, "area"), (0, 0, 0)), (cubic, (1, 0, 0)), (cubic, (0.7, -0.2, 0.3))):
                weights = (whole(condition) / ONE).astype(np.float32)
                print(path.name, condition, round(psnr(full, double(mixed(tables, condition), small), 2), 4),
                      round(psnr(full, doubled(model.plain(weights), small, 1, "cpu"), 2), 4), flush=True)
        for corner in CORNERS:
            for value in (0, 97, 255):
                assert (double(mixed(tables, corner), np.full((9, 9), value)) == value).all()
        print("a constant picture stays the same with every condition")


if __name__ == "__main__":
    main()
