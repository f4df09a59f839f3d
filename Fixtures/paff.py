#!/usr/bin/env python3
"""Writes H.264 whose pictures are frames or pairs of fields (PAFF), which common encoders do not make:
paff.py WIDTH HEIGHT <frames.yuv >out.264

Reads interlaced frames, top field first, 8 bits, 4:2:0. Every fourth one is coded as a frame, the others as two fields. Samples
are stored as they are (I_PCM), so nothing is compressed. WIDTH is a multiple of 16, HEIGHT of 32. Rec. ITU-T H.264, 7.3.
"""
import sys

RATE = 25


class Bits:
    def __init__(self):
        self.text = []

    def u(self, count, value):
        self.text.append(f"{value:0{count}b}")
        return self

    def ue(self, value):
        size = (value + 1).bit_length()
        return self.u(2 * size - 1, value + 1)

    def bytes(self, fill="0"):
        bits = "".join(self.text)
        bits += fill * (-len(bits) % 8)
        return int(bits, 2).to_bytes(len(bits) // 8, "big")

    def unit(self):
        return self.u(1, 1).bytes()


def nal(kind, payload):
    """A unit with its start code; a byte of 3 goes between two zeros and a byte up to 3."""
    out, zeros = bytearray(), 0
    for byte in payload:
        if zeros == 2 and byte <= 3:
            out.append(3)
            zeros = 0
        out.append(byte)
        zeros = zeros + 1 if byte == 0 else 0
    return b"\0\0\0\1" + bytes([0x20 | kind]) + out


def parameter_sets(width, height):
    sequence = Bits().u(8, 77).u(8, 0).u(8, 30)  # Main profile, level 3
    sequence.ue(0).ue(0).ue(0).ue(4)  # 4 bits of frame_num; order type 0 with 8 bits
    sequence.ue(1).u(1, 0).ue(width // 16 - 1).ue(height // 32 - 1)
    sequence.u(1, 0).u(1, 0).u(1, 1).u(1, 0)  # fields are allowed, in whole pictures only
    sequence.u(1, 1).u(1, 0).u(1, 0).u(1, 0).u(1, 0)  # usability information: no aspect, overscan, signal type or siting
    sequence.u(1, 1).u(32, 1).u(32, 2 * RATE).u(1, 1)
    sequence.u(1, 0).u(1, 0).u(1, 0)
    sequence.u(1, 1).u(1, 1).ue(0).ue(0).ue(10).ue(10).ue(0).ue(1)  # no reordering
    picture = Bits().ue(0).ue(0).u(1, 0).u(1, 1).ue(0).ue(0).ue(0)  # the order of both fields is stated in frames
    picture.u(1, 0).u(2, 0).ue(0).ue(0).ue(0).u(1, 1).u(1, 0).u(1, 0)
    return nal(7, sequence.unit()) + nal(8, picture.unit())


def coded(planes, width, height, number, field):
    """A picture as one slice. `field` is 0 or 1 for one of the fields, None for a frame."""
    is_idr = number == 0 and field != 1
    header = Bits().ue(0).ue(7).ue(0).u(4, number % 16)
    header.u(1, field is not None)
    if field is not None:
        header.u(1, field)
    if is_idr:
        header.ue(0)
    header.u(8, (2 * number + (field or 0)) % 256)
    if field is None:
        header.ue(1)  # the bottom field comes one later: +1, as a signed value
    header.u(2, 0) if is_idr else header.u(1, 0)
    header.ue(0).ue(1)  # no change of the quantizer, no deblocking
    rows = [plane if field is None else plane[field::2] for plane in planes]
    out, bits = bytearray(), header
    for y in range(len(rows[0]) // 16):
        for x in range(width // 16):
            out += bits.ue(25).bytes()  # I_PCM
            bits = Bits()
            for plane, size in zip(rows, (16, 8, 8)):
                for row in plane[y * size:(y + 1) * size]:
                    out += row[x * size:(x + 1) * size]
    return nal(5 if is_idr else 1, bytes(out) + b"\x80")


def main():
    width, height = int(sys.argv[1]), int(sys.argv[2])
    out = sys.stdout.buffer
    out.write(parameter_sets(width, height))
    number = 0
    while data := sys.stdin.buffer.read(width * height * 3 // 2):
        planes, place = [], 0
        for w, h in ((width, height), (width // 2, height // 2), (width // 2, height // 2)):
            planes.append([data[place + y * w:place + (y + 1) * w] for y in range(h)])
            place += w * h
        for field in [None] if number % 4 == 3 else [0, 1]:
            out.write(coded(planes, width, height, number, field))
        number += 1


main()
