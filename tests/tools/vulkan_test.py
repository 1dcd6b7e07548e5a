# SPDX-License-Identifier: Apache-2.0
#
# vulkan_test.py - slipway run on a Vulkan device: the CPU's bits, in one submission a call.
import os

import tool
from tool import SOURCE, np

HEAT = os.path.join(SOURCE, "examples", "heat.c")


class Vulkan(tool.ToolTest):
    def heat(self, on):
        return self.json("run", HEAT, "heat", "n=1000", "steps=100", "k=0.25", "u=@u.npy",
                         "--out", "u=%s.npy" % on, "--on", on)

    # 200 tasks and the copies of u go to the device at once, and the host waits for the result.
    def test_heat_is_one_submission_and_one_wait(self):
        self.save("u.npy", np.random.default_rng(3).random(1000).astype("f4"))
        cpu, vulkan = self.heat("cpu"), self.heat("vulkan")
        self.assertEqual(self.load("vulkan.npy").tobytes(), self.load("cpu.npy").tobytes())
        self.assertNotEqual(self.load("vulkan.npy").tobytes(), self.load("u.npy").tobytes())
        self.assertEqual((vulkan["calls"], vulkan["tasks"]), (cpu["calls"], cpu["tasks"]))
        self.assertEqual((vulkan["host_waits"], vulkan["submissions"]), (1, 1))
        self.assertEqual((vulkan["uploads"], vulkan["upload_bytes"]), (1, 4000))
        self.assertEqual((vulkan["downloads"], vulkan["download_bytes"]), (1, 4000))

    # The calls of a repeat are submissions of their own, each with the array as it was given.
    def test_a_repeated_call_gives_the_same_again(self):
        self.save("u.npy", np.random.default_rng(4).random(1000).astype("f4"))
        words = ("run", HEAT, "heat", "n=1000", "steps=10", "k=0.25", "u=@u.npy")
        self.good(*words, "--out", "u=cpu.npy", "--on", "cpu")
        out = self.json(*words, "--out", "u=vulkan.npy", "--on", "vulkan", "--repeat", "5")
        self.assertEqual(self.load("vulkan.npy").tobytes(), self.load("cpu.npy").tobytes())
        self.assertEqual((out["calls"], out["submissions"], out["host_waits"]), (5, 5, 5))


if __name__ == "__main__":
    tool.main(needs_vulkan=True)
