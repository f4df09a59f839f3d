"""Draws patches for the network for restoration: clean ones, compressed ones, and what the network is told about them."""
import io
import pickle
from pathlib import Path

import numpy as np
from PIL import Image

from restoration_conditions import HEVC, coding, plane_weights, table_step

VIDEO, CLEAN = 0.41, 0.04  # shares of what video encoders compressed and of what is not compressed; the rest is JPEG
JPEG_SHARES = {"photo/0.7": 0.27, "photo/0.5": 0.29, "photo/0.35": 0.18, "text": 0.11, "lines": 0.05, "chroma": 0.10}
VIDEO_SHARES = {"pan photo": 0.45, "pan text": 0.08, "pan lines": 0.03, "clip": 0.38, "clip chroma": 0.06}
BUCKETS = (12, 25, 50)  # of JPEG qualities, for a picture's mean error
# JPEG's annex K: the tables for luma and chroma.
LUMA = np.array([16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55, 14, 13, 16, 24, 40, 57, 69, 56,
                 14, 17, 22, 29, 51, 87, 80, 62, 18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113, 92,
                 49, 64, 78, 87, 103, 121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99])
CHROMA = np.full((8, 8), 99)
CHROMA[:4, :4] = [[17, 18, 24, 47], [18, 21, 26, 66], [24, 26, 56, 99], [47, 66, 99, 99]]
CHROMA = CHROMA.ravel()


def table(base, quality):
    """As libjpeg scales it."""
    scale = 5000 // quality if quality < 50 else 200 - 2 * quality
    return np.clip((base * scale + 50) // 100, 1, 255)


def jpeg(plane, table):
    """The plane after libjpeg has compressed it as a grey picture."""
    store = io.BytesIO()
    Image.fromarray(plane).save(store, "JPEG", qtables=[[int(v) for v in table]])
    return np.asarray(Image.open(store))


class Samples:
    def __init__(self, work, side, halo, seed, video=VIDEO):
        self.side, self.halo, self.wide, self.rng = 2 * side, 2 * halo, 2 * (side + 2 * halo), np.random.default_rng(seed)
        self.video = video
        read = lambda name: pickle.loads(Path(work, f"{name}.pkl").read_bytes()) if Path(work, f"{name}.pkl").exists() else []
        self.truth, self.pairs = self.grouped(read("truth"), 24), {}
        pairs = [p for name in ("stills_1", "clips", "stills_2", "more") for p in read(name)]
        told = lambda label, step: step * HEVC if " x265 " in label else step
        self.pairs = self.grouped([(*p[:-1], told(p[1], p[-1])) for p in pairs], 4)

    def grouped(self, planes, margin):
        groups = {}
        for index, (kind, _, *rest) in enumerate(planes):
            if min(rest[0].shape) >= self.wide + margin:
                groups.setdefault(kind, []).append((index, *rest))
        return groups

    def place(self, plane, side):
        """Where a square in it may begin: even, as the grids of blocks are."""
        return (2 * int(self.rng.integers(0, (n - side) // 2 + 1)) for n in plane.shape)

    def drawn(self, groups, shares):
        kinds = [kind for kind in shares if kind in groups]
        share = np.array([shares[kind] for kind in kinds])
        kind = kinds[self.rng.choice(len(kinds), p=share / share.sum())]
        return kind, groups[kind][self.rng.integers(len(groups[kind]))]

    def told(self, step, deviation):
        """`coding` for a step that is not known well."""
        return coding(step * self.rng.uniform(1 - deviation, 1 + deviation))

    def one(self):
        """Compressed and clean patch, coding, video, and a key for the errors."""
        rng, what = self.rng, self.rng.random()
        if what < self.video and self.pairs:
            kind, (index, clean, coded, step) = self.drawn(self.pairs, VIDEO_SHARES)
            y, x = self.place(clean, self.wide)
            cut = np.s_[y:y + self.wide, x:x + self.wide]
            return coded[cut], clean[cut], self.told(step, 0.15 if rng.random() < 0.2 else 0.1), 1, index
        kind, (index, plane) = self.drawn(self.truth, JPEG_SHARES)
        wide = self.wide + 8
        y, x = self.place(plane, wide)
        if kind.startswith("photo") and rng.random() < 0.4:  # the one with more contrast
            v, u = self.place(plane, wide)
            if plane[v:v + wide, u:u + wide].std() > plane[y:y + wide, x:x + wide].std():
                y, x = v, u
        clean = plane[y:y + wide, x:x + wide]
        at = rng.integers(0, 9, 2) if rng.random() < 0.1 else 2 * rng.integers(0, 5, 2)
        cut = np.s_[at[0]:at[0] + self.wide, at[1]:at[1] + self.wide]
        if what >= 1 - CLEAN:
            return clean[cut], clean[cut], int(rng.integers(1, 320)), int(rng.integers(2)), 100000 + index * 8
        quality = int(rng.integers(8, 61) if rng.random() < 0.65 else rng.integers(5, 99))
        quantizer = table(CHROMA if kind == "chroma" else LUMA, quality)
        coded = clean
        if rng.random() < 0.05:  # compressed before, on another grid
            v, u = rng.integers(0, 8, 2)
            padded = np.pad(clean, ((v, 0), (u, 0)), "edge")
            coded = np.ascontiguousarray(jpeg(padded, table(LUMA, int(rng.integers(30, 96))))[v:, u:])
        coded = jpeg(np.ascontiguousarray(coded), quantizer)
        step = table_step(quantizer)
        told = self.told(step, 0.15) if rng.random() < 0.2 else coding(step)
        return coded[cut], clean[cut], told, 0, 100000 + index * 8 + 1 + int(np.searchsorted(BUCKETS, quality))

    def batch(self, count):
        """Compressed patches with a halo, clean ones without, weights of planes, keys."""
        smalls, fulls, planes, keys = [], [], [], []
        for _ in range(count):
            coded, clean, strength, video, key = self.one()
            turn, flip = int(self.rng.integers(4)), bool(self.rng.integers(2))
            coded, clean = np.rot90(coded, turn), np.rot90(clean, turn)
            if flip:
                coded, clean = coded[:, ::-1], clean[:, ::-1]
            smalls.append(coded)
            fulls.append(clean[self.halo:-self.halo, self.halo:-self.halo])
            planes.append(plane_weights(strength, video))
            keys.append(key)
        return np.stack(smalls), np.stack(fulls), np.stack(planes).astype(np.float32) / 256, keys
