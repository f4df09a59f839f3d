"""Trains the ×2 super-resolution networks: python train.py PHOTOS [--clips FOLDER] --work FOLDER --minutes M [--model NAME]

Needs PyTorch, NumPy, OpenCV, Pillow, a C compiler and the ffmpeg program with libx264. Training continues from the
integer weights in Kernels/superres, or from a checkpoint; if `network.py` gives a model more middle layers than its
weights have, it starts as an equivalent of them (see `load_integers`). It lasts as long as it is told to, and measures
pictures that it does not train with. Checkpoints are written to the work folder; export.py creates the C source from
them.
"""
import argparse
import math
import pickle
import time
from pathlib import Path

import numpy as np
import torch

from dataset import clean_variants, compressed_variants, held_out, pairs
from gradients import Gradients
from network import MODELS, SuperResolutionNetwork, load_integers
from soap import SOAP

SEED = 20
PATCH = 64  # side of a patch in source samples, without the halo
BATCH = {"small": 16, "large": 16, "medium_compressed": 8}  # patches per step
SHARES = {"photo/1": 0.15, "photo/0.7": 0.17, "photo/0.5": 0.22, "photo/0.35": 0.15, "frame": 0.09, "text": 0.15,
          "lines": 0.07}
# Compressed footage is soft, as photographs are at full size.
COMPRESSED_SHARES = {"photo/1": 0.4, "photo/0.7": 0.2, "photo/0.5": 0.15, "photo/0.35": 0.05, "frame": 0.1, "text": 0.06,
                     "lines": 0.04}
PEAK = {"small": 2e-3, "large": 2e-3, "medium_compressed": 2e-3}  # learning rate
KERNELS = Path(__file__).resolve().parents[4] / "Kernels/superres"


def stored(path, make):
    if not path.exists():
        path.write_bytes(pickle.dumps(make()))
    return pickle.loads(path.read_bytes())


class Sampler:
    """Random crops, rotated and mirrored. For clean sources, the one of two candidates with the higher contrast is used;
    for compressed ones, flat patches are as likely as others, because blocks show most there.
    """

    def __init__(self, images, halo, count, rng, compressed):
        self.rng, self.halo, self.count, self.compressed = rng, halo, count, compressed
        all_shares = COMPRESSED_SHARES if compressed else SHARES
        self.groups = {kind: [i for i in images if i[0] == kind and min(i[1].shape) >= 2 * (PATCH + 2 * halo)]
                       for kind in all_shares}
        self.groups = {kind: group for kind, group in self.groups.items() if group}
        shares = np.array([all_shares[kind] for kind in self.groups])
        self.kinds, self.shares = list(self.groups), shares / shares.sum()
        self.errors = {}  # of each picture: the mean squared error of its patches so far

    def candidate(self, kind):
        group = self.groups[kind]
        _, full, variants = group[self.rng.integers(len(group))]
        weights = np.array([w for w, _ in variants])
        small = variants[self.rng.choice(len(variants), p=weights / weights.sum())][1]
        side = PATCH + 2 * self.halo
        y, x = (int(self.rng.integers(0, n - side + 1)) for n in small.shape)
        inner = 2 * (y + self.halo), 2 * (x + self.halo)
        part = full[inner[0]:inner[0] + 2 * PATCH, inner[1]:inner[1] + 2 * PATCH]
        return small[y:y + side, x:x + side], part, id(full)

    def batch(self):
        smalls, fulls, self.pictures = [], [], []
        for _ in range(self.count):
            kind = self.kinds[self.rng.choice(len(self.kinds), p=self.shares)]
            small, full, picture = self.candidate(kind)
            if not self.compressed:
                other = self.candidate(kind)
                if other[1].std() > full.std():
                    small, full, picture = other
            turn, flip = int(self.rng.integers(4)), bool(self.rng.integers(2))
            small, full = np.rot90(small, turn), np.rot90(full, turn)
            if flip:
                small, full = small[:, ::-1], full[:, ::-1]
            smalls.append(small)
            fulls.append(full)
            self.pictures.append(picture)
        return scaled(smalls), scaled(fulls)

    def weights(self):
        """What the error of each patch of the latest batch counts: the inverse of its picture's mean error so far. The
        gradient is then that of the mean PSNR over pictures, and not that of the mean over patches, which would count
        flat patches most. The floor keeps invisible errors from dominating. For compressed sources, it is the
        square root of that, so that pictures with large errors keep part of their weight; 40 gives about the same scale,
        and the floor is higher because no network comes near to the truth.
        """
        means = np.array([self.errors.get(picture, (1e-3, 0))[0] for picture in self.pictures])
        return 40 / np.sqrt(means + 20 / 255 ** 2) if self.compressed else 1 / (means + 0.5 / 255 ** 2)

    def record(self, errors):
        """Takes the mean squared errors of the latest batch's patches. Returns the mean of their logarithms."""
        for picture, error in zip(self.pictures, errors):
            mean, count = self.errors.get(picture, (error, 0))
            self.errors[picture] = mean + (error - mean) / (min(count, 40) + 1), count + 1
        return float(np.log(errors + 2 / 255 ** 2).mean() + 10)


