"""Trains the deinterlacing networks: python train.py RECORDS OUT [--model NAME] [--seconds S] [--peak P]
                                                       [--start FILE [--share SHARE]]

RECORDS has a file NAME_WxH.rec for each clip of dataset.py, as vfx-deinterlacedata writes it. The learning rate falls over S
seconds, 1500 unless told; the seed is fixed. With --share, the weights at the end are this share of the trained ones, the rest
of those in FILE. Needs PyTorch and NumPy; one core is enough.
"""
import argparse
import re
import sys
import time
from pathlib import Path

import numpy as np
import torch

from network import MODELS, DeinterlacingNetwork, predictions

sys.path.append(str(Path(__file__).resolve().parents[2] / "SuperResolutionScaler/Training"))
from soap import SOAP

BATCH, SIDE = 32, (24, 24)  # crops, and their positions down and across
PEAK, KEEP = 8e-3, 0.998  # learning rate; what the mean of the weights keeps in a step
REPORT = 500  # steps
FLOOR = 0.3  # added to a mean squared error, so that what is almost exact does not count for more and more


def layout(w, h):
    """A record: everything that is known about one frame, and what it really was."""
    rows, cells = (h // 2, w), (h // 2, w // 2)
    return np.dtype([
        ("parity", "<i4"), ("bob", "u1", (h, w)), ("previous", "u1", rows), ("next", "u1", rows), ("back", "<u2", rows),
        ("forward", "<u2", rows), ("own_back", "<u2", rows), ("own_forward", "<u2", rows), ("vy_back", "<i2", cells),
        ("vy_forward", "<i2", cells), ("truth", "u1", (h, w))])


def load(folder):
    """The records of each clip: training clips and held-out ones."""
    sets = {}, {}
    for path in sorted(Path(folder).glob("*.rec")):
        w, h = map(int, re.search(r"_(\d+)x(\d+)\.rec$", path.name).groups())
        sets[path.name.startswith("val_")][path.stem] = np.memmap(path, layout(w, h), "r")
    return sets


def planes_of(record, rows, columns, edge=0):
    """Planes and cells as `inputs` reads them, and the true missing rows; `rows` are missing rows, by their number.

    Beyond the picture, positions are repeated: with `edge`, this many at each side.
    """
    if edge:
        repeat = lambda count: np.clip(np.arange(-edge, count // 2 + edge), 0, count // 2 - 1)
        rows = (2 * repeat(len(rows))[:, None] + [0, 1]).ravel()
        columns = (2 * repeat(len(columns))[:, None] + [0, 1]).ravel()
    missing = 1 - int(record["parity"]) + 2 * rows
    above = np.where(missing > 0, missing - 1, 1)
    pick = lambda name, y, scale=1: record[name][np.ix_(y, columns)].astype(np.float32) * np.float32(scale)
    planes = np.stack([
        pick("bob", missing), pick("back", rows, 1 / 16), pick("forward", rows, 1 / 16), pick("previous", rows),
        pick("next", rows), pick("own_back", rows, 1 / 16), pick("own_forward", rows, 1 / 16), pick("bob", above)])
    small = np.ix_(rows[::2], columns[::2] // 2)
    cells = np.stack([record[name][small].astype(np.float32) for name in ("vy_back", "vy_forward")])
    return planes, cells, pick("truth", missing)[None]


def turned(record):
    """The record upside down. Only what `planes_of` reads is changed."""
    return {n: 1 - record[n] if n == "parity" else record[n][::-1] for n in record.dtype.names}


class Sampler:
    """Random crops, mirrored, upside down and reversed in time; of two, the one with more change."""

    def __init__(self, clips, halo):
        self.rng, self.clips, self.halo = np.random.default_rng(1), list(clips), halo
        self.weights = np.full(len(self.clips), np.nan)

    def one(self, index):
        rng, records = self.rng, self.clips[index]
        record = records[rng.integers(len(records))]
        height, width = (n + 2 * self.halo for n in SIDE)
        h, w = record["truth"].shape
        height, width = min(height, h // 4), min(width, w // 2)
        if rng.random() < 0.5:
            record = turned(record)
        y, x = rng.integers(0, h // 4 - height + 1, 2), rng.integers(0, w // 2 - width + 1, 2)
        parts = [np.s_[2 * y[k]:2 * (y[k] + height):2, 2 * x[k]:2 * (x[k] + width):2] for k in (0, 1)]
        change = [np.abs(record["previous"][part].astype(np.int16) - record["next"][part]).sum() for part in parts]
        i = int(change[1] > change[0])
        planes, cells, truth = planes_of(
            record, np.arange(2 * y[i], 2 * (y[i] + height)), np.arange(2 * x[i], 2 * (x[i] + width)))
        if rng.random() < 0.5:
            planes, cells, truth = (a[:, :, ::-1] for a in (planes, cells, truth))
        if rng.random() < 0.05:  # as at the ends of a clip
            planes[5:7] = planes[1:3]
        if rng.random() < 0.5:
            planes, cells = planes[[0, 2, 1, 4, 3, 6, 5, 7]], cells[[1, 0]]
        return [np.ascontiguousarray(a) for a in (planes, cells, truth)]

    def batch(self):
        self.taken = self.rng.integers(len(self.clips), size=BATCH)
        items = [self.one(index) for index in self.taken]
        return [torch.from_numpy(np.stack([item[k] for item in items])) for k in range(3)]

    def scale(self, errors):
        """The mean squared error of each crop's clip so far: dividing by it turns errors into a sum of PSNR."""
        for index, error in zip(self.taken, errors):
            last = self.weights[index]
            self.weights[index] = error if np.isnan(last) else 0.95 * last + 0.05 * error
        return torch.from_numpy(self.weights[self.taken]).float() + FLOOR


def psnr(error):
    return 10 * np.log10(255 ** 2 / max(error, 255 ** 2 / 1e6))  # at most 60 dB


@torch.no_grad()
def evaluate(clips, networks, every=1):
    """The mean PSNR of whole frames over clips: of simple ways, and of each network."""
    table = {}
    for name, records in clips.items():
        values = {}
        for record in records[::every]:
            h, w = record["truth"].shape
            rows, columns = np.arange(h // 2), np.arange(w)
            note = lambda key, made: values.setdefault(key, []).append(
                psnr(((made.clamp(0, 255).round() - truth) ** 2).mean().item() / 2))
            planes, _, truth = (torch.from_numpy(a)[None] for a in planes_of(record, rows, columns))
            ways = predictions(planes)
            for k, key in enumerate(("bob", "back", "forward", "weave", "own back", "own forward")):
                note(key, ways[:, k:k + 1])
            note("both", ways[:, 1:3].mean(1, keepdim=True))
            for key, network in networks.items():
                wide, cells, _ = (torch.from_numpy(a)[None] for a in planes_of(record, rows, columns, network.halo))
                note(key, network(wide, cells))
        table[name] = {key: np.mean(v) for key, v in values.items()}
    return table


def means(table):
    keys = next(iter(table.values()))
    return {key: np.mean([row[key] for row in table.values()]) for key in keys}


def train(name, args):
    torch.manual_seed(1)
    network = DeinterlacingNetwork(*MODELS[name])
    if args.start:
        network.load_state_dict(torch.load(args.start))
    clips, held = load(args.records)
    start = {key: value.clone() for key, value in network.state_dict().items()}
    sampler, began = Sampler(clips.values(), network.halo), time.time()
    optimiser = SOAP(network.parameters(), args.peak)
    average, step, part = DeinterlacingNetwork(*MODELS[name]), 0, 0
    average.load_state_dict(network.state_dict())
    while part < 1:
        planes, cells, truth = sampler.batch()
        edge = 2 * network.halo
        errors = (network(planes, cells) - truth[:, :, edge:-edge, edge:-edge]).square().mean((1, 2, 3))
        loss = (errors / sampler.scale(errors.detach().numpy())).mean()
        optimiser.zero_grad(set_to_none=False)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        part = min(1, (time.time() - began) / args.seconds)
        rate = args.peak * min(1, (step + 1) / 200) * (0.5 + 0.5 * np.cos(np.pi * part) + 0.002)
        for group in optimiser.param_groups:
            group["lr"] = rate
        optimiser.step()
        step += 1
        with torch.no_grad():
            for act in network.act:
                act.weight.clamp_(-0.999, 0.999)  # as the kernels allow
            keep = min(KEEP, 1 - 1 / (step / 4 + 1))
            for a, b in zip(average.parameters(), network.parameters()):
                a.lerp_(b, 1 - keep)
        if part == 1:
            average.load_state_dict(
                {key: torch.lerp(start[key], value, args.share) for key, value in average.state_dict().items()})
        if step % REPORT == 0 or part == 1:
            gain = means(evaluate(held, {name: average}, 1 if part == 1 else 4))
            print(f"{name} {step} {part:.3f} {time.time() - began:.0f} s, "
                  + ", ".join(f"{key} {value:.3f}" for key, value in gain.items()), flush=True)
            torch.save(average.state_dict(), Path(args.out) / f"{name}.pt")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("records")
    parser.add_argument("out")
    parser.add_argument("--model", action="append", choices=list(MODELS))
    parser.add_argument("--seconds", type=float, default=1500)
    parser.add_argument("--peak", type=float, default=PEAK)
    parser.add_argument("--start")
    parser.add_argument("--share", type=float, default=1)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    for model in arguments.model or MODELS:
        train(model, arguments)
