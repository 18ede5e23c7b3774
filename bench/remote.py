#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""remote.py BUILD [RUN] [--first]: what a real sshd on loopback adds to questions of a run (of 4096
PEs that it makes, where none is named): kymo-bench-remote through a server that windows share, how
long a second window takes to open the run, and what that server costs while it is idle. The load
of the machine stands beside; with --first (root only) the measured processes go before all others,
which tells what an idle machine would."""
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "support"))
import own_sshd  # noqa: E402

BUILD = pathlib.Path(sys.argv[1]).resolve()
SERVER = BUILD / "src" / "remote" / "kymo-server"
IDLE_S = 30


def cpu_s(pid):
    """Processor time of a process so far."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def tell_idle(place):
    """What the daemon takes while nobody asks it, of one core."""
    state = next(pathlib.Path(place).glob("kymo/*.state")).read_text()
    pid = int(state.split("\nProcess=")[1].split()[0])
    time.sleep(2)
    begin = cpu_s(pid)
    time.sleep(IDLE_S)
    print(f"the idle server takes {100 * (cpu_s(pid) - begin) / IDLE_S:.2f} % of a core")


def tell_ssh(sshd):
    """What a new line costs that has nothing at its other end."""
    took = []
    for _ in range(5):
        begin = time.monotonic()
        subprocess.run(shlex.split(sshd.command("true")), check=True)
        took.append(time.monotonic() - begin)
    print(f"ssh alone takes {1000 * sorted(took)[2]:.0f} ms")


def make_run(folder):
    run = pathlib.Path(folder) / "run"
    subprocess.run([BUILD / "bench" / "kymo-make-run", "--pes", "4096", "--records", "4000000",
                    run], check=True, stdout=subprocess.DEVNULL)
    return run


def main():
    if "--first" in sys.argv:
        sys.argv.remove("--first")
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1))
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        folder.chmod(0o700)
        run = pathlib.Path(sys.argv[2]).resolve() if len(sys.argv) > 2 else make_run(folder)
        sshd = own_sshd.Sshd(folder)
        far = f"env XDG_RUNTIME_DIR={shlex.quote(name)} {SERVER}"
        print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
        try:
            done = subprocess.run([BUILD / "bench" / "kymo-bench-remote", "--server",
                                   sshd.command(far + " --connect"), run])
            print(f"load {os.getloadavg()[0]:.1f}")
            tell_ssh(sshd)
            tell_idle(folder)
        finally:
            subprocess.run([SERVER, "--stop"], env={**os.environ, "XDG_RUNTIME_DIR": name})
            sshd.end()
    return done.returncode


sys.exit(main())
