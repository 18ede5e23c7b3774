#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""make-big-run.py RUN OUT [--pes N]: a run of any size from a small one.

The logs of RUN are copied (hard links where the file system allows) under the
numbers 0 to N-1, round and round, and the .sts is told that there are N PEs.
Message partners stay what they were in the originals, so this is for measuring
speed and memory, not for looking at communication."""

import argparse
import os
import pathlib
import re
import shutil
import sys

LOG = re.compile(r"(?P<base>.+)\.(?P<pe>\d+)\.log(?P<ending>(\.gz)?)$")


def find_logs(run):
    """{base: [(pe, path, ending)]} in order of the PEs."""
    logs = {}
    for path in run.iterdir():
        match = LOG.match(path.name)
        if match:
            logs.setdefault(match["base"], []).append(
                (int(match["pe"]), path, match["ending"]))
    return {base: sorted(found) for base, found in logs.items()}


def place(source, target):
    try:
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, target)


def write_sts(source, target, pes):
    text = source.read_text(encoding="utf-8", errors="surrogateescape")
    text, count = re.subn(r"^(PROCESSORS|TOTAL_PES)\s+\d+", rf"\1 {pes}", text,
                          flags=re.MULTILINE)
    if not count:
        sys.exit(f"{source}: no PROCESSORS line")
    target.write_text(text, encoding="utf-8", errors="surrogateescape")


def main():
    parser = argparse.ArgumentParser(
        description="Copies the logs of a run under more PE numbers.")
    parser.add_argument("run", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--pes", type=int, default=64)
    options = parser.parse_args()

    found = find_logs(options.run)
    if len(found) != 1:
        sys.exit(f"{options.run}: {len(found)} runs with logs, one is needed")
    (base, logs), = found.items()

    options.out.mkdir(parents=True, exist_ok=True)
    if any(options.out.iterdir()):
        sys.exit(f"{options.out} is not empty")
    write_sts(options.run / f"{base}.sts", options.out / f"{base}.sts",
              options.pes)
    for pe in range(options.pes):
        _, path, ending = logs[pe % len(logs)]
        place(path, options.out / f"{base}.{pe}.log{ending}")
    print(f"{options.out}: {options.pes} PEs from {len(logs)} logs")


if __name__ == "__main__":
    main()
