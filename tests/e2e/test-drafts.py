#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A run that takes a while to read: its draft is there first and says what it
rests on; what the person does to it stays when the exact run arrives."""

import gzip
import os
import pathlib
import shutil
import sys
import tempfile

sys.dont_write_bytecode = True
import desktop

# Records of queues change nothing, but each has to be read. What is cancelled must last until
# the button is found, on a busy machine too.
LINES = 1 << 16
TIMES, CANCEL_TIMES = 900, 9000
# A busy machine takes its time.
LONG = 80


def make_slow(source, run, times):
    """Three logs as they are; the last one is compressed, and long."""
    shutil.copytree(os.path.join(source, "tests", "data", "feat-p4-text"), run)
    log = run / "feat.proj.3.log"
    lines = log.read_bytes().splitlines(keepends=True)
    end_us = lines[-1].split()[1]
    many = b"4 0 %s 0 0\n" % end_us * LINES
    packed = gzip.compress(many, 1)
    with open(run / "feat.proj.3.log.gz", "wb") as out:     # members of one stream
        out.write(gzip.compress(b"".join(lines[:-1])))
        for _ in range(times):
            out.write(packed)
        out.write(gzip.compress(lines[-1]))
    log.unlink()


def visible(app):
    """Begin and end of the visible range, as the status bar has them."""
    return app.see(r"^(\S+.*–.*) \(.* of .*\)$").group(1)


def check_draft(program, source):
    with tempfile.TemporaryDirectory() as folder:
        run = pathlib.Path(folder) / "run"
        make_slow(source, run, TIMES)
        with desktop.App(program, run) as app:
            app.see(r"^Refining: 3 of 4 logs read; 1 known only at the beginning$",
                    LONG)
            app.see("^4 PEs · ")
            app.act("zoom-in")
            zoomed = visible(app)
            app.see("^exact$", LONG)
            app.see("^4 PEs · .* records")
            assert visible(app) == zoomed, (visible(app), zoomed)
            assert not [text for text in app.texts() if "Refining" in text]


def check_cancel(program, source):
    """Reading can be stopped while a draft is shown."""
    with tempfile.TemporaryDirectory() as folder:
        run = pathlib.Path(folder) / "run"
        make_slow(source, run, CANCEL_TIMES)
        with desktop.App(program, run) as app:
            app.see(r"^Refining: ", LONG)
            app.press(app.find("push button", "Cancel"))
            app.see("Reading Was Cancelled")
            app.find("push button", "Try Again")


def test(program, source):
    for check in (check_draft, check_cancel):
        check(program, source)
        print(f"ok {check.__name__[6:]}", flush=True)


if __name__ == "__main__":
    desktop.run(test, *sys.argv[1:4])
