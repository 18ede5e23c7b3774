#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""with-display.py [--tap] [--screen WIDTHxHEIGHT] COMMAND...: runs COMMAND in a desktop of its own.

A virtual X server on a number that Xvfb picks itself (tests run side by
side), a session bus, and a home folder that is thrown away, so that a test
sees neither the settings nor the screen of the person who runs it. Exit
status of COMMAND; where the tools are missing 77 (skipped), or with --tap a
skipped plan and 0, as that protocol wants it."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile

SKIP = 77
TOOLS = ("Xvfb", "dbus-run-session")


def start_server(size):
    """(process, display): Xvfb, ready when it has told its number."""
    reader, writer = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writer), "-screen", "0", f"{size}x24",
         "-nolisten", "tcp", "-noreset"],
        pass_fds=[writer], stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        number = pipe.readline().strip()
    if not number:
        server.wait()
        raise OSError("Xvfb did not start")
    return server, f":{number}"


def environment(home, display):
    env = dict(os.environ)
    for name in ("WAYLAND_DISPLAY", "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS",
                 "AT_SPI_BUS_ADDRESS", "GTK_THEME", "DESKTOP_SESSION",
                 "XDG_CURRENT_DESKTOP"):
        env.pop(name, None)
    for name, folder in (("XDG_CONFIG_HOME", "config"),
                         ("XDG_CACHE_HOME", "cache"),
                         ("XDG_DATA_HOME", "data"),
                         ("XDG_STATE_HOME", "state"),
                         ("XDG_RUNTIME_DIR", "runtime")):
        env[name] = os.path.join(home, folder)
        os.mkdir(env[name], 0o700)
    env.update(HOME=home, DISPLAY=display, GDK_BACKEND="x11",
               GSK_RENDERER="cairo", GSETTINGS_BACKEND="memory",
               LC_ALL="C.UTF-8", NO_AT_BRIDGE="0")
    return env


def stop(server):
    server.terminate()
    try:
        server.wait(5)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()


def interrupted(signum, frame):
    """A time limit ends the test; the server must not outlive it."""
    sys.exit(128 + signum)


def main(command):
    tap = command[:1] == ["--tap"]
    command = command[tap:]
    size = "1600x1000"
    if command[:1] == ["--screen"]:
        size, command = command[1], command[2:]
    missing = [tool for tool in TOOLS if not shutil.which(tool)]
    if missing:
        print("1..0 # SKIP not installed: " + ", ".join(missing))
        return 0 if tap else SKIP
    signal.signal(signal.SIGTERM, interrupted)
    home = tempfile.mkdtemp(prefix="kymo-test-")
    server = None
    try:
        server, display = start_server(size)
        return subprocess.run(["dbus-run-session", "--", *command],
                              env=environment(home, display)).returncode
    finally:
        if server:
            stop(server)
        shutil.rmtree(home, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
