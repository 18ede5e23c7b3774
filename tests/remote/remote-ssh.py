#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""remote-ssh.py KYMO-CLI KYMO-SERVER ROOT: runs behind a real sshd on loopback, with keys that
the test makes. Answers are those of the run here; what ssh says reaches the person; nothing is
left when a client is killed."""
import getpass
import os
import pathlib
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

CLI, SERVER, ROOT = (pathlib.Path(word).resolve() for word in sys.argv[1:4])
SSHD = shutil.which("sshd", path="/usr/sbin:/usr/local/sbin:" + os.environ["PATH"])
COMMANDS = [["info"], ["profile"], ["time-profile", "--bins", "20"],
            ["timeline", "--width", "80"], ["usage", "--order=-busy"],
            ["messages", "--limit", "7"], ["check", "--max-idle", "99%"]]


class Sshd:
    """An sshd that lets in who has the key of the folder."""

    def __init__(self, folder):
        self.folder = folder
        for name in ("host", "user", "other"):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder / name],
                           check=True)
        shutil.copy(folder / "user.pub", folder / "authorized")
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        (folder / "config").write_text(
            f"Port {self.port}\nListenAddress 127.0.0.1\nHostKey {folder}/host\n"
            f"AuthorizedKeysFile {folder}/authorized\nStrictModes no\nUsePAM no\n"
            f"PidFile none\nPasswordAuthentication no\nPermitRootLogin yes\n")
        self.process = subprocess.Popen([SSHD, "-D", "-e", "-f", folder / "config"],
                                        stderr=subprocess.PIPE, text=True)
        self.wait()

    def wait(self):
        for _ in range(600):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            if self.process.poll() is not None:
                break
            time.sleep(0.05)
        print("Bail out! sshd: " + self.process.communicate()[1])
        sys.exit(1)

    def command(self, key="user"):
        known = self.folder / "known"
        return shlex.join(["ssh", "-F", "none", "-T", "-p", str(self.port), "-i",
                           str(self.folder / key), "-o", "IdentitiesOnly=yes",
                           "-o", "BatchMode=yes",
                           "-o", f"UserKnownHostsFile={known}", "-o", "StrictHostKeyChecking=no",
                           "-o", "LogLevel=ERROR", "--", getpass.getuser() + "@127.0.0.1",
                           f"env KYMO_CLI={CLI} XDG_CACHE_HOME=/dev/null/cache {SERVER} --stdio"])


def run(*words):
    return subprocess.run([CLI, *words], capture_output=True, timeout=120)


def is_alive(word):
    """Whether a process has the word in its command line."""
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if word.encode() in (folder / "cmdline").read_bytes():
                return True
        except OSError:
            pass
    return False


def test_same(sshd, address, run_path):
    for command in COMMANDS:
        near = run(command[0], run_path, *command[1:], "--format", "json")
        far = run(command[0], address, *command[1:], "--format", "json", "--server", sshd.command())
        assert near.returncode != 2, near.stderr
        assert (near.returncode, near.stdout, near.stderr) == (far.returncode, far.stdout,
                                                               far.stderr), command


def test_mixed(sshd, address, run_path):
    near = run("compare", run_path, run_path, "--format", "json")
    far = run("compare", run_path, address, "--format", "json", "--server", sshd.command())
    assert near.returncode == far.returncode == 0
    assert near.stdout == far.stdout


def test_written(sshd, address, run_path):
    out = sshd.folder / "part"
    far = run("extract", address, out, "--locations", "0-1", "--server", sshd.command())
    assert far.returncode == 0, far.stderr
    assert b'"locations":2' in run("info", out, "--format", "json").stdout.replace(b" ", b"")
    again = run("extract", address, out, "--locations", "0-1", "--server", sshd.command())
    assert again.returncode != 0 and again.stderr


def test_refused(sshd, address, run_path):
    far = run("info", address, "--server", sshd.command("other"))
    assert far.returncode == 1
    assert b"Permission denied" in far.stderr, far.stderr


def test_killed(sshd, address, run_path):
    """A client that is killed leaves no ssh and no server."""
    word = str(sshd.folder / "killed")
    command = sshd.command().replace("--stdio", f"--stdio {word}")
    frames = sshd.folder / "frames"
    client = subprocess.Popen([CLI, "clusters", address, "-k", "2-60", "--server", command],
                              env={**os.environ, "KYMO_FRAMES": str(frames)},
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while not frames.exists() or " WELCOME " not in frames.read_text():
        assert client.poll() is None or " WELCOME " in frames.read_text()
        time.sleep(0.01)
    client.send_signal(signal.SIGKILL)
    client.wait()
    for _ in range(600):
        if not is_alive(word):
            return
        time.sleep(0.05)
    raise AssertionError("a process is left")


def main():
    tests = [test_same, test_mixed, test_written, test_refused, test_killed]
    if SSHD is None:
        print("1..0 # SKIP there is no sshd")
        return 0
    if os.geteuid() == 0:
        os.makedirs("/run/sshd", exist_ok=True)         # sshd of root does not begin without it
    failed = 0
    print(f"1..{len(tests)}")
    with tempfile.TemporaryDirectory() as folder:
        sshd = Sshd(pathlib.Path(folder))
        run_path = ROOT / "data" / "sample"
        try:
            for number, test in enumerate(tests, 1):
                try:
                    test(sshd, f"ssh://far{run_path}", run_path)
                    print(f"ok {number} {test.__name__}")
                except AssertionError as why:
                    failed += 1
                    print(f"not ok {number} {test.__name__}\n# {why!r}")
        finally:
            sshd.process.terminate()
            sshd.process.wait()
    return 1 if failed else 0


sys.exit(main())
