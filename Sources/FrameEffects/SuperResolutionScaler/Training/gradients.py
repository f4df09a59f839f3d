"""Gradients of the network by compiled code: those of PyTorch up to rounding, in about an eighth of the time."""
import ctypes
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import torch

FLOATS = ctypes.POINTER(ctypes.c_float)


def compiled(channels):
    options = ["-O3", "-march=native", "-ffast-math", "-funroll-loops", "-shared", "-fPIC", f"-DC={channels}"]
    with tempfile.TemporaryDirectory() as folder:  # once loaded, the library needs its file no longer
        out = str(Path(folder) / "gradients.so")
        subprocess.run(["cc", *options, str(Path(__file__).with_name("gradients.c")), "-o", out], check=True)
        step = ctypes.CDLL(out).training_step
    step.restype = ctypes.c_double
    step.argtypes = [FLOATS, FLOATS, ctypes.c_int, ctypes.c_int] + [FLOATS] * 4 + [ctypes.c_double] + [FLOATS] * 3
    return step


def aligned(*shape):
    """An array of zeros at an address that suits vectors."""
    count = int(np.prod(shape))
    store = np.zeros(count + 16, np.float32)
    start = -store.ctypes.data % 64 // 4
    return store[start:start + count].reshape(shape)


def pointer(array):
    return array.ctypes.data_as(FLOATS)


class Gradients:
    def __init__(self, model, threads):
        self.channels, self.middles = model.first.shape[0], len(model.middles)
        self.step, self.threads = compiled(self.channels), threads
        self.pool = ThreadPoolExecutor(threads)
        c, m = self.channels, self.middles
        self.kernels, self.backward = aligned((50 + (m + 1) * 9 * c) * c), aligned((m + 1) * 9 * c * c)
        self.biases, self.slopes = aligned(m + 2, c), aligned(m + 1, c)

    def __call__(self, model, smalls, fulls, weights):
        """Adds the gradient of the weighted sum of each patch's squared error to the parameters; returns the sums of
        squares. `smalls`: patches × side × side with the halo; `fulls`: patches × 2 side × 2 side."""
        c, m = self.channels, self.middles
        first, middles, last, skip = model.folded()
        wide = lambda kernel: torch.nn.functional.pad(kernel, (0, 0, 0, 0, 0, 0, 0, c - 4))
        threes = torch.stack(middles + [wide(last)])  # layer, output, input, y, x
        picture = lambda kernel: kernel[:, 0].permute(1, 2, 0)
        kernels = torch.cat([picture(first).reshape(-1), threes.permute(0, 3, 4, 2, 1).reshape(-1),
                             picture(wide(skip)).reshape(-1)])
        offset = torch.nn.functional.pad(-model.constant_response(middles, last), (0, c - 4))
        bias = torch.stack(list(model.biases) + [offset])
        slopes = torch.stack(list(model.slopes)).clamp(-0.99, 0.99)
        with torch.no_grad():
            self.kernels[:] = kernels.numpy()
            self.backward[:] = threes.flip(3, 4).permute(0, 3, 4, 1, 2).reshape(-1).numpy()
            self.biases[:], self.slopes[:] = bias.numpy(), slopes.numpy()
        side = fulls.shape[1] // 2
        def part(indices):
            sums = [aligned(*a.shape) for a in (self.kernels, self.biases, self.slopes)]
            squares = []
            for i in indices:
                small = np.ascontiguousarray(smalls[i], np.float32)
                full = np.ascontiguousarray(fulls[i].reshape(side, 2, side, 2).transpose(0, 2, 1, 3), np.float32)
                squares.append(self.step(
                    pointer(small), pointer(full), side, m, pointer(self.kernels), pointer(self.backward),
                    pointer(self.biases), pointer(self.slopes), float(weights[i]), *map(pointer, sums)))
            return sums, squares
        parts = [range(k, len(smalls), self.threads) for k in range(self.threads)]
        results = list(self.pool.map(part, parts))
        totals = [torch.from_numpy(sum(r[0][k] for r in results)) for k in range(3)]
        torch.autograd.backward([kernels, bias, slopes], totals)
        squares = np.zeros(len(smalls))
        for indices, (_, values) in zip(parts, results):
            squares[list(indices)] = values
        return squares
