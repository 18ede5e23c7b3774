#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A run on another machine in the real window: kymo-server stands in for ssh, so that no sshd is
needed (tests/remote has one). It is read there, its server ends, and it is opened again where the
person was.

Usage: test-remote.py PROGRAM SOURCE-ROOT LOGS PART"""

import os
import pathlib
import shlex
import signal
import subprocess
import sys
import tarfile
import time

sys.dont_write_bytecode = True
import desktop
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import own_sshd

DENIED = "you@login: Permission denied (publickey,password)."
NO_SERVER = "ssh: connect to host login port 22: Connection refused"


def type_text(app, text):
    app.focus()
    desktop.xdo("type", "--delay", 5, text)


def visible(app):
    return app.see(r"^(\S+.*–.*) \(.* of .*\)$").group(1)


def select_time(app):
    """Drags over a part of the timeline. Returns what is said of the selection."""
    window = app.focus()
    box = app.find("image", "Timeline:.*").get_extents(desktop.Atspi.CoordType.WINDOW)
    y = box.y + box.height // 3
    desktop.approach(app.find("image", "Timeline:.*"), box.x + box.width // 2, y,
                     "--window", window)
    desktop.xdo("mousedown", 1)
    for i in range(1, 5):
        desktop.xdo("mousemove", "--window", window, box.x + box.width * (8 + i) // 16, y)
    desktop.xdo("mouseup", 1)
    # The window may still be on its way to where the pointer is: until three looks are the same.
    said = []
    def rests():
        said.append(app.see("^selected .*$").group())
        return said[-3:] == 3 * said[-1:]
    desktop.wait_for(rests, "the end of the drag")
    return said[-1]


def check_shares(app, program, folder, env):
    """A second process hands its run over, and another run of a machine needs no line."""
    (pid,) = desktop.servers(app)
    other = f"ssh://you@login{folder.parents[1]}/tests/data/feat-p4-text"
    subprocess.run([program, other], env=env, check=True, timeout=desktop.PATIENCE)
    app.see("4 PEs · ")
    subprocess.run([program, f"ssh://you@login{folder}"], env=env, check=True,
                   timeout=desktop.PATIENCE)
    app.see("8 PEs · 202,648 records")
    app.see("^exact$")
    assert desktop.servers(app) == [pid], "one line for all"


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
        selected = select_time(app)
        (pid,) = desktop.servers(app)
        os.kill(pid, signal.SIGKILL)
        app.see("The connection to you@login is lost")
        app.act("fit")
        desktop.wait_for(lambda: desktop.servers(app) not in ([], [pid]), "another server")
        desktop.wait_for(lambda: not app.all("label", "The connection to .*"),
                         "the end of the banner")
        app.act("back")
        desktop.wait_for(lambda: visible(app) == zoomed, "the range before")
        app.see("^exact$")
        assert app.see("^selected .*$").group() == selected
        (pid,) = desktop.servers(app)
        check_shares(app, program, pathlib.Path(sample), env)
    desktop.wait_for(lambda: not pathlib.Path(f"/proc/{pid}").exists(), "no orphan")
    print("ok opens, loses its server, gets another by itself", flush=True)


def check_warns(program, server, sample):
    """Whoever works in a job is told before it ends; what limits a run there is told here."""
    end = int(time.time()) + 290
    env = {**os.environ, "KYMO_SERVER": f"env SLURM_JOB_END_TIME={end} {server} --stdio",
           "XDG_DATA_HOME": os.path.join(os.environ["HOME"], "nobody")}      # without a desk
    with desktop.App(program, f"ssh://you@login{sample}", env=env, view=None) as app:
        app.see("^The job that answers for this run ends in [345] minutes$")
        assert app.is_shown("Findings")
        app.see("^PEs wait for work although loads are equal$")
        assert not app.all("push button", "Reconnect Now")
    print("ok warns before a job ends", flush=True)


def check_locked_out(program, server, sample, folder):
    """What ssh refuses is not tried again until the person says so."""
    ssh, locked = pathlib.Path(folder) / "ssh", pathlib.Path(folder) / "locked"
    ssh.write_text(f"#!/bin/sh\n[ ! -e {locked} ] || {{ echo x >> {locked}; "
                   f"echo '{DENIED}' >&2; exit 255; }}\nexec {server} --stdio\n")
    ssh.chmod(0o755)
    env = {**os.environ, "KYMO_SERVER": str(ssh)}
    with desktop.App(program, f"ssh://you@login{sample}", env=env) as app:
        app.see("^exact$")
        (pid,) = desktop.servers(app)
        locked.write_text("")
        os.kill(pid, signal.SIGKILL)
        app.see(DENIED.replace("(", r"\(").replace(")", r"\)") + "$")
        assert locked.read_text() == "x\n", "ssh was tried once"
        locked.unlink()
        app.press(app.find("push button", "Reconnect Now"))
        desktop.wait_for(lambda: len(desktop.servers(app)) == 1, "another server")
        app.act("zoom-in")
        app.see("^exact$")
    print("ok locked out, tried again by a click", flush=True)


def make_hosts(folder):
    """A site's hosts.conf and the user's; XDG_CONFIG_… for them."""
    for name, text in (("site", "[site-host]\n"),
                       ("own", "[cluster]\nSsh=-J gate you@login\nLaunches=slurm login\n"
                               "Queue=short\n")):
        conf = pathlib.Path(folder, name, "kymo")
        conf.mkdir(parents=True)
        (conf / "hosts.conf").write_text(text)
    return {"XDG_CONFIG_DIRS": f"{folder}/site", "XDG_CONFIG_HOME": f"{folder}/own"}


def check_browses(program, server, source, folder):
    """From the start page to a run by keys alone, past a path that is not there."""
    env = {**os.environ, **make_hosts(folder), "KYMO_SERVER": f"{server} --stdio"}
    with desktop.App(program, "--size", "1024x640", env=env) as app:
        app.find("push button", "Open Remote…")
        app.act("open-remote")
        app.see("^site-host$")
        app.see("^cluster$")
        app.keys("Tab")
        app.keys("Return")                              # the first host of hosts.conf
        app.see("Folder Above")
        desktop.wait_for(lambda: desktop.servers(app), "a server")
        app.keys("Escape")
        app.see("Host or Address")
        type_text(app, "you@login/no/such/folder")
        app.keys("Return")
        app.see("/no/such/folder.*No such file or directory")
        app.keys("Escape")
        app.see("Host or Address")
        app.keys("ctrl+a")
        type_text(app, f"ssh://you@login{source}/tests/data/tau")
        app.keys("Return")
        app.see(r"^TAU .* · .*B · \d{4}-\d\d-\d\d \d\d:\d\d$")
        app.find("list item", "Folder .*")
        app.keys("alt+Up")
        app.see("Run feat-p4-text, Projections")
        app.keys("ctrl+l")
        app.keys("ctrl+a")
        type_text(app, f"{source}/data/sample")
        app.keys("Return")
        app.see("^Run .*, Projections")
        app.keys("Return")
        app.see("8 PEs · 202,648 records")
        assert len(desktop.servers(app)) == 1, "the dialog's server answers for the run"
    print("ok browses by keys", flush=True)


def check_asks_launch(program, server, sample, folder):
    """A host with a job asks how to begin; what is no value is told there. What was chosen stands
    in commands that are copied."""
    ssh = pathlib.Path(folder) / "bin" / "ssh"
    ssh.parent.mkdir()
    ssh.write_text(f"#!/bin/sh\nprintf '%s\\n' \"$@\" > {folder}/words\n"
                   f"[ ! -e {folder}/up ] || exec {server} --stdio\n"
                   "echo 'kymo-server: job 12 waits in the queue' >&2\nsleep 2\n"
                   f"echo '{NO_SERVER}' >&2\nexit 255\n")
    ssh.chmod(0o755)
    env = {**os.environ, "PATH": f"{ssh.parent}:{os.environ['PATH']}",
           "XDG_CONFIG_DIRS": f"{folder}/site", "XDG_CONFIG_HOME": f"{folder}/own"}
    env.pop("KYMO_SERVER", None)
    with desktop.App(program, env=env) as app:
        app.find("push button", "Open Remote…")
        app.act("open-remote")
        app.see("Host or Address")
        type_text(app, "cluster")
        app.keys("Return")
        app.find("text", r"Time \(HH:MM:SS\)")
        app.keys("ctrl+a")
        type_text(app, "1;id")
        app.keys("Return")
        app.see("“1;id” is no value for “time”")
        app.keys("ctrl+a")
        type_text(app, "00:10:00")
        app.keys("Return")
        app.see("^job 12 waits in the queue$")
        app.see("Connection refused")
        words = pathlib.Path(folder, "words").read_text()
        assert "gate\n" in words and " --connect --job " in words, words
        pathlib.Path(folder, "up").touch()
        app.press(app.find("push button", "Try Again"))
        app.find("list item", "Folder .*")
        app.keys("ctrl+l")
        app.keys("ctrl+a")
        type_text(app, str(sample))
        app.keys("Return")
        app.see("^Run .*, Projections")
        app.keys("Return")
        app.see("^exact$")
        app.act("copy-command")
        app.see("^Command copied$")
        line = subprocess.run(["xclip", "-selection", "clipboard", "-o"], capture_output=True,
                              text=True, check=True, timeout=desktop.PATIENCE).stdout
        assert f" ssh://cluster{sample} " in line, line
        assert " --launch slurm,time=00:10:00,queue=short," in line, line
    print("ok asks how to begin", flush=True)


def check_fetches(program, server, sample, folder):
    """A run of another machine comes here, and what was here already is no obstacle."""
    env = {**os.environ, "KYMO_SERVER": f"{server} --stdio"}
    with desktop.App(program, f"ssh://you@login{sample}", env=env) as app:
        app.see("^exact$")
        for _ in range(2):
            app.act("fetch-run")
            app.see("Files that are there stay as they are")
            app.press(app.find("push button", "Fetch"))
            app.see(r"Fetched 14 files, \S+ MB")
            desktop.wait_for(lambda: not app.all("push button", "Fetch"), "no dialog")
    got = pathlib.Path(folder) / "leanmd"
    assert sorted(os.listdir(got)) == sorted(os.listdir(sample)), os.listdir(got)
    assert not got.with_name("leanmd-2").exists()
    print("ok fetches", flush=True)


def check_tests_host(program, server, folder):
    """Where no server is found the dialog says what is and offers to install one; then one is
    there. An sshd of the test's own stands for the host."""
    there = pathlib.Path(folder) / "there"
    (there / "kymo").mkdir(parents=True)
    there.chmod(0o700)
    (there / "run").mkdir(mode=0o700)
    with tarfile.open(there / "kymo-server-0.1.0-x86_64.tar.gz", "w:gz") as tar:
        tar.add(server, "kymo/bin/kymo-server")
    own = {"HOME": str(there), "XDG_RUNTIME_DIR": str(there / "run")}
    sshd = own_sshd.Sshd(there, there=own)
    (there / "kymo" / "hosts.conf").write_text(f"[lab]\nSsh={shlex.join(sshd.words())}\n")
    env = {**os.environ, "XDG_CONFIG_DIRS": "/nowhere", "XDG_CONFIG_HOME": str(there)}
    env.pop("KYMO_SERVER", None)
    try:
        with desktop.App(program, "--size", "1024x640", env=env) as app:
            app.find("push button", "Open Remote…")
            app.act("open-remote")
            app.see("Host or Address")
            type_text(app, "lab")
            app.keys("Return")
            app.see("kymo-server: not found")
            app.press(app.find("push button", "Test Host…"))
            app.see("Passed: Connection by ssh. Linux ")
            app.see("Failed: Server. .*kymo-server: not found")
            assert not app.all("label", "No runs and no folders"), "nobody has looked yet"
            app.press(app.find("push button", "Install There…"))
            app.see(r"^Servers \(kymo-server-.*\)$")
            type_text(app, str(there / "kymo-server-0.1.0-x86_64.tar.gz"))
            app.keys("Return")
            app.see("Passed: Installation. ")
            app.see("Passed: Answer of the server. kymo-server ")
            app.keys("Escape")
            app.see("^Folder ")
            assert not app.all("label", ".*kymo-server: not found")
        installed = there / ".local" / "kymo" / "bin" / "kymo-server"
        assert installed.read_bytes() == pathlib.Path(server).read_bytes()
    finally:
        subprocess.run([server, "--stop"], env={**os.environ, **own}, capture_output=True,
                       timeout=desktop.PATIENCE)
        sshd.end()
    print("ok tests a host, installs a server there", flush=True)


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
    home = os.environ["HOME"]
    if sys.argv[4] == "hosts":
        check_browses(program, server, pathlib.Path(source).resolve(), home)
        check_asks_launch(program, server, sample, home)
        if own_sshd.PROGRAM is not None:
            check_tests_host(program, server, home)
        return
    check_opens(program, server, sample)
    check_warns(program, server, sample)
    check_locked_out(program, server, sample, home)
    check_refused(program, home)
    check_fetches(program, server, sample, home)


if __name__ == "__main__":
    desktop.run(test, *sys.argv[1:4])
