#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""check-layers.py SOURCE-ROOT: reads the #include lines of src/ against the
table of rooms. Every offence is named with file and line; exit status 1 when
there is one.

The room of a header is the folder it lies in; "config.h" and system headers
are nobody's, but for the libraries in LIBRARIES, which have their own rooms
or their one file."""

import pathlib
import re
import sys

# Which rooms each room may include, besides itself. Session, plots and views
# know a run through its source alone, so model is not among theirs.
ROOMS = {
    "base": set(),
    "model": {"base"},
    "io": {"base", "model"},
    "analysis": {"base", "model"},
    "session": {"base", "analysis"},
    "plots": {"base", "analysis", "session"},
    "views": {"base", "analysis", "live", "session", "plots"},
    "live": {"base", "model", "io", "analysis"},
    "reduction": {"base", "model", "io", "analysis", "convert"},
    "convert": {"base", "model", "io", "analysis"},
    "cli": {"base", "model", "io", "analysis", "live", "reduction", "convert",
            "session", "plots"},
    "app": {"base", "model", "io", "analysis", "live", "reduction", "convert",
            "session", "plots", "views"},
}

# What only some may use: header pattern -> rooms or files that may. Folders
# end in a slash.
LIBRARIES = [
    (re.compile(r"(gtk|gdk|gsk|adwaita|graphene)\b.*"),
     ("src/views/", "src/app/")),
    (re.compile(r"(zlib|libdeflate|zstd)\.h"),
     ("src/io/input/kymo-inflate.c", "src/io/input/kymo-inflate-head.c",
      "src/io/stream/kymo-stream-layout.c")),
    (re.compile(r"otf2/.*"), ("src/io/otf2/kymo-otf2.c", "src/io/otf2/kymo-otf2-locations.c",
                                  "src/io/otf2/kymo-otf2-defs.h",
                              "src/convert/kymo-convert-otf2.h")),
    (re.compile(r"(cairo|pango)\b.*"),
     ("src/plots/", "src/views/", "src/cli/", "src/app/")),
]

# The analysis headers that name no model type: the run source's does, and a
# picture that needs it goes around the source.
PRIVATE = {"kymo-run-source.h": {"analysis", "live", "reduction", "cli",
                                 "app"}}

INCLUDE = re.compile(r'^\s*#\s*include\s+([<"])([^>"]+)[>"]')


def find_headers(source):
    """{header name: room}, and the offences: two rooms with one name."""
    rooms, offences = {}, []
    for path in sorted(source.glob("*/**/*.h")):
        room = path.relative_to(source).parts[0]
        other = rooms.setdefault(path.name, room)
        if other != room:
            offences.append(f"{path}: {other}/ has a header of this name too")
    return rooms, offences


def check_library(relative, header):
    for pattern, allowed in LIBRARIES:
        if pattern.fullmatch(header):
            if not any(relative == place
                       or place.endswith("/") and relative.startswith(place)
                       for place in allowed):
                return f"<{header}> belongs to {', '.join(allowed)}"
    return None


def check_room(room, header, headers):
    name = header.rsplit("/", 1)[-1]
    if name == "config.h":
        return None
    target = headers.get(name)
    if target is None:
        return None
    if name in PRIVATE and room not in PRIVATE[name]:
        return f"{room}/ may not include {name}"
    if target != room and target not in ROOMS[room]:
        return f"{room}/ may not include {target}/ ({header})"
    return None


def check_file(path, root, room, headers):
    relative = path.relative_to(root).as_posix()
    text = path.read_text(encoding="utf-8", errors="replace")
    for number, line in enumerate(text.splitlines(), 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        quoted, header = match.group(1) == '"', match.group(2)
        offence = check_library(relative, header)
        if not offence and quoted:
            offence = check_room(room, header, headers)
        if offence:
            yield f"{relative}:{number}: {offence}"


def check(root):
    root = pathlib.Path(root)
    source = root / "src"
    headers, offences = find_headers(source)
    count = 0
    for path in sorted(source.glob("*/**/*.[ch]")):
        room = path.relative_to(source).parts[0]
        if room not in ROOMS:
            offences.append(f"src/{room}/ is in no row of the table in "
                            "build-aux/check-layers.py")
            continue
        count += 1
        offences.extend(check_file(path, root, room, headers))
    return count, offences


def main(arguments):
    count, offences = check(arguments[0] if arguments else ".")
    for offence in offences:
        print(offence)
    print(f"{count} files read, {len(offences)} offences")
    return 1 if offences or not count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
