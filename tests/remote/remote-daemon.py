#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""remote-daemon.py KYMO-CLI KYMO-SERVER ROOT: several clients of one daemon. They share a run and
get the answers of the run here; a killed daemon is told and started anew; what others could have
made is refused; nothing is left."""
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

CLI, SERVER, ROOT = (pathlib.Path(word).resolve() for word in sys.argv[1:4])
SAMPLE = ROOT / "data" / "sample"
COMMANDS = [["info"], ["profile"], ["time-profile", "--bins", "20"], ["timeline", "--width", "80"],
            ["usage", "--order=-busy"], ["messages", "--limit", "7"], ["clusters", "-k", "2-5"]]
OTHER = 65534
PATIENCE_S = 60


def wait_until(test, words):
    end = time.monotonic() + PATIENCE_S
    while not test():
        assert time.monotonic() < end, words
        time.sleep(0.02)


class Home:
    """A place of its own for a daemon. Small runs are shared, too."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.folder.chmod(0o700)
        self.place = self.folder / "kymo"
        self.env = {**os.environ, "XDG_RUNTIME_DIR": str(folder), "KYMO_CACHE_MIN_BYTES": "1",
                    "XDG_CACHE_HOME": "/dev/null/cache"}

    def server(self, *words, **more):
        return subprocess.run([SERVER, *words], capture_output=True, text=True, timeout=PATIENCE_S,
                              env=self.env, stdin=subprocess.DEVNULL, **more)

    def connect(self, *words):
        return subprocess.Popen([SERVER, "--connect", *words], stdin=subprocess.PIPE,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=self.env)

    def far(self, command, *more):
        return [CLI, command[0], f"ssh://far{SAMPLE}", *command[1:], "--format", "json",
                "--server", f"{SERVER} --connect", *more]

    def ask(self, command):
        return subprocess.run(self.far(command), capture_output=True, timeout=PATIENCE_S,
                              env=self.env)

    def file(self, ending):
        return next(self.place.glob("*." + ending))

    def pid(self):
        for line in self.file("state").read_text().splitlines():
            if line.startswith("Process="):
                return int(line.split("=")[1])
        raise AssertionError("the state file names no process")

    def notes(self, word):
        return [line for line in self.file("log").read_text().splitlines() if word in line]


