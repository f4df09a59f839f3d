"""Fits the estimate of the reduction's kernel: python estimator_fit.py SAMPLES.pkl … --out estimator.json

The samples are those of `estimator_samples.py`. The result is a logistic function of a weighted sum of the statistics.
"""
import argparse
import json
import pickle

import numpy as np

LIMIT = 5  # standard deviations


def logistic(a, wanted, counts, decay, steps=30):
    weights = np.zeros(a.shape[1])
    for _ in range(steps):  # Newton's method
        p = 1 / (1 + np.exp(-a @ weights))
        gradient = a.T @ (counts * (p - wanted)) + decay * weights
        curvature = (a.T * (counts * (p * (1 - p) + 1e-4))) @ a + decay * np.eye(len(weights))
        weights -= np.linalg.solve(curvature, gradient)
    return weights


parser = argparse.ArgumentParser()
parser.add_argument("samples", nargs="+")
parser.add_argument("--out", required=True)
args = parser.parse_args()
loaded = [pickle.load(open(path, "rb")) for path in args.samples]
x, y = (np.concatenate([part[k] for part in loaded]) for k in (0, 1))
plane = np.array([key for part in loaded for key, _ in part[2]])
photo = np.array([kind.startswith("photo") for part in loaded for _, kind in part[2]])
held, plain = plane % 7 == 0, np.abs(y[:, 1]) < 0.05
mean, deviation = x[~held].mean(0), x[~held].std(0) + 1e-6
a = np.hstack([np.ones((len(x), 1)), np.clip((x - mean) / deviation, -LIMIT, LIMIT)])
counts = np.where(plain, 1.0, 0.3)
weights = logistic(a[~held], y[~held, 0], counts[~held], 1)
p = 1 / (1 + np.exp(-a @ weights))
for name, which in (("photographs", photo), ("drawn", ~photo)):
    right = [np.mean((p[which & held & plain & (y[:, 0] == k)] > 0.5) == k).round(3) for k in (0, 1)]
    print(f"held-out {name}: right in {right[0]} of those by area, {right[1]} of the cubic ones")
weights = logistic(a, y[:, 0], counts, 1)
json.dump({"mean": mean.tolist(), "deviation": deviation.tolist(), "weights": weights.tolist()}, open(args.out, "w"))
