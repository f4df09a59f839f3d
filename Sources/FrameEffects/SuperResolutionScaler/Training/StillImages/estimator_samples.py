"""Makes the samples for estimator_fit.py: python estimator_samples.py DATA OUT.pkl [--seconds 400]

Squares of the training planes (see image_train.py), reduced at random; their statistics and conditions.
"""
import argparse
import pickle
import time

import numpy as np
import torch

import degradation
from degradation import TAPS, Degradation
from estimator import statistics
from image_train import planes

parser = argparse.ArgumentParser()
parser.add_argument("data")
parser.add_argument("out")
parser.add_argument("--seconds", type=float, default=400)
parser.add_argument("--each", type=int, default=4, help="squares of each plane")
parser.add_argument("--bent", type=float, default=0.1, help="share of blurred and of sharpened squares")
parser.add_argument("--seed", type=int, default=3)
args = parser.parse_args()
degradation.CODED, degradation.NOISY = 0.0, 0.1
degradation.BLURRED = degradation.SHARPENED = args.bent
torch.manual_seed(args.seed)
rng, degrade, began = np.random.default_rng(args.seed), Degradation("cpu"), time.time()
found, conditions, keys = [], [], []
train = planes(args.data)[0]
for index in rng.permutation(len(train)):
    kind, _, plane = train[index]
    side = min((min(plane.shape) - TAPS + 2) // 2 // 8 * 8, 256)
    if side < 96:
        continue
    wide = 2 * side + TAPS - 2
    for _ in range(args.each):
        y, x = (2 * int(rng.integers(0, (size - wide) // 2 + 1)) for size in plane.shape)
        small, condition = degrade(torch.tensor(plane[y:y + wide, x:x + wide].astype(np.float32))[None])
        found.append(statistics(small[0].numpy().astype(np.int64)))
        conditions.append(condition[0].numpy())
        keys.append((index, kind))
    if time.time() - began > args.seconds:
        break
with open(args.out, "wb") as file:
    pickle.dump((np.array(found), np.array(conditions), keys), file)
