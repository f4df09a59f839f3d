"""Trains the ×2 super-resolution networks: python train.py PHOTOS [--clips FOLDER] --work FOLDER [--model NAME] [--stage K]

Needs PyTorch, NumPy, OpenCV, Pillow and the ffmpeg program with libx264. The seed is fixed. Checkpoints are written to
the work folder; export.py creates the C source from them.
"""
import argparse
import pickle
import time
from pathlib import Path

import numpy as np
import torch

from dataset import pairs
from network import MODELS, SuperResolutionNetwork

SEED = 20
PATCH = 48  # side of a patch in source samples, without the halo
BATCH = {"normal": 16, "quality": 8, "compressed": 8}  # patches per step
SHARES = {"photo/1": 0.42, "photo/2": 0.27, "frame": 0.09, "text": 0.15, "lines": 0.07}
# Per stage: steps in the schedule, steps that are run, peak learning rate. Stage 0 minimizes the absolute error,
# stage 1 maximizes the mean PSNR.
STAGES = {
    "normal": ((9000, 9000, 3e-3), (4000, 4000, 1e-3)),
    "quality": ((14000, 5000, 2e-3), (9000, 9000, 1.7e-3)),
    "compressed": (None, (5500, 5500, 1.2e-3)),  # starts from the quality network
}


def load(args):
    store = Path(args.work) / "pairs.pkl"
    if not store.exists():
        store.write_bytes(pickle.dumps(pairs(args.photos, args.clips, SEED)))
    return pickle.loads(store.read_bytes())


class Sampler:
    """Random crops, rotated and mirrored; of two candidates, the one with the higher contrast is used."""

    def __init__(self, images, halo, count, rng):
        self.rng, self.halo, self.count = rng, halo, count
        self.groups = {kind: [i for i in images if i[0] == kind] for kind in SHARES}
        self.groups = {kind: group for kind, group in self.groups.items() if group}
        shares = np.array([SHARES[kind] for kind in self.groups])
        self.kinds, self.shares = list(self.groups), shares / shares.sum()

    def candidate(self, kind):
        group = self.groups[kind]
        _, full, variants = group[self.rng.integers(len(group))]
        weights = np.array([w for w, _ in variants])
        small = variants[self.rng.choice(len(variants), p=weights / weights.sum())][1]
        side = PATCH + 2 * self.halo
        y, x = (int(self.rng.integers(0, n - side + 1)) for n in small.shape)
        inner = 2 * (y + self.halo), 2 * (x + self.halo)
        return small[y:y + side, x:x + side], full[inner[0]:inner[0] + 2 * PATCH, inner[1]:inner[1] + 2 * PATCH]

    def batch(self):
        smalls, fulls = [], []
        for _ in range(self.count):
            kind = self.kinds[self.rng.choice(len(self.kinds), p=self.shares)]
            a, b = self.candidate(kind), self.candidate(kind)
            small, full = a if a[1].std() > b[1].std() else b
            turn, flip = int(self.rng.integers(4)), bool(self.rng.integers(2))
            small, full = np.rot90(small, turn), np.rot90(full, turn)
            if flip:
                small, full = small[:, ::-1], full[:, ::-1]
            smalls.append(small)
            fulls.append(full)
        def stack(list):
            return torch.from_numpy(np.stack(list)[:, None].astype(np.float32) / 255)
        return stack(smalls), stack(fulls)


def absolute_error(error, progress):
    """Mean absolute error; after 60 % of the steps, the mean of each patch's root mean square error."""
    if progress < 0.6:
        return error.abs().mean()
    return (error.square().mean(dim=(1, 2, 3)) + (0.7 / 255) ** 2).sqrt().mean()


def decibels(error, progress):
    """The mean logarithm of each patch's mean squared error, which corresponds to the mean PSNR over images. The floor
    of 2 / 255² keeps invisible errors from dominating.
    """
    return (error.square().mean(dim=(1, 2, 3)) + 2 / 255 ** 2).log().mean() + 10


def train(name, stage, images, args):
    torch.manual_seed(SEED + stage)
    channels, middles = MODELS[name]
    model = SuperResolutionNetwork(channels, middles)
    out = Path(args.work) / f"{name}.pt"
    if stage > 0:
        start = "quality.1.pt" if STAGES[name][0] is None else f"{name}.0.pt"
        model.load_state_dict(torch.load(Path(args.work) / start)["model"])
    sampler = Sampler(images, model.halo, BATCH[name], np.random.default_rng(SEED + stage))
    of, steps, peak = STAGES[name][stage]
    measure = decibels if stage > 0 else absolute_error
    optimiser = torch.optim.Adam(model.parameters(), lr=peak)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimiser, peak, total_steps=of, pct_start=0.02 if stage > 0 else 0.08, div_factor=10, final_div_factor=100)
    shown, began = None, time.time()
    for step in range(steps):
        small, full = sampler.batch()
        loss = measure(model(small) - full, step / of)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 0.5)
        optimiser.step()
        schedule.step()
        shown = loss.item() if shown is None else 0.99 * shown + 0.01 * loss.item()
        if step % 200 == 0:
            print(f"{name} {stage} {step}/{steps} loss {shown:.5f} {time.time() - began:.0f} s", flush=True)
        if step % 1000 == 999 or step == steps - 1:
            torch.save({"model": model.state_dict(), "loss": shown, "steps": step + 1, "of": of}, out)
    out.with_suffix(f".{stage}.pt").write_bytes(out.read_bytes())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("photos")
    parser.add_argument("--clips")
    parser.add_argument("--work", required=True)
    parser.add_argument("--model", action="append", choices=list(MODELS))
    parser.add_argument("--stage", type=int, action="append", choices=(0, 1))
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    clean, dirty = load(args)
    for name in args.model or MODELS:
        for stage in args.stage or (0, 1):
            if STAGES[name][stage]:
                train(name, stage, dirty if name == "compressed" else clean, args)


if __name__ == "__main__":
    main()
