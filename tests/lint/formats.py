#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""formats.py SOURCE-ROOT: what stands about formats outside the code follows the KymoFormat of
each. The desktop is told their MIME types and no others; the file dialog shows what the desktop
knows by name; the pages that name formats name all of them."""
import fnmatch
import pathlib
import re
import sys
import xml.etree.ElementTree as ET

APP_ID = "io.github.kymo_trace.Kymo"
MIME = "{http://www.freedesktop.org/standards/shared-mime-info}"
TABLE = pathlib.Path("src") / "io" / "open" / "kymo-formats.c"
# Types of files that are no runs.
OTHER_TYPES = {"application/x-kymo-desk"}
MEMBERS = ("id", "kind", "tool", "label", "globs", "types", "read", "part")
# Pages that name every format by its tool; those that name recordings by their ending.
PAGES = ("README.md", "docs/guide", "docs/kymo.1", "docs/kymo-cli.1",
         f"data/{APP_ID}.metainfo.xml.in", f"data/{APP_ID}.desktop.in")
RECORDING_PAGES = ("README.md", "docs/guide", "docs/kymo-cli.1")


def read_formats(root):
    """{name of the variable: {member: its strings, or its one word}}"""
    formats = {}
    for path in sorted((root / "src" / "io").rglob("*.c")):
        for name, body in re.findall(r"^const KymoFormat kymo_format_(\w+) =\n\{\n(.*?)^\};",
                                     path.read_text(encoding="utf-8"), re.S | re.M):
            members = re.findall(r"\.(\w+) = (.*?),\n(?=  \.|$)", body + "\n", re.S)
            formats[name] = {key: re.findall(r'"([^"]*)"', value) or [value]
                             for key, value in members}
    return formats


def check_table(root, formats):
    table = re.search(r"kymo_formats\[\] =\n\{\n(.*?)\n\};", (root / TABLE).read_text(), re.S)
    listed = re.findall(r"&kymo_format_(\w+)", table.group(1))
    for name in sorted(set(listed) ^ set(formats)):
        yield f"{TABLE}: {name} is defined or listed, not both"
    for name, members in formats.items():
        for key in MEMBERS:
            if key not in members:
                yield f"kymo_format_{name} has no .{key}"


def text_of(path):
    """Of a page, or of all pages of a folder."""
    pages = sorted(path.rglob("*.md")) if path.is_dir() else [path]
    return "\n".join(page.read_text(encoding="utf-8") for page in pages)


def sample(glob):
    """A name that a pattern is for."""
    return glob.replace("[0-9]", "0").replace("*", "1")


def check_types(root, formats):
    """The types of the desktop are those of the formats, each name of a file is one that the
    file dialog shows."""
    owner = {kind: name for name, members in formats.items() for kind in members["types"]}
    known = {kind.get("type"): [glob.get("pattern") for glob in kind.findall(f"{MIME}glob")]
             for kind in ET.parse(root / "data" / f"{APP_ID}.mime.xml").iter(f"{MIME}mime-type")}
    desktop = (root / "data" / f"{APP_ID}.desktop.in").read_text(encoding="utf-8")
    listed = re.search("^MimeType=(.*);$", desktop, re.MULTILINE).group(1).split(";")
    for place, types in ((f"{APP_ID}.mime.xml", set(known)),
                         (f"{APP_ID}.desktop.in, MimeType", set(listed))):
        for kind in sorted(owner.keys() - types):
            yield f"data/{place}: lacks {kind} of kymo_format_{owner[kind]}"
        for kind in sorted(types - owner.keys() - OTHER_TYPES):
            yield f"data/{place}: {kind} is in no KymoFormat (.types)"
    for kind in known.keys() & owner.keys():
        shown = formats[owner[kind]]["globs"]
        for glob in known[kind]:
            if not any(fnmatch.fnmatchcase(sample(glob), pattern) for pattern in shown):
                yield f"kymo_format_{owner[kind]}: .globs lacks {glob} of {APP_ID}.mime.xml"


def check_pages(root, formats):
    for name, members in formats.items():
        recording = members["kind"] == ["KYMO_FORMAT_RECORDING"]
        word = members["globs"][0].lstrip("*") if recording else members["tool"][0]
        for page in RECORDING_PAGES if recording else PAGES:
            if not re.search(rf"(?<!\w){re.escape(word)}(?!\w)" if word[0] != "." else
                             rf"{re.escape(word)}\b", text_of(root / page)):
                yield f"{page}: does not name {word}, which kymo_format_{name} reads"


def main():
    root = pathlib.Path(sys.argv[1])
    formats = read_formats(root)
    offences = [] if len(formats) > 1 else ["no KymoFormat is found"]
    for check in (check_table, check_types, check_pages):
        offences += check(root, formats)
    for offence in offences:
        print(offence)
    return 1 if offences else 0


if __name__ == "__main__":
    sys.exit(main())
