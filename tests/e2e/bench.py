# SPDX-License-Identifier: GPL-3.0-or-later
"""A run in the real window beside what the command line says of it."""

import csv
import json
import os
import pathlib
import subprocess

from desktop import GLib
from views import Views, wait_for


class Bench:
    """The program, its views, and what the command line says of the same run."""

    def __init__(self, app, program, pictures, folder, run):
        self.app, self.run, self.pictures, self.folder = app, run, pictures, folder
        self.cli = pathlib.Path(program).parents[1] / "cli" / "kymo-cli"
        self.views = Views(app, pictures, run.name)

    def ask(self, *words):
        done = subprocess.run([self.cli, words[0], self.run, *words[1:], "--no-cache",
                               "--format", "json"], capture_output=True, check=True, timeout=60)
        return json.loads(done.stdout)

    def figures(self):
        """The lines of the figures that are shown, as lists of words."""
        return list(csv.reader(self.views.exported(
            self.folder / "figures.csv").splitlines()))

    def told(self, key):
        """A word of the head of the figures, None where there is none."""
        return next((line[1] for line in self.figures() if line[:1] == [key]), None)

    def waits_for(self, key, value):
        wait_for(lambda: self.told(key) == value, f"{key} to be {value}")


def check_quiet(bench):
    """A warning of GTK is a bug of ours."""
    loud = [line for line in bench.app.output().splitlines()
            if "-WARNING" in line or "-CRITICAL" in line]
    assert not loud, "\n".join(loud)


def go(bench, *checks):
    for check in checks:
        check(bench)
        print(f"ok {bench.run.name} {check.__name__[6:]}", flush=True)

