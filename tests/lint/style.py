#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""style.py CHECK SOURCE-ROOT: how the code in C is written.

style: what CONTRIBUTING.md says under Style, as far as a machine can tell.
names: static functions can be found by their names.

Exit status 0 fine, 1 with every offence on a line of its own."""
import collections
import pathlib
import re
import sys

FOLDERS = ("src", "tests", "bench")
# Strings, characters and comments, in which nothing is checked.
HIDDEN = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'|/\*.*?\*/', re.S)
RULES = (
    (r"//", "a comment stands between /* and */"),
    (r"\}[ \t]*else\b", "else stands on a line of its own"),
    (r"^[ \t]*(?:if|for|while|switch|do|else)\b(?:(?!=).)*\{$", "{ stands on a line of its own"),
    (r"^\w[^\n]*\)[ \t]*\{$", "{ stands on a line of its own"),
    (r"(?<![\w#])(?!_\b|N_\b|C_\b|NC_\b)[a-z_]\w*\(", "a space stands before ("),
    (r"\b(?:char|int|void|double|gint64|guint|Kymo[A-Z]\w+)\* \w", "* stands before the name"),
    (r"^(?:static )?(?:const )?\w+ \**\w+ \([^;={]*\)\n\{", "the type stands on a line of its own"),
    (r"\)\n\n\{|\n\n\n\n", "too many empty lines"),
)
MACRO = re.compile(r"^[ \t]*#[^\n]*(?:\\\n[^\n]*)*"
                   r"|\b(?:G_GNUC_PRINTF|__attribute__) \([^\n]*", re.M)
DEFINITION = re.compile(r"^static [\w ]*\**\n(\w+) \([^;{]*?\)\n\{", re.M)


def sources(root, *folders, ends=(".c", ".h")):
    for folder in folders:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in ends and (root / "tests/data") not in path.parents:
                yield path


def blank(match):
    """As many characters and lines, with nothing in them."""
    text = match.group(0)
    if text[0] in "\"'":
        return text[0] + " " * (len(text) - 2) + text[-1]
    return re.sub(r"[^\n]", " ", text)


def check_style(root):
    for path in sources(root, *FOLDERS):
        code = HIDDEN.sub(blank, path.read_text("utf-8"))
        # A macro's name and its parameters stand together.
        code = MACRO.sub(lambda match: re.sub(r"[^\n]", " ", match.group(0)), code)
        for pattern, words in RULES:
            for match in re.finditer(pattern, code, re.M):
                line = code.count("\n", 0, match.start()) + 1
                yield f"{path.relative_to(root)}:{line}: {words}"


def check_names(root):
    """A name of one word is of one function, so that an index of names leads to it."""
    places = collections.defaultdict(list)
    for path in sources(root, "src", ends=(".c",)):
        for match in DEFINITION.finditer(path.read_text("utf-8")):
            if "_" not in match.group(1):
                places[match.group(1)].append(str(path.relative_to(root)))
    for name, paths in sorted(places.items()):
        if len(paths) > 1:
            yield f"{name} () is in {', '.join(paths)}: say in the name what it is about"


def main(arguments):
    check, root = arguments
    offences = list({"style": check_style, "names": check_names}[check](pathlib.Path(root)))
    print("\n".join(offences))
    return 1 if offences else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
