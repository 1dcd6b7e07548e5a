# SPDX-License-Identifier: Apache-2.0
#
# tool.py - what the tests of the command line share: they run tools of the build named as the
# script's first argument, in an empty folder of their own.
import json
import os
import subprocess
import sys
import tempfile
import unittest

try:
    import numpy as np
except ImportError:
    np = None

# The modules of kernels/*.c: TYPES names that of types.c. Set by main.
TYPES = SHAPES = None
SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.abspath(sys.argv[1])
KERNELS = os.path.join(SOURCE, "tests", "tools", "kernels")


def have_compiler():
    return os.path.exists(os.path.join(BUILD, "slipc"))


def have_vulkan():
    listed = subprocess.run([os.path.join(BUILD, "slipway"), "devices"], capture_output=True, text=True, timeout=300)
    return "\nvulkan:0 " in "\n" + listed.stdout


def compiled(folder, name):
    module = os.path.join(folder, name + ".slip")
    subprocess.run([os.path.join(BUILD, "slipc"), "-o", module, os.path.join(KERNELS, name + ".c")], check=True)
    return module


class ToolTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def save(self, name, array):
        np.save(self.path(name), array)
        return self.path(name)

    def load(self, name):
        return np.load(self.path(name), allow_pickle=False)

    def tool(self, *words, tool="slipway", env=None):
        return subprocess.run([os.path.join(BUILD, tool), *words], cwd=self.folder.name, capture_output=True,
                              text=True, timeout=300, env=dict(os.environ, **(env or {})))

    def good(self, *words, **more):
        done = self.tool(*words, **more)
        self.assertEqual((done.returncode, done.stderr), (0, ""), words)
        return done.stdout

    def json(self, *words, **more):
        return json.loads(self.good(*words, "--json", **more))

    # Exit 1, nothing on stdout, and exactly this on stderr.
    def refused(self, message, *words, **more):
        done = self.tool(*words, **more)
        self.assertEqual((done.returncode, done.stdout), (1, ""), words)
        self.assertEqual(done.stderr, message + "\n", words)

    def misused(self, message, *words, **more):
        done = self.tool(*words, **more)
        self.assertEqual((done.returncode, done.stdout), (2, ""), words)
        self.assertEqual(done.stderr, message + "\n", words)


# Runs the tests of the script; what the machine lacks is a skip, or a failure where SLIPWAY_REQUIRE names it.
def main(needs_compiler=True, needs_vulkan=False):
    missing = [] if np is not None else ["numpy"]
    if needs_compiler and not have_compiler():
        missing.append("compiler")
    if needs_vulkan and not have_vulkan():
        missing.append("vulkan")
    required = [what for what in missing if what in os.environ.get("SLIPWAY_REQUIRE", "").split(",")]
    if required:
        sys.exit("required, and not here: " + ", ".join(required))
    if missing:
        print("skipped: there is no " + ", ".join(missing))
        sys.exit(77)
    global TYPES, SHAPES
    with tempfile.TemporaryDirectory() as folder:
        TYPES, SHAPES = (compiled(folder, name) for name in ("types", "shapes")) if needs_compiler else (None, None)
        unittest.main(argv=[sys.argv[0]] + sys.argv[2:])
