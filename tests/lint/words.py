#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""words.py SOURCE-ROOT: docs/load-report.md has every sentence that reading a
run can say, and none that it cannot, with the severity it is said with. A
sentence is a string of four words or more in src/io, or where files are opened; what
printf fills in is "…" on both sides, as the last word too."""
import pathlib
import re
import sys

PAGE = pathlib.Path("docs") / "load-report.md"
TOKEN = re.compile(r'/\*.*?\*/|//[^\n]*|\'(?:[^\'\\\n]|\\.)*\''
                   r'|"(?:[^"\\\n]|\\.)*"|[A-Za-z_]\w*|\S', re.S)
FIELD = re.compile(r"%[-+ #0-9.*]*(?:l|ll|z|h)*[a-zA-Z]")
LENGTHS = ("G_GINT64_FORMAT", "G_GSIZE_FORMAT", "G_GUINT64_FORMAT", "PRId64", "PRIu64")
# Only for those who debug the program, or no sentences at all.
INTERNAL = ("zlib has no memory", "A cache file keeps its old time: …",
            "A segment file is damaged: segment …, part …",
            "The segment file is damaged or old",
            "This run is not one to be kept",
            "A segment was written that does not fit its own counts",
            "Segments are written to a file: place …",
            "A segment was not written: …")


def literals(text):
    """Strings of C, neighbours joined, without comments, and the severities
    named in their statement before them."""
    current, severities = None, []
    for token in TOKEN.findall(text):
        if token.startswith(("/*", "//")):
            continue
        if token in ";{}":
            severities = []
        elif token.startswith("KYMO_SEVERITY_"):
            severities = severities + [token[len("KYMO_SEVERITY_"):].lower()]
        if token.startswith('"'):
            current = (current or "") + token[1:-1]
        elif current is not None and token in LENGTHS:
            current += "d"
        else:
            if current is not None:
                yield current, severities
            current = None


def tidy(sentence):
    """As the page has it: any list of things that are filled in is one."""
    sentence = FIELD.sub("…", sentence.replace(r"\"", '"'))
    sentence = re.sub(r"…+", "…", " ".join(sentence.split()))
    return re.sub(r": …$", "", sentence) if sentence.startswith("PEs") else sentence


def said(root):
    for path in [root / "src" / "base" / "kymo-input.c",
                 *sorted((root / "src" / "io").rglob("*.c"))]:
        text = re.sub(r"^\s*#.*$", "", path.read_text(encoding="utf-8"), flags=re.M)
        for literal, severities in literals(text):
            sentence = tidy(literal)
            words = re.findall(r"[A-Za-z]+", sentence)
            if len(words) >= 3 and len(sentence.split()) >= 4:
                yield sentence, severities, path.name


def main():
    root = pathlib.Path(sys.argv[1])
    page = (root / PAGE).read_text(encoding="utf-8")
    told = {tidy(text): severity for text, severity in
            re.findall(r"(?:^\* |\bor\s+)\*\*(.+?)\*\*"
                       r"(?:\s+—\s+(lost|repaired|note)\b)?", page, re.S | re.M)}
    offences = []
    spoken = set(INTERNAL)
    for sentence, severities, name in said(root):
        spoken.add(sentence)
        severity = told.get(sentence)
        if severity and severities and severity not in severities:
            offences.append(f"{PAGE}: {name} says with severity "
                            f"{' or '.join(severities)}: {sentence}")
        if sentence not in told and sentence not in INTERNAL:
            offences.append(f"{PAGE}: lacks what {name} says: {sentence}")
    offences += [f"{PAGE}: has what nothing says: {sentence}"
                 for sentence in sorted(told.keys() - spoken)]
    for offence in offences:
        print(offence)
    return 1 if offences else 0


if __name__ == "__main__":
    sys.exit(main())
