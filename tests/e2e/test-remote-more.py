#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a run on another machine can do as one of this machine: it is compared with a local one,
also by a typed address; a recording of a stream is played from there; a part and a reduction are
written there; what is kept of it is found under its address. kymo-server stands in for ssh.

Usage: test-remote-more.py PROGRAM SOURCE-ROOT LOGS"""

import os
import pathlib
import signal
import subprocess
import sys

sys.dont_write_bytecode = True
import desktop

A, B = "feat-p4-text", "feat-p4-outlierphases"


class Place:
    """A server in place of ssh, and the programs that are built."""

    def __init__(self, program, source, folder):
        build = pathlib.Path(program).resolve().parents[2]
        self.program, self.folder = program, pathlib.Path(folder)
        self.data = pathlib.Path(source).resolve() / "tests" / "data"
        self.sample = pathlib.Path(source).resolve() / "data" / "sample"
        self.cli = build / "src" / "cli" / "kymo-cli"
        self.env = {**os.environ, "KYMO_CLI": str(self.cli),
                    "KYMO_SERVER": f"{build / 'src' / 'remote' / 'kymo-server'} --stdio"}

    def open(self, *words):
        return desktop.App(self.program, *map(str, words), env=self.env)

    def open_by(self, ssh, *words):
        """With another program in place of ssh."""
        return desktop.App(self.program, *map(str, words),
                           env={**self.env, "KYMO_SERVER": str(ssh)})

    def far(self, path):
        return f"ssh://you@login{path}"

    def ask(self, *words):
        return subprocess.run([self.cli, *words], env=self.env, capture_output=True, text=True,
                              timeout=desktop.PATIENCE)


def type_text(app, text):
    app.focus()
    desktop.xdo("type", "--delay", 5, text)


def visible(app):
    return app.see(r"^(\S+.*–.*) \(.* of .*\)$").group(1)


def check_compares(place):
    """A line that is lost is made again by a click where ssh refuses it at first."""
    ssh, locked = place.folder / "ssh", place.folder / "locked"
    ssh.write_text(f"#!/bin/sh\n[ ! -e {locked} ] || {{ echo 'Permission denied.' >&2; "
                   f"exit 255; }}\nexec {place.env['KYMO_SERVER']}\n")
    ssh.chmod(0o755)
    with place.open_by(ssh, "--compare", place.data / A, place.far(place.data / B)) as app:
        app.see(f"{A} against {B}")
        app.see("A took .* B ")
        (pid,) = desktop.servers(app)
        locked.touch()
        os.kill(pid, signal.SIGKILL)
        app.see("Permission denied")
        locked.unlink()
        app.press(app.find("push button", "Reconnect Now"))
        desktop.wait_for(lambda: not app.all("label", ".*Permission denied.*"),
                         "another line, and the end of the banner")
        app.keys("x")
        app.see(f"{B} against {A}")
        app.see("A took .* B ")
    print("ok compares a run here with one there", flush=True)


def check_typed(place):
    with place.open(place.data / A) as app:
        app.see("^exact$")
        app.act("compare")
        entry = app.find("text", "Path of a run, or address of one on another machine")
        app.click(entry)
        type_text(app, "ssh://nothing")
        app.keys("Return")
        app.keys("ctrl+a")
        type_text(app, place.far(place.data / B))
        app.keys("Return")
        app.press(app.find("push button", "Compare"))
        app.see(f"{A} against {B}")
    print("ok compares with an address that was typed", flush=True)


def check_plays(place):
    recording = place.data / "streams" / "load-p4.kymostream"
    with place.open("--replay", place.far(recording)) as app:
        app.see("^Playing the recording$")
        app.see(r"\bblock [2-9]")
    print("ok plays a recording there", flush=True)


def check_writes(place):
    run = place.folder / "far-run"
    run.symlink_to(place.sample)
    with place.open(place.far(run)) as app:
        app.see("^exact$")
        app.act("reduce-run")
        app.see("of 8 PEs are kept")
        app.press(app.find("push button", "Reduce"))
        desktop.wait_for(lambda: [p for p in place.folder.glob("*-reduced/*") if p.is_file()],
                         "the reduced run")
        app.act("export-run")
        app.see("on the machine of this one")
        app.press(app.find("push button", "Export"))
        desktop.wait_for(lambda: [p for p in place.folder.glob("*-part/*") if p.is_file()],
                         "the part")
    (part,) = place.folder.glob("*-part")
    assert place.ask("info", part).returncode == 0
    print("ok writes a reduction and a part there", flush=True)


def check_copies(place, app, address):
    """The command that makes the picture names the address, and works."""
    app.act("copy-command")
    app.see("^Command copied$")
    line = subprocess.run(["xclip", "-selection", "clipboard", "-o"], capture_output=True,
                          text=True, check=True, timeout=desktop.PATIENCE).stdout
    assert line.startswith("kymo-cli ") and f" {address} " in line, line
    env = {**place.env, "PATH": f"{place.cli.parent}:{os.environ['PATH']}"}
    subprocess.run(line, shell=True, env=env, cwd=place.folder, check=True,
                   timeout=desktop.PATIENCE)


def check_keeps(place):
    """A desk is kept under the address, for the window and for kymo-cli."""
    address = place.far(place.data / A)
    with place.open(address) as app:
        app.see("^exact$")
        whole = visible(app)
        app.act("zoom-in")
        desktop.wait_for(lambda: visible(app) != whole, "the zoomed range")
        zoomed = visible(app)
    told = place.ask("desk", address, "--format", "json")
    assert f'"uri":"{address}"' in told.stdout.replace(" ", ""), told
    with place.open(address) as app:
        app.see("^exact$")
        desktop.wait_for(lambda: visible(app) == zoomed, "the range that was kept")
        check_copies(place, app, address)
    found = place.ask("search", address, "", "--desk", "kept")
    assert "no desk is kept" not in found.stderr, found
    print("ok keeps a desk under the address", flush=True)


def test(program, source):
    place = Place(program, source, os.environ["HOME"])
    check_compares(place)
    check_typed(place)
    check_plays(place)
    check_writes(place)
    check_keeps(place)


if __name__ == "__main__":
    desktop.run(test, *sys.argv[1:4])
