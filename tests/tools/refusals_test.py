# SPDX-License-Identifier: Apache-2.0
#
# refusals_test.py - what slipway refuses, with the exact words: what was asked, and what is possible.
import os
import resource
import signal
import subprocess

import tool
from tool import SOURCE, np


class Refusals(tool.ToolTest):
    # ---- exit 2: the command line makes no sense ---------------------------------------------

    def test_no_command_prints_the_commands(self):
        for words, first in (([], "usage: slipway COMMAND ..."), (["fly"], "slipway: there is no command `fly`")):
            done = self.tool(*words)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertEqual(done.stderr.splitlines()[0], first)
            self.assertIn("run a kernel on NumPy files", done.stderr)

    def test_words_in_the_wrong_place(self):
        self.misused("slipway run: a module or kernel file is missing; see slipway run --help", "run")
        self.misused("slipway run: the kernel's name is missing; see slipway run --help", "run", "k.slip")
        self.misused("slipway run: `1000` is no NAME=VALUE; see slipway run --help", "run", "k.slip", "heat", "1000")
        self.misused("slipway run: `=1` is no NAME=VALUE; see slipway run --help", "run", "k.slip", "heat", "=1")
        self.misused("slipway run: there is no option --fast; see slipway run --help", "run", "--fast")
        self.misused("slipway run: --on needs a value; see slipway run --help", "run", "k.slip", "heat", "--on")
        self.misused("slipway run: --out v.npy: NAME=FILE belongs there; see slipway run --help",
                     "run", "k.slip", "heat", "--out", "v.npy")
        self.misused("slipway run: --repeat 0: a count from 1 to 1000000000 belongs there; see slipway run --help",
                     "run", "k.slip", "heat", "--repeat", "0")
        self.misused("slipway run: -O7: the levels are 0 to 3; see slipway run --help", "run", "-O7", "k.c", "heat")
        self.misused("slipway dump: `b.slip` is one word too many; see slipway dump --help", "dump", "a.slip", "b.slip")
        self.misused("slipway explain: there is no option --out; see slipway explain --help",
                     "explain", "k.slip", "heat", "--out", "u=u.npy")

    def test_words_that_slipc_has_no_use_for(self):
        for message, words in (("no file to compile", []),
                               ("there is no option -Wall", ["-Wall", "k.c"]),
                               ("a value is missing after --target", ["k.c", "--target"]),
                               ("a value is missing after -o", ["k.c", "-o"]),
                               ("-o takes a file's name, not out/", ["k.c", "-o", "out/"]),
                               ("-O takes a level from 0 to 3, not 4", ["k.c", "-O4"]),
                               ("one file at a time; there is another: m.c", ["k.c", "m.c"]),
                               ("a kernel file (FILE.c) is compiled; this is a module's name: k.slip", ["k.slip"])):
            self.misused("slipc: %s; see slipc --help" % message, *words, tool="slipc")
        for words in (["--target", "spriv"], ["--target=spriv"]):
            done = self.tool("k.c", *words, tool="slipc")
            self.assertEqual(done.returncode, 2)
            self.assertRegex(done.stderr, "^slipc: no target `spriv`; there are .*cpu, .*spirv")
        self.misused("slipc: no stage `ir` to dump; there are front, launch, llvm, optimized, asm, spirv, inline, "
                     "fold, promote, dce, access, atomics", "k.c", "--dump", "ir", tool="slipc")

    def test_options_of_a_compile_with_a_module(self):
        self.refused("SLIP_ERR_ARGUMENT: k.slip: --fma is for kernel files, whose names end in .c; a module is what "
                     "slipc has made of one", "run", "k.slip", "heat", "--fma")
        self.refused("SLIP_ERR_ARGUMENT: k.slip: -D is for kernel files, whose names end in .c; a module is what "
                     "slipc has made of one", "dump", "k.slip", "-DN=1")

    # /dev/full takes no byte (full(4)); what is cut off must not look whole to who asked for it.
    def test_output_that_cannot_be_written_is_a_failure(self):
        module = os.path.join(self.folder.name, "m.slip")
        self.good("-o", module, os.path.join(tool.KERNELS, "types.c"), tool="slipc")
        for name, words in (("slipway", ["devices"]), ("slipway", ["dump", module]),
                            ("slipway", ["dump", module, "--json"]), ("slipway", ["--help"]), ("slipc", ["--version"]),
                            ("slipc", ["--dump=launch", os.path.join(tool.KERNELS, "types.c")])):
            with open("/dev/full", "w") as full:
                done = subprocess.run([os.path.join(tool.BUILD, name), *words], cwd=self.folder.name, stdout=full,
                                      stderr=subprocess.PIPE, text=True, timeout=300)
            self.assertEqual(done.returncode, 1, words)
            self.assertRegex(done.stderr, "^%s: cannot write to stdout(: No space left on device)?\n$" % name)

    # No file may grow past 16384 bytes: the header fits, the module does not, and no part of it stays.
    def test_a_part_of_a_module_is_taken_away(self):
        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (16384, 16384))
        words = ["-o", "m.slip", os.path.join(tool.KERNELS, "types.c")]
        done = subprocess.run([os.path.join(tool.BUILD, "slipc"), *words],
                              cwd=self.folder.name, capture_output=True, text=True, timeout=300, preexec_fn=limit)
        self.assertEqual((done.returncode, done.stderr), (1, "slipc: cannot write m.slip: File too large\n"))
        self.assertEqual(sorted(os.listdir(self.folder.name)), ["m.slip.h"])

    def test_help_is_asked_for_and_printed(self):
        for words in (["--help"], ["devices", "--help"], ["run", "--help"], ["explain", "-h"], ["dump", "--help"]):
            self.assertTrue(self.good(*words).startswith("usage: slipway "))
        for word in ("--help", "-h"):
            self.assertTrue(self.good(word, tool="slipc").startswith("usage: slipc "))
        self.assertRegex(self.good("--version"), r"^slipway \d+\.\d+\.\d+\n$")

    # ---- exit 1: files and names -------------------------------------------------------------

    def test_files_that_are_none(self):
        self.refused("SLIP_ERR_NOT_FOUND: k.slip: cannot be opened: No such file or directory",
                     "run", "k.slip", "heat")
        with open(self.path("k.slip"), "w") as to:
            to.write("no module")
        done = self.tool("dump", "k.slip")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"^SLIP_ERR_FORMAT: k.slip: .*module")
        self.refused("SLIP_ERR_NOT_FOUND: u.npy: cannot be opened: No such file or directory",
                     "run", tool.SHAPES, "fixed", "x=@u.npy")

    def test_names_that_are_none_are_met_with_those_there_are(self):
        done = self.tool("run", tool.SHAPES, "pears")
        self.assertEqual(done.returncode, 1)
        self.assertTrue(done.stderr.startswith("SLIP_ERR_NOT_FOUND: "))
        for name in ("pears", "pairs", "total"):
            self.assertIn(name, done.stderr)
        self.refused("SLIP_ERR_NOT_FOUND: pairs has no parameter `m`; it has n, x, y",
                     "run", tool.SHAPES, "pairs", "m=3")
        self.refused("SLIP_ERR_NOT_FOUND: nothing has no parameter `m`; it has none",
                     "run", tool.SHAPES, "nothing", "m=3")
        done = self.tool("run", tool.SHAPES, "nothing", "--on", "cuda")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"^SLIP_ERR_NOT_FOUND: no device \"cuda\".*cpu:0")

    def test_what_slipc_refuses_is_printed_as_it_prints_it(self):
        with open(self.path("k.c"), "w") as to:
            to.write("#include <slipway/kernel.h>\nslip_kernel void f(i32 n, f32 x[n])\n{\n    f32 d;\n"
                     "    slip_for (i, n) {\n        d = x[i];\n        x[i] = d * d;\n    }\n}\n")
        done = self.tool("run", "k.c", "f", "x=zeros", "n=4")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("k.c:6:", done.stderr)
        self.assertIn("error: ", done.stderr)
        self.assertTrue(done.stderr.endswith("SLIP_ERR_COMPILE: k.c: 1 error\n"), done.stderr)

    # ---- exit 1: values ----------------------------------------------------------------------

    def test_scalars_that_do_not_fit_are_met_with_the_range(self):
        ranges = {"i8": (-2 ** 7, 2 ** 7 - 1), "u8": (0, 2 ** 8 - 1), "i16": (-2 ** 15, 2 ** 15 - 1),
                  "u16": (0, 2 ** 16 - 1), "i32": (-2 ** 31, 2 ** 31 - 1), "u32": (0, 2 ** 32 - 1),
                  "i64": (-2 ** 63, 2 ** 63 - 1), "u64": (0, 2 ** 64 - 1)}
        for name, (low, high) in ranges.items():
            for value in (low - 1, high + 1):
                self.refused("SLIP_ERR_ARGUMENT: a=%d: %s takes %d to %d" % (value, name, low, high),
                             "run", tool.TYPES, "echo_" + name, "a=%d" % value)
        self.refused("SLIP_ERR_ARGUMENT: a=0.5: i32 takes a whole number, -2147483648 to 2147483647",
                     "run", tool.TYPES, "echo_i32", "a=0.5")
        self.refused("SLIP_ERR_ARGUMENT: a=yes: bool takes true, false, 1 or 0",
                     "run", tool.TYPES, "echo_bool", "a=yes")
        self.refused("SLIP_ERR_ARGUMENT: a=1e39: f32 takes numbers up to 3.40282347e+38; write inf for infinity",
                     "run", tool.TYPES, "echo_f32", "a=1e39")

    def test_what_is_missing_is_named_with_how_to_give_it(self):
        self.refused("SLIP_ERR_ARGUMENT: i32 a has no value; give a=VALUE", "run", tool.TYPES, "echo_i32")
        self.refused("SLIP_ERR_ARGUMENT: f32 x[4] has no value; give x=@FILE.npy, x=zeros or x=rand:SEED",
                     "run", tool.SHAPES, "fixed")
        self.refused("SLIP_ERR_ARGUMENT: f32 x[4] has no value; give x=@FILE.npy, x=zeros or x=rand:SEED",
                     "run", tool.SHAPES, "fixed", "--out", "x=y.npy")
        self.refused("SLIP_ERR_ARGUMENT: slip_out f32 y[n + 1] has no value; give y=@FILE.npy, y=zeros or y=rand:SEED,"
                     " or --out y=FILE.npy", "run", tool.SHAPES, "pairs", "n=2", "x=zeros")
        self.refused("SLIP_ERR_ARGUMENT: struct point by has no value; give a file of its 12 bytes: by=@FILE",
                     "run", tool.SHAPES, "move", "n=1", "p=zeros")

    def test_a_value_or_output_twice(self):
        self.refused("SLIP_ERR_ARGUMENT: `a` is given twice: 1 and 2", "run", tool.TYPES, "echo_i32", "a=1", "a=2")
        self.refused("SLIP_ERR_ARGUMENT: --out: `x` is to be written twice, to a.npy and b.npy",
                     "run", tool.SHAPES, "fixed", "x=zeros", "--out", "x=a.npy", "--out", "x=b.npy")

    def test_outputs_that_are_never_written(self):
        self.refused("SLIP_ERR_ARGUMENT: --out n=a.npy: i32 n is no array",
                     "run", tool.SHAPES, "pairs", "--out", "n=a.npy")
        self.refused("SLIP_ERR_ARGUMENT: --out x=a.npy: const f32 x[2 * n] is never written",
                     "run", tool.SHAPES, "pairs", "--out", "x=a.npy")

    def test_structs_by_value_take_a_file_of_their_size(self):
        self.refused("SLIP_ERR_ARGUMENT: by=1: struct point is passed by value; give a file that holds its 12 bytes: "
                     "by=@FILE", "run", tool.SHAPES, "move", "n=1", "p=zeros", "by=1")
        with open(self.path("by.bin"), "wb") as to:
            to.write(b"\0" * 11)
        self.refused("SLIP_ERR_ARGUMENT: by: by.bin has 11 bytes; struct point has 12",
                     "run", tool.SHAPES, "move", "n=1", "p=zeros", "by=@by.bin")

    # ---- exit 1: arrays ----------------------------------------------------------------------

    def test_types_are_never_converted(self):
        self.save("x.npy", np.zeros(4, "i8"))
        self.refused("SLIP_ERR_ARGUMENT: x: x.npy holds i64 ('<i8'); f32 x[4] takes f32 ('<f4')",
                     "run", tool.SHAPES, "fixed", "x=@x.npy")
        self.save("x.npy", np.zeros(4, "u4"))
        self.refused("SLIP_ERR_ARGUMENT: x: x.npy holds u32 ('<u4'); const i32 x[n] takes i32 ('<i4')",
                     "run", tool.SHAPES, "total", "x=@x.npy")
        self.save("p.npy", np.zeros(4, "V8"))
        with open(self.path("by.bin"), "wb") as to:
            to.write(b"\0" * 12)
        self.refused("SLIP_ERR_ARGUMENT: p: p.npy holds raw bytes ('|V8'); struct point p[n] takes "
                     "struct point ('|V12')",
                     "run", tool.SHAPES, "move", "by=@by.bin", "p=@p.npy")
        self.save("x.npy", np.zeros(4, "c8"))
        self.refused("SLIP_ERR_UNSUPPORTED: x.npy: the element type is '<c8'; kernels have b1 i1 u1 i2 u2 i4 u4 i8 "
                     "u8 f4 f8, and V<bytes> for structs", "run", tool.SHAPES, "fixed", "x=@x.npy")

    def test_shapes_are_held_against_extents(self):
        self.save("x.npy", np.zeros(5, "f4"))
        self.refused("SLIP_ERR_ARGUMENT: x: x.npy has shape (5,); f32 x[4] needs (4,)",
                     "run", tool.SHAPES, "fixed", "x=@x.npy")
        self.refused("SLIP_ERR_ARGUMENT: x: x.npy has shape (5,); const f32 x[2 * n] needs (6,)",
                     "run", tool.SHAPES, "pairs", "n=3", "x=@x.npy", "--out", "y=y.npy")
        self.save("u.npy", np.zeros(999, "f4"))
        self.refused("SLIP_ERR_ARGUMENT: u: u.npy has shape (999,); f32 u[n] needs (1000,)", "run",
                     os.path.join(SOURCE, "examples", "heat.c"), "heat", "n=1000", "steps=1", "k=0", "u=@u.npy")
        self.save("x.npy", np.zeros((2, 3), "f4"))
        self.refused("SLIP_ERR_ARGUMENT: x: x.npy has 2 dimensions, (2, 3); f32 x[4] has 1",
                     "run", tool.SHAPES, "fixed", "x=@x.npy")
        self.refused("SLIP_ERR_ARGUMENT: x: x.npy has shape (2, 3); const f32 x[h][w] needs (2, 4)",
                     "run", tool.TYPES, "transpose_f32", "w=4", "x=@x.npy", "--out", "y=y.npy")
        self.save("r.npy", np.zeros((2, 4), "f4"))
        self.refused("SLIP_ERR_ARGUMENT: x: r.npy has shape (2, 4); f32 x[][3] needs (2, 3)",
                     "run", tool.SHAPES, "rows", "n=2", "x=@r.npy")
        self.save("x.npy", np.array(1, "f4"))
        self.refused("SLIP_ERR_ARGUMENT: x: x.npy has shape (); f32 x[4] needs (4,)",
                     "run", tool.SHAPES, "fixed", "x=@x.npy")

    def test_files_that_disagree_on_an_extent(self):
        self.save("x.npy", np.zeros(4, "f4"))
        self.save("y.npy", np.zeros(5, "f4"))
        self.refused("SLIP_ERR_ARGUMENT: `n` was left out, and the files differ: x.npy gives 4, y.npy gives 5",
                     "run", tool.TYPES, "scale_f32", "a=1", "x=@x.npy", "y=@y.npy")

    def test_an_extent_that_its_parameter_cannot_hold(self):
        self.save("x.npy", np.zeros((1, 1, 70000), "i4"))
        self.refused("SLIP_ERR_ARGUMENT: c=70000: u16 takes 0 to 65535",
                     "run", tool.SHAPES, "stamp3", "x=@x.npy")

    def test_extents_that_pass_all_memory(self):
        done = self.tool("run", tool.SHAPES, "pairs", "n=2147483647", "x=zeros", "--out", "y=y.npy")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"^SLIP_ERR_ARGUMENT: .*2 \* n")
        done = self.tool("run", tool.SHAPES, "pairs", "n=-5", "x=zeros", "--out", "y=y.npy")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"^SLIP_ERR_ARGUMENT: .*-10")

    def test_arrays_that_cannot_be_made(self):
        self.refused("SLIP_ERR_ARGUMENT: x=ones: an array is @FILE.npy, zeros or rand:SEED",
                     "run", tool.SHAPES, "fixed", "x=ones")
        self.refused("SLIP_ERR_ARGUMENT: x: the signature does not say how many elements f32 *x has; give x=@FILE.npy",
                     "run", tool.SHAPES, "negate", "n=4", "x=zeros")
        self.refused("SLIP_ERR_ARGUMENT: p=rand:1: there are no random values of struct point",
                     "run", tool.SHAPES, "move", "n=4", "p=rand:1")
        self.refused("SLIP_ERR_ARGUMENT: x: a seed is a whole number, 0 to 18446744073709551615, not `one`",
                     "run", tool.SHAPES, "fixed", "x=rand:one")

    def test_nothing_is_written_where_anything_failed(self):
        self.save("x.npy", np.zeros(5, "f4"))
        self.tool("run", tool.SHAPES, "fixed", "x=@x.npy", "--out", "x=y.npy")
        self.assertFalse(os.path.exists(self.path("y.npy")))
        self.save("x.npy", np.zeros(4, "f4"))
        self.refused("SLIP_ERR_NOT_FOUND: no/y.npy: cannot be written: No such file or directory",
                     "run", tool.SHAPES, "fixed", "x=@x.npy", "--out", "x=no/y.npy")
        self.assertEqual(sorted(os.listdir(self.folder.name)), ["x.npy"])


if __name__ == "__main__":
    tool.main()
