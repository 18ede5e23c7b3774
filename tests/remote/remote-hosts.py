#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""remote-hosts.py KYMO-CLI KYMO-SERVER: hosts.conf, the test of a host step by step through a real
sshd on loopback, and bringing a server to a host."""
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tarfile
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import own_sshd

CLI, SERVER = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
PATIENCE_S = 60


class Desk:
    """A person's settings, and an sshd that they tell of."""

    def __init__(self, folder):
        self.folder = folder
        self.folder.chmod(0o700)
        (folder / "conf" / "kymo").mkdir(parents=True)
        (folder / "home").mkdir()
        self.env = {**os.environ, "XDG_CONFIG_HOME": str(folder / "conf"),
                    "XDG_CONFIG_DIRS": str(folder / "site"), "XDG_RUNTIME_DIR": str(folder)}
        self.env.pop("KYMO_SERVER", None)
        self.server = f"env XDG_RUNTIME_DIR={folder} {SERVER}"

    def write(self, text):
        (self.folder / "conf" / "kymo" / "hosts.conf").write_text(text)

    def hosts(self, *words, **more):
        return subprocess.run([CLI, "hosts", *words, "--format", "json"], capture_output=True,
                              text=True, timeout=PATIENCE_S, env={**self.env, **more},
                              stdin=subprocess.DEVNULL)

    def steps(self, *words):
        done = self.hosts(*words)
        steps = json.loads(done.stdout)["steps"]
        assert done.returncode == (0 if all(step["passed"] for step in steps) else 1), done
        return steps

    def end(self):
        subprocess.run([SERVER, "--stop"], env=self.env, capture_output=True, timeout=PATIENCE_S)


def test_listed(desk, sshd):
    desk.write("[lab]\nSsh=-p 2222 you@lab\nLaunches=slurm login\n[bad]\nServer=a;b\n")
    done = desk.hosts()
    assert json.loads(done.stdout)["hosts"] == [
        {"host": "lab", "ssh": "-p 2222 you@lab", "launches": "slurm login",
         "file": str(desk.folder / "conf" / "kymo" / "hosts.conf")}], done.stdout
    assert "[bad]: “Server” cannot be used" in done.stderr, done.stderr


def test_passed(desk, sshd):
    desk.write(f"[lab]\nSsh={shlex.join(sshd.words())}\nServer={desk.server}\n")
    steps = desk.steps("lab")
    assert [step["passed"] for step in steps] == [True] * 4, steps
    assert steps[0]["words"].startswith("Linux "), steps
    assert steps[1]["words"].startswith("kymo-server "), steps
    assert steps[3]["words"].startswith("kymo-server ") and " on " in steps[3]["words"], steps


def test_run_of_host(desk, sshd):
    """The name of the file stands in addresses."""
    desk.write(f"[lab]\nSsh={shlex.join(sshd.words())}\nServer={desk.server}\n")
    run = CLI.parents[3] / "data" / "sample"
    words = ["--format", "json", "--no-cache"]
    far = subprocess.run([CLI, "info", f"ssh://lab{run}", *words], capture_output=True,
                         timeout=PATIENCE_S, env=desk.env)
    near = subprocess.run([CLI, "info", run, *words], capture_output=True, timeout=PATIENCE_S)
    assert far.returncode == 0 and far.stdout == near.stdout, far


def test_refused(desk, sshd):
    desk.write(f"[lab]\nSsh={shlex.join(sshd.words('other'))}\n")
    (step,) = desk.steps("lab")
    assert not step["passed"] and "Permission denied" in step["words"], step


def test_missing(desk, sshd):
    desk.write(f"[lab]\nSsh={shlex.join(sshd.words())}\nServer=/no/such/kymo-server\n")
    steps = desk.steps("lab")
    assert [step["passed"] for step in steps] == [True, False], steps
    assert "/no/such/kymo-server" in steps[1]["words"], steps


def test_no_batch(desk, sshd):
    desk.write(f"[lab]\nSsh={shlex.join(sshd.words())}\nServer={desk.server}\n"
               "Launches=pbs\n")
    if shutil.which("qsub"):
        return
    steps = desk.steps("lab")
    assert [step["passed"] for step in steps] == [True, True, False], steps
    assert "qsub" in steps[2]["words"], steps


def make_tarball(desk, name, program):
    path = desk.folder / name
    with tarfile.open(path, "w:gz") as tar:
        tar.add(program, "kymo/bin/kymo-server")
    return path


def test_installed(desk, sshd):
    """ssh is a shell here, for its home must not be that of a person."""
    ssh = desk.folder / "bin" / "ssh"
    ssh.parent.mkdir()
    ssh.write_text("#!/bin/sh\nwhile [ \"$1\" != -- ]; do shift; done\n"
                   f"HOME={desk.folder}/home exec sh -c \"$3\"\n")
    ssh.chmod(0o755)
    place = desk.folder / "home" / ".local" / "kymo"
    more = {"PATH": f"{ssh.parent}:{os.environ['PATH']}"}
    broken = desk.folder / "broken.sh"
    broken.write_text("#!/bin/sh\necho 'Exec format error' >&2\nexit 126\n")
    good, bad = make_tarball(desk, "good.tar.gz", SERVER), make_tarball(desk, "bad.tar.gz", broken)
    done = desk.hosts("lab", "--install", good, **more)
    assert done.returncode == 0, done
    said = subprocess.run([SERVER, "--version"], capture_output=True, text=True).stdout
    version = said.split()[1]
    assert json.loads(done.stdout) == {"host": "lab", "version": version}, done.stdout
    first = (place / "bin" / "kymo-server").stat()
    assert first.st_mode & 0o100
    assert desk.hosts("lab", "--install", good, **more).returncode == 0
    done = desk.hosts("lab", "--install", bad, **more)
    assert done.returncode == 1 and "Exec format error" in done.stderr, done
    assert (place / "bin" / "kymo-server").read_bytes() == SERVER.read_bytes()
    assert os.listdir(place.parent) == ["kymo"], os.listdir(place.parent)
    done = desk.hosts("lab", "--install", SERVER, **more)
    assert done.returncode == 2 and "is no kymo-server-" in done.stderr, done


def run_test(number, test):
    with tempfile.TemporaryDirectory(prefix="kymo-hosts-") as folder:
        desk = Desk(pathlib.Path(folder))
        sshd = own_sshd.Sshd(pathlib.Path(folder))
        try:
            test(desk, sshd)
            print(f"ok {number} {test.__name__}", flush=True)
        except (AssertionError, OSError, ValueError, subprocess.TimeoutExpired) as why:
            print(f"not ok {number} {test.__name__}\n# {why!r}", flush=True)
            return 1
        finally:
            desk.end()
            sshd.end()
    return 0


def main():
    tests = [test_listed, test_passed, test_run_of_host, test_refused, test_missing, test_no_batch,
             test_installed]
    if own_sshd.PROGRAM is None:
        print("1..0 # SKIP there is no sshd")
        return 0
    print(f"1..{len(tests)}", flush=True)
    return 1 if sum(run_test(number, test) for number, test in enumerate(tests, 1)) else 0


sys.exit(main())
