"""Trains the network for still images: python image_train.py DATA OUT --seconds 480

DATA has the folders `photos` (JPEG) and `pages`, `lines` (PNG, drawn by `dataset.py`; see image_pages.py). Planes lie in
the GPU's memory; patches are drawn, reduced and coded there. On the CPU, it needs hours.
"""
import argparse
import math
import time
from multiprocessing import Pool
from pathlib import Path

import cv2
import numpy as np
import torch

import fused
from captured import CapturedSOAP, capture, sampler
from conditions import features
from dataset import SIZES, fit
from degradation import TAPS, Degradation
from image_network import CHANNELS, MIDDLES, ImageNetwork

HELD_OUT = ("jad_limcaco_183877", "morskie_oko", "nasa_45068", "sean_afnan_244576", "bu0062", "bu0068")
SHARES = {"photo/1": 0.16, "photo/0.7": 0.2, "photo/0.5": 0.28, "photo/0.35": 0.18, "text": 0.12, "lines": 0.06}
PATCH = 64  # side of a patch in source samples, without the halo
KINDS_OF_CODING = 3  # each picture has a mean error for none, slight and strong coding


def prepare(path):
    """(kind, name, plane) of a file at each of the sizes; held-out photographs only at the smallest."""
    image = cv2.imread(str(path)).astype(np.float32)
    photo = path.suffix == ".jpg"
    out = []
    for size in SIZES if photo else (1,):
        if path.stem in HELD_OUT and size != SIZES[-1]:
            continue
        small = image if size == 1 else cv2.resize(image, None, fx=size, fy=size, interpolation=cv2.INTER_AREA)
        blue, green, red = small[..., 0], small[..., 1], small[..., 2]
        luma = 16 + (0.299 * red + 0.587 * green + 0.114 * blue) * 219 / 255
        kind = f"photo/{size}" if photo else {"pages": "text"}.get(path.parent.name, path.parent.name)
        out.append((kind, path.stem, fit(np.round(luma).astype(np.uint8))))
    return out


def planes(root):
    paths = [p for folder in ("photos", "pages", "lines") for p in sorted(Path(root, folder).iterdir())]
    cv2.setNumThreads(1)
    with Pool() as pool:
        every = [plane for group in pool.imap(prepare, paths, 2) for plane in group]
    held = lambda name: name in HELD_OUT or name.endswith("_held")
    return [p for p in every if not held(p[1])], [p for p in every if held(p[1])]


