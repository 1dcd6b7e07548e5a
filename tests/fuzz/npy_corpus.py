#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# npy_corpus.py DIR - writes the seeds of the .npy fuzzer: files that NumPy wrote, whose values
# tests/tools/npy_test.c knows, and files that no program should have written.
import io
import os
import struct
import sys

import numpy as np
from numpy.lib import format as npy_format

TYPES = ["b1", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f4", "f8"]
FINE = "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }"


def saved(array, version=None):
    to = io.BytesIO()
    npy_format.write_array(to, array, version=version)
    return to.getvalue()


def boxed(header, data=b"", version=1, length=None):
    text = header.encode("latin1")
    box = struct.pack("<H" if version == 1 else "<I", len(text) if length is None else length)
    return b"\x93NUMPY" + bytes([version, 0]) + box + text + data


def good():
    for name in TYPES:
        grid = (np.arange(6).reshape(2, 3) % 2 if name == "b1" else np.arange(6).reshape(2, 3) * 7)
        grid = grid.astype(name)
        yield name + "_c", saved(grid)
        yield name + "_fortran", saved(np.asfortranarray(grid))
        yield name + "_big", saved(grid.astype(grid.dtype.newbyteorder(">")))
    yield "scalar", saved(np.array(2.5, dtype="f4"))
    yield "empty", saved(np.zeros((0, 5), dtype="i4"))
    yield "version2", saved(np.arange(4, dtype="i2"), version=(2, 0))
    yield "version3", saved(np.arange(4, dtype="i2"), version=(3, 0))
    yield "rank4_fortran", saved(np.asfortranarray(np.arange(120, dtype="u2").reshape(2, 3, 4, 5)))
    yield "huge_but_empty", boxed(FINE.replace("(2,)", "(9223372036854775807, 4294967296, 0)"))
    yield "raw", saved(np.arange(6, dtype="u1").view("V3"))


def bad():
    fine = FINE
    yield "nothing", b""
    yield "magic_only", b"\x93NUMPY"
    yield "version9", boxed(fine, b"\0" * 8, version=9)
    yield "header_past_the_end", boxed(fine, b"", length=60000)
    yield "header_past_the_end_v2", boxed(fine, b"", version=2, length=0xFFFFFFFF)
    yield "cut_off", boxed(fine, b"\0" * 7)
    yield "too_long", boxed(fine, b"\0" * 9)
    yield "huge_shape", boxed(fine.replace("(2,)", "(9223372036854775807, 9223372036854775807)"))
    yield "wrapping_shape", boxed(fine.replace("(2,)", "(4294967296, 4294967296)"))
    yield "wrapping_extent", boxed(fine.replace("(2,)", "(18446744073709551618,)"), b"\0" * 8)
    yield "negative", boxed(fine.replace("(2,)", "(-1,)"))
    yield "no_tuple", boxed(fine.replace("(2,)", "(2)"), b"\0" * 8)
    yield "many_axes", boxed(fine.replace("(2,)", "(" + "1, " * 33 + ")"), b"\0" * 4)
    yield "objects", boxed(fine.replace("<f4", "|O"), b"\0" * 8)
    yield "records", boxed("{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (2,), }", b"\0" * 8)
    yield "half", boxed(fine.replace("<f4", "<f2"), b"\0" * 4)
    yield "complex", boxed(fine.replace("<f4", "<c8"), b"\0" * 16)
    yield "zero_bytes", boxed(fine.replace("<f4", "|V0"))
    yield "no_order", boxed(fine.replace("<f4", "=f4"), b"\0" * 8)
    yield "bar_order", boxed(fine.replace("<f4", "|f4"), b"\0" * 8)
    yield "key_twice", boxed(fine.replace("}", "'shape': (2,), }"), b"\0" * 8)
    yield "other_key", boxed(fine.replace("}", "'x': (2,), }"), b"\0" * 8)
    yield "key_missing", boxed("{'descr': '<f4', 'shape': (2,), }", b"\0" * 8)
    yield "escape", boxed(fine.replace("<f4", "<\\x66" + "4"), b"\0" * 8)
    yield "open_string", boxed("{'descr': '<f4")
    yield "expression", boxed(fine.replace("(2,)", "(1+1,)"), b"\0" * 8)
    yield "truth", boxed(fine.replace("False", "0"), b"\0" * 8)
    yield "after", boxed(fine + " 1", b"\0" * 8)
    yield "deep", boxed("{" * 200)
    yield "two_arrays", saved(np.arange(2)) + saved(np.arange(2))


def main():
    for kind, files in (("good", good()), ("bad", bad())):
        for name, data in files:
            with open(os.path.join(sys.argv[1], kind + "_" + name + ".npy"), "wb") as to:
                to.write(data)


main()
