#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""remote-ssh.py KYMO-CLI KYMO-SERVER ROOT: runs behind a real sshd on loopback, with keys that
the test makes. Answers are those of the run here; what ssh says reaches the person; whoever of
client, ssh and server is killed, one sentence says so and nothing is left."""
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import own_sshd

CLI, SERVER, ROOT = (pathlib.Path(word).resolve() for word in sys.argv[1:4])
COMMANDS = [["info"], ["profile"], ["time-profile", "--bins", "20"],
            ["timeline", "--width", "80"], ["usage", "--order=-busy"],
            ["messages", "--limit", "7"], ["check", "--max-idle", "99%"]]


def command_of(sshd, key="user"):
    """Words of --server that reach the server through the sshd."""
    return sshd.command(f"env KYMO_CLI={CLI} XDG_CACHE_HOME=/dev/null/cache {SERVER} --stdio", key)


def run(*words):
    return subprocess.run([CLI, *words], capture_output=True, timeout=120)


def find_processes(word):
    """Number and command line of those that have the word in it."""
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes()
        except OSError:
            continue
        if word.encode() in words:
            yield int(folder.name), words


def start_asking(sshd, address, word):
    """A client whose question is under way; the word is in the command lines of ssh and server."""
    frames = pathlib.Path(word + "-frames")
    client = subprocess.Popen([CLI, "events", address, "--limit", "1000000", "--format", "json",
                               "--server", command_of(sshd).replace("--stdio", f"--stdio {word}")],
                              env={**os.environ, "KYMO_FRAMES": str(frames)},
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    while not frames.exists() or " ASK " not in frames.read_text():
        assert client.poll() is None, client.stderr.read()
        time.sleep(0.005)
    return client


def check_gone(word):
    for _ in range(600):
        if not list(find_processes(word)):
            return
        time.sleep(0.05)
    raise AssertionError(list(find_processes(word)))


def test_same(sshd, address, run_path):
    for command in COMMANDS:
        near = run(command[0], run_path, *command[1:], "--format", "json")
        far = run(command[0], address, *command[1:], "--format", "json",
                  "--server", command_of(sshd))
        assert near.returncode != 2, near.stderr
        assert (near.returncode, near.stdout, near.stderr) == (far.returncode, far.stdout,
                                                               far.stderr), command


def test_mixed(sshd, address, run_path):
    near = run("compare", run_path, run_path, "--format", "json")
    far = run("compare", run_path, address, "--format", "json", "--server", command_of(sshd))
    assert near.returncode == far.returncode == 0
    assert near.stdout == far.stdout


def test_written(sshd, address, run_path):
    out = sshd.folder / "part"
    far = run("extract", address, out, "--locations", "0-1", "--server", command_of(sshd))
    assert far.returncode == 0, far.stderr
    assert b'"locations":2' in run("info", out, "--format", "json").stdout.replace(b" ", b"")
    again = run("extract", address, out, "--locations", "0-1", "--server", command_of(sshd))
    assert again.returncode != 0 and again.stderr


def test_refused(sshd, address, run_path):
    far = run("info", address, "--server", command_of(sshd, "other"))
    assert far.returncode == 1
    assert b"Permission denied" in far.stderr, far.stderr


def test_killed(sshd, address, run_path):
    """A client that is killed leaves no ssh and no server."""
    word = str(sshd.folder / "killed")
    client = start_asking(sshd, address, word)
    client.send_signal(signal.SIGKILL)
    client.communicate()
    check_gone(word)


def check_end_told(sshd, address, name, program):
    """The line ends with the program: the client says so, once, and nothing is left."""
    word = str(sshd.folder / name)
    client = start_asking(sshd, address, word)
    victims = [pid for pid, words in find_processes(word) if words.startswith(program)]
    assert victims, list(find_processes(word))
    for pid in victims:
        os.kill(pid, signal.SIGKILL)
    said = client.communicate(timeout=60)[1]
    assert client.returncode == 1
    assert said.count(b"The connection to far is lost") == 1, said
    check_gone(word)


def test_server_killed(sshd, address, run_path):
    check_end_told(sshd, address, "server", bytes(SERVER))


def test_ssh_killed(sshd, address, run_path):
    check_end_told(sshd, address, "ssh", b"ssh\0")


def main():
    tests = [test_same, test_mixed, test_written, test_refused, test_killed,
             test_server_killed, test_ssh_killed]
    if own_sshd.PROGRAM is None:
        print("1..0 # SKIP there is no sshd")
        return 0
    failed = 0
    print(f"1..{len(tests)}")
    with tempfile.TemporaryDirectory() as folder:
        sshd = own_sshd.Sshd(pathlib.Path(folder))
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
            sshd.end()
    return 1 if failed else 0


sys.exit(main())