class Patches:
    """Random patches, mirrored and turned; of two candidates, the one with the higher contrast is used."""

    def __init__(self, planes, halo, device):
        self.device, self.halo, self.side = device, halo, PATCH + 2 * halo
        self.wide = -(-(self.side + 7) // 8) * 8  # so that the grid of blocks may begin anywhere
        planes = [p for p in planes if min(p[2].shape) >= 2 * self.side + 4]
        kinds = [p[0] for p in planes]
        t = lambda a: torch.as_tensor(a, device=device)
        share = np.array([SHARES[kind] / kinds.count(kind) for kind in kinds])
        self.draw = sampler(t((share / share.sum()).astype(np.float32)))
        self.full = t(np.concatenate([p[2].ravel() for p in planes]))
        self.start = t(np.concatenate([[0], np.cumsum([p[2].size for p in planes])[:-1]]))
        self.height, self.width = (t(np.array([p[2].shape[axis] for p in planes])) for axis in (0, 1))
        self.errors = torch.full((len(planes) * KINDS_OF_CODING,), 1e-3, device=device)
        self.seen = torch.zeros_like(self.errors)
        self.degrade = Degradation(device)
        print(f"{len(planes)} planes, {self.full.numel() / 1e6:.0f} M samples", flush=True)

    def cut(self, index, y, x, turn, low, high):
        """The samples from `low` to `high` of patches whose 2 · side samples begin at row y and column x, mirrored and
        transposed by the bits of `turn`. What lies outside the picture repeats its edge."""
        k = torch.arange(low, high, device=self.device)
        u, v = k[None, :, None].expand(len(turn), -1, len(k)), k[None, None, :].expand(len(turn), len(k), -1)
        swap, down, left = ((turn >> bit & 1).bool()[:, None, None] for bit in range(3))
        u, v = torch.where(swap, v, u), torch.where(swap, u, v)
        end = 2 * self.side - 1
        u, v = torch.where(down, end - u, u), torch.where(left, end - v, v)
        clamp = lambda a, limit: torch.minimum(a.clamp_min(0), (limit - 1)[:, None, None])
        row, column = clamp(y[:, None, None] + u, self.height[index]), clamp(x[:, None, None] + v, self.width[index])
        return self.full[self.start[index][:, None, None] + row * self.width[index][:, None, None] + column].float()

    def batch(self, count):
        """Small patches, full ones as four samples for each, conditions as told, and an index for the errors."""
        n, random = 2 * count, lambda limit: (torch.rand(2 * count, device=self.device) * limit).long()
        index = self.draw(n)
        y, x = (2 * random(self.place(size[index])) for size in (self.height, self.width))
        turn = random(8)
        inner = 2 * self.halo, 2 * (self.halo + PATCH)
        full = self.cut(index, y, x, turn, *inner)
        spread = full.flatten(1).std(1).view(count, 2)
        chosen = torch.arange(count, device=self.device) * 2 + (spread[:, 1] > spread[:, 0])
        full, index, y, x, turn = (t[chosen] for t in (full, index, y, x, turn))
        # The wide patch begins `before` samples earlier, so that blocks begin anywhere in it.
        before = (torch.rand((2, count), device=self.device) * (self.wide - self.side + 1)).long()
        edge = TAPS // 2 - 1
        margin = 2 * (self.wide - self.side) + edge
        large = self.cut(index, y, x, turn, -margin, 2 * self.side + margin)
        large = self.window(large, 2 * (self.wide - self.side - before), 2 * self.wide + 2 * edge)
        small, conditions = self.degrade(large)
        small = self.window(small, before, self.side)
        told = self.degrade.mistaken(conditions)
        coding = conditions[:, 2]
        kind = (coding > 0).long() + (coding > 0.5).long()
        full = full.view(count, PATCH, 2, PATCH, 2).permute(0, 1, 3, 2, 4).reshape(count, PATCH, PATCH, 4)
        return small / 255, full / 255, self.told(told), index * KINDS_OF_CODING + kind

    def place(self, size):
        return (size - 2 * self.side) // 2 + 1

    @staticmethod
    def told(conditions):
        return features(*conditions.unbind(1), stack=torch.stack, clamp=torch.clamp)

    def window(self, planes, at, side):
        """From each plane a square at its own place: at[0] rows and at[1] columns."""
        k = torch.arange(side, device=self.device)
        rows, columns = (a[:, None] + k for a in at)
        return planes[torch.arange(len(planes), device=self.device)[:, None, None], rows[:, :, None], columns[:, None, :]]

    def weights(self, index):
        """What the error of each patch counts, so that the gradient is that of the mean PSNR over pictures."""
        return 1 / (self.errors[index] + 0.5 / 255 ** 2)

    def record(self, index, errors):
        rate = 1 / 40 + (1 - 1 / 40) * (self.seen[index] == 0)
        errors = errors.nan_to_num(1e-3).clamp_max(0.1)
        self.errors[index] = self.errors[index] + (errors - self.errors[index]) * rate
        self.seen.index_fill_(0, index, 1)


def prepared(model, patches, count, scale):
    """The optimizer, and a function that makes one step."""
    optimizer = CapturedSOAP(model, scale)

    def gradients():
        torch._foreach_zero_([p.grad for p in model.parameters()])
        small, full, told, index = patches.batch(count)
        squares = (model(small, told) - full).square().mean((1, 2, 3))
        ((squares * patches.weights(index)).mean() * scale).backward()
        with torch.no_grad():
            patches.record(index, squares.detach())

    def work():
        gradients()
        optimizer.step()

    gradients()
    optimizer.start()
    return optimizer, capture(work)


def fastest(new, patches, count, ways):
    """Tries ways of computing for a few steps until one is fast enough; the fastest that gives numbers wins."""
    best = None
    for way in ways:
        if best and best[0] < 0.004:
            break
        try:
            fused.use_triton, model = way["triton"], new()
            model.half = way["half"]
            optimizer, run = prepared(model, patches, count, way["scale"])
            for trial in range(3):
                torch.cuda.synchronize()
                began = time.time()
                for _ in range(25):
                    run()
                torch.cuda.synchronize()
                seconds = (time.time() - began) / 25
            lost, sound = float(optimizer.skipped), all(bool(torch.isfinite(p).all()) for p in model.parameters())
            print(f"{way}: {1000 * seconds:.2f} ms a step, {lost:.0f} skipped, finite {sound}", flush=True)
            if sound and lost < 10 and (best is None or seconds < best[0]):
                best = seconds, way
            del run, optimizer
        except Exception as error:
            print(f"{way}: {type(error).__name__} {str(error)[:300]}", flush=True)
    return best[1]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("data")
    parser.add_argument("out", type=Path)
    parser.add_argument("--seconds", type=float, default=480, help="of the whole program, preparations included")
    parser.add_argument("--started", type=float, default=time.time(), help="when the seconds began to count")
    parser.add_argument("--channels", type=int, default=CHANNELS)
    parser.add_argument("--middles", type=int, default=MIDDLES)
    parser.add_argument("--start", type=Path, help="a checkpoint to start from")
    parser.add_argument("--patches", type=int, default=48, help="per step")
    parser.add_argument("--peak", type=float, default=2e-3, help="the highest learning rate")
    parser.add_argument("--steps", type=int, default=10 ** 9, help="stop after so many steps even if there is time left")
    parser.add_argument("--every", type=float, default=110, help="seconds between checkpoints")
    parser.add_argument("--measure", type=Path, help="pictures to measure at each checkpoint")
    parser.add_argument("--seed", type=int, default=20)
    args = parser.parse_args()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(args.seed)
    torch.backends.cudnn.allow_tf32 = True
    train_planes, held = planes(args.data)
    from image_measure import Measure  # after the processes above have been forked
    measure = Measure(held, args.measure, device)

    def new():
        torch.manual_seed(args.seed)
        model = ImageNetwork(args.channels, args.middles)
        if args.start:
            model.load_state_dict(torch.load(args.start, map_location="cpu")["model"])
        return model.to(device)

    patches = Patches(train_planes, new().halo, device)
    print(f"ready after {time.time() - args.started:.0f} s", flush=True)
    way = {"triton": fused.use_triton, "half": torch.float32, "scale": 1}
    if device == "cuda":
        torch.backends.cudnn.benchmark = True
        way = fastest(new, patches, args.patches, [
            {"triton": True, "half": torch.float16, "scale": 512}, {"triton": False, "half": torch.float16, "scale": 512},
            {"triton": True, "half": torch.float32, "scale": 1}, {"triton": False, "half": torch.float32, "scale": 1}])
    print("trains with", way, flush=True)
    fused.use_triton, model, average = way["triton"], new(), new()
    model.half = way["half"]
    optimizer, run = prepared(model, patches, args.patches, way["scale"])
    began = time.time()
    budget = args.seconds - (began - args.started)
    step, progress, report = 0, 0.0, min(20.0, args.every)
    while progress < 1:
        if step % 20 == 0 and device == "cuda":
            torch.cuda.synchronize()  # or the host runs ahead of the clock
        progress = min(1, max((time.time() - began) / budget, (step + 1) / args.steps))
        optimizer.lr.fill_(args.peak * min(1, (step + 1) / 300) * (0.5 + 0.5 * math.cos(math.pi * progress)))
        optimizer.decay.fill_(1 - min(0.999, step / (step + 20)))
        run()
        if step % (10 if step < 300 else 40 if step < 5000 else 100) == 0:
            optimizer.turn()
        step += 1
        if progress == 1 or time.time() - began >= report:
            report += args.every
            with torch.no_grad():
                for a, b in zip(average.parameters(), optimizer.average):
                    a.copy_(b)
            torch.save({"model": {k: v.cpu() for k, v in average.state_dict().items()}, "steps": step,
                        "seconds": time.time() - began, "channels": args.channels, "middles": args.middles}, args.out)
            print(f"step {step}, {100 * progress:.0f} %, {time.time() - began:.0f} s, {float(optimizer.skipped):.0f} skipped",
                  measure.short(average), flush=True)


if __name__ == "__main__":
    main()
