#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""check-layers.py SOURCE-ROOT: reads the #include lines of src/ against the
table of rooms. Every offence is named with file and line; exit status 1 when
there is one.

The room of a header is the folder of src/ that it lies in, its part the folder
of the room; "config.h" and system headers are nobody's, but for the libraries in
LIBRARIES, which have their own rooms or their one file."""

import pathlib
import re
import sys

# Which rooms each room may include, besides itself. Session, plots and views
# know a run through its source alone, so model is not among theirs.
ROOMS = {
    "plain": set(),
    "base": set(),
    "model": {"plain", "base"},
    "io": {"base", "model"},
    "analysis": {"plain", "base", "model"},
    "session": {"base", "analysis"},
    "plots": {"base", "analysis", "session"},
    "views": {"base", "analysis", "diagnosis", "live", "session", "plots"},
    "live": {"base", "model", "io", "analysis"},
    "reduction": {"plain", "base", "model", "io", "analysis", "convert"},
    "convert": {"base", "model", "io", "analysis"},
    "remote": {"base", "model", "io", "analysis", "live"},
    "diagnosis": {"base", "analysis"},
    "cli": {"base", "model", "io", "analysis", "diagnosis", "live", "reduction", "convert",
            "remote", "session", "plots"},
    "app": {"base", "model", "io", "analysis", "live", "reduction", "convert",
            "remote", "session", "plots", "views"},
    "recorder": {"plain"},
}

# The parts of a room in their order: each may include itself and those before it. Parts in
# one set are of one rank and do not see each other. What lies in the room's own folder may
# include all of them.
PARTS = {
    "model": ["segment", "run", "profile"],
    "io": ["input", "cache", "notes", "names", "logs", "summary",
           {"projections", "otf2", "tau", "stream", "profiles"}, "record", "reduce", "open"],
    "analysis": ["table", "ask", "waits", "messages", "profiles", "sums", "pes", "timeline",
                 "comparison"],
    "live": ["ccs", {"actions", "attachment", "server", "watch", "probes"}, "feed"],
    "remote": ["frames", "hosts", {"client", "server"}, "daemon"],
    "session": ["colors", "session", "desk"],
    "plots": ["paint", {"compare", "time", "pes"}, "timeline", "profiles", "export"],
    "views": ["shared", "widgets", "canvas", "panes", "lists", "pictures", "live", "run",
              "compare"],
    "app": ["preferences", "help", "pages", "dialogs", "window"],
    "recorder": ["raw", "core", {"libc", "system", "archive", "live", "sample", "user"}, "actions",
                 "mpi", {"launch", "probe"}],
}

# More than these in one folder are too many to look through.
MOST_FILES = 45

# What only some may use: header pattern -> rooms or files that may. Folders
# end in a slash.
LIBRARIES = [
    (re.compile(r"(gtk|gdk|gsk|adwaita|graphene)\b.*"),
     ("src/views/", "src/app/")),
    (re.compile(r"(zlib|libdeflate|zstd)\.h"),
     ("src/io/input/kymo-inflate.c", "src/io/stream/kymo-stream-layout.c")),
    (re.compile(r"cmark\.h"), ("src/app/help/",)),
    (re.compile(r"otf2/.*"), ("src/io/otf2/kymo-otf2.c", "src/io/otf2/kymo-otf2-locations.c",
                                  "src/io/otf2/kymo-otf2-defs.h",
                              "src/convert/kymo-convert-otf2.h", "src/recorder/")),
    (re.compile(r"mpi\.h"), ("src/recorder/mpi/", "src/recorder/archive/",
                              "src/recorder/probe/")),
    (re.compile(r"(cairo|pango)\b.*"),
     ("src/plots/", "src/views/", "src/cli/", "src/app/")),
]

# The analysis headers that name no model type: the run source's does, and a
# picture that needs it goes around the source.
PRIVATE = {"kymo-run-source.h": {"analysis", "live", "reduction", "remote", "cli",
                                 "app"}}

# What describes the bytes of files and nothing else may be included by their reader.
BYTES = {"kymo-raw.h": {"io", "recorder"}}

INCLUDE = re.compile(r'^\s*#\s*include\s+([<"])([^>"]+)[>"]')


def place_of(source, path):
    """(room, part) of a file; part is empty in the room's own folder."""
    parts = path.relative_to(source).parts
    return parts[0], parts[1] if len(parts) > 2 else ""


