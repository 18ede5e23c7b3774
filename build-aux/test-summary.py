#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Adds up meson's test logs: names what failed or was skipped, and ends with
`N passed, N failed, N skipped`.

A log that is missing counts as one failure: a run that never happened must
not look like a run that passed. Exit status 1 when anything failed or
nothing ran."""

import json
import sys

PASSED = {"OK", "EXPECTEDFAIL"}
SKIPPED = {"SKIP"}


def read_results(path):
    """[(name, result)] of one testlog.json (one JSON object a line)."""
    with open(path, encoding="utf-8", errors="replace") as log:
        entries = [json.loads(line) for line in log if line.strip()]
    return [(entry["name"], entry["result"]) for entry in entries]


def main(paths):
    passed = failed = skipped = 0
    for path in paths:
        folder = path.split("/", 1)[0]
        try:
            results = read_results(path)
        except (OSError, ValueError, KeyError) as error:
            print(f"FAILED   {folder}: no test log: {error}")
            failed += 1
            continue
        for name, result in results:
            if result in PASSED:
                passed += 1
            elif result in SKIPPED:
                skipped += 1
                print(f"skipped  {folder}: {name}")
            else:
                failed += 1
                print(f"FAILED   {folder}: {name} ({result})")
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