def scaled(planes):
    return np.stack(planes).astype(np.float32) / 255


def tensor(planes):
    return torch.from_numpy(scaled(planes)[:, None])


@torch.no_grad()
def measure(model, pictures):
    """Mean PSNR in dB of each kind of held-out picture, with rounding and without a border of 16 source samples."""
    sums = {}
    for kind, full, small in pictures:
        cut = 16 - model.halo
        size = small.shape[0] - 32, small.shape[1] - 32
        y = model(tensor([small[cut:small.shape[0] - cut, cut:small.shape[1] - cut]]))[0, 0].numpy()
        truth = full[32:32 + 2 * size[0], 32:32 + 2 * size[1]].astype(np.float64)
        error = np.mean((np.clip(np.round(y * 255), 0, 255) - truth) ** 2)
        sums.setdefault(kind, []).append(10 * math.log10(255 ** 2 / max(error, 1e-3)))
    return {kind: round(float(np.mean(values)), 2) for kind, values in sums.items()}


def load(model, path):
    """Starts from a checkpoint, or from a C source with integer weights."""
    if path.suffix == ".pt":
        model.load_state_dict(torch.load(path)["model"])
    else:
        load_integers(model, path)


def train(name, images, pictures, args):
    torch.manual_seed(args.seed)
    model = SuperResolutionNetwork(*MODELS[name])
    if not args.scratch:
        load(model, args.start or KERNELS / f"weights_{name}.c")
    print(name, "at the start", measure(model, pictures), flush=True)
    average = SuperResolutionNetwork(*MODELS[name])
    average.load_state_dict(model.state_dict())
    sampler = Sampler(images, model.halo, BATCH[name], np.random.default_rng(args.seed), "compressed" in name)
    gradients = Gradients(model, args.threads)
    optimizer = SOAP(model.parameters(), lr=0)
    shown, began, step, progress, next_report = None, time.time(), 0, 0.0, 0
    out = Path(args.work) / f"{name}.pt"
    while progress < 1:
        progress = min(1, (time.time() - began) / (60 * args.minutes))
        if args.steps:
            progress = max(progress, (step + 1) / args.steps)
        warm = min(1, (step + 1) / 200)  # a few hundred small steps, then half a cosine down to zero
        optimizer.param_groups[0]["lr"] = (args.peak or PEAK[name]) * warm * (0.5 + 0.5 * math.cos(math.pi * progress))
        small, full = sampler.batch()
        optimizer.zero_grad(set_to_none=True)
        samples = full[0].size
        squares = gradients(model, small, full, sampler.weights() / (samples * len(full)))
        level = sampler.record(squares / samples)
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1)
        optimizer.step()
        step += 1
        keep = min(0.998, step / (step + 20))
        with torch.no_grad():
            for a, b in zip(average.parameters(), model.parameters()):
                a.lerp_(b, 1 - keep)
        shown = level if shown is None else 0.99 * shown + 0.01 * level
        if progress == 1 or time.time() - began >= next_report:
            next_report += args.every
            print(f"{name} step {step}, {100 * progress:.0f} %, {time.time() - began:.0f} s, loss {shown:.4f}",
                  measure(average, pictures), flush=True)
            torch.save({"model": average.state_dict(), "steps": step, "seconds": time.time() - began}, out)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("photos")
    parser.add_argument("--clips")
    parser.add_argument("--work", required=True)
    parser.add_argument("--model", action="append", choices=list(MODELS))
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--steps", type=int, help="stop after so many steps even if there is time left")
    parser.add_argument("--every", type=float, default=300, help="seconds between measurements")
    parser.add_argument("--peak", type=float, help="the highest learning rate")
    parser.add_argument("--start", type=Path, help="checkpoint or C source to start from")
    parser.add_argument("--seed", type=int, default=SEED, help="of the patches and of the random weights")
    parser.add_argument("--scratch", action="store_true", help="start from random weights")
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args()
    torch.set_num_threads(1)  # the matrices of the optimizer are small
    work = Path(args.work)
    work.mkdir(parents=True, exist_ok=True)
    pictures = stored(work / "held.pkl", lambda: held_out(args.photos, SEED + 1))
    for name in args.model or ("small", "large"):
        coded = "compressed" in name
        images = stored(work / ("coded.pkl" if coded else "pairs.pkl"), lambda: pairs(
            args.photos, args.clips, SEED, compressed_variants if coded else clean_variants))
        train(name, images, pictures, args)


if __name__ == "__main__":
    main()
