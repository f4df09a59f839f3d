#!/usr/bin/env python3
"""Fits the weights of the cut score (`PairContext.cutScore`) to scenes joined from real clips.

    swift build -c release --product list-transitions
    fit.py CLIPS_FOLDER .build/release/list-transitions [--count 40] [--seed 1] [--keep FOLDER | --replay FOLDER]

Joins scenes at known cuts as measure.py does, takes the score terms of every pair of frames from list-transitions, and
fits a logistic regression to the pairs of the `tune` half. Prints the fitted weights on the scale of the code, next to
those in the code, and the precision and recall of each on both halves. Changes nothing: weights are put into the code by
hand. Needs ffmpeg and numpy.
"""
import argparse, collections, sys
import numpy as np
sys.dont_write_bytecode = True  # no cache folder next to measure.py
import measure

# The terms in the order of `PairContext.scoreTerms`: name, weight in the code (`CutScoreWeights`, with its sign), and
# whether the weight was set by hand.
TERMS = [
    ("match mean", 9.9, False),
    ("histogram distance, to 0.5", 5.5, False),
    ("rise of the residual", 0.5, False),
    ("logarithm of the residual", 0.45, False),
    ("usual mismatch", -2.0, False),
    ("crowd over 2", -1.0, True),
    ("residual below 1.2", -2.0, True),
    ("faintness over 0.6", -4.0, True),
    ("colourless", 9.65 - 9.35, True),
    ("likeness", -1.0, True),
    ("loneliness", 1.0, True),
]
NAMES = [name for name, _, _ in TERMS] + ["constant"]
CODE = np.array([weight for _, weight, _ in TERMS] + [-9.65])
BY_HAND = np.array([hand for _, _, hand in TERMS])
# The code divides the weighted sum by this and clips the result to -1...1.
SCALE = 6
BOOTSTRAPS = 100


class Pairs:
    """All pairs of the joined sequences of one half."""

    def __init__(self, arguments, half):
        self.half = half
        terms, cuts, kinds, sequences, verdicts, confidences = [], [], [], [], [], []
        for number, (truth, rows) in enumerate(measure.joined_sequences(arguments, half)):
            if "kinds" not in truth:
                raise SystemExit("the folder was written by an older measure.py: run without --replay")
            for row in rows:
                index = int(row[0])
                terms.append([float(value) for value in row[-len(TERMS):]])
                cuts.append(index in truth["cuts"])
                kinds.append(truth["kinds"].get(str(index), ""))
                sequences.append(number)
                verdicts.append(row[1])
                confidences.append(float(row[2]))
        if not terms:
            raise SystemExit(f"no sequences of the {half} half")
        self.terms, self.cuts, self.kinds = np.array(terms), np.array(cuts), np.array(kinds)
        self.sequences, self.verdicts = np.array(sequences), np.array(verdicts)
        # A flash looks like a cut; rules over several frames detect it, not the score. A cut into a flash is a cut.
        self.counted = (self.kinds != "flash") | self.cuts
        score = np.clip(self.evidence(CODE) / SCALE, -1, 1)
        difference = np.abs(np.abs(score) - np.array(confidences)).max()
        if not difference < 1e-4:
            raise SystemExit(f"weights or terms in the code differ from those in this script: a score differs by {difference:.4f}")

    def evidence(self, weights):
        return self.terms @ weights[:-1] + weights[-1]

    def found(self, weights):
        return self.evidence(weights) > 0


def logistic(terms, truth, importance, l2, offset):
    """The weights and constant that minimise the weighted logistic loss plus `l2` / 2 times the sum of squares of the
    weights of the standardised terms, by Newton iterations with step halving."""
    mean, deviation = terms.mean(0), terms.std(0) + 1e-9
    inputs = np.column_stack([(terms - mean) / deviation, np.ones(len(terms))])
    penalty = np.append(np.full(terms.shape[1], l2), 0)
    weights = np.zeros(inputs.shape[1])

    def loss(w):
        z = inputs @ w + offset
        return (importance * (np.logaddexp(0, z) - truth * z)).sum() + 0.5 * (penalty * w * w).sum()

    for _ in range(100):
        chance = 1 / (1 + np.exp(-np.clip(inputs @ weights + offset, -500, 500)))
        gradient = inputs.T @ (importance * (chance - truth)) + penalty * weights
        curvature = (inputs * (importance * chance * (1 - chance))[:, None]).T @ inputs + np.diag(penalty + 1e-9)
        step = np.linalg.solve(curvature, gradient)
        now, size = loss(weights), 1.0
        while loss(weights - size * step) > now and size > 1e-6:
            size /= 2
        weights = weights - size * step
        if np.abs(size * step).max() < 1e-8:
            break
    unscaled = weights[:-1] / deviation
    return np.append(unscaled, weights[-1] - unscaled @ mean)


