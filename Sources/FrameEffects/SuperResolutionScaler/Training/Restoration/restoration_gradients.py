"""Gradients of the network for restoration by compiled code, which needs a processor with AMX."""
import ctypes
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

HERE = Path(__file__).resolve().parent
WIDTH = 32  # channels of the compiled code; a network with fewer gets channels of zeros


def compiled():
    options = ["-O3", "-march=sapphirerapids", "-ffast-math", "-shared", "-fPIC"]
    with tempfile.TemporaryDirectory() as folder:  # once loaded, the library needs its file no longer
        out = str(Path(folder) / "gradients.so")
        subprocess.run(["cc", *options, str(HERE / "restoration_gradients.c"), "-o", out], check=True)
        library = ctypes.CDLL(out)
    pointer, number = ctypes.c_void_p, ctypes.c_int
    library.restoration_space.restype = ctypes.c_size_t
    library.restoration_step.restype = ctypes.c_double
    library.restoration_pack.argtypes = [pointer, number, number, pointer]
    library.restoration_step.argtypes = [pointer, number, number] + [pointer] * 7 + [ctypes.c_double] + [pointer] * 6
    if library.restoration_prepare() != 0:
        raise SystemExit("this machine has no matrix registers")
    return library


def zeros(bytes):
    """Memory that begins at an address that suits vectors."""
    store = np.zeros(bytes + 128, np.uint8)
    start = -store.ctypes.data % 128
    return store[start:start + bytes]


def address(array):
    assert array.flags.c_contiguous
    return array.ctypes.data


class Gradients:
    def __init__(self, model, side, threads=2):
        self.model, self.side, self.middles, self.threads = model, side, len(model.middles), threads
        self.library, self.pool = compiled(), ThreadPoolExecutor(threads)
        size = self.library.restoration_space(side, self.middles)
        self.spaces = [zeros(size) for _ in range(threads)]

    def __call__(self, smalls, fulls, planes, weights):
        """Adds the gradient of the weighted sum of each patch's squared error to the parameters; returns the sums of
        squares. `smalls`: bytes of patches with a halo, `fulls` without; `planes`: patches × weights of the planes.
        `weights`: a function that gives the patches' weights."""
        model, side, m = self.model, self.side, self.middles
        first, last, skip, biases, slopes, flat = model.mixed(planes)
        more = WIDTH - model.middles.shape[1]
        widened = lambda tensor, inputs=0: F.pad(tensor, (0, more, 0, inputs))  # outputs, and the inputs before them
        inputs = [widened(first.transpose(1, 2) / 255), widened(model.middles.permute(0, 2, 3, 4, 1), more),
                  F.pad(last.permute(0, 2, 3, 4, 1), (0, 0, 0, more)), skip.transpose(1, 2) / 255,
                  torch.cat([widened(biases).flatten(1), flat], 1), widened(slopes)]
        values = [np.ascontiguousarray(t.detach().numpy()) for t in inputs]
        sums = [np.zeros_like(v) for v in values]
        count, squares = len(smalls), np.zeros(len(smalls))
        indices = iter(range(count))  # shared by the threads
        middle = [np.zeros_like(values[1]) for _ in range(self.threads)]

        def part(thread):
            memory = address(self.spaces[thread])
            self.library.restoration_pack(memory, side, m, address(values[1]))
            for i in indices:
                at = lambda arrays, k: address(arrays[k][i])
                squares[i] = self.library.restoration_step(
                    memory, side, m, address(smalls[i]), address(fulls[i]), at(values, 0), at(values, 2), at(values, 3), at(values, 4),
                    at(values, 5), float(weights[i]), at(sums, 0), address(middle[thread]), at(sums, 2), at(sums, 3), at(sums, 4),
                    at(sums, 5))

        list(self.pool.map(part, range(self.threads)))
        sums[1] = sum(middle)
        torch.autograd.backward(inputs, [torch.from_numpy(s) for s in sums])
        return squares
