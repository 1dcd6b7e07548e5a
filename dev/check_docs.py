#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# check_docs.py BUILD PAGE.md ... - compiles and runs the code blocks of the guide, in the order of
# each page, in one folder a page. A block's first line of dashes says what it is:
#
#   ```c kernel NAME.c    a kernel file: slipc takes it without a word, gcc and clang as C11 too
#   ```c refused          a kernel file that slipc refuses; or, `c warned`, takes with a warning
#   ```c main NAME.c      a program: compiled with the kernels whose .slip.h it includes, and run;
#                         linked with the compiler too where it includes slipc.h
#   ```sh                 run by bash, with the tools and a Python with NumPy first in PATH
#   ```text               right after one of these: each line occurs, in order, in what it printed
#   ```c, ```console      shown, not run; a `c` block must still be C that a host compiler parses
#
# In a text block "..." stands for anything.
import os
import re
import subprocess
import sys
import tempfile

SOURCE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
C11 = ["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-I" + os.path.join(SOURCE, "include")]


class Page:
    def __init__(self, build, path, folder):
        self.build, self.path, self.folder = build, path, folder
        self.printed = ""
        self.bad = 0

    def complain(self, line, text):
        print("%s:%d: %s" % (os.path.relpath(self.path, SOURCE), line, text))
        self.bad += 1

    def run(self, words, **more):
        # C programs of a sanitized build must be sanitized too; leaks are theirs to find elsewhere.
        return subprocess.run(words, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              timeout=300, **more)

    def must(self, line, words, **more):
        done = self.run(words, **more)
        if done.returncode != 0:
            self.complain(line, "%s returned %d:\n%s" % (words[0], done.returncode, done.stdout))
        return done

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w") as to:
            to.write(text)

    def slipc(self, name):
        return self.run([os.path.join(self.build, "slipc"), name])

    def kernel(self, line, name, text):
        self.write(name, text)
        done = self.slipc(name)
        if done.returncode != 0 or done.stdout:
            self.complain(line, "slipc says:\n" + done.stdout)
        for compiler in ("gcc", "clang-19"):
            if subprocess.run(["which", compiler], stdout=subprocess.DEVNULL).returncode == 0:
                self.must(line, [compiler, *C11, "-Wno-unused-function", "-fsyntax-only", name])

    def diagnosed(self, line, text, status):
        self.write("diagnosed.c", "#include <slipway/kernel.h>\n" + text)
        done = self.slipc("diagnosed.c")
        if done.returncode != status or not done.stdout:
            self.complain(line, "slipc returned %d and said:\n%s" % (done.returncode, done.stdout))
        self.printed = done.stdout

    def main(self, line, name, text):
        self.write(name, text)
        kernels = [k + ".slip.c" for k in re.findall(r'#include "(\w+)\.slip\.h"', text)]
        program = "./" + name[:-2]
        built = self.must(line, ["gcc", *C11, *flags_of(self.build), "-o", program, name, *kernels,
                                 *(compiler_of(self.build) if "<slipway/slipc.h>" in text else []),
                                 os.path.join(self.build, "libslipway.a"), "-lpthread", "-ldl", "-lm"])
        self.printed = self.must(line, [program]).stdout if built.returncode == 0 else ""

    def shell(self, line, text):
        shims = os.path.join(self.folder, ".bin")
        os.makedirs(shims, exist_ok=True)
        if not os.path.exists(os.path.join(shims, "python3")):
            os.symlink(sys.executable, os.path.join(shims, "python3"))
        path = shims + ":" + self.build + ":" + os.environ["PATH"]
        done = self.must(line, ["bash", "-euc", text],
                         env=dict(os.environ, PATH=path, CPATH=os.path.join(SOURCE, "include"),
                                  LIBRARY_PATH=self.build, CFLAGS=" ".join(flags_of(self.build))))
        self.printed = done.stdout

    def shown(self, line, text):
        self.write("shown.c", "#include <slipway/kernel.h>\n#include <slipway/slipway.h>\n" + text)
        self.must(line, ["gcc", *C11, "-Wno-unused", "-fsyntax-only", "shown.c"])

    def output(self, line, text):
        at = 0
        for wanted in text.splitlines():
            pattern = ".*".join(re.escape(part) for part in wanted.strip().split("..."))
            found = re.compile(pattern).search(self.printed, at)
            if not found:
                self.complain(line, "`%s` was not printed; this was:\n%s" % (wanted, self.printed))
                return
            at = found.end()


def setting_of(build, name):
    with open(os.path.join(build, "CMakeCache.txt")) as cache:
        found = re.search(r"^%s:\w+=(.*)$" % name, cache.read(), re.M)
    return found.group(1) if found else "none"


# The sanitizers that the build was made with: what links its library needs them too.
def flags_of(build):
    sanitizers = setting_of(build, "SLIPWAY_SANITIZE")
    return ["-fsanitize=" + sanitizers] if sanitizers != "none" else []


# The compiler as a library, and what it needs.
def compiler_of(build):
    return [os.path.join(build, "libslipc.a"), setting_of(build, "SLIPWAY_CLANG_LIBRARY"),
            setting_of(build, "SLIPWAY_LLVM_LIBRARY")]


def blocks(path):
    with open(path) as page:
        lines = page.read().splitlines()
    info, start, body, before = None, 0, [], None
    for number, line in enumerate(lines, 1):
        if info is None and line.startswith("```"):
            info, start, body = line[3:].split(), number, []
        elif info is not None and line == "```":
            yield start, info, "\n".join(body) + "\n", before
            before, info = info, None
        elif info is not None:
            body.append(line)


def check(build, path):
    with tempfile.TemporaryDirectory() as folder:
        page = Page(build, path, folder)
        for line, info, text, before in blocks(path):
            kind = " ".join(info[:2])
            if kind == "c kernel" and len(info) == 3:
                page.kernel(line, info[2], text)
            elif kind == "c refused":
                page.diagnosed(line, text, 1)
            elif kind == "c warned":
                page.diagnosed(line, text, 0)
            elif kind == "c main" and len(info) == 3:
                page.main(line, info[2], text)
            elif info == ["sh"]:
                page.shell(line, text)
            elif info == ["c"]:
                page.shown(line, text)
            elif info == ["text"] and before and (before == ["sh"] or before[0] == "c" and len(before) > 1):
                page.output(line, text)
            elif info not in (["text"], ["console"], ["cmake"], ["json"]):
                page.complain(line, "a block of no known kind: " + " ".join(info))
        return page.bad


if __name__ == "__main__":
    build = os.path.abspath(sys.argv[1])
    if not os.path.exists(os.path.join(build, "slipc")):
        print("skipped: this build has no slipc")
        sys.exit(77)
    sys.exit(1 if sum(check(build, page) for page in sys.argv[2:]) else 0)
