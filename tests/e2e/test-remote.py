#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A run on another machine in the real window: kymo-server stands in for ssh, so that no sshd is
needed (tests/remote has one). It is read there, its server ends, and it is opened again where the
person was.

Usage: test-remote.py PROGRAM SOURCE-ROOT LOGS"""

import os
import pathlib
import signal
import subprocess
import sys

sys.dont_write_bytecode = True
import desktop

NO_SERVER = "ssh: connect to host login port 22: Connection refused"


def servers(app):
    """Processes of the program that answer for it."""
    done = subprocess.run(["pgrep", "-P", str(app.process.pid), "-x", "kymo-server"],
                          capture_output=True, text=True)
    return [int(word) for word in done.stdout.split()]


def visible(app):
    return app.see(r"^(\S+.*–.*) \(.* of .*\)$").group(1)


def check_opens(program, server, sample):
    address = f"ssh://you@login{sample}"
    env = {**os.environ, "KYMO_SERVER": f"{server} --stdio"}
    with desktop.App(program, address, env=env) as app:
        app.see("8 PEs · 202,648 records")
        app.see("^exact$")
        whole = visible(app)
        app.act("zoom-in")
        desktop.wait_for(lambda: visible(app) != whole, "the zoomed range")
        zoomed = visible(app)
        (pid,) = servers(app)
        os.kill(pid, signal.SIGKILL)
        desktop.wait_for(lambda: servers(app) == [], "the end of the server")
        app.act("fit")
        app.see("The connection to you@login is lost")
        app.act("back")
        desktop.wait_for(lambda: visible(app) == zoomed, "the range before")
        app.act("reload")
        desktop.wait_for(lambda: len(servers(app)) == 1, "another server")
        app.see("8 PEs · 202,648 records")
        app.see("^exact$")
        assert visible(app) == zoomed, (visible(app), zoomed)
        app.act("reduce-run")
        app.see("This run is on another machine")
        (pid,) = servers(app)
    desktop.wait_for(lambda: not pathlib.Path(f"/proc/{pid}").exists(), "no orphan")
    print("ok opens, loses its server, opens again", flush=True)


def check_refused(program, folder):
    """What ssh says is what the window says; the address can be tried again."""
    ssh = pathlib.Path(folder) / "ssh"
    ssh.write_text(f"#!/bin/sh\necho '{NO_SERVER}' >&2\nexit 255\n")
    ssh.chmod(0o755)
    env = {**os.environ, "KYMO_SERVER": str(ssh)}
    with desktop.App(program, "ssh://you@login/no/run", env=env) as app:
        app.see("This Run Cannot Be Read")
        app.see("Connection refused")
        app.find("push button", "Try Again")
    print("ok refused", flush=True)


def test(program, source):
    build = pathlib.Path(program).resolve().parents[2]
    check_opens(program, build / "src" / "remote" / "kymo-server",
                pathlib.Path(source, "data", "sample").resolve())
    check_refused(program, os.environ["HOME"])


if __name__ == "__main__":
    desktop.run(test, *sys.argv[1:4])
