#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# How long slipc takes, from start to exit, for the 100 lines of compile_kernels.c: medians for sets
# of targets, beside clang -O3 -c of the same file as plain C for the same levels, one after another.
# All run in turns, so that a busy machine slows each alike. Processor time counts all threads.
#
#     bench/compile_time.sh BUILD [RUNS [CLANG]]      BUILD holds slipc; 41 runs; clang-19
set -eu
build=${1:?usage: bench/compile_time.sh BUILD [RUNS [CLANG]]}
here=$(cd "$(dirname "$0")" && pwd)
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
SLIPC=$build/slipc RUNS=${2:-41} CLANG=${3:-clang-19} HERE=$here OUT=$out python3 - <<'PYTHON'
import os, resource, shutil, statistics, subprocess, time

here, out, clang = os.environ["HERE"], os.environ["OUT"], os.environ["CLANG"]
source = here + "/compile_kernels.c"
x86 = ["x86-64-v2", "x86-64-v3", "x86-64-v4"]


def slipc(*options):
    return [[os.environ["SLIPC"], *options, source, "-o", out + "/k.slip"]]


def rival(*levels):
    return [[clang, "--target=" + ("aarch64" if level == "aarch64" else "x86_64") + "-linux-gnu",
             *(["-march=" + level] if level in x86 else []), "-std=c11", "-O3", "-fwrapv",
             "-ffp-contract=off", "-fno-math-errno", "-Wno-everything", "-nostdlibinc",
             "-isystem", here + "/../src/front/builtin", "-I", here + "/../include",
             "-c", source, "-o", out + "/k.o"] for level in levels]


rows = [("slipc, start and exit", [[os.environ["SLIPC"], "--version"]]),
        ("slipc --target=host", slipc("--target=host")),
        ("slipc --target=cpu-x86-64-v3,cpu-x86-64-v4",
         slipc("--target=cpu-x86-64-v3,cpu-x86-64-v4")),
        ("slipc (3 levels, spirv)", slipc()),
        ("slipc --target=cpu-all (4 levels)", slipc("--target=cpu-all"))]
if shutil.which(clang):
    rows += [("clang -O3 -c, 1 level", rival("x86-64-v4")),
             ("clang -O3 -c, 3 levels in turn", rival(*x86)),
             ("clang -O3 -c, 4 levels in turn", rival(*x86, "aarch64"))]
times = [[] for _ in rows]


def used():
    r = resource.getrusage(resource.RUSAGE_CHILDREN)
    return r.ru_utime + r.ru_stime


for turn in range(int(os.environ["RUNS"]) + 1):
    for row, (_, commands) in enumerate(rows):
        cpu, wall = used(), time.perf_counter()
        for command in commands:
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        took = (time.perf_counter() - wall) * 1e3, (used() - cpu) * 1e3
        if turn:  # the first turn fills the page cache
            times[row].append(took)
print("%-44s %10s %10s %10s" % ("100 lines, median of %d" % len(times[0]), "wall ms", "least", "CPU ms"))
for (name, _), took in zip(rows, times):
    wall, cpu = zip(*took)
    print("%-44s %10.1f %10.1f %10.1f"
          % (name, statistics.median(wall), min(wall), statistics.median(cpu)))
PYTHON
