#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""ruletexts.py SOURCE-ROOT [--write]: the texts of data/rules/ as a header for translators, whose
tools cannot read rules; --write puts it into src/diagnosis/kymo-rule-texts.h, else the exit status
is 1 if that header is old."""
import pathlib
import re
import sys
import textwrap

TEXT = re.compile(r"^(?:title|says|advice|missing)=(.*)$", re.M)
HEADER = "src/diagnosis/kymo-rule-texts.h"
HEAD = """/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The texts of data/rules/, for translators alone: made by build-aux/ruletexts.py, included by
 * no file. Names in %{…} are replaced by values and stay as they are.
 */
"""


def texts(root):
    """Each text once, in the order of files and lines."""
    return list(dict.fromkeys(text for path in sorted((root / "data" / "rules").glob("*.rules"))
                              for text in TEXT.findall(path.read_text(encoding="utf-8"))))


def marked(text):
    """As C source: lines of at most 90 columns, which end behind a space."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    lines = textwrap.wrap(escaped, 90, break_long_words=False, break_on_hyphens=False)
    return "N_(" + " \"\n   ".join('"' + line for line in lines) + '")\n'


def header(root):
    return HEAD + "".join(marked(text) for text in texts(root))


if __name__ == "__main__":
    top = pathlib.Path(sys.argv[1])
    if "--write" in sys.argv:
        (top / HEADER).write_text(header(top), encoding="utf-8")
    elif (top / HEADER).read_text(encoding="utf-8") != header(top):
        sys.exit(f"{HEADER}: data/rules/ has other texts: run build-aux/ruletexts.py . --write")
