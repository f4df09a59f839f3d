"""Averages two checkpoints of one training: python image_average.py FIRST SECOND OUT --share 0.7 (of the second)"""
import argparse

import torch

parser = argparse.ArgumentParser()
for name in ("first", "second", "out"):
    parser.add_argument(name)
parser.add_argument("--share", type=float, default=0.7)
args = parser.parse_args()
first, second = (torch.load(path, map_location="cpu") for path in (args.first, args.second))
mean = {k: torch.lerp(v, second["model"][k], args.share) for k, v in first["model"].items()}
torch.save({**second, "model": mean, "steps": first["steps"] + second["steps"],
            "seconds": first["seconds"] + second["seconds"]}, args.out)
