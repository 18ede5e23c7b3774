# SPDX-License-Identifier: GPL-3.0-or-later
"""Actions of a running job (docs/formats/actions.md): what programs that count say they were
asked, and what came of it; clients that talk nonsense, ranks that do not answer.

Usage: actions.py MPI MPIRUN KYMO-CLI KYMO-RECORD FOLDER-OF-PROGRAMS FOLDER-OF-HEADER
"""
import collections
import contextlib
import json
import os
import pathlib
import random
import re
import shlex
import shutil
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import urllib.parse

import recording
from recording import harness

import own_sshd  # in tests/support, which recording looks in
from live import read_text, wait_for


class Job:
    """A run of the program `steps` under kymo-record --live."""

    NAME = "steps"

    def __init__(self, where, scratch, size, *options, arguments=()):
        mpi, mpirun, self.program, recorder, folder = where
        self.record, self.scratch, self.size = scratch / "record", scratch, size
        words = [*recording.launch(mpirun, size), recorder, "-o", self.record, "--live", *options,
                 "--", folder / f"{self.NAME}-{mpi}", *(arguments or [scratch / "pid"])]
        with open(scratch / "stdout", "wb") as out, open(scratch / "stderr", "wb") as err:
            self.process = subprocess.Popen(  # pylint: disable=consider-using-with
                [*map(str, words)], cwd=scratch, stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                env=recording.surroundings())

    def socket(self):
        def look():
            if self.process.poll() is not None:
                raise AssertionError(f"it has ended: {read_text(self.scratch / 'stderr')}")
            return read_text(self.record / "live.actions")
        return wait_for("a socket", look).partition(":")[2]

    def pid(self, rank):
        return int(wait_for("a process id", lambda: read_text(self.scratch / f"pid.{rank}")))

    def end(self):
        """What each rank says, by rank; stderr."""
        try:
            code = self.process.wait(60)
        finally:
            self.process.kill()
            self.process.wait()
        if code != 0:
            raise AssertionError(f"exit {code}: {read_text(self.scratch / 'stderr')}")
        lines = map(json.loads, read_text(self.scratch / "stdout").splitlines())
        return ({line["rank"]: line for line in lines}, read_text(self.scratch / "stderr"))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()