def is_alive(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def near(command):
    return subprocess.run([CLI, command[0], SAMPLE, *command[1:], "--format", "json"],
                          capture_output=True, timeout=PATIENCE_S).stdout


def test_shared(home):
    for command in COMMANDS:
        far = home.ask(command)
        assert far.returncode == 0, far.stderr
        assert far.stdout == near(command), command
    said = home.server("--status").stdout
    assert " 0 clients and 1 run " in said, said
    assert oct(home.file("state").stat().st_mode & 0o777) == "0o600"
    assert oct(home.file("socket").stat().st_mode & 0o777) == "0o600"
    assert oct(home.place.stat().st_mode & 0o777) == "0o700"


def test_raced(home):
    clients = [home.connect() for _ in range(8)]
    for client in clients:
        assert client.communicate(timeout=PATIENCE_S) == (b"", b"") and client.returncode == 0
    assert len(home.notes(": began")) == 1, home.notes("")


def test_changed(home):
    """A run whose files have changed is read anew."""
    copy = home.folder / "run"
    shutil.copytree(SAMPLE, copy)
    words = [CLI, "info", f"ssh://far{copy}", "--format", "json", "--server", f"{SERVER} --connect"]
    first = subprocess.run(words, capture_output=True, timeout=PATIENCE_S, env=home.env)
    assert first.returncode == 0, first.stderr
    log = sorted(copy.glob("*.log*"))[-1]
    log.unlink()
    second = subprocess.run(words, capture_output=True, timeout=PATIENCE_S, env=home.env)
    assert second.returncode == 0 and second.stdout != first.stdout


def test_cancelled(home):
    """A client that asks everything, beside clients that are killed all the time."""
    stop = time.monotonic() + 3
    wanted = [(command, near(command)) for command in COMMANDS]
    done = 0
    while done < 2 or time.monotonic() < stop:
        killed = subprocess.Popen(home.far(["clusters", "-k", "2-60"]), env=home.env,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for command, answer in wanted[done % 2::2]:
            far = home.ask(command)
            assert far.returncode == 0 and far.stdout == answer, (command, far.stderr)
        killed.send_signal((signal.SIGINT, signal.SIGKILL)[done % 2])
        killed.wait(PATIENCE_S)
        done += 1
    wait_until(lambda: " 0 clients " in home.server("--status").stdout, "a client is left")


def test_killed(home):
    """The client says that the server has ended; the next one starts another."""
    client = home.connect()
    wait_until(lambda: list(home.place.glob("*.state")), "there is no state file")
    wait_until(lambda: " 1 client " in home.server("--status").stdout, "there is no client")
    pid = home.pid()
    os.kill(pid, signal.SIGKILL)
    # Standard input stays open: the server went first.
    assert client.wait(PATIENCE_S) == 1
    assert client.stderr.read() == b"kymo-server: the server (process %d) has ended\n" % pid
    assert list(home.place.glob("*.socket")), "a killed server left its socket"
    assert "No server runs" in home.server("--status").stdout
    assert home.ask(["info"]).returncode == 0
    assert home.pid() != pid


def test_pipes(home):
    """Pipes take less at once than sockets do, and end otherwise."""
    command = ["timeline", "--width", "4000"]
    words = home.far(command)
    words[-1] = f"sh -c 'cat | {SERVER} --connect | cat'"
    far = subprocess.run(words, capture_output=True, timeout=PATIENCE_S, env=home.env)
    assert far.returncode == 0, far.stderr
    assert far.stdout == near(command)
    wait_until(lambda: " 0 clients " in home.server("--status").stdout, "a client is left")


def test_work_killed(home):
    """A command that writes a run ends with the server."""
    tool = home.folder / "kymo-cli"
    tool.write_text(f"#!/bin/sh\necho $$ > {home.folder}/worker.new\n"
                    f"mv {home.folder}/worker.new {home.folder}/worker\nexec sleep 1000\n")
    tool.chmod(0o700)
    home.env["KYMO_CLI"] = str(tool)
    for number in (signal.SIGKILL, signal.SIGTERM):
        worker = home.folder / "worker"
        worker.unlink(missing_ok=True)
        client = subprocess.Popen([CLI, "extract", f"ssh://far{SAMPLE}", home.folder / "out",
                                   "--server", f"{SERVER} --connect"], env=home.env,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        wait_until(worker.exists, "the command does not begin")
        os.kill(home.pid(), number)
        assert client.wait(PATIENCE_S) == 1
        assert b"has ended" in client.stderr.read()
        pid = int(worker.read_text())
        wait_until(lambda: not is_alive(pid), "the command is left")


def test_idle(home):
    home.server("--connect", "--idle-end", "200ms")
    log = home.file("log")
    wait_until(lambda: "because it was idle" in log.read_text(), "it does not end")
    wait_until(lambda: [path.suffix for path in home.place.iterdir()] == [".log"],
               "more than a log is left")
    wait_until(lambda: not list(home.place.glob("*.s*")), "a file is left")


def times_of(pid):
    """Nanoseconds that each thread of the process was running."""
    return {task.name: int((task / "schedstat").read_text().split()[0])
            for task in pathlib.Path(f"/proc/{pid}/task").iterdir()}


def test_idle_time(home):
    """With a client that asks nothing it takes less than 0.5 % of a core."""
    client = home.connect()
    wait_until(lambda: " 1 client " in home.server("--status").stdout, "there is no client")
    pid = home.pid()
    before, begin = times_of(pid), time.monotonic()
    time.sleep(2)
    after = times_of(pid)
    took = sum(after[task] - before[task] for task in before if task in after)
    assert took < 0.005 * (time.monotonic() - begin) * 1e9, took
    client.communicate(timeout=PATIENCE_S)


def test_stopped(home):
    assert home.server("--stop").stdout == "No server runs on this machine.\n"
    home.server("--connect")
    pid = home.pid()
    stopped = home.server("--stop")
    assert stopped.stdout == "The server has ended.\n" and stopped.returncode == 0
    wait_until(lambda: not is_alive(pid), "the server is left")
    assert not list(home.place.glob("*.s*"))
    assert home.server("--status").returncode == 1


def test_folder_gone(home):
    home.server("--connect", "--idle-end", "100ms")
    pid = home.pid()
    shutil.rmtree(home.place)
    wait_until(lambda: not is_alive(pid), "the server is left")


def test_open_folder(home):
    home.place.mkdir()
    home.place.chmod(0o755)
    said = home.server("--connect")
    assert said.returncode == 1 and "is open to other users" in said.stderr, said
    home.place.rmdir()
    home.place.symlink_to(home.folder)
    said = home.server("--connect")
    assert said.returncode == 1 and "cannot be used" in said.stderr, said
    home.place.unlink()


def test_foreign(home):
    """What another user made is refused."""
    if os.geteuid() != 0:
        return "only root can make files of other users"
    home.place.mkdir(0o700)
    os.chown(home.place, OTHER, OTHER)
    said = home.server("--connect")
    assert said.returncode == 1 and "belongs to another user" in said.stderr, said
    os.chown(home.place, 0, 0)
    home.server("--connect")
    os.chown(home.file("socket"), OTHER, OTHER)
    said = home.server("--connect")
    assert said.returncode == 1 and "belongs to another user" in said.stderr, said
    os.chown(home.file("socket"), 0, 0)
    return None


def test_foreign_peer(home):
    """Another user who reaches the socket is told so, and gets nothing."""
    if os.geteuid() != 0:
        return "only root can be another user"
    home.server("--connect")
    for path in (home.folder, home.place):
        path.chmod(0o755)
    home.file("socket").chmod(0o666)
    folder, name = home.place, home.file("socket").name
    back, ours = socket.socketpair()
    child = os.fork()
    if child == 0:
        os.chdir(folder)
        os.setgroups([])
        os.setgid(OTHER)
        os.setuid(OTHER)
        with socket.socket(socket.AF_UNIX) as line:
            line.connect(name)
            ours.sendall(line.recv(1000))
        os._exit(0)
    ours.close()
    os.waitpid(child, 0)
    said = back.recv(1000)
    home.folder.chmod(0o700)
    home.place.chmod(0o700)
    home.file("socket").chmod(0o600)
    assert said == b"kymo-server: This server belongs to another user\n", said
    return None


def run_test(number, test):
    with tempfile.TemporaryDirectory(prefix="kymo-daemon-") as folder:
        home = Home(folder)
        try:
            skipped = test(home)
            print(f"ok {number} {test.__name__}" + (f" # SKIP {skipped}" if skipped else ""))
        except (AssertionError, OSError, subprocess.TimeoutExpired) as why:
            print(f"not ok {number} {test.__name__}\n# {why!r}")
            return 1
        finally:
            home.server("--stop")
    return 0


def main():
    tests = [test_shared, test_raced, test_changed, test_cancelled, test_killed, test_pipes,
             test_work_killed, test_idle, test_idle_time, test_stopped, test_folder_gone,
             test_open_folder, test_foreign, test_foreign_peer]
    print(f"1..{len(tests)}", flush=True)
    return 1 if sum(run_test(number, test) for number, test in enumerate(tests, 1)) else 0


sys.exit(main())
