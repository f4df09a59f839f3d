"""Measures the network for still images: python image_measure.py CHECKPOINT --pictures SET14 [--data DATA] [--plain OTHER.pt …]

PSNR of luma as `bench.py srsets` measures it: limited range, rounded, without two samples at each edge, mean over the
pictures. SET14 has *_HR.png, and *_LR.png halved by MATLAB's cubic kernel.
"""
import argparse
import itertools
import math
from pathlib import Path

import cv2
import numpy as np
import torch

from conditions import features, jpeg_scale, jpeg_strength
from dataset import halve
from degradation import Degradation
from image_network import ImageNetwork
from network import SuperResolutionNetwork, load_integers

AREA, CUBIC, UNKNOWN = (0, 0, 0), (1, 0, 0), (0.5, 0, 0)


def luma(path):
    image = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
    if image.ndim == 2:
        return image
    b, g, r = np.moveaxis(image[..., :3].astype(np.float64), 2, 0)
    return np.rint(16 + (65.481 * r + 128.553 * g + 24.966 * b) / 255).astype(np.uint8)


def psnr(a, b, edge):
    error = np.mean((a[edge:-edge, edge:-edge].astype(np.float64) - b[edge:-edge, edge:-edge]) ** 2)
    return 10 * math.log10(255 ** 2 / max(error, 1e-3))


@torch.no_grad()
def doubled(network, plane, turns, device):
    """The doubled plane, the mean of one, two or four rotations."""
    x = torch.as_tensor(plane.astype(np.float32) / 255, device=device)[None, None]
    x = torch.nn.functional.pad(x, (network.halo,) * 4, "replicate")
    total = 0
    for turn in range(turns):
        total = total + torch.rot90(network(torch.rot90(x, turn, (2, 3)).contiguous()), -turn, (2, 3))
    return np.clip(np.rint(total[0, 0].cpu().numpy() / turns * 255), 0, 255)


class Measure:
    def __init__(self, held, folder, device):
        self.device = device
        self.sets = {}  # name: list of (full, small by area, small by the cubic kernel)
        for kind, _, plane in held or []:
            name = "held " + kind.split("/")[0]
            self.sets.setdefault(name, []).append((plane, halve(plane, "area"), halve(plane, "matlab")))
        for path in sorted(folder.glob("*_HR.png")) if folder else []:
            full = luma(path)
            small = luma(path.with_name(path.name.replace("_HR", "_LR")))
            self.sets.setdefault("Set14", []).append((full, halve(full, "area"), small))
        self.degradation = Degradation(device)

    def mean(self, network, name, how, turns=1, change=lambda plane: plane):
        """how: 1 for area, 2 for cubic."""
        benchmark = torch.backends.cudnn.benchmark, torch.backends.cudnn.allow_tf32
        torch.backends.cudnn.benchmark = torch.backends.cudnn.allow_tf32 = False
        values = [psnr(doubled(network, change(picture[how]), turns, self.device), picture[0], 2 if name == "Set14" else 32)
                  for picture in self.sets[name]]
        torch.backends.cudnn.benchmark, torch.backends.cudnn.allow_tf32 = benchmark
        return round(float(np.mean(values)), 3)

    def at(self, model, condition):
        return model.plain(features(*(np.float32(v) for v in condition)))

    def short(self, model):
        return {name: (self.mean(self.at(model, AREA), name, 1), self.mean(self.at(model, CUBIC), name, 2))
                for name in self.sets}

    def coded(self, quality):
        """The function that codes a plane as JPEG."""
        scale = torch.tensor([jpeg_scale(quality)], device=self.device, dtype=torch.float32)
        def code(plane):
            height, width = plane.shape
            side = -(-max(plane.shape) // 8) * 8
            x = np.pad(plane, ((0, side - height), (0, side - width)), "edge").astype(np.float32)
            x = self.degradation.jpeg(torch.as_tensor(x, device=self.device)[None], scale)[0]
            return x.cpu().numpy().astype(np.uint8)[:height, :width]
        return code


def report(measure, networks, model, grid):
    """networks: name and plain network to compare with; grid: whether to try all conditions."""
    rows = [(name, lambda condition, n=network: n) for name, network in networks]
    rows.append(("told", lambda condition: measure.at(model, condition)))
    print("\nright condition: once area, cubic; four rotations area, cubic")
    for name in measure.sets:
        for label, get in rows:
            print(f"{name:12} {label:12}", *(measure.mean(get(c), name, how, turns)
                                             for turns in (1, 4) for c, how in ((AREA, 1), (CUBIC, 2))), flush=True)
    print("\nwrong condition, once: source by area told cubic, source by cubic told area; unknown: area, cubic; four rotations")
    for name in measure.sets:
        told = [(CUBIC, 1), (AREA, 2), (UNKNOWN, 1), (UNKNOWN, 2)]
        print(f"{name:12}", *(measure.mean(measure.at(model, c), name, how) for c, how in told),
              *(measure.mean(measure.at(model, c), name, how, 4) for c, how in told), flush=True)
    name = "Set14" if "Set14" in measure.sets else next(iter(measure.sets))
    print(f"\n{name}, JPEG of the small picture (cubic): quality; " + ", ".join(r[0] for r in rows) + "; told not coded")
    for quality in (95, 90, 75, 50, 40, 20, 10):
        change = measure.coded(quality)
        print(quality, *(measure.mean(get((1, 0, jpeg_strength(quality))), name, 2, 1, change) for _, get in rows),
              measure.mean(measure.at(model, CUBIC), name, 2, 1, change), flush=True)
    if not grid:
        return
    print(f"\n{name}, all conditions, once: kernel, sharpness, coding; area, cubic")
    for condition in itertools.product((0, 0.5, 1), (-1, -0.4, 0, 0.4, 1), (0, 0.25, 0.5, 1)):
        network = measure.at(model, condition)
        print(*condition, measure.mean(network, name, 1), measure.mean(network, name, 2), flush=True)


def load_plain(path):
    if path.suffix == ".c":
        source = path.read_text()
        channels, middles = (int(v) for v in source.split('{\n    "')[-1].split(",")[1:3])
        network = SuperResolutionNetwork(channels, middles)
        load_integers(network, path)
        return network
    saved = torch.load(path, map_location="cpu")
    network = SuperResolutionNetwork(len(saved["model"]["first"]), sum(k.startswith("middles") for k in saved["model"]))
    network.load_state_dict(saved["model"])
    return network


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("checkpoint")
    parser.add_argument("--pictures", type=Path)
    parser.add_argument("--data", help="with the held-out photographs and pages")
    parser.add_argument("--plain", type=Path, nargs="*", default=[], help="other networks to compare with")
    parser.add_argument("--grid", action="store_true", help="try all conditions")
    args = parser.parse_args()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    held = []
    if args.data:
        from image_train import planes
        held = planes(args.data)[1]
    saved = torch.load(args.checkpoint, map_location="cpu")
    model = ImageNetwork(saved["channels"], saved["middles"])
    model.load_state_dict({k: v.float() for k, v in saved["model"].items()})
    networks = [(path.stem, load_plain(path).to(device)) for path in args.plain]
    report(Measure(held, args.pictures, device), networks, model.to(device), args.grid)


if __name__ == "__main__":
    main()
