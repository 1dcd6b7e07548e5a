# SPDX-License-Identifier: Apache-2.0
#
# run_test.py - slipway run end to end: NumPy writes the inputs and works out the right outputs.
import os
import struct
import subprocess

import tool
from tool import KERNELS, SOURCE, np

INTEGERS = ["i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64"]
FLOATS = ["f32", "f64"]
ALL = ["bool"] + INTEGERS + FLOATS
HEAT = os.path.join(SOURCE, "examples", "heat.c")
COUNTERS = ("calls tasks host_waits submissions uploads upload_bytes downloads download_bytes "
            "driver_calls time_us").split()


def dtype(name):
    return np.dtype(name if name == "bool" else name[0] + str(int(name[1:]) // 8))


def values(name, shape, seed=1):
    rng = np.random.default_rng(seed)
    t = dtype(name)
    if name == "bool":
        return rng.integers(0, 2, shape).astype(t)
    if name in FLOATS:
        return rng.standard_normal(shape).astype(t)
    return rng.integers(np.iinfo(t).min, np.iinfo(t).max, shape, dtype=t, endpoint=True)


class Run(tool.ToolTest):
    def same(self, name, expected):
        got = self.load(name)
        self.assertEqual(got.dtype, expected.dtype)
        self.assertEqual(got.shape, expected.shape)
        self.assertEqual(got.tobytes(), expected.tobytes())

    # ---- the exact command of the first page -------------------------------------------------

    def test_heat_gives_the_right_array_and_prints_its_counters(self):
        u = np.random.default_rng(3).random(1000).astype("f4")
        self.save("u.npy", u)
        out = self.json("run", HEAT, "heat", "n=1000", "steps=100", "k=0.25", "u=@u.npy", "--out", "u=v.npy",
                        "--on", "cpu")
        k = np.float32(0.25)
        for _ in range(100):
            left, right = np.concatenate((u[:1], u[:-1])), np.concatenate((u[1:], u[-1:]))
            u = (u + k * ((left - np.float32(2) * u) + right)).astype("f4")
        self.same("v.npy", u)
        for key in COUNTERS:
            self.assertIn(key, out)
        self.assertEqual((out["calls"], out["tasks"]), (1, 200))
        self.assertEqual((out["uploads"], out["upload_bytes"], out["downloads"], out["download_bytes"],
                          out["host_waits"]), (0, 0, 0, 0, 0))
        self.assertGreater(out["time_us"], 0)
        self.assertNotIn("result", out)

    # ---- a kernel file on a device that takes other code -------------------------------------

    def test_a_kernel_file_is_compiled_for_the_device_that_is_asked_for(self):
        fakes = os.path.join(tool.BUILD, "tests", "fake")
        level = {"x86_64": "cpu-x86-64-v2", "aarch64": "cpu-aarch64"}[os.uname().machine]
        for family, target, library in (("cuda", "ptx", "libcuda.so.1"), ("hip", "gfx90a", "libamdhip64.so")):
            library = os.path.join(fakes, library)
            if not tool.have_compiler() or not os.path.exists(library):
                self.skipTest("there is no compiler, or no look-alike of a driver")
            self.good("--target", level + "," + target, "-o", self.path("k.slip"), HEAT, tool="slipc")
            subprocess.run([os.path.join(fakes, "fake_module"), "--folder", self.folder.name, self.path("k.slip")],
                           check=True)
            self.save("u.npy", np.arange(4, dtype="f4"))
            env = {"SLIPWAY_%s_LIBRARY" % family.upper(): library, "SLIPFAKE_CODE": self.folder.name}
            self.good("run", HEAT, "heat", "n=4", "steps=1", "k=1", "u=@u.npy", "--out", "u=v.npy", "--on", family,
                      env=env)
            self.same("v.npy", np.array([1, 1, 2, 2], "f4"))

    # The processor's own level is above the one that the device is told to take.
    def test_a_kernel_file_runs_where_the_cpu_is_told_to_take_less(self):
        if not tool.have_compiler() or os.uname().machine != "x86_64":
            self.skipTest("there is no compiler, or one level alone")
        self.save("u.npy", np.arange(4, dtype="f4"))
        self.good("run", HEAT, "heat", "n=4", "steps=1", "k=1", "u=@u.npy", "--out", "u=v.npy", "--on", "cpu",
                  env={"SLIPWAY_CPU_TARGET": "cpu-x86-64-v2"})
        self.same("v.npy", np.array([1, 1, 2, 2], "f4"))

    # ---- every type --------------------------------------------------------------------------

    def test_every_type_goes_in_and_out(self):
        for name in ALL:
            x, t = values(name, 1000), dtype(name)
            self.save("x.npy", x)
            a = "true" if name == "bool" else "3" if name in INTEGERS else "0.3"
            self.good("run", tool.TYPES, "scale_" + name, "a=" + a, "x=@x.npy", "--out", "y=y.npy")
            with np.errstate(over="ignore"):
                y = x if name == "bool" else (t.type(3) * x if name in INTEGERS else t.type(0.3) * x)
            self.same("y.npy", y.astype(t))

    def test_fortran_order_goes_in_and_comes_out_as_it_came(self):
        for name in ALL:
            x = values(name, (5, 7))
            self.save("x.npy", np.asfortranarray(x))
            self.good("run", tool.TYPES, "transpose_" + name, "x=@x.npy", "--out", "y=y.npy")
            self.assertTrue(np.array_equal(self.load("y.npy"), x.T))
            self.assertTrue(self.load("y.npy").flags.c_contiguous)
            self.good("run", tool.TYPES, "bump_" + name, "x=@x.npy", "--out", "x=z.npy")
            where = (np.arange(5)[:, None] * 10 + np.arange(7)).astype(dtype(name))
            with np.errstate(over="ignore"):
                z = ~x if name == "bool" else x + where
            self.assertTrue(np.array_equal(self.load("z.npy"), z))
            self.assertTrue(self.load("z.npy").flags.f_contiguous and not self.load("z.npy").flags.c_contiguous)

    def test_big_endian_files_are_turned_round(self):
        for name in ALL:
            x = values(name, (4, 3))
            self.save("x.npy", x.astype(x.dtype.newbyteorder(">")))
            self.good("run", tool.TYPES, "transpose_" + name, "x=@x.npy", "--out", "y=y.npy")
            self.same("y.npy", np.ascontiguousarray(x.T))

    def test_scalars_of_every_width_are_exact(self):
        for name in INTEGERS:
            for value in (np.iinfo(dtype(name)).min, 0, 1, np.iinfo(dtype(name)).max):
                self.assertEqual(self.json("run", tool.TYPES, "echo_" + name, "a=%d" % value)["result"], int(value))
        self.assertEqual(self.json("run", tool.TYPES, "echo_u64", "a=0xfedcba9876543210")["result"],
                         0xfedcba9876543210)
        self.assertIs(self.json("run", tool.TYPES, "echo_bool", "a=true")["result"], True)
        self.assertIs(self.json("run", tool.TYPES, "echo_bool", "a=0")["result"], False)
        for text in ("0.1", "-0.0", "1e-45", "3.4028235e38", "0x1.8p3"):
            got = self.json("run", tool.TYPES, "echo_f32", "a=" + text)["result"]
            value = float.fromhex(text) if "x" in text else float(text)
            self.assertEqual(struct.pack("<f", got), struct.pack("<f", value))
        for text in ("0.1", "5e-324", "-1.7976931348623157e308"):
            got = self.json("run", tool.TYPES, "echo_f64", "a=" + text)["result"]
            self.assertEqual(struct.pack("<d", got), struct.pack("<d", float(text)))

    def test_results_that_are_no_number_are_texts_in_json(self):
        self.assertEqual(self.json("run", tool.SHAPES, "ratio", "a=1", "b=0")["result"], "inf")
        self.assertEqual(self.json("run", tool.SHAPES, "ratio", "a=-1", "b=0")["result"], "-inf")
        self.assertEqual(self.json("run", tool.SHAPES, "ratio", "a=0", "b=0")["result"], "nan")

    # ---- shapes ------------------------------------------------------------------------------

    def test_extents_come_from_files_and_outputs_from_extents(self):
        x = values("f32", 20)
        self.save("x.npy", x)
        self.good("run", tool.SHAPES, "pairs", "n=10", "x=@x.npy", "--out", "y=y.npy")
        y = self.load("y.npy")
        self.assertEqual(y.shape, (11,))
        self.assertTrue(np.array_equal(y[:10], x[0::2] + x[1::2]) and y[10] == -1)

    def test_three_and_four_axes(self):
        self.good("run", tool.SHAPES, "stamp3", "a=2", "b=3", "c=4", "--out", "x=x.npy")
        i, j, k = np.meshgrid(np.arange(2), np.arange(3), np.arange(4), indexing="ij")
        self.same("x.npy", (i * 10000 + j * 100 + k).astype("i4"))
        x, y = values("f64", (2, 3, 4, 5), 1), values("f64", (2, 3, 4, 5), 2)
        self.save("x.npy", x)
        self.save("y.npy", np.asfortranarray(y))
        self.good("run", tool.SHAPES, "add4", "x=@x.npy", "y=@y.npy", "--out", "y=z.npy")
        self.assertTrue(np.array_equal(self.load("z.npy"), x + y))

    def test_an_array_without_a_shape_is_one_element(self):
        self.save("x.npy", np.array(2.5))
        self.good("run", tool.SHAPES, "one", "x=@x.npy", "--out", "x=y.npy")
        self.same("y.npy", np.array(3.5))

    def test_arrays_without_elements(self):
        self.save("x.npy", np.zeros((0, 5), "f4"))
        self.good("run", tool.TYPES, "transpose_f32", "x=@x.npy", "--out", "y=y.npy")
        self.same("y.npy", np.zeros((5, 0), "f4"))
        self.save("x.npy", np.zeros(0, "i4"))
        self.assertEqual(self.json("run", tool.SHAPES, "total", "x=@x.npy")["result"], 0)

    def test_unknown_extents_take_any_shape(self):
        x = values("f32", (3, 4))
        self.save("x.npy", x)
        self.good("run", tool.SHAPES, "negate", "n=12", "x=@x.npy", "--out", "x=y.npy")
        self.same("y.npy", -x)
        self.save("r.npy", values("f32", (5, 3)))
        self.good("run", tool.SHAPES, "rows", "n=5", "x=@r.npy", "--out", "x=y.npy")
        r, y = self.load("r.npy"), self.load("y.npy")
        self.assertTrue(np.array_equal(y[:, 2], r[:, 0] + r[:, 1]))

    def test_made_arrays(self):
        self.good("run", tool.TYPES, "bump_i32", "h=3", "w=2", "x=zeros", "--out", "x=x.npy")
        self.same("x.npy", np.array([[0, 1], [10, 11], [20, 21]], "i4"))
        self.good("run", tool.TYPES, "scale_f64", "n=4", "a=1", "x=rand:7", "--out", "y=y.npy")

        def splitmix(seed, count):
            mask = (1 << 64) - 1
            for _ in range(count):
                seed = (seed + 0x9e3779b97f4a7c15) & mask
                z = ((seed ^ seed >> 30) * 0xbf58476d1ce4e5b9) & mask
                z = ((z ^ z >> 27) * 0x94d049bb133111eb) & mask
                yield z ^ z >> 31
        self.same("y.npy", np.array([(z >> 11) / 2.0 ** 53 for z in splitmix(7, 4)]))

    # ---- structs -----------------------------------------------------------------------------

    def test_structs_are_bytes(self):
        point = np.dtype([("x", "f4"), ("y", "f4"), ("tag", "i4")])
        p = np.zeros(5, point)
        p["x"] = np.arange(5)
        self.save("p.npy", p.view("V12"))
        with open(self.path("by.bin"), "wb") as to:
            to.write(struct.pack("<ffi", 0.5, -1, 42))
        self.good("run", tool.SHAPES, "move", "by=@by.bin", "p=@p.npy", "--out", "p=q.npy")
        q = self.load("q.npy").view(point)
        p["x"] += 0.5
        p["y"] -= 1
        p["tag"] = 42
        self.assertEqual(q.tobytes(), p.tobytes())
        self.save("x.npy", np.arange(3, 8))
        result = self.json("run", tool.SHAPES, "ends", "x=@x.npy")["result"]
        self.assertEqual(result, {"struct": "struct pair", "bytes": struct.pack("<qq", 3, 7).hex()})

    # ---- repeat, text, modules ---------------------------------------------------------------

    def test_each_repeated_call_gets_the_arrays_as_given(self):
        self.save("x.npy", np.arange(4, dtype="f4"))
        out = self.json("run", tool.SHAPES, "fixed", "x=@x.npy", "--repeat", "25", "--out", "x=y.npy")
        self.assertEqual((out["calls"], out["tasks"]), (25, 25))
        self.assertTrue(out["time_us_min"] <= out["time_us"] <= out["time_us_max"])
        self.same("y.npy", np.arange(4, dtype="f4") * 2)

    def test_the_text_says_what_the_json_says(self):
        self.save("x.npy", np.arange(5, dtype="i4"))
        lines = self.good("run", tool.SHAPES, "total", "x=@x.npy").splitlines()
        words = [line.split()[0] for line in lines]
        self.assertEqual(words, ["device", "time", "tasks", "uploads", "downloads", "host", "result"])
        self.assertEqual(lines[-1], "result       10  (i64)")
        self.assertTrue(lines[0].startswith("device       cpu:0  "))

    def test_a_kernel_file_and_its_module_do_the_same(self):
        self.save("x.npy", np.arange(5, dtype="i4"))
        self.assertEqual(self.json("run", os.path.join(KERNELS, "shapes.c"), "total", "x=@x.npy")["result"], 10)

    def test_defines_and_includes_reach_the_compiler(self):
        os.mkdir(self.path("inc"))
        with open(self.path("inc/scale.h"), "w") as to:
            to.write("#define SCALE (BASE * 2)\n")
        with open(self.path("k.c"), "w") as to:
            to.write("#include <slipway/kernel.h>\n#include \"scale.h\"\n"
                     "slip_kernel i32 scale(i32 a) { return a * SCALE; }\n")
        self.assertEqual(self.json("run", "k.c", "scale", "a=3", "-Iinc", "-D", "BASE=7")["result"], 42)

    def test_fused_multiply_add_is_had_by_asking(self):
        with open(self.path("k.c"), "w") as to:
            to.write("#include <slipway/kernel.h>\nslip_kernel f64 f(f64 a, f64 b, f64 c) { return a * b + c; }\n")
        words = ("run", "k.c", "f", "a=0x1.0000001p0", "b=0x1.0000001p0", "c=-0x1.0000002p0")
        self.assertEqual(self.json(*words)["result"], 0.0)
        self.assertEqual(self.json(*words, "--fma")["result"], 2.0 ** -56)

    # ---- limits ------------------------------------------------------------------------------

    # A task takes 4,096 bytes of arguments, 16 of them its range: 510 arrays, and not one more.
    def many(self, count):
        with open(self.path("many.c"), "w") as to:
            to.write("#include <slipway/kernel.h>\nslip_kernel void many(%s)\n{\n    slip_for (i, 1) {\n"
                     % ", ".join("i32 a%d[1]" % k for k in range(count)))
            to.writelines("        a%d[0] += %d;\n" % (k, k + 1) for k in range(count))
            to.write("    }\n}\n")
        words = ["a%d=zeros" % k for k in range(count)]
        return self.tool("run", "many.c", "many", *words, "--out", "a0=first.npy",
                         "--out", "a%d=last.npy" % (count - 1))

    def test_hundreds_of_arrays_in_one_task(self):
        done = self.many(510)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual((self.load("first.npy")[0], self.load("last.npy")[0]), (1, 510))
        done = self.many(511)
        self.assertEqual(done.returncode, 1)
        self.assertIn("the task takes in 511 values, 4104 bytes with its bounds; at most 4096 "
                      "are possible", done.stderr)

    def test_a_struct_that_fills_the_parameters(self):
        with open(self.path("k.c"), "w") as to:
            to.write("#include <slipway/kernel.h>\nstruct big { u64 v[500]; };\n"
                     "slip_kernel void copy(struct big b, slip_out u64 x[500])\n{\n"
                     "    slip_for (i, 500)\n        x[i] = b.v[i];\n}\n")
        v = values("u64", 500)
        v.tofile(self.path("b.bin"))
        self.good("run", "k.c", "copy", "b=@b.bin", "--out", "x=x.npy")
        self.same("x.npy", v)

    def test_a_kernel_without_parameters_runs(self):
        self.assertEqual(self.json("run", tool.SHAPES, "nothing")["calls"], 1)


if __name__ == "__main__":
    tool.main()
