#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# api_docs.py OUT - writes the API reference, one Markdown page a public header, from the headers
# alone: their sections, declarations and comments, in their order. Fails where a public function
# would be missing from its page. `make docs` writes to docs/reference/.
import os
import re
import sys

SOURCE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# Lines of a comment that stand in columns: effects, and what is indented.
COLUMNS = re.compile(r"^(  |Shape|Errors|Threads|Blocks|Allocates|See)\b|^ {2,}")


def comment_text(comment):
    lines = comment.strip()[2:-2].strip("\n").split("\n")
    lines = [re.sub(r"^ ?\* ?", "", line.rstrip()).rstrip() if k or line.startswith(" *") else line.strip()
             for k, line in enumerate(lines)]
    return "\n".join(lines).strip("\n")


# Paragraphs as they are; lines in columns in a box.
def render(text):
    out, box = [], False
    for line in text.split("\n"):
        column = bool(COLUMNS.match(line)) or (box and line.startswith(" "))
        if column != box:
            out.append("```text" if column else "```")
            box = column
        out.append(line)
    if box:
        out.append("```")
    return "\n".join(out)


# (kind, text) in order: comments, sections, code between them. Blank lines end a piece of code.
def pieces(source):
    for part in re.split(r"(/\*.*?\*/[ \t]*\n)", source, flags=re.S):
        section = re.match(r"/\* -{2,} (.*?) -+ ?\*/", part)
        if section:
            yield "section", section.group(1)
        elif part.startswith("/*"):
            yield "comment", comment_text(part)
        else:
            for code in re.split(r"\n\s*\n", part):
                if code.strip():
                    yield "code", code.strip("\n")


# A comment behind a declaration belongs to its line: it must not end the piece.
def keep_trailing(source):
    return re.sub(r"(\S[^\n]*?)(/\*)([^\n]*?)(\*/)", lambda m: m.group(1) + "\x01" + m.group(3) + "\x02"
                  if m.group(1).strip() else m.group(0), source)


def restore(text):
    return text.replace("\x01", "/*").replace("\x02", "*/")


def public_names(code):
    names = re.findall(r"\b(slipc?_\w+)\s*\([^()]*(?:\([^()]*\)[^()]*)*\)\s*;", code)
    names += re.findall(r"^typedef (?:struct|enum) (\w+)", code, re.M)
    names += re.findall(r"^typedef .*\(\*(\w+)\)", code, re.M)
    names += re.findall(r"^#define (SLIP\w*ROWS)\(", code, re.M)
    return list(dict.fromkeys(names))


def skipped(code):
    return re.match(r"#(ifndef|ifdef|endif|include|if|else|define SLIPWAY_\w+_H)|extern|\}$", code.strip()) is not None


def clean(code):
    lines = [line for line in code.split("\n") if not re.match(r"#(ifdef|endif|if|else|undef)\b|extern|\}$", line)]
    text = "\n".join(lines)
    return re.sub(r"\bSLIP_API |\bSLIP_MUST_USE ", "", text)


# "device.h - devices, streams": what follows the dash is the title, up to the first stop.
def title(intro):
    return re.match(r"\S+\.h - (.*?)[.:;]?(?:\. |\n|$)", intro).group(1)


# What follows the title line.
def body(intro):
    return render(intro.partition("\n")[2].strip("\n"))


def page(name, source):
    out, what = [], None
    comment = None
    for kind, text in pieces(keep_trailing(source)):
        text = restore(text)
        if kind == "section":
            out += ["## " + text[0].upper() + text[1:], ""]
            comment = None
        elif kind == "comment":
            if "SPDX-License-Identifier" in text:
                continue
            if what is None:
                what = title(text)
                out += ["# slipway/%s: %s" % (name, what), "", body(text), ""]
                continue
            comment = text
        elif not skipped(text) and clean(text).strip():
            names = public_names(text)
            if names:
                out += ["### " + ", ".join("`%s`" % n for n in names), ""]
            if comment:
                out += [render(re.sub(r"^\w+ - (\w)", lambda m: m.group(1).upper(), comment)), ""]
            out += ["```c", clean(text), "```", ""]
            comment = None
    return "\n".join(out), what


# kernel.h is macros twice over: its words, and where they are explained.
def words(name, source):
    intro = comment_text(re.findall(r"/\*.*?\*/", source, re.S)[1])
    found = re.findall(r"^#define (slip_\w*[a-z0-9])(\([\w, ]*\))?", source, re.M)
    found += re.findall(r"^(?:static inline )?\w+ (slip_\w*[a-z0-9])(\([\w *,]*\))", source, re.M)
    unique = {}
    for word, params in found:
        unique.setdefault(word, params or "")
    rows = ["- `%s%s`" % (word, params) for word, params in unique.items()]
    types = re.findall(r"^typedef \w+ (\w+);", source, re.M)
    return "\n".join(["# slipway/%s: %s" % (name, title(intro)), "", body(intro), "",
                      "Types: " + ", ".join("`%s`" % t for t in types) + ".", "", "Words:", "", *rows, "",
                      "What they mean is in [the guide](../guide/language.md).", ""]), title(intro)


def main():
    folder = sys.argv[1]
    os.makedirs(folder, exist_ok=True)
    index, missing = ["# Reference", ""], []
    headers = os.path.join(SOURCE, "include", "slipway")
    for name in sorted(os.listdir(headers), key=lambda n: (n != "slipway.h", n)):
        with open(os.path.join(headers, name)) as header:
            source = header.read()
        text, what = (words if name == "kernel.h" else page)(name, source)
        for function in re.findall(r"^SLIP_API[^;]*?\b(slipc?_\w+)\(", source, re.M):
            if "`%s`" % function not in text:
                missing.append("%s: %s" % (name, function))
        out = name.replace(".h", ".md")
        with open(os.path.join(folder, out), "w") as to:
            to.write(text)
        index.append("- [slipway/%s](%s): %s" % (name, out, what))
    with open(os.path.join(folder, "index.md"), "w") as to:
        to.write("\n".join(index) + "\n")
    if missing:
        sys.exit("not in the reference:\n" + "\n".join(missing))


main()