class Client:
    """A connection to a job."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(60)
        self.socket.connect(path)
        self.file = self.socket.makefile("rb")
        self.states = collections.defaultdict(list)
        self.greeting = [self.read(), self.read()]

    def read(self):
        line = self.file.readline()
        return [urllib.parse.unquote(field) for field in
                line.decode().removesuffix("\n").split("\t")] if line else None

    def answer(self):
        """The next line that is no state."""
        while (fields := self.read()) and fields[0] == "state":
            self.states[int(fields[1])].append(fields[2:])
        return fields

    def send(self, *fields):
        self.socket.sendall("\t".join(fields).encode() + b"\n")

    def ask(self, *fields):
        self.send(*fields)
        return self.answer()

    def list(self):
        """{name: [kind, fields]}"""
        self.send("list")
        found = {}
        while (fields := self.answer()) != ["end"]:
            found[fields[1]] = fields
        return found

    def begin(self, *fields):
        answer = self.ask("do", *fields)
        if answer[0] != "accepted":
            raise AssertionError(f"{fields}: {answer}")
        return int(answer[1])

    def end(self, number):
        """(state, sentence, path) of an action when it has ended."""
        while True:
            for fields in self.states[number]:
                if fields[1] in ("done", "failed"):
                    return tuple(fields[1:])
            fields = self.read()
            if fields is None:
                raise AssertionError(f"closed before {number} ended: {dict(self.states)}")
            if fields[0] == "state":
                self.states[int(fields[1])].append(fields[2:])

    def do(self, *fields):
        return self.end(self.begin(*fields))

    def close(self):
        self.file.close()
        self.socket.close()


def wait_for_program(client):
    """All ranks have registered what they have. The value stays."""
    wait_for("what the program registers", lambda: "call:balance load" in client.list())
    wait_for("all ranks", lambda: client.do("set:rate", "value=0.5")[0] == "done")


def print_archive(archive, *options):
    plain = {k: v for k, v in os.environ.items() if k != "MALLOC_PERTURB_"}
    return subprocess.run(["otf2-print", *options, archive], timeout=60, stdout=subprocess.PIPE,
                          text=True, check=True, env=plain, errors="replace").stdout


def sends(archive):
    """{rank: [(time, bytes)]} of the messages that are sent, and [first, last] time of each."""
    text = print_archive(archive)
    ranks = {location: int(rank) for location, rank in re.findall(
        r'^LOCATION +(\d+)  .*Type: CPU_THREAD.*Group: "MPI Rank (\d+)"',
        print_archive(archive, "-G"), re.M)}
    found, ends = collections.defaultdict(list), {}
    for name, place, time, rest in re.findall(r"^([A-Z_]+) +(\d+) +(\d+)  (.*)$", text, re.M):
        if name in ("ENTER", "LEAVE"):
            ends.setdefault(ranks[place], [int(time), int(time)])[1] = int(time)
        elif name == "MPI_ISEND":
            length = int(re.search(r"Length: (\d+)", rest).group(1))
            found[ranks[place]].append((int(time), length))
    return found, ends


def check_slice(c, program, path, ranks, size):
    """A trace of some ranks: in step N a rank sends N bytes, so no step is missing or twice."""
    archive = pathlib.Path(path) / "traces.otf2"
    c.equal("the library", recording.warnings(archive)[:3], [])
    info = harness.ask(program, "info", archive)
    c.equal("locations", info["locations"], size)
    if shutil.which("otf2-print") is None:
        return {}, {}
    found, ends = sends(archive)
    c.equal("ranks with events", sorted(ends), sorted(ranks))
    for rank, messages in found.items():
        lengths = [length for _, length in messages]
        c.equal(f"steps of rank {rank}", lengths,
                list(range(lengths[0], lengths[0] + len(lengths))))
    c.true("raw files stay", not (pathlib.Path(path) / "raw").exists())
    return found, ends


def check_pieces(c, record, pieces):
    """What the traces hold is what the record of the whole run holds of that time."""
    whole = sends(record / "traces.otf2")[0]
    for found, ends in pieces:
        for rank, (begin, end) in ends.items():
            # The clock of a piece was watched for a shorter time.
            slack = 100000
            inner = [n for time, n in whole[rank] if begin + slack < time < end - slack]
            outer = [n for time, n in whole[rank] if begin - slack < time < end + slack]
            lengths = [n for _, n in found[rank]]
            c.true(f"rank {rank}: {lengths[:1]} to {lengths[-1:]} of {inner[:1]} to {inner[-1:]}",
                   set(inner) <= set(lengths) <= set(outer))
            c.true(f"rank {rank}: {len(lengths)} steps", len(lengths) > 3)


def check_list(c, client, size):
    actions = client.list()
    c.equal("program", actions["set:limit"],
            ["action", "set:limit", "limit", "program together long",
             "value=integer:-5:1000000:10"])
    c.equal("real", actions["set:rate"][4:], ["value=real:0:1:0.5"])
    c.equal("choice", actions["set:solver"][4:],
            ["value=choice:jacobi:jacobi|gauss: seidel|multigrid"])
    c.equal("trace", actions["trace"][4], f"ranks=ranks:{size}")
    c.equal("sampling", actions["sampling"][4:], ["hz=integer:0:1000:0"])
    c.equal("kinds", {name for name in actions if ":" not in name},
            {"trace", "profile", "marker", "sampling", "checkpoint", "end-at-checkpoint"})


def check_refusals(c, client, size):
    for fields in (("do",), ("do", "nothing"), ("do", "set:limit"),
                   ("do", "set:nothing", "value=1"), ("do", "set:limit", "value=1000001"),
                   ("do", "set:limit", "value=7x"), ("do", "set:rate", "value=nan"),
                   ("do", "set:rate", "value=1.5"), ("do", "set:solver", "value=jaco"),
                   ("do", "call:limit"), ("do", "sampling"), ("do", "trace"),
                   ("do", "trace", "ranks=0", "idlest=1"), ("do", "trace", f"ranks={size}"),
                   ("do", "trace", "ranks=0,,1"), ("do", "trace", "ranks=1-0"),
                   ("do", "trace", "ranks=0", "for=1ms"), ("do", "trace", "ranks=0", "for=2h"),
                   ("do", "trace", "busiest=99"), ("do", "marker"),
                   ("do", "marker", "text=" + 201 * "x"), ("hello",), ("",)):
        answer = client.ask(*fields)
        c.true(f"{fields}: {answer}", answer[0] == "refused" and answer[1].endswith("."))


def check_garbage(c, path):
    """Clients that are no clients: each is told, or closed, and nobody else notices."""
    noise = random.Random(7)
    client = Client(path)
    c.equal("too long", client.ask("do", "marker", "text=" + 9000 * "x"),
            ["refused", "The line is too long."])
    c.equal("in the middle", client.ask("do\x01"), ["refused", "The line is no request."])
    c.equal("escapes", client.ask("%zz"), ["refused", "The line is no request."])
    c.equal("zeros", client.ask("do\0"), ["refused", "The line is no request."])
    c.equal("fields", client.ask(*20 * ["x"])[0], "refused")
    c.true("it goes on", "trace" in client.list())
    client.close()
    for _ in range(8):
        client = Client(path)
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            client.socket.sendall(noise.randbytes(noise.randrange(1, 60000)))
        client.close()
    client = Client(path)
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):
        for _ in range(100):
            client.send("nonsense")
    answers = 0
    with contextlib.suppress(ConnectionResetError):
        while client.read():
            answers += 1
    c.true(f"closed after {answers} answers", answers <= 64)
    client.close()
    clients = [socket.socket(socket.AF_UNIX) for _ in range(20)]
    for each in clients:
        each.connect(path)
    first = b""
    while b"\n" not in first and (piece := clients[-1].recv(1000)):
        first += piece
    c.equal("too many", first, b"refused\tToo many clients are connected.\n")
    for each in clients:
        each.close()


def steps_of(said, what):
    """{(step, value)} of a note of all ranks."""
    return {(step, value) for line in said.values() for name, step, value in line["notes"]
            if name == what}


def check_notes(c, said, size):
    """What was done together was done in the same step of all ranks, once each, in order."""
    for what, value in (("limit", 77), ("solver", 1), ("balance", 7), ("checkpoint", 0)):
        c.equal(f"{what}: steps and values", len(steps_of(said, what)), 1)
        c.equal(what, {v for _, v in steps_of(said, what)}, {value})
    orders = [[name for name, _, _ in said[rank]["notes"]] for rank in range(size)]
    c.equal("order", orders, size * [["rate", "limit", "solver", "balance", "checkpoint"]])
    c.equal("steps", len({said[rank]["steps"] for rank in range(size)}), 1)


def check_profile(c, program, path, size):
    """A profile of the run until then."""
    c.equal("files", len(list(pathlib.Path(path).glob("profile.*.0.0"))), size)
    profile = harness.ask(program, "profile", path)
    rows = {row["name"]: row for row in profile["activities"]}
    calls = [rows[name]["calls"] for name in ("MPI_Isend", "MPI_Recv", "MPI_Wait")]
    lowest, highest = min(n["min"] for n in calls), max(n["max"] for n in calls)
    # Ranks write it one after the other, and are in different steps.
    c.true(f"calls {lowest} to {highest}", 0 < lowest <= highest)
    root = next(row for name, row in rows.items() if name.startswith("steps-"))
    c.true(f"time of the program {root['inclusive']}, inside {root['exclusive']}",
           0 < root["exclusive"]["total"] < root["inclusive"]["total"])
    inner = sum(row["exclusive"]["total"] for row in rows.values())
    c.true(f"{inner} of {root['inclusive']['total']}",
           abs(inner - root["inclusive"]["total"]) < 0.02 * inner + 2000)


def check_all(*where):
    """A job with two clients that asks for everything."""
    c, size, program = harness.Compare(), 3 if where[0] == "openmpi" else 2, where[2]
    with tempfile.TemporaryDirectory() as scratch, \
            Job(where, pathlib.Path(scratch), size) as job:
        path = job.socket()
        folder = os.stat(os.path.dirname(path))
        c.equal("the folder", (stat.S_IMODE(folder.st_mode), folder.st_uid),
                (0o700, os.geteuid()))
        client, other = Client(path), Client(path)
        c.equal("version", client.greeting[0], ["kymo-actions", "1"])
        c.equal("job", client.greeting[1][1:5:2], [str(job.record), str(size)])
        c.equal("address", client.greeting[1][4], read_text(job.record / "live.address"))
        wait_for_program(client)
        check_list(c, client, size)
        check_refusals(c, client, size)
        check_garbage(c, path)
        traces = [client.begin("trace", f"ranks={ranks}", "for=200ms")
                  for ranks in ("1", f"0-{size - 1}")]
        # A client that goes takes nothing with it.
        killed = Client(path)
        traces.append(killed.begin("trace", "ranks=0", "for=200ms"))
        killed.close()
        ends = [other.end(number) for number in traces]
        pieces = []
        for (state, sentence, path_), ranks in zip(ends, ([1], range(size), [0])):
            c.equal(f"trace of {ranks}: {sentence}", state, "done")
            pieces.append(check_slice(c, program, path_, list(ranks), size))
        state, sentence, profile = client.do("profile")
        c.equal(f"profile: {sentence}", state, "done")
        check_profile(c, program, profile, size)
        for fields in (("set:rate", "value=0.25"), ("set:limit", "value=77"),
                       ("set:solver", "value=gauss: seidel"), ("call:balance load",),
                       ("checkpoint",), ("marker", "text=half%25 way")):
            state, sentence, _ = client.do(*fields)
            c.equal(f"{fields}: {sentence}", state, "done")
        c.equal("value now", client.list()["set:limit"][4], "value=integer:-5:1000000:77")
        # The program ends while it is traced.
        last = client.begin("trace", "ranks=1", "for=1h")
        other.do("set:stop", "value=1")
        state, sentence, path_ = client.end(last)
        c.equal(f"trace at the end: {sentence}", state, "done")
        check_slice(c, program, path_, [1], size)
        c.equal("closed", client.read(), None)
        client.close()
        other.close()
        said, told = job.end()
        check_notes(c, said, size)
        c.equal("stderr", told.count("\n"), 0)
        c.true("the socket stays", not os.path.exists(path)
               and not (job.record / "live.actions").exists())
        if shutil.which("otf2-print") is not None:
            check_pieces(c, job.record, pieces)
        markers = harness.ask(program, "info", job.record)["markers"]
        c.equal("markers", [marker["text"] for marker in markers], size * ["half% way"])
    return c.problems


def check_on_request(*where):
    """Events are written only where they are wanted; a rank that does not answer; the end at a
    checkpoint."""
    c, size, program = harness.Compare(), 2, where[2]
    with tempfile.TemporaryDirectory() as scratch, \
            Job(where, pathlib.Path(scratch), size, "--on-request",
                arguments=[pathlib.Path(scratch) / "pid", "checkpoints"]) as job:
        client = Client(job.socket())
        wait_for_program(client)
        c.equal("no checkpoint function", client.list()["checkpoint"][0], "refused")
        c.equal("marker", client.do("marker", "text=x")[:2],
                ("failed", "No rank records events now."))
        number = wait_for("loads", lambda: (answer := client.ask(
            "do", "trace", "busiest=1", "for=300ms"))[0] == "accepted" and int(answer[1]))
        state, sentence, path = client.end(number)
        c.equal(f"busiest: {sentence}", state, "done")
        ranks = [rank for rank in range(size) if f"rank {rank}" not in sentence]
        found = sends(pathlib.Path(path) / "traces.otf2")[1] if shutil.which("otf2-print") else {}
        c.true(f"ranks {found}", len(found) <= 1 and len(ranks) == size)
        state, sentence, path = client.do("trace", "ranks=0", "for=200ms")
        c.equal(f"trace: {sentence}", state, "done")
        pieces = [check_slice(c, program, path, [0], size)]
        if where[0] == "openmpi":
            check_silent(c, client, job)
        else:
            check_cli(c, where, job)
        wait_for("a checkpoint", lambda: client.list()["end-at-checkpoint"][0] == "action")
        state, sentence, _ = client.do("end-at-checkpoint")
        c.equal(f"the end: {sentence}", state, "done")
        said, _ = job.end()
        c.equal("ends", len(steps_of(said, "ended")), 1)
        c.true(f"{said[0]['steps']} steps", said[0]["steps"] % 50 == 0)
        if shutil.which("otf2-print") is not None:
            check_pieces(c, job.record, pieces)
        info = harness.ask(program, "info", job.record)
        c.true(f"{info['untraced_ns']} not traced", info["untraced_ns"] > 10 ** 9)
    return c.problems


def check_cli(c, where, job):
    """What kymo-cli attach does, also through ssh, which here is a script that runs the command."""
    def ask(target, *words, **more):
        done = harness.run(where[2], "attach", target, *words, **more)
        return done.code, done.out.decode()

    address = read_text(job.record / "live.address")
    code, out = ask(job.record, "--actions", "--format", "json")
    c.equal("list", (code, {action["name"] for action in json.loads(out)["actions"]} >=
                     {"trace", "set:limit", "call:balance load"}), (0, True))
    code, path = ask(address, "--trace-ranks", "1", "--for", "100ms", "--quiet")
    c.equal("trace", (code, os.path.exists(path.strip() + "/traces.otf2")), (0, True))
    code, out = ask(job.socket(), "--set", "limit=5", "--format", "json")
    c.equal("set", (code, json.loads(out)["name"]), (0, "set:limit"))
    for words in (("--set", "limit=x"), ("--call", "nothing"), ("--checkpoint",)):
        c.equal(f"refused {words}", ask(job.record, *words)[0], 1)
    for words in (("--set", "limit"), ("--call", "x", "--actions")):
        c.equal(f"usage {words}", ask(job.record, *words)[0], 2)
    code, out = ask("localhost", "--list", "--format", "json")
    c.equal("jobs here", [row for row in json.loads(out)["jobs"] if row["folder"]
                          == str(job.record)][0]["attach"], address)
    check_ssh(c, where, job, int(address.rpartition(":")[2]))


@contextlib.contextmanager
def other_host(job, program):
    """Variables with which `far` leads to a real sshd here; without one to a script that runs the
    command."""
    path = f"{pathlib.Path(program).parent}:{os.environ['PATH']}"
    (job.scratch / "kymo").mkdir()
    conf = job.scratch / "kymo" / "hosts.conf"
    if own_sshd.PROGRAM is None:
        ssh = job.scratch / "ssh"
        ssh.write_text('#!/bin/sh\nfor word; do last=$word; done\nexec sh -c "$last"\n')
        ssh.chmod(0o755)
        yield {"PATH": f"{job.scratch}:{path}"}
        return
    keys = job.scratch / "keys"
    keys.mkdir()
    sshd = own_sshd.Sshd(keys, there={"PATH": path})
    try:
        conf.write_text(f"[far]\nSsh={shlex.join(sshd.words())}\n", encoding="utf-8")
        yield {"XDG_CONFIG_HOME": str(job.scratch)}
    finally:
        sshd.end()


def check_ssh(c, where, job, port):
    """All of it from another host."""
    with other_host(job, where[2]) as variables:
        def ask(target, *words):
            done = harness.run(where[2], "attach", target, *words, env=variables)
            return done.code, done.out.decode()

        far = f"ssh://far:{port}"
        code, out = ask("ssh://far", "--list", "--format", "json")
        c.equal("jobs there", (code, [row["attach"] for row in json.loads(out)["jobs"]
                                      if row["folder"] == str(job.record)]), (0, [far]))
        code, path = ask(far, "--trace-ranks", "0-1", "--for", "100ms", "--quiet")
        c.equal("trace", (code, os.path.exists(path.strip() + "/traces.otf2")), (0, True))
        code, path = ask(far, "--profile-now", "--quiet")
        c.equal("profile", code, 0)
        check_profile(c, where[2], path.strip(), job.size)
        c.equal("marker", ask(far, "--marker", "x")[0], 1)
        c.equal("set", ask(far, "--set", "limit=6")[0], 0)
        _, out = ask(far, "--actions")
        c.true(f"value now: {out}", "now 6" in out)
        c.equal("no such job", ask("ssh://far:1", "--actions")[0], 1)


def check_silent(c, client, job):
    """A rank that is stopped cannot say that it is ready; nothing is done then."""
    pid = job.pid(1)
    os.kill(pid, signal.SIGSTOP)
    try:
        # Each thread stops when it next has a processor.
        wait_for("all threads to stop", lambda: all(
            read_text(task / "stat").rpartition(")")[2].split()[0] == "T"
            for task in pathlib.Path(f"/proc/{pid}/task").iterdir()))
        c.equal("with a silent rank", client.do("set:limit", "value=3")[:2],
                ("failed", "Not done: rank 1 does not answer."))
        # Rank 0 waits for it in one call, which began before anything was recorded.
        path = wait_for("rank 0 to wait", lambda: (
            told := client.do("trace", "ranks=0", "for=50ms")) and told[0] == "done"
            and "no call in that time" in told[1] and told[2])
        calls = recording.calls(job.program, path)
        c.true(f"the call: {calls}", calls in ({"MPI_Recv": 1}, {"MPI_Wait": 1}))
    finally:
        os.kill(pid, signal.SIGCONT)
    c.equal("afterwards", client.do("set:limit", "value=4")[0], "done")


def check_user(_mpi, _mpirun, _program, recorder, _folder):
    """Only the user of the job may ask."""
    c = harness.Compare()
    if os.geteuid() != 0 or shutil.which("setpriv") is None:
        return []
    with tempfile.TemporaryDirectory() as scratch:
        os.chown(scratch, 65534, 65534)
        record = pathlib.Path(scratch) / "record"
        with subprocess.Popen(["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups",
                               recorder, "-o", record, "--live", "--quiet", "--", "sleep", "60"],
                              cwd=scratch, env=recording.surroundings()) as process:
            path = wait_for("a socket", lambda: read_text(record / "live.actions"))
            path = path.partition(":")[2]
            c.equal("the folder", os.stat(os.path.dirname(path)).st_uid, 65534)
            with socket.socket(socket.AF_UNIX) as client:
                client.connect(path)
                with contextlib.suppress(ConnectionResetError):
                    c.equal("what another user reads", client.recv(100), b"")
            process.terminate()
        with contextlib.suppress(OSError):
            os.unlink(path)
            os.rmdir(os.path.dirname(path))
    return c.problems


PROGRAM = """
#include <kymo-record.h>
static void call (void *data) { (void) data; }
static void write_out (int ends, void *data) { (void) data; (void) ends; }
int main (void)
{
  static long long a; static double b; static int c;
  kymo_record_integer ("a", &a, 0, 1, KYMO_RECORD_TOGETHER);
  kymo_record_real ("b", &b, 0, 1, 0);
  kymo_record_choice ("c", &c, "x|y", 0);
  kymo_record_action ("d", call, &a, 0);
  kymo_record_on_checkpoint (write_out, &a);
  kymo_record_off ();
  kymo_record_marker ("e");
  kymo_record_on ();
  kymo_record_poll ();
  return kymo_record_checkpoint ();
}
"""


def check_header(header):
    """Without -DKYMO_RECORD nothing is left of it, and no compiler warns."""
    c = harness.Compare()
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        (scratch / "program.c").write_text(PROGRAM, encoding="utf-8")
        for words in (["-std=c99"], ["-std=c99", "-DKYMO_RECORD"]):
            done = subprocess.run(["cc", *words, "-O1", "-Wall", "-Wextra", "-Wpedantic",
                                   "-Werror", f"-I{header}", "-c", scratch / "program.c", "-o",
                                   scratch / "program.o"], stderr=subprocess.PIPE, check=False,
                                  timeout=60)
            c.equal(f"{words}: {done.stderr}", done.returncode, 0)
            c.equal(f"{words}: needs the loader", b"dlsym" in (scratch / "program.o").read_bytes(),
                    "-DKYMO_RECORD" in words)
    return c.problems


def main(arguments):
    mpi, mpirun, *paths, header = arguments
    program, recorder, folder = (pathlib.Path(path).resolve() for path in paths)
    where = mpi, mpirun, program, recorder, folder
    tap = harness.Tap()
    tap.check("everything", check_all, *where)
    tap.check("on request, a silent rank, the end", check_on_request, *where)
    if mpi == "mpich":
        tap.check("another user", check_user, *where)
        tap.check("the header", check_header, header)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
