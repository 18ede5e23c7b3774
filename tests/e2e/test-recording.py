#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The folder of a program that kymo-record records opens while the program runs: the window grows
with it, and has the archive when the program has ended."""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "recorder"))
import desktop
import recording

# Writes a file again and again, until there is another one.
PROGRAM = """import os, sys, time
while not os.path.exists(sys.argv[1]):
    with open(sys.argv[2], "w") as file:
        file.write("x" * 4096)
    time.sleep(0.01)
"""


class Recorded:
    """The program, until it is told to end."""

    def __init__(self, build, folder):
        self.folder = pathlib.Path(folder)
        self.record, self.stop = self.folder / "record", self.folder / "stop"
        words = [build / "src/recorder/launch/kymo-record", "-o", self.record, sys.executable, "-c",
                 PROGRAM, self.stop, self.folder / "out.dat"]
        self.process = subprocess.Popen(  # pylint: disable=consider-using-with
            [str(word) for word in words], stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env=recording.surroundings())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()

    def has_clock(self):
        """A process that read its clock once does not know yet how long its ticks are."""
        return any(path.read_bytes().count(b"\nclock\t") > 1
                   for path in self.record.glob("raw/*/definitions"))

    def end(self):
        self.stop.touch()
        assert self.process.wait(desktop.PATIENCE) == 0, "the program failed"


def milliseconds_of(app):
    """How long the run is that the chart shows."""
    names = [item.get_name() for item in app.all("image", "Timeline: .*")]
    found = re.search(r"to ([0-9.]+) (ms|s|min)", names[0]) if names else None
    return float(found[1]) * {"ms": 1, "s": 1e3, "min": 6e4}[found[2]] if found else 0


def length_of(build, run):
    """The same of a run on the disk."""
    done = subprocess.run([build / "src/cli/kymo-cli", "info", run, "--format", "json"], check=True,
                          stdout=subprocess.PIPE, timeout=desktop.PATIENCE)
    return json.loads(done.stdout)["end_ns"] / 1e6


def check_grows(program, _):
    """It opens, grows, and ends with the archive."""
    build = pathlib.Path(program).resolve().parents[2]
    with tempfile.TemporaryDirectory() as folder, Recorded(build, folder) as recorded:
        desktop.wait_for(recorded.has_clock, "a clock")
        with desktop.App(program, recorded.record) as app:
            app.see("still being written")
            first = desktop.wait_for(lambda: milliseconds_of(app), "a time range")
            desktop.wait_for(lambda: milliseconds_of(app) > first + 500, "a longer run")
            app.see("still being written")
            recorded.end()
            assert (recorded.record / "traces.otf2").exists(), "no archive"
            assert not (recorded.record / "raw").exists(), "raw files are left"
            whole = length_of(build, recorded.record)
            desktop.wait_for(lambda: abs(milliseconds_of(app) - whole) < whole / 100,
                             f"a run of {whole} ms")
            desktop.wait_for(lambda: not list(app.each_text("still being written")),
                             "a whole run")


if __name__ == "__main__":
    desktop.run(check_grows, *sys.argv[1:4])
