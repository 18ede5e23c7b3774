#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""reader-id.py HEADER DEPFILE PLACE...: a header with one line, a hash of the
sources that make a run of files. What another reader kept is not served, so
that a repaired reader never shows what the broken one saw."""

import hashlib
import pathlib
import sys


def main():
    header, depfile, *places = map(pathlib.Path, sys.argv[1:])
    files = [place for place in places if place.is_file()]
    files += sorted(path for place in places for path in place.rglob("*.[ch]"))
    digest = hashlib.sha256()
    for path in files:
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    header.write_text("/* SPDX-License-Identifier: GPL-3.0-or-later */\n"
                      "#pragma once\n"
                      f'#define KYMO_READER_ID "{digest.hexdigest()}"\n')
    names = " ".join(str(path).replace(" ", "\\ ") for path in files)
    depfile.write_text(f"{header}: {names}\n")


if __name__ == "__main__":
    main()
