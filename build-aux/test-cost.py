#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures what processor time tests take: test-cost.py BUILD [WORD...] runs `meson test -C BUILD
--no-rebuild WORD...` and prints the tests by processor time, the greatest first, and the sums of
the suites. Both hold for all processes that a test started and that have ended; how much else the
machine does changes them little, unlike the time on the clock, which stands beside."""

import collections
import ctypes
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

PR_SET_CHILD_SUBREAPER = 36


def measure(log, command):
    """Runs command as a test and adds what it took to log; returns its exit status."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    begin = time.monotonic()
    test = subprocess.Popen(command).pid
    status = None
    while status is None:               # what it left behind is waited for as it ends
        pid, told = os.wait()
        status = os.waitstatus_to_exitcode(told) if pid == test else None
    for _ in range(10):                 # and what ends a little after it
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            break
        time.sleep(0.01)
    use = resource.getrusage(resource.RUSAGE_CHILDREN)
    with open(log, "a", encoding="utf-8") as out:
        cpu = use.ru_utime + use.ru_stime
        out.write(json.dumps([command, cpu, time.monotonic() - begin]) + "\n")
    return status if status >= 0 else 128 - status


def listed(build):
    """{command: (suite, name)} of all tests of a build."""
    text = subprocess.run(["meson", "introspect", "--tests", build], check=True,
                          stdout=subprocess.PIPE).stdout
    return {tuple(test["cmd"]): ("+".join(suite.split(":")[-1] for suite in test["suite"]),
                                 test["name"]) for test in json.loads(text)}


def main(build, *words):
    with tempfile.NamedTemporaryFile(suffix=".json") as log:
        wrapper = f"{pathlib.Path(__file__).resolve()} --measure {log.name}"
        status = subprocess.run(["meson", "test", "-C", build, "--no-rebuild", *words,
                                 "--wrapper", wrapper]).returncode
        measured = [json.loads(line) for line in pathlib.Path(log.name).read_text().splitlines()]
    tests = listed(build)
    sums = collections.defaultdict(lambda: [0, 0, 0])
    print(f"\n{'processor s':>12} {'clock s':>8}")
    for command, cpu, clock in sorted(measured, key=lambda row: -row[1]):
        suite, name = tests.get(tuple(command), ("?", " ".join(command[:3])))
        print(f"{cpu:12.1f} {clock:8.1f}  {suite:18} {name}")
        for key in (suite, "all"):
            sums[key] = [a + b for a, b in zip(sums[key], (cpu, clock, 1))]
    print()
    for suite, (cpu, clock, n) in sorted(sums.items(), key=lambda row: -row[1][0]):
        print(f"{cpu:12.1f} {clock:8.1f}  {suite:18} {n} tests")
    return status


if __name__ == "__main__":
    if sys.argv[1:2] == ["--measure"]:
        sys.exit(measure(sys.argv[2], sys.argv[3:]))
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
