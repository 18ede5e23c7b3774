#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""potfiles.py SOURCE-ROOT [--write]: the files with text for translators, one a line; --write puts
them into po/POTFILES, which the targets kymo-pot and kymo-update-po read and git ignores."""
import pathlib
import re
import sys

C_CALL = re.compile(r"(?<![\w\"])(N?C?_|g_dngettext|ngettext)\s*\(\s*\"")
DATA = (".desktop.in", ".metainfo.xml.in", ".gschema.xml")


def is_translatable(path):
    if path.suffix in (".c", ".h"):
        return C_CALL.search(path.read_text(encoding="utf-8")) is not None
    if path.suffix == ".ui":
        return 'translatable="' in path.read_text(encoding="utf-8")
    return path.name.endswith(DATA)


def potfiles(root):
    root = pathlib.Path(root)
    return [str(path.relative_to(root)) for folder in ("data", "src")
            for path in sorted((root / folder).rglob("*"))
            if path.is_file() and is_translatable(path)]


if __name__ == "__main__":
    lines = "".join(name + "\n" for name in potfiles(sys.argv[1]))
    if "--write" in sys.argv:
        (pathlib.Path(sys.argv[1]) / "po" / "POTFILES").write_text(lines, encoding="utf-8")
    else:
        sys.stdout.write(lines)
