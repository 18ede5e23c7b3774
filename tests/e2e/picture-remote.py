#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""picture-remote.py PROGRAM SOURCE-ROOT TARGET [OPTION...]: the picture of the dialog Open Remote
in the guide, on a display of build-aux/with-display.py. A server that has a file system of its own
(unshare) stands in for a cluster. Options are for the program, as --dark."""

import os
import pathlib
import subprocess
import sys

sys.dont_write_bytecode = True
import desktop

FOLDER = "/mnt/scratch/you/runs"
RUNS = {"leanmd-p8": "data/sample", "stencil-otf2": "tests/data/otf2-stencil-4",
        "stencil-tau": "tests/data/tau/multi-coll-8"}
WHEN = "2026-11-27 13:04"


def write_server(source, server):
    """A program that shows the server the runs of a cluster."""
    path = pathlib.Path(os.environ["HOME"], "cluster")
    copies = "\n".join(f"cp -r '{source}/{run}' {FOLDER}/{name}" for name, run in RUNS.items())
    path.write_text(f"#!/bin/sh\nset -e\nmount -t tmpfs none /mnt\nmkdir -p {FOLDER}/older\n"
                    f"{copies}\nfind {FOLDER} -exec touch -d '{WHEN}' {{}} +\n"
                    f"exec '{server}' --stdio\n")
    path.chmod(0o755)
    return f"unshare --map-root-user --mount {path}"


def main(program, source, target, *options):
    source = pathlib.Path(source).resolve()
    server = pathlib.Path(program).resolve().parents[1] / "remote" / "kymo-server"
    env = {**os.environ, "KYMO_SERVER": write_server(source, server)}
    with desktop.App(program, "--size", "1024x640", *options, env=env) as app:
        app.find("push button", "Open Remote…")
        app.act("open-remote")
        app.see("Host or Address")
        app.focus()
        desktop.xdo("type", "--delay", 5, f"you@login.example.org{FOLDER}")
        app.keys("Return")
        app.see("^OTF2 archive")
        found = subprocess.run(["xdotool", "search", "--onlyvisible", "--name", "^Open Remote"],
                               capture_output=True, text=True, check=True).stdout.split()
        # Below the runs the list is empty.
        subprocess.run(["import", "-window", found[-1], "-crop", "x340+0+0", "+repage", target],
                       check=True, timeout=desktop.PATIENCE)


main(*sys.argv[1:])