def fit(terms, cuts, arguments, keep_hand=False):
    """All weights and the constant, on the scale of the loss; with `keep_hand`, weights set by hand keep their values."""
    free = ~BY_HAND if keep_hand else np.full(len(TERMS), True)
    # Cuts are rare, so each counts for more than another pair; the constant is then corrected for their true frequency.
    ratio = ((~cuts).sum() / cuts.sum()) ** arguments.balance
    offset = terms[:, ~free] @ CODE[:-1][~free]
    found = logistic(terms[:, free], cuts.astype(float), np.where(cuts, ratio, 1.0), arguments.l2, offset)
    weights = CODE.copy()
    weights[:-1][free] = found[:-1]
    weights[-1] = found[-1] - np.log(ratio)
    return weights


def scaled(weights):
    """The weights scaled so that the match mean weighs as in the code; the sign of the score does not change."""
    return weights * (CODE[0] / abs(weights[0]))


def f1(found, cuts):
    return 2 * (found & cuts).sum() / max(1, found.sum() + cuts.sum())


def describe(title, found, cuts, kinds):
    right, false, missed = found & cuts, found & ~cuts, ~found & cuts
    where = collections.Counter(kind or "plain motion" for kind in kinds[false])
    places = ": " + ", ".join(f"{n} {kind}" for kind, n in sorted(where.items())) if where else ""
    print(
        f"  {title:36s} precision {right.sum() / max(1, found.sum()):.4f} recall {right.sum() / max(1, cuts.sum()):.4f}"
        f" F1 {f1(found, cuts):.4f} ({right.sum()} right, {missed.sum()} missed, {false.sum()} false{places})")


def resamples(pairs, rng):
    """Indices of the counted pairs of sequences drawn with replacement; whole sequences, as their pairs are alike."""
    members = [np.flatnonzero(pairs.counted & (pairs.sequences == n)) for n in range(pairs.sequences.max() + 1)]
    for _ in range(BOOTSTRAPS):
        yield np.concatenate([members[n] for n in rng.integers(len(members), size=len(members))])


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("clips")
    options.add_argument("program")
    options.add_argument("--count", type=int, default=40, help="joined sequences per half")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--keep", help="folder to keep the joined sequences and the program's output in")
    options.add_argument("--replay", help="folder filled by --keep; its sequences are used instead of new ones")
    options.add_argument("--l2", type=float, default=3, help="penalty on the weights of standardised terms")
    options.add_argument(
        "--balance", type=float, default=0.5, help="a cut counts (other pairs / cuts) to this power: 0 counts it once, 1 balances both classes")
    arguments = options.parse_args()
    tune, held = Pairs(arguments, "tune"), Pairs(arguments, "held")
    rng = np.random.default_rng(arguments.seed)

    terms, cuts = tune.terms[tune.counted], tune.cuts[tune.counted]
    raw = fit(terms, cuts, arguments)
    fitted, part = scaled(raw), fit(terms, cuts, arguments, keep_hand=True)
    drawn = np.array([scaled(fit(tune.terms[i], tune.cuts[i], arguments)) for i in resamples(tune, rng)])
    low, high = np.percentile(drawn, [5, 95], axis=0)
    print(f"weights fitted to {len(cuts)} pairs of the tune half, {cuts.sum()} of them cuts (times {CODE[0] / raw[0]:.3f}, so that the match mean weighs as in the code)")
    print(f"  {'':28s}{'code':>8s}{'fitted':>9s}   90 % of resamples   by-hand weights kept")
    for k, name in enumerate(NAMES):
        spread = "" if k == 0 else f"{low[k]:8.2f} ...{high[k]:6.2f}"
        outside = "  " if k == 0 or low[k] <= CODE[k] <= high[k] else " *"
        print(f"  {name:28s}{CODE[k]:8.2f}{fitted[k]:9.2f}   {spread:18s}{outside}{part[k]:12.2f}" + (" (by hand)" if k < len(TERMS) and BY_HAND[k] else ""))
    print("  * the weight in the code is outside the range")
    for pairs in (tune, held):
        counted = pairs.counted
        print(f"{pairs.half}, {counted.sum()} pairs without flashes, {pairs.cuts.sum()} cuts")
        for title, weights in (("weights of the code", CODE), ("fitted weights", fitted), ("fitted, by-hand weights kept", part)):
            describe("score, " + title, pairs.found(weights)[counted], pairs.cuts[counted], pairs.kinds[counted])
        describe("whole detector, all pairs", pairs.verdicts == "cut", pairs.cuts, pairs.kinds)
        code, other = pairs.found(CODE), pairs.found(fitted)
        evidence = np.corrcoef(pairs.evidence(CODE)[counted], pairs.evidence(fitted)[counted])[0, 1]
        change = [f1(other[i], pairs.cuts[i]) - f1(code[i], pairs.cuts[i]) for i in resamples(pairs, rng)]
        print(
            f"  fitted against code: evidence correlates by {evidence:.3f}, {(code != other)[counted].sum()} pairs judged differently,"
            f" F1 {f1(other[counted], pairs.cuts[counted]) - f1(code[counted], pairs.cuts[counted]):+.4f}"
            f" (90 % of resamples {np.percentile(change, 5):+.4f} ... {np.percentile(change, 95):+.4f})")


if __name__ == "__main__":
    main()
