#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What ssh asks reaches the person in the window: a real sshd on loopback whose host nobody knows,
and a key with a passphrase, which ssh asks for as it asks for a password.

Usage: test-askpass.py PROGRAM SOURCE-ROOT LOGS"""

import os
import pathlib
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import desktop

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import own_sshd

SECRET = "open sesame, please"


def helpers(app):
    """Processes of the program that ssh has started."""
    done = subprocess.run(["pgrep", "-x", "ssh", "-P", str(app.process.pid)], capture_output=True,
                          text=True)
    return done.stdout.split()


def type_text(app, text):
    app.focus()
    desktop.xdo("type", "--delay", 5, text)


def check_asked(program, env, address):
    """The host is trusted, a wrong passphrase asked for again, the right one taken."""
    with desktop.App(program, address, env=env) as app:
        app.see("authenticity of host")
        app.see("Unknown Host")
        app.press(app.find("push button", "Trust This Host"))
        app.see("Enter passphrase for key")
        type_text(app, "wrong")
        app.keys("Return")
        desktop.wait_for(lambda: not app.texts() or "wrong" not in app.texts(), "another dialog")
        app.see("Enter passphrase for key")
        type_text(app, SECRET)
        app.keys("Return")
        app.see("8 PEs · 202,648 records")
        assert SECRET not in app.output()
    print("ok asked", flush=True)


def check_refused(program, env, address):
    """No answer ends ssh, and is told; closing the tab takes the question back."""
    with desktop.App(program, address, env=env) as app:
        app.see("Enter passphrase for key")
        app.keys("Escape")
        app.see("This Run Cannot Be Read")
        app.see("The question of ssh was not answered")
        desktop.wait_for(lambda: not helpers(app), "the end of ssh")
        app.act("reload")
        app.see("Enter passphrase for key")
        app.act("close-tab")
        desktop.wait_for(lambda: not app.all("label", "Enter passphrase .*"), "no question")
        desktop.wait_for(lambda: not helpers(app), "the end of ssh")
    print("ok refused", flush=True)


def test(program, source):
    if own_sshd.PROGRAM is None:
        print("skipped: there is no sshd")
        sys.exit(desktop.SKIP)
    server = pathlib.Path(program).resolve().parents[1] / "remote" / "kymo-server"
    sample = pathlib.Path(source, "data", "sample").resolve()
    with tempfile.TemporaryDirectory() as folder:
        sshd = own_sshd.Sshd(pathlib.Path(folder), SECRET)
        env = {**os.environ, "XDG_RUNTIME_DIR": folder,
               "KYMO_SERVER": sshd.command(f"{server} --stdio", batch=False, strict="ask")}
        try:
            check_asked(program, env, f"ssh://far{sample}")
            check_refused(program, env, f"ssh://far{sample}")
            assert not list(pathlib.Path(folder).glob("kymo-ask-*")), "a socket is left"
        finally:
            sshd.end()


if __name__ == "__main__":
    desktop.run(test, *sys.argv[1:4])
