"""Trains the fusion networks: python train.py WORK TOOL [--model NAME] [--start FOLDER]

WORK holds samples by dataset.py: scenes11 (seed 11, 700), scenes12 (700), scenes13 (450, phase 0.25), pages16 and pages17
(225, pages 0.8), clips, and clips25 (phase 0.25). TOOL is the program vfx-fusiondata. FOLDER holds the C source of weights
to start from. The seed is fixed. Needs PyTorch, NumPy and OpenCV; minutes on one core.
"""
import argparse
import time
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

from dataset import FRAMES, HEIGHT, TRUTH, WIDTH, records
from export import floats
from network import MODELS, FusionNetwork

SAMPLES = WIDTH * HEIGHT
RECORD = 6 * SAMPLES + 5 * SAMPLES // 4
BATCH, HALVED = 10, 0.5  # crops of a step, and how many of them are halved
# Samples, level, refinements, coarse refinements, phase, whether of the pair alone, share of the batches.
SETS = [
    ("scenes11", 1, 2, 2, 0.5, True, 0.1), ("scenes12", 0, 5, 8, 0.5, False, 0.1),
    ("scenes13", 1, 2, 2, 0.25, False, 0.1), ("pages16", 1, 2, 2, 0.5, False, 0.15),
    ("pages17", 0, 5, 8, 0.5, False, 0.15), ("clips", 1, 2, 2, 0.5, False, 0.15),
    ("clips", 0, 5, 8, 0.5, False, 0.15), ("clips25", 0, 5, 8, 0.25, False, 0.1),
]
STEPS, PEAK = 9000, 3e-3  # steps, peak learning rate
STEPS_ON, PEAK_ON = 1500, 1e-3  # the same for training on
LINES, EXCESS = 3, 16  # weight of false lines, and the contrast from which they count


class Sampler:
    """Random crops, mirrored, transposed, reversed in time and sometimes halved; of two, the one with more change."""

    def __init__(self, work, tool, halo):
        self.rng, self.edge, self.sets = np.random.default_rng(1), 2 * halo, []
        self.side = (80 + 2 * self.edge + 3) // 4 * 4
        for name, level, refinements, coarse, phase, pair_only, share in SETS:
            path = records(Path(work) / name, tool, level, refinements, coarse, phase, pair_only)
            rows = np.memmap(path, np.uint8, "r").reshape(-1, RECORD)
            truth = np.memmap(Path(work) / name, np.uint8, "r").reshape(-1, FRAMES, HEIGHT, WIDTH)
            usable = [i for i in range(len(rows)) if rows[i, :SAMPLES].any()]
            self.sets.append((rows, truth, phase, usable))
        self.shares = [s[-1] for s in SETS]

    def crop(self, record, truth, y, x, side):
        inner, small = np.s_[:, y:y + side, x:x + side], np.s_[:, y // 2:(y + side) // 2, x // 2:(x + side) // 2]
        predictions = record[:4 * SAMPLES].reshape(4, HEIGHT, WIDTH)[inner]
        cells = record[4 * SAMPLES:4 * SAMPLES + 5 * SAMPLES // 4].reshape(5, HEIGHT // 2, WIDTH // 2)[small]
        shares = record[4 * SAMPLES + 5 * SAMPLES // 4:].reshape(2, HEIGHT, WIDTH)[inner]
        return [predictions, cells, shares, truth[None][inner]]

    def one(self):
        rng = self.rng
        rows, truth, phase, usable = self.sets[rng.choice(len(self.sets), p=self.shares)]
        i, scale, best = usable[rng.integers(len(usable))], 2 if rng.random() < HALVED else 1, None
        side = self.side * scale
        for _ in range(2):
            y, x = rng.integers(0, (HEIGHT - side) // 4 + 1) * 4, rng.integers(0, (WIDTH - side) // 4 + 1) * 4
            planes = self.crop(rows[i], truth[i, TRUTH], y, x, side)
            change = np.abs(planes[0][0, ::2, ::2].astype(np.int16) - planes[0][1, ::2, ::2]).mean()
            if best is None or change > best[0]:
                best = change, planes
        planes = [p.astype(np.float32) for p in best[1]]
        if scale == 2:
            planes = [p.reshape(len(p), p.shape[1] // 2, 2, p.shape[2] // 2, 2).mean((2, 4)) for p in planes]
        for change in (lambda p: p[:, ::-1], lambda p: p[:, :, ::-1], lambda p: p.transpose(0, 2, 1)):
            if rng.random() < 0.5:
                planes = [change(p) for p in planes]
        if rng.random() < 0.5:
            planes[0], planes[1], planes[2] = planes[0][[1, 0, 3, 2]], planes[1].copy(), 256 - planes[2]
            planes[1][[0, 2]] = 256 - planes[1][[0, 2]]
            phase = 1 - phase
        return [np.ascontiguousarray(p) for p in planes] + [np.float32(phase)]

    def batch(self):
        items = [self.one() for _ in range(BATCH)]
        return [torch.from_numpy(np.stack([item[k] for item in items])) for k in range(5)]


def lines(luma):
    """The contrast of lines of up to four samples with what is beside them."""
    def largest(x):
        return F.max_pool2d(x, 5, 1, 2)

    opened, closed = largest(-largest(-luma)), -largest(-largest(luma))
    return torch.maximum(luma - opened, closed - luma)


def false_lines(made, truth):
    """The mean contrast of lines that the truth does not show within four samples."""
    excess = F.relu(lines(made) - F.max_pool2d(lines(truth), 9, 1, 4) - EXCESS)
    return excess[:, :, 6:-6, 6:-6].mean()


def start(network, path):
    """Sets the weights to those of C source."""
    state = floats(Path(path).read_text())
    network.load_state_dict({key: torch.from_numpy(values) for key, values in state.items()})


def train(name, args):
    torch.manual_seed(1)
    network = FusionNetwork(*MODELS[name])
    steps, peak = (STEPS, PEAK) if args.start is None else (STEPS_ON, PEAK_ON)
    if args.start is not None:
        start(network, Path(args.start) / f"weights_{name}.c")
    sampler, began = Sampler(args.work, args.tool, network.halo), time.time()
    optimiser = torch.optim.Adam(network.parameters(), lr=peak)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimiser, peak, total_steps=steps, pct_start=0.05, div_factor=10, final_div_factor=200)
    for step in range(steps):
        predictions, cells, shares, truth, phase = sampler.batch()
        edge = sampler.edge
        truth = truth[:, :, edge:-edge, edge:-edge]
        made = network(predictions, cells, shares, phase)
        # The mean logarithm of each crop's error, which corresponds to the mean PSNR over frames.
        loss = ((made - truth).square().mean((1, 2, 3)) + 2).log().mean() + LINES * false_lines(made, truth)
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimiser.step()
        schedule.step()
        if step % 250 == 249:
            print(f"{name} {step + 1}/{steps} loss {loss.item():.4f} {time.time() - began:.0f} s", flush=True)
    torch.save(network.state_dict(), Path(args.work) / f"{name}.pt")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("work")
    parser.add_argument("tool")
    parser.add_argument("--start")
    parser.add_argument("--model", action="append", choices=list(MODELS))
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    for model in arguments.model or MODELS:
        train(model, arguments)
