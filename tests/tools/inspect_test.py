# SPDX-License-Identifier: Apache-2.0
#
# inspect_test.py - slipway devices, explain and dump: what they must say, as text and as JSON.
import os
import re
import shlex
import subprocess
import xml.etree.ElementTree

import tool
from tool import SOURCE, np

HEAT = os.path.join(SOURCE, "examples", "heat.c")


class Inspect(tool.ToolTest):
    # ---- devices -----------------------------------------------------------------------------

    def test_devices_lists_the_cpu_with_its_facts_and_why_others_are_missing(self):
        out = self.json("devices")
        cpu = [d for d in out["devices"] if d["family"] == "cpu"]
        self.assertEqual(len(cpu), 1)
        self.assertEqual(cpu[0]["index"], 0)
        self.assertTrue(cpu[0]["target"].startswith("cpu-"))
        self.assertEqual(cpu[0]["kind"], "cpu")
        self.assertGreaterEqual(cpu[0]["compute_units"], 1)
        details = {d["name"]: d["value"] for d in cpu[0]["details"]}
        self.assertTrue(details["code, best first"].startswith(cpu[0]["target"]))
        kinds = ["discrete", "cpu", "integrated", "virtual", "software"]
        ranks = [kinds.index(d["kind"]) for d in out["devices"]]
        self.assertEqual(ranks, sorted(ranks))
        pages = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
        self.assertTrue(0 < cpu[0]["memory_bytes"] <= pages)
        facts = {f["fact"]: f for f in cpu[0]["facts"]}
        self.assertEqual(facts["host_is_device"]["value"], "yes")
        self.assertEqual(facts["blocking_download_drains"]["value"], "no")
        self.assertEqual(facts["section lanes"]["value"], "1")
        for fact in cpu[0]["facts"]:
            self.assertTrue(fact["fact"] and fact["value"] and fact["text"], fact)
        for family in ("cuda", "hip", "vulkan"):
            here = [d for d in out["devices"] if d["family"] == family]
            why = [m["why"] for m in out["missing"] if m["family"] == family]
            self.assertTrue(here or (why and why[0]), family)

    def test_the_text_of_devices_says_the_same(self):
        out, text = self.json("devices"), self.good("devices")
        for d in out["devices"]:
            self.assertIn("%s:%d  %s\n" % (d["family"], d["index"], d["name"]), text)
            self.assertIn("  memory         %d bytes" % d["memory_bytes"], text)
            for fact in d["facts"]:
                self.assertIn(fact["text"], text)
            for detail in d["details"]:
                self.assertRegex(text, re.escape("  " + detail["name"]) + " +" + re.escape(detail["value"]))
        for m in out["missing"]:
            self.assertIn("%s  missing: %s\n" % (m["family"], m["why"]), text)

    # ---- explain -----------------------------------------------------------------------------

    def need_compiler(self):
        if not tool.have_compiler():
            self.skipTest("there is no compiler")

    def test_explain_makes_plans_for_families_that_are_not_here(self):
        self.need_compiler()
        for facts in ("cpu", "cuda", "hip", "vulkan"):
            text = self.good("explain", HEAT, "heat", "--on", facts)
            lines = text.splitlines()
            self.assertTrue(lines[0].startswith("plan of heat on %s, " % facts), lines[0])
            self.assertEqual(lines[1], "assumed: no range or loop is empty")
            self.assertEqual(sum(" task heat:" in line for line in lines), 2)
            self.assertIn("left out", lines)
            out = self.json("explain", HEAT, "heat", "--on", facts)
            self.assertEqual((out["kernel"], out["facts"], out["plan"]), ("heat", facts, lines))

    # Whether the device is here or not, and whether code for it was made or not.
    def test_explain_refuses_what_no_gpu_has_the_functions_for(self):
        self.need_compiler()
        with open(self.path("k.c"), "w") as to:
            to.write("#include <math.h>\n#include <slipway/kernel.h>\n"
                     "slip_kernel void k(i32 n, f32 x[n])\n{\n    slip_for (i, n)\n        x[i] = erff(x[i]);\n}\n")
        for facts in ("cuda", "hip", "vulkan"):
            done = self.tool("explain", "k.c", "k", "--on", facts)
            self.assertEqual((done.returncode, done.stdout), (1, ""), facts)
            self.assertRegex(done.stderr.splitlines()[-1],
                             "^SLIP_ERR_UNSUPPORTED: k needs a math function at k.c:6:16, which this device does not "
                             "have; k cannot run on %s(:0)?$" % facts)
        self.assertIn("plan of k on cpu", self.tool("explain", "k.c", "k", "--on", "cpu").stdout)

    # The kinds that the language's rules give, worked out by hand.
    def test_explain_tells_who_computes_each_variable(self):
        self.need_compiler()
        with open(self.path("k.c"), "w") as to:
            to.write("#include <slipway/kernel.h>\n"
                     "struct part { f32 mean; i32 parts; };\n"
                     "slip_kernel i32 k(i32 n, const f32 x[n], f32 y[n])\n{\n"
                     "    i32 half = n / 2, steps = 0;\n"
                     "    f32 sum = 0, *to = y;\n"
                     "    struct part p = { 0, n };\n"
                     "    for (i32 k = 0; k < half; k++) {\n"
                     "        slip_for (i, n) {\n            f32 own = x[i];\n            sum += own;\n        }\n"
                     "        f32 now = sum;\n"
                     "        slip_for (i, n)\n            to[i] += now + p.mean;\n"
                     "        p.mean += sum;\n"
                     "        p.parts++;\n"
                     "    }\n"
                     "    while (y[0] > steps)\n        steps++;\n"
                     "    return steps + p.parts;\n}\n")
        out = self.json("explain", "k.c", "k")
        self.assertEqual([(v["name"], v["type"], v["kind"], v["line"]) for v in out["variables"]],
                         [("half", "i32", "launch", 5), ("steps", "i32", "device", 5), ("sum", "f32", "device", 6),
                          ("to", "f32 *", "launch", 6), ("p.mean", "f32", "device", 7), ("p.parts", "i32", "launch", 7),
                          ("k", "i32", "launch", 8), ("now", "f32", "device", 13)])
        self.assertIn("variable to: f32 *, launch, part of what uses it", out["plan"])
        self.assertNotIn("eval 0", "\n".join(out["plan"]))
        dumped = self.json("dump", "k.c")["kernels"][0]["variables"]
        self.assertEqual([(v["name"], v["kind"]) for v in dumped],
                         [(v["name"], v["kind"]) for v in out["variables"]])

    # The array goes up before the first task and comes back after the last, where memory is apart.
    def test_explain_shows_the_copies_and_the_wait_of_a_gpu(self):
        self.need_compiler()
        kinds = [line.split()[1] for line in self.json("explain", HEAT, "heat", "--on", "cuda")["plan"]
                 if line[:4].strip().isdigit()]
        self.assertLess(kinds.index("upload"), kinds.index("task"))
        self.assertGreater(kinds.index("download"), len(kinds) - 1 - kinds[::-1].index("task"))
        cpu = self.good("explain", HEAT, "heat", "--on", "cpu")
        self.assertNotIn("download u", cpu.split("left out")[0])

    def test_explain_takes_arguments_and_makes_arrays_that_were_left_out(self):
        self.need_compiler()
        self.save("u.npy", np.zeros(8, "f4"))
        plain = self.good("explain", HEAT, "heat", "--on", "cuda")
        self.assertEqual(self.good("explain", HEAT, "heat", "n=8", "steps=1", "k=1", "--on", "cuda"), plain)
        self.assertEqual(self.good("explain", HEAT, "heat", "u=@u.npy", "steps=1", "k=1", "--on", "cuda"), plain)
        self.assertEqual(self.good("explain", HEAT, "heat", "n=8", "steps=0", "k=1", "--on", "cuda"), plain)
        self.refused("SLIP_ERR_ARGUMENT: f32 k has no value; give k=VALUE", "explain", HEAT, "heat", "n=8", "steps=1")
        done = self.tool("explain", HEAT, "heat", "--on", "tpu")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"^SLIP_ERR_NOT_FOUND: .*tpu.* cpu, cuda, hip and vulkan\n$")

    def test_explain_asks_for_kinds_of_memory_and_streams(self):
        self.need_compiler()
        heat = ["explain", HEAT, "heat", "--on", "cuda"]
        device = self.good(*heat, "--memory", "u=device")
        self.assertIn("array u: device memory", device)
        self.assertIn("0 host waits", device.splitlines()[0])
        self.assertIn("1 host wait", self.good(*heat, "--memory=u=pinned").splitlines()[0])
        self.assertIn("explicit stream", self.good(*heat, "--stream", "explicit").splitlines()[0])
        wrapped = self.good(*heat, "--stream", "wrapped").splitlines()
        self.assertIn("wrapped stream", wrapped[0])
        self.assertEqual(wrapped[-1], "while the stream is captured into a graph: refused, because of upload u, staged")
        self.assertIn("wrapped stream", self.good(*heat, "--stream=wrapped", "--svg"))
        self.assertEqual(self.json(*heat, "--stream", "wrapped")["plan"], wrapped)
        done = self.tool("explain", HEAT, "heat", "--on", "cpu", "--stream", "wrapped")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"^SLIP_ERR_UNSUPPORTED: .* on cuda and hip, not on cpu\n$")
        waiting = self.good(*heat, "--sync", "conservative")
        self.assertIn(", conservative", waiting.splitlines()[0])
        self.assertIn("because the policy is conservative", waiting)
        self.assertEqual(self.good(*heat, "--sync", "minimal"), self.good(*heat))
        self.refused("SLIP_ERR_ARGUMENT: --memory u=fast: there are unknown, pinned, kept, device", *heat,
                     "--memory", "u=fast")
        for name in "w", "n":
            self.refused("SLIP_ERR_NOT_FOUND: --memory %s=kept: heat has no array of that name" % name, *heat,
                         "--memory", name + "=kept")

    # Arguments say how large the arrays are, --memory where they are to be taken to live.
    def test_explain_heeds_memory_beside_arguments(self):
        self.need_compiler()
        heat = ["explain", HEAT, "heat", "--on", "cuda"]
        given = [*heat, "n=8", "steps=1", "k=1"]
        for kind in "device", "kept", "pinned":
            self.assertEqual(self.good(*given, "--memory", "u=" + kind), self.good(*heat, "--memory", "u=" + kind))
        self.assertIn("array u: device memory", self.good(*given, "--memory", "u=device"))
        self.refused("SLIP_ERR_NOT_FOUND: --memory w=kept: heat has no array of that name", *given,
                     "--memory", "w=kept")

    # Up to 65,536 bytes, used once, lie in a slot where the facts of the plan let tasks reach it.
    def test_explain_tells_small_arrays_by_the_facts_of_the_plan(self):
        self.need_compiler()
        with open(self.path("k.c"), "w") as to:
            to.write("#include <slipway/kernel.h>\n"
                     "slip_kernel void next(i32 n, const f32 x[n], slip_out f32 y[n])\n{\n"
                     "    slip_for (i, n)\n        y[i] = x[i] + 1;\n}\n")
        for family, n, small in (("cuda", 16384, True), ("cuda", 16385, False), ("vulkan", 4, True), ("cpu", 4, False)):
            plan = self.good("explain", "k.c", "next", "n=%d" % n, "--on", family)
            if family != "vulkan" or not tool.have_vulkan(): # a device here may have memory that the host uses
                self.assertEqual("upload x, in a slot that tasks use" in plan, small, plan)

    # A module without code that this machine could load has plans all the same, also of its own devices.
    def test_explain_needs_no_code_for_this_machine(self):
        self.need_compiler()
        for target in "ptx", "cpu-aarch64", "cpu-x86-64-v2":
            self.good("--target=" + target, "-o", target + ".slip", HEAT, tool="slipc")
            for family in "cpu", "cuda", "hip", "vulkan":
                self.assertEqual(self.good("explain", target + ".slip", "heat", "--on", family),
                                 self.good("explain", HEAT, "heat", "--on", family))
            self.good("explain", target + ".slip", "heat")
        done = self.tool("run", "ptx.slip", "heat", "n=1", "steps=1", "k=1", "u=zeros", "--on", "cpu")
        self.assertRegex(done.stderr, "^SLIP_ERR_UNSUPPORTED: ptx.slip: the module holds code for ptx; cpu:0 takes ")

    def test_explain_goes_by_the_environment_where_no_device_is(self):
        self.need_compiler()
        cuda = ["explain", HEAT, "heat", "--on", "cuda"]
        self.assertIn("download u, blocking", self.good(*cuda))
        without = self.good(*cuda, env={"SLIPWAY_WITHOUT": "blocking_download_drains"})
        self.assertNotIn("download u, blocking", without)
        done = self.tool(*cuda, env={"SLIPWAY_WITHOUT": "waits"})
        self.assertRegex(done.stderr, '^SLIP_ERR_ARGUMENT: SLIPWAY_WITHOUT names "waits"; it takes access_known, ')
        self.assertEqual(self.good("explain", HEAT, "heat", env={"SLIPWAY_DEVICE": "cuda"}), self.good(*cuda))

    # What the signature says stands without the fact, and under the policy that gives facts up.
    def test_explain_tells_what_the_signature_says_from_what_was_found(self):
        self.need_compiler()
        with open(self.path("k.c"), "w") as to:
            to.write("#include <slipway/kernel.h>\n"
                     "slip_kernel void k(i32 n, const f32 x[n], slip_out f32 y[n], f32 z[n])\n{\n"
                     "    slip_for (i, n) y[i] = x[i] + z[i];\n}\n")
        k = ["explain", "k.c", "k", "--on", "cuda"]
        for words, env, found in ((k, None, True), (k, {"SLIPWAY_WITHOUT": "access_known"}, False),
                                  (k + ["--sync", "conservative"], None, False)):
            lines = [line.strip() for line in self.good(*words, env=env).splitlines()]
            self.assertIn("upload y: it is slip_out", lines)
            self.assertIn("download x: it is const", lines)
            self.assertEqual("download z: no task writes it  [access_known: ir/pass_access.c]" in lines, found)
            self.assertEqual("access_known" in " ".join(lines), found)

    # No plan cites a fact that is switched off: what it allowed to leave out is there.
    def test_explain_leaves_nothing_out_by_a_fact_that_is_switched_off(self):
        self.need_compiler()
        facts = ["access_known", "host_mapped", "device_memory_mapped", "blocking_download_drains",
                 "copies_join_submission"]
        for family in "cpu", "cuda", "hip", "vulkan":
            for off in facts[:2], facts[2:4], facts[2:], facts:
                plan = self.good("explain", HEAT, "heat", "--on", family, env={"SLIPWAY_WITHOUT": ",".join(off)})
                self.assertNotIn("SLIPWAY_WITHOUT names it", plan)
                joined = family == "vulkan" and "copies_join_submission" in off
                self.assertEqual(plan.count("host-wait  because copies_join_submission is switched off"), 2 * joined)

    # A slot is in flight when the call returns where an array is copied in and nothing comes back.
    def test_explain_tells_of_slots_that_are_in_flight(self):
        self.need_compiler()
        with open(self.path("k.c"), "w") as to:
            to.write("#include <slipway/kernel.h>\n"
                     "slip_kernel void k(i32 n, const f32 x[n], slip_out f32 y[n])\n{\n"
                     "    slip_for (i, n) y[i] = x[i];\n}\n")
        for memory, slots in (["y=device"], True), (["y=device", "x=device"], False):
            words = [word for one in memory for word in ("--memory", one)]
            for family in "cuda", "hip", "vulkan":
                plan = self.good("explain", "k.c", "k", "--on", family, *words)
                self.assertEqual("and a slot is filled again only once the device is known to be done with it" in plan,
                                 slots)
                self.assertEqual("nothing that the host can see or reuse is in flight" in plan, not slots)

    # The first task of a loop is behind earlier calls, and from the second pass on behind the last one.
    def test_explain_tells_of_the_pass_before(self):
        self.need_compiler()
        plan = self.good("explain", HEAT, "heat", "--on", "vulkan", "--memory", "u=device")
        first, second = [line.split("because ")[1] for line in plan.splitlines() if " barrier " in line]
        names = re.findall(r" task (\S+)", plan)
        self.assertEqual(first, "earlier calls on this stream may still run; "
                         "%s of the pass before and %s touch u, next" % (names[1], names[0]))
        self.assertEqual(second, "%s and %s touch next, u" % tuple(names))

    # A section that goes on with what another sums is behind it; one that sums for itself is not.
    def test_explain_names_the_variable_that_orders_sections(self):
        self.need_compiler()
        with open(self.path("k.c"), "w") as to:
            to.write("#include <slipway/kernel.h>\n"
                     "slip_kernel i32 sums(i32 n, const i32 x[n])\n{\n"
                     "    i32 sum = 0, flips = 0;\n"
                     "    slip_sections {\n"
                     "        slip_section slip_for (i, n) sum += x[i];\n"
                     "        slip_section slip_for (i, n) flips ^= x[i];\n"
                     "    }\n"
                     "    slip_for (i, n) sum += x[i] & 3;\n"
                     "    return sum + flips;\n}\n")
        vulkan = self.good("explain", "k.c", "sums", "--on", "vulkan").split("left out")[0]
        self.assertIn("because sums:6 and sums:9 touch sum\n", vulkan)
        cuda = self.good("explain", "k.c", "sums", "--on", "cuda").split("left out")[0]
        self.assertEqual(("edge" in cuda, cuda.count("fork"), cuda.count("join")), (False, 1, 1))

    def test_explain_draws_a_picture(self):
        self.need_compiler()
        with open(self.path("k.c"), "w") as to:
            to.write("#include <slipway/kernel.h>\n"
                     "slip_kernel void two(i32 n, const f32 x[n], slip_out f32 a[n], slip_out f32 b[n])\n{\n"
                     "    slip_sections {\n"
                     "        slip_section slip_for (i, n) a[i] = 2 * x[i];\n"
                     "        slip_section slip_for (i, n) b[i] = 3 * x[i];\n"
                     "    }\n}\n")
        picture = xml.etree.ElementTree.fromstring(self.good("explain", "k.c", "two", "--on", "cuda", "--svg"))
        space = "{http://www.w3.org/2000/svg}"
        self.assertEqual(picture.tag, space + "svg")
        texts = [t.text for t in picture.iter(space + "text")]
        self.assertEqual(texts[2:5], ["host", "the call's stream", "lane 1"])
        # One upload, a task in each of two columns, two downloads, one wait.
        self.assertEqual(len([t for t in texts if t.startswith("task ")]), 2)
        self.assertEqual(len([p for p in picture.iter(space + "path") if p.get("class") == "wait"]), 1)
        self.refused("SLIP_ERR_ARGUMENT: --svg and --json exclude one another", "explain", "k.c", "two",
                     "--svg", "--json")

    # Characters of 12 pixels' monospace are 7.2 wide. What is left out is broken into lines, none lost.
    def test_explain_draws_a_picture_that_holds_its_texts(self):
        self.need_compiler()
        for words in (["cpu"], ["cuda"], ["cuda", "--stream", "wrapped"], ["vulkan", "--memory", "u=device"],
                      ["hip", "--sync", "conservative"]):
            call = ["explain", HEAT, "heat", "--on", *words]
            picture = xml.etree.ElementTree.fromstring(self.good(*call, "--svg"))
            texts = list(picture.iter("{http://www.w3.org/2000/svg}text"))
            for t in texts:
                self.assertLessEqual(int(t.get("x")) + 7.2 * len(t.text), int(picture.get("width")), t.text)
                self.assertLess(int(t.get("y")), int(picture.get("height")), t.text)
            drawn = " ".join(t.text for t in texts if t.get("class") == "out")
            plan = self.good(*call).split("left out\n")
            for line in plan[1].splitlines() if len(plan) > 1 else []:
                self.assertIn(" ".join(line.split()), drawn)

    # ---- dump --------------------------------------------------------------------------------

    def test_dump_lists_kernels_tasks_and_code(self):
        self.need_compiler()
        out = self.json("dump", HEAT)
        self.assertTrue(out["producer"].startswith("slipc "))
        self.assertEqual(out["files"][0], HEAT)
        self.assertEqual([k["name"] for k in out["kernels"]], ["heat"])
        heat = out["kernels"][0]
        self.assertEqual([p["signature"] for p in heat["params"]], ["i32 n", "i32 steps", "f32 k", "f32 u[n]"])
        self.assertEqual(heat["params"][3]["extents"], ["n"])
        self.assertEqual((heat["scratch"], heat["result"]), (["next"], None))
        with open(HEAT) as source:
            tasks = [k + 1 for k, line in enumerate(source) if line.strip().startswith("slip_for")]
        self.assertEqual([t["line"] for t in heat["tasks"]], tasks)
        self.assertTrue(all(c["bytes"] > 0 for c in out["code"]))
        targets = [c["target"] for c in out["code"]]
        self.assertTrue(all(t.startswith("cpu-") or t == "spirv" for t in targets), targets)
        self.assertIn("spirv", targets)
        text = self.good("dump", HEAT)
        for part in ("kernel heat", "f32 u[n]", "heat:%d" % tasks[0], out["code"][0]["target"]):
            self.assertIn(part, text)

    def test_dump_of_a_module_is_that_of_its_kernel_file(self):
        self.need_compiler()
        self.good("-o", "heat.slip", HEAT, tool="slipc")
        file, source = self.json("dump", "heat.slip"), self.json("dump", HEAT)
        self.assertEqual(file["kernels"], source["kernels"])

    # Any one byte changed: refused, or (in padding) the same text; never a crash.
    def test_dump_of_a_damaged_module_is_refused(self):
        self.need_compiler()
        self.good("-o", "heat.slip", HEAT, tool="slipc")
        with open(self.path("heat.slip"), "rb") as file:
            whole = file.read()
        for at in list(range(0, 64, 7)) + list(range(64, len(whole), max(1, len(whole) // 20))):
            with open(self.path("bad.slip"), "wb") as file:
                file.write(whole[:at] + bytes([whole[at] ^ 0x55]) + whole[at + 1:])
            done = self.tool("dump", "bad.slip")
            self.assertEqual((done.returncode, done.stdout), (1, ""), at)
            self.assertTrue(done.stderr.startswith("SLIP_ERR_FORMAT: "), done.stderr)

    # ---- completion --------------------------------------------------------------------------

    # The words as readline splits them: it parts "u=@v" into "u", "=" and "@v".
    def completed(self, *words, tool_name="slipway"):
        line = tool_name
        for before, word in zip(("",) + words, words):
            line += ("" if "=" in (before, word) else " ") + word
        script = os.path.join(SOURCE, "docs", "completion", "slipway.bash")
        text = ("source %s; compopt() { :; }; COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); "
                "COMP_LINE=%s; COMP_POINT=${#COMP_LINE}; "
                "_%s %s \"${COMP_WORDS[COMP_CWORD]}\" \"${COMP_WORDS[COMP_CWORD - 1]}\"; "
                "printf '%%s\\n' \"${COMPREPLY[@]}\"" % (script, shlex.quote(line), tool_name, tool_name))
        env = dict(os.environ, PATH=tool.BUILD + ":" + os.environ["PATH"])
        done = subprocess.run(["bash", "-c", text, "bash", tool_name, *words], cwd=self.folder.name,
                              capture_output=True, text=True, env=env, timeout=60)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout.split()

    def test_commands_options_kernels_and_parameters_are_completed(self):
        self.assertEqual(self.completed("ex"), ["explain"])
        self.assertEqual(self.completed("run", "--r"), ["--repeat"])
        self.assertEqual(self.completed("explain", "k.slip", "k", "--on", "c"), ["cpu", "cuda"])
        self.assertEqual(self.completed("explain", "k.slip", "k", "--stream", "e"), ["explicit"])
        self.assertEqual(self.completed("explain", "k.slip", "k", "--stream", "=", "w"), ["wrapped"])
        self.assertEqual(self.completed("explain", "k.slip", "k", "--sync", "c"), ["conservative"])
        self.need_compiler()
        self.good("-o", "heat.slip", HEAT, tool="slipc")
        self.assertIn("heat.slip", self.completed("run", "h"))
        self.assertEqual(self.completed("run", "heat.slip", "h"), ["heat"])
        self.assertEqual(self.completed("run", "heat.slip", "heat", ""), ["n=", "steps=", "k=", "u="])
        self.assertEqual(self.completed("run", "heat.slip", "heat", "--out", ""), ["u="])

    def test_values_are_completed_after_their_equals_sign(self):
        self.assertEqual(self.completed("run", "k.slip", "k", "--on", "=", "v"), ["vulkan"])
        self.assertEqual(self.completed("run", "k.slip", "k", "u", "=", "z"), ["zeros"])
        self.assertEqual(self.completed("explain", "k.slip", "k", "--memory", "u", "=", "k"), ["kept"])
        for name in ("u.npy", "v.npy", "heat.slip.c", "heat.c", "heat.slip"):
            open(self.path(name), "w").close()
        self.assertEqual(self.completed("run", "k.slip", "k", "u", "=", "@u"), ["@u.npy"])
        self.assertEqual(self.completed("run", "k.slip", "k", "--out", "u", "=", "v"), ["v.npy"])
        self.assertEqual(self.completed("--dump", "=", "asm", tool_name="slipc"), ["asm"])
        self.assertEqual(self.completed("-o", "", tool_name="slipc"), ["heat.slip"])
        self.assertEqual(self.completed("h", tool_name="slipc"), ["heat.c"])
        self.need_compiler()
        self.assertEqual(self.completed("--target", "=", "spi", tool_name="slipc"), ["spirv"])
        self.assertEqual(self.completed("--target", "=", "cpu,spi", tool_name="slipc"), ["cpu,spirv"])

    # ---- a build without the compiler --------------------------------------------------------

    def test_kernel_files_need_the_compiler(self):
        if tool.have_compiler():
            self.skipTest("this build has the compiler")
        self.refused("SLIP_ERR_UNSUPPORTED: k.c is a kernel file, and this slipway was built without the compiler; "
                     "slipc makes a module of it, which runs here: slipc k.c -o FILE.slip", "run", "k.c", "heat")


if __name__ == "__main__":
    tool.main(needs_compiler=False)