def find_headers(source):
    """{header name: (room, part)}, and the offences: two places with one name."""
    places, offences = {}, []
    for path in sorted(source.glob("*/**/*.h")):
        place = place_of(source, path)
        other = places.setdefault(path.name, place)
        if other != place:
            offences.append(f"{path}: {'/'.join(other)} has a header of this name too")
    return places, offences


def rank_of(room, part):
    """Number of the part in the order of its room, or None."""
    for rank, parts in enumerate(PARTS.get(room, [])):
        if part == parts or isinstance(parts, set) and part in parts:
            return rank
    return None


def check_part(room, part, target, header):
    """A part includes those before it; what stands beside the parts all of them."""
    if part in ("", target):
        return None
    ours, its = rank_of(room, part), rank_of(room, target)
    if ours is None or its is not None and its < ours:
        return None
    return f"{room}/{part}/ may not include {room}/{target or ''} ({header})"


def check_folders(source):
    """Each folder is in the table, is small enough to be looked through, and says what it is."""
    for folder in sorted({path.parent for path in source.glob("*/**/*.[ch]")}):
        name = f"src/{folder.relative_to(source).as_posix()}"
        room, *parts = folder.relative_to(source).parts
        count = len(list(folder.glob("*.[ch]")))
        if parts and (len(parts) > 1 or rank_of(room, parts[0]) is None):
            yield f"{name}/ is in no row of PARTS in build-aux/check-layers.py"
        if count > MOST_FILES:
            yield f"{name}/: {count} files of {MOST_FILES}"


def check_library(relative, header):
    for pattern, allowed in LIBRARIES:
        if pattern.fullmatch(header):
            if not any(relative == place
                       or place.endswith("/") and relative.startswith(place)
                       for place in allowed):
                return f"<{header}> belongs to {', '.join(allowed)}"
    return None


def check_room(room, part, header, headers):
    name = header.rsplit("/", 1)[-1]
    if name == "config.h":
        return None
    target, its_part = headers.get(name, (None, None))
    if target is None:
        return None
    if target == room:
        return check_part(room, part, its_part, header)
    if room in BYTES.get(name, ()):
        return None
    if name in PRIVATE and room not in PRIVATE[name]:
        return f"{room}/ may not include {name}"
    if target not in ROOMS[room]:
        return f"{room}/ may not include {target}/ ({header})"
    return None


def check_file(path, root, place, headers):
    relative = path.relative_to(root).as_posix()
    text = path.read_text(encoding="utf-8", errors="replace")
    for number, line in enumerate(text.splitlines(), 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        quoted, header = match.group(1) == '"', match.group(2)
        offence = check_library(relative, header)
        if not offence and quoted:
            offence = check_room(*place, header, headers)
        if offence:
            yield f"{relative}:{number}: {offence}"


def check(root):
    root = pathlib.Path(root)
    source = root / "src"
    headers, offences = find_headers(source)
    count = 0
    for path in sorted(source.glob("*/**/*.[ch]")):
        room, part = place_of(source, path)
        if room not in ROOMS:
            offences.append(f"src/{room}/ is in no row of the table in "
                            "build-aux/check-layers.py")
            continue
        count += 1
        offences.extend(check_file(path, root, (room, part), headers))
    offences.extend(check_folders(source))
    return count, offences


def main(arguments):
    count, offences = check(arguments[0] if arguments else ".")
    for offence in offences:
        print(offence)
    print(f"{count} files read, {len(offences)} offences")
    return 1 if offences or not count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
