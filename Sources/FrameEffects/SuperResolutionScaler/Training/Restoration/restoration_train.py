"""Trains the network for restoration: python restoration_train.py WORK OUT.pt --seconds 4200 [--channels 16 --middles 6 --video 0.75]

WORK has the planes that restoration_data.py prepared. Checkpoints are written every few minutes; they have the running
mean of the weights.
"""
import argparse
import math
import multiprocessing
import os
import time
from pathlib import Path
from queue import Full

import numpy as np
import torch

from captured import CapturedSOAP
from restoration_gradients import Gradients
from restoration_network import CHANNELS, MIDDLES, RestorationNetwork
from restoration_samples import VIDEO, Samples

SIDE = 48  # of a patch, in positions
SEED = 20


def produce(samples, count, queue):
    """Draws batches in a process of its own, as long as the one that began it lives."""
    parent = os.getppid()
    while os.getppid() == parent:
        batch, sent = samples.batch(count), False
        while not sent and os.getppid() == parent:
            try:
                queue.put(batch, timeout=5)
                sent = True
            except Full:
                pass


class Errors:
    """The mean squared error of each picture so far, for what its patches count (see Sampler in train.py)."""

    def __init__(self):
        self.means = {}

    def weights(self, keys):
        return np.array([40 / math.sqrt(self.means.get(key, (1e-3, 0))[0] + 20 / 255 ** 2) for key in keys])

    def record(self, keys, errors):
        for key, error in zip(keys, errors):
            mean, count = self.means.get(key, (error, 0))
            self.means[key] = mean + (error - mean) / (min(count, 40) + 1), count + 1


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("work", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--seconds", type=float, default=4200)
    parser.add_argument("--steps", type=int, default=10 ** 9)
    parser.add_argument("--patches", type=int, default=24, help="per step")
    parser.add_argument("--peak", type=float, default=2e-3, help="the highest learning rate")
    parser.add_argument("--every", type=float, default=180, help="seconds between checkpoints")
    parser.add_argument("--start", type=Path, help="a checkpoint to start from")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--channels", type=int, default=CHANNELS, help="at most 32")
    parser.add_argument("--middles", type=int, default=MIDDLES)
    parser.add_argument("--video", type=float, default=VIDEO, help="share of patches that video encoders compressed")
    args = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(args.seed)
    model = RestorationNetwork(args.channels, args.middles)
    if args.start:
        model.load_state_dict(torch.load(args.start)["model"])
    samples = Samples(args.work, SIDE, model.halo, args.seed, args.video)
    for name, groups in (("clean", samples.truth), ("pairs", samples.pairs)):
        print(name, {kind: len(group) for kind, group in groups.items()}, flush=True)
    context = multiprocessing.get_context("fork")
    queue = context.Queue(4)
    context.Process(target=produce, args=(samples, args.patches, queue), daemon=True).start()
    gradients, errors, optimizer = Gradients(model, SIDE), Errors(), CapturedSOAP(model, 1)
    began, step, progress, report, shown = time.time(), 0, 0.0, 60.0, None
    waited = worked = 0.0
    while progress < 1:
        now = time.time()
        progress = min(1, max((now - began) / args.seconds, (step + 1) / args.steps))
        smalls, fulls, planes, keys = queue.get()
        waited += time.time() - now
        torch._foreach_zero_([p.grad for p in model.parameters()])
        now = time.time()
        size = fulls[0].size
        squares = gradients(smalls, fulls, torch.from_numpy(planes), errors.weights(keys) / (size * len(fulls)))
        worked += time.time() - now
        errors.record(keys, squares / size)
        level = float(np.log(squares / size + 2 / 255 ** 2).mean() + 10)
        shown = level if shown is None else shown + (level - shown) * max(0.005, 1 / (step + 1))
        if step == 0:
            optimizer.start()
        optimizer.lr.fill_(args.peak * min(1, (step + 1) / (100 if args.start else 300)) * (0.5 + 0.5 * math.cos(math.pi * progress)))
        optimizer.decay.fill_(1 - min(0.999, step / (step + 20)))
        optimizer.step()
        if step % (10 if step < 300 else 40 if step < 5000 else 100) == 0:
            optimizer.turn()
        step += 1
        seconds = time.time() - began
        if progress == 1 or seconds >= report:
            report += args.every
            names = [name for name, _ in model.named_parameters()]
            saved = {"model": dict(zip(names, (a.clone() for a in optimizer.average))), "steps": step, "seconds": seconds,
                     "channels": args.channels, "middles": args.middles}
            part = args.out.with_suffix(".part")
            torch.save(saved, part)
            part.rename(args.out)
            print(f"step {step}, {100 * progress:.0f} %, {seconds:.0f} s, loss {shown:.4f}, {float(optimizer.skipped):.0f} skipped, "
                  f"waited {waited:.0f}, gradients {worked:.0f} s", flush=True)


if __name__ == "__main__":
    main()
