"""Statistics of luma from which the condition of the network for still images is estimated (see `conditions.py`).

All sums are of whole numbers. Differences are taken along rows and along columns.
"""
import numpy as np

LAGS = 6
# Band-pass filters by their taps: even and odd ones at about 1, 7/8, 3/4, 1/2 and 1/4 of Nyquist's frequency.
FILTERS = ([1, -1], [1, -2, 1], [1, 0, -1], [1, -3, 3, -1], [1, -4, 6, -4, 1], [1, 0, -2, 0, 1], [1, 2, 0, -2, -1],
           [1, -6, 15, -20, 15, -6, 1], [1, 2, -1, -4, -1, 2, 1])


def along(plane, taps):
    return sum(t * plane[:, k:plane.shape[1] - len(taps) + 1 + k] for k, t in enumerate(taps) if t)


def statistics(plane):
    """A vector for limited-range or full-range 8-bit luma as 64-bit whole numbers."""
    out = []
    sums = np.zeros(len(FILTERS))
    means = np.zeros(len(FILTERS))
    edges = np.zeros((2, LAGS + 1))
    strong = np.zeros((3, LAGS))
    for part in (plane, plane.T):
        for index, taps in enumerate(FILTERS):
            value = np.abs(along(part, taps))
            sums[index] += (value * value).sum()
            means[index] += value.sum()
        first = along(part, [1, -1])
        second = along(part, [1, -2, 1])
        for index, value in enumerate((first, second)):
            for lag in range(LAGS + 1):
                edges[index, lag] += (value[:, lag:] * value[:, :value.shape[1] - lag]).sum()
        # Around the strongest differences: what comes next, as a share of them.
        size = np.abs(first)
        middle = slice(LAGS // 2, size.shape[1] - LAGS // 2)
        peak = (size[:, middle] >= size[:, 2:-4]) & (size[:, middle] >= size[:, 4:-2])
        for level, limit in enumerate((6, 16, 40)):
            at = peak & (size[:, middle] > limit)
            sign = np.sign(first[:, middle])
            here = (size[:, middle] * at).sum() + 1
            for k, offset in enumerate((-3, -2, -1, 1, 2, 3)):
                other = first[:, 3 + offset:size.shape[1] - 3 + offset]
                strong[level, k] += (other * sign * at).sum() / here / 2
    count = 2 * plane.size
    out += list(np.log2(sums[1:] / count + 0.1) - np.log2(sums[0] / count + 0.1)) + [np.log2(sums[0] / count + 0.1)]
    out += list(np.log2(means / count + 0.1) - 0.5 * np.log2(sums / count + 0.1))
    out += list((edges[:, 1:] / (edges[:, :1] + count * 0.1)).ravel())
    out += list(((strong[:, :3][:, ::-1] + strong[:, 3:]) / 2).ravel())
    return np.array(out)
