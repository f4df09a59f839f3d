"""Networks of 3×3 layers as the kernels take them: integers, and C source. For the exports of fusion and deinterlacing."""
import numpy as np

ONE = 2048  # fixed-point 1.0 of inputs and features
SCORE = 1024 * np.log2(np.e)  # scores are binary logarithms in units of 1/1024


def integers(kernel, bias, slopes, gain=1.0):
    """The most fractional bits with which weights fit 16 bits and sums 32 for any source. `gain`: of all outputs, or of each."""
    gain = np.broadcast_to(gain, bias.shape)
    for shift in range(20, 0, -1):
        scale = gain * 2.0 ** shift
        sums = (np.abs(kernel).reshape(len(kernel), -1).sum(axis=1) * 32768 + np.abs(bias) * ONE) * scale
        weights = kernel * scale[:, None, None, None]
        if np.abs(weights).max() < 32000 and sums.max() < 2 ** 31 * 0.99:
            return (np.rint(weights).astype(int), np.rint(bias * ONE * scale).astype(int),
                    np.clip(np.rint(slopes * 32768), -32767, 32767).astype(int), shift)
    raise SystemExit("the weights are too large for 16 bits")


def ordered(kernel):
    """Weights as vfx_superres_layer holds them: [outputs / 4][row][column][pair][4][2]."""
    outputs, inputs = kernel.shape[:2]
    blocks = kernel.reshape(outputs // 4, 4, inputs // 2, 2, 3, 3)
    return blocks.transpose(0, 4, 5, 2, 1, 3).ravel()


def checksum(lists):
    hash = 0xcbf29ce484222325
    for values, size in lists:
        for value in values:
            for byte in int(value).to_bytes(size, "little", signed=True):
                hash = ((hash ^ byte) * 0x100000001b3) & 0xffffffffffffffff
    return hash


def array(kind, name, values):
    lines, line = [], "   "
    for value in values:
        if len(line) + len(f" {value},") > 118:
            lines.append(line)
            line = "   "
        line += f" {value},"
    return f"static const {kind} {name}[] = {{\n" + "\n".join(lines + [line]) + "\n};\n"


def source(script, kind, name, layers):
    """The C source of the network `name` of an operation such as `fusion`, and its checksum."""
    text = f"// Written by Sources/FrameEffects/{script}.\n#include \"weights.h\"\n\n"
    table, lists = "", []
    for k, (kernel, bias, slopes, shift) in enumerate(layers):
        weights = ordered(kernel)
        lists += [(weights, 2), (bias, 4), (slopes, 2)]
        text += array("int16_t", f"weights_{k}", weights) + array("int32_t", f"bias_{k}", bias)
        text += array("int16_t", f"slopes_{k}", slopes)
        outputs, inputs = kernel.shape[:2]
        table += f"    {{weights_{k}, bias_{k}, slopes_{k}, {9 * inputs // 2}, {outputs}, {shift}}},\n"
    hash = checksum(lists)
    text += f"\nstatic const vfx_superres_layer layers[] = {{\n{table}}};\n\n"
    text += f"const vfx_{kind}_network vfx_{kind}_{name} = {{\"{name}\", layers, {len(layers)}, 0x{hash:016x}}};\n"
    return text, hash
