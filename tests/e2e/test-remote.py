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

DENIED = "you@login: Permission denied (publickey,password)."
NO_SERVER = "ssh: connect to host login port 22: Connection refused"


def servers(app):
    """Processes of the program that answer for it."""
    done = subprocess.run(["pgrep", "-P", str(app.process.pid), "-x", "kymo-server"],
                          capture_output=True, text=True)
    return [int(word) for word in done.stdout.split()]


def visible(app):
    return app.see(r"^(\S+.*–.*) \(.* of .*\)$").group(1)


def check_opens(program, server, sample):
    """A line that is lost comes back by itself, and with it the answers that were waited for."""
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
        app.see("The connection to you@login is lost")
        app.act("fit")
        desktop.wait_for(lambda: servers(app) not in ([], [pid]), "another server")
        desktop.wait_for(lambda: not app.all("label", "The connection to .*"),
                         "the end of the banner")
        app.act("back")
        desktop.wait_for(lambda: visible(app) == zoomed, "the range before")
        app.see("^exact$")
        app.act("reduce-run")
        app.see("This run is on another machine")
        (pid,) = servers(app)
    desktop.wait_for(lambda: not pathlib.Path(f"/proc/{pid}").exists(), "no orphan")
    print("ok opens, loses its server, gets another by itself", flush=True)


def check_locked_out(program, server, sample, folder):
    """What ssh refuses is not tried again until the person says so."""
    ssh, locked = pathlib.Path(folder) / "ssh", pathlib.Path(folder) / "locked"
    ssh.write_text(f"#!/bin/sh\n[ ! -e {locked} ] || {{ echo x >> {locked}; "
                   f"echo '{DENIED}' >&2; exit 255; }}\nexec {server} --stdio\n")
    ssh.chmod(0o755)
    env = {**os.environ, "KYMO_SERVER": str(ssh)}
    with desktop.App(program, f"ssh://you@login{sample}", env=env) as app:
        app.see("^exact$")
        (pid,) = servers(app)
        locked.write_text("")
        os.kill(pid, signal.SIGKILL)
        app.see(DENIED.replace("(", r"\(").replace(")", r"\)") + "$")
        assert locked.read_text() == "x\n", "ssh was tried once"
        locked.unlink()
        app.press(app.find("push button", "Reconnect Now"))
        desktop.wait_for(lambda: len(servers(app)) == 1, "another server")
        app.act("zoom-in")
        app.see("^exact$")
    print("ok locked out, tried again by a click", flush=True)


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
    server = build / "src" / "remote" / "kymo-server"
    sample = pathlib.Path(source, "data", "sample").resolve()
    check_opens(program, server, sample)
    check_locked_out(program, server, sample, os.environ["HOME"])
    check_refused(program, os.environ["HOME"])


if __name__ == "__main__":
    desktop.run(test, *sys.argv[1:4])
