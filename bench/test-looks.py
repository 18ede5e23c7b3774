#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test-looks.py MAKE_RUN BENCH_LOOKS: no question about a run of many PEs takes longer than 10 ms
of processor time from one look at its cancellable to the next. What is not looked at often enough
takes some times as long there; processor time is not that of a busy machine."""
import pathlib
import subprocess
import sys
import tempfile

with tempfile.TemporaryDirectory() as name:
    run = pathlib.Path(name) / "run"
    subprocess.run([sys.argv[1], "--pes", "2048", "--records", "500000", run], check=True,
                   stdout=subprocess.DEVNULL)
    sys.exit(subprocess.run([sys.argv[2], "--most", "10", "--where", run]).returncode)
