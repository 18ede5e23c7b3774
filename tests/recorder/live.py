# SPDX-License-Identifier: GPL-3.0-or-later
"""kymo-record --live: what the port and the stored stream say of a real program equals the profile
of its record, whoever watches, and whatever happens to a rank, to a client or to the port.

Usage: live.py MPI MPIRUN KYMO-CLI KYMO-RECORD FOLDER-OF-PROGRAMS [RANKS]
With RANKS the run that is watched has that many, and nothing else is tested.
"""
import collections
import contextlib
import json
import os
import pathlib
import re
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time

import recording
from recording import harness

import make_stream  # in tests/support, which recording looks in

SECOND_NS = 10 ** 9
DETAIL = "CkPerfSumDetail compressed"
OTHERS = {"other", "other than compute"}
WATCHED = ("--watch", "highest memory above 1MB for 2s", "--watch", "lowest load below 99% for 1s",
           "--watch", "mean messages above 1000000 for 1s", "--watch", "below 99% for 1s")


def wait_for(what, condition):
    end = time.monotonic() + 60
    while not (found := condition()):
        if time.monotonic() > end:
            raise AssertionError(f"{what}: waited for a minute")
        time.sleep(0.01)
    return found


def read_text(path):
    try:
        return path.read_text(encoding="utf-8").strip()
    except OSError:
        return ""


class Job:
    """A run of the program `live` under kymo-record."""

    def __init__(self, mpi, mpirun, recorder, folder, scratch, size, seconds, *options,
                 arguments=(), **variables):
        self.record = scratch / "record"
        self.pids = [scratch / f"pid.{rank}" for rank in range(size)]
        words = [*recording.launch(mpirun, size), recorder, "-o", self.record, *options, "--",
                 folder / f"live-{mpi}", seconds, scratch / "pid", *arguments]
        with open(scratch / "stderr", "wb") as self.errors:
            self.process = subprocess.Popen(  # pylint: disable=consider-using-with
                [*map(str, words)], cwd=scratch, stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL, stderr=self.errors,
                env=recording.surroundings(**variables))

    def address(self):
        def look():
            if self.process.poll() is not None:
                raise AssertionError(f"it has ended: {read_text(pathlib.Path(self.errors.name))}")
            return read_text(self.record / "live.address")
        host, _, port = wait_for("an address", look).rpartition(":")
        return host, int(port)

    def pid(self, rank):
        return int(wait_for("a process id", lambda: read_text(self.pids[rank])))

    def end(self):
        """(exit status, stderr)."""
        try:
            code = self.process.wait(60)
        finally:
            self.process.kill()
            self.process.wait()
        return code, read_text(pathlib.Path(self.errors.name))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()


def receive(connection):
    data = b""
    with contextlib.suppress(ConnectionResetError):
        while piece := connection.recv(65536):
            data += piece
    return data


def send(address, data):
    """All that is answered to these bytes."""
    with socket.create_connection(address, timeout=20) as connection:
        with contextlib.suppress(ConnectionResetError, BrokenPipeError):
            connection.sendall(data)
        return receive(connection)


def ask(address, handler, data=b"", pe=0):
    """What a handler answers; None if the connection was closed without an answer."""
    reply = send(address, struct.pack(">ii32s", len(data), pe, handler.encode()) + data)
    if not reply:
        return None
    if struct.unpack(">i", reply[:4])[0] != len(reply) - 4:
        raise AssertionError(f"{handler}: {len(reply)} bytes")
    return reply[4:]


def ask_block(address, number, handler="kymo/record block"):
    """(number, oldest, next, block)."""
    reply = ask(address, handler, struct.pack("<q", number))
    if reply is None:
        raise ConnectionResetError("the program has ended")
    return (*struct.unpack("<qqq", reply[:24]), reply[24:])


class Follower:
    """A client of Kymo's handlers, which sees every block."""

    def __init__(self):
        self.blocks, self.values = {}, {}

    def follow(self, address):
        with contextlib.suppress(ConnectionRefusedError, ConnectionResetError):
            while True:
                number, _, end, block = ask_block(address, len(self.blocks))
                if number >= end:
                    return
                self.blocks[number] = block
                self.values[number] = ask_block(address, number, "kymo/record values")[3]


def names_of(sts):
    """{id: (name, role)}."""
    names, roles = {10000: "other"}, {}
    for line in sts.decode().splitlines():
        words = line.split(" ", 3)
        if words[0] == "ENTRY":
            names[int(words[2])] = words[3].split('"')[1]
        elif words[0] == "ROLE":
            roles[int(words[1])] = words[2]
    return {id_: (name, roles.get(id_, "compute")) for id_, name in names.items()}


def stored(record):
    """(blocks, values by block, names) of the stored stream."""
    _, frames = make_stream.split((record / "live" / "live.kymostream").read_bytes())
    blocks = {at // SECOND_NS: data for kind, _, at, data in frames if kind == make_stream.REPLY}
    values = {at // SECOND_NS: data for kind, _, at, data in frames if kind == 8}
    names = [data for kind, _, _, data in frames if kind == make_stream.NAMES]
    if frames[0][0] != make_stream.FORM:
        raise AssertionError("no form at first")
    return blocks, values, names_of(names[-1]), frames[-1][0] == make_stream.END


def add_up(blocks, names):
    """Nanoseconds by name, mean over the processes."""
    sums = collections.Counter()
    for block in blocks.values():
        for bin_ in make_stream.decode(block, DETAIL):
            for id_, ns in bin_.items():
                sums[names[id_][0]] += ns
    return sums


def find_gap(block):
    """Nanoseconds of a block of which nothing is told."""
    return sum(10 ** 6 - sum(bin_.values()) for bin_ in make_stream.decode(block, DETAIL))


def profile_since_init(program, record, size):
    """{name: nanoseconds} of each rank, without what was before MPI_Init."""
    found = []
    for rank in range(size):
        profile = harness.ask(program, "profile", record, "--locations", rank)
        rows = {a["name"]: a for a in profile["activities"] if a["kind"] == "function"}
        root = next(name for name in rows if name.startswith("live-"))
        before = rows.pop("MPI_Init")["longest_begin_ns"] - rows[root]["longest_begin_ns"]
        exact = {name: row["exclusive_ns"] for name, row in rows.items()}
        exact[root] -= before
        found.append(exact)
    return found


def check_sums(c, exact, record, size):
    """The stream against the profile of the record: all of it but what was before the stream, and
    what small activities of a bin have given to the others. Within MPI_Finalize the stream ends."""
    blocks, values, names, ended = stored(record)
    c.true("no end", ended)
    c.equal("numbers", sorted(blocks), list(range(len(blocks))))
    c.equal("numbers of values", sorted(values), sorted(blocks))
    c.true("too large", all(len(block) <= 12288 for block in blocks.values()))
    sums, mean = add_up(blocks, names), collections.Counter()
    for of_rank in exact:
        mean.update({name: ns / size for name, ns in of_rank.items() if name != "MPI_Finalize"})
    sums.pop("MPI_Finalize", None)
    sums.pop("MPI_Init", None)
    folded, gap = sum(sums[name] for name in OTHERS), find_gap(blocks[0])
    whole, slack = sum(mean.values()), 0.005 * SECOND_NS
    c.true(f"sum {sum(sums.values())} of {whole}, {gap} before",
           -gap - slack < sum(sums.values()) - whole < slack)
    for name, ns in mean.items():
        c.true(f"{name}: {sums[name]} of {ns}, {folded} folded, {gap} before",
               -folded - gap - slack < sums[name] - ns < slack)
    c.true(f"{folded} of {whole} folded", folded < 0.1 * whole)
    return blocks, values, names


def check_bytes(c, address, size):
    """What clients of Charm++ ask, and what nobody should."""
    c.equal("arch", ask(address, "debug/converse/arch"), bytes([75, 1, 2, 1, 4, 8, 8, 1]))
    c.equal("info", ask(address, "ccs_getinfo"), struct.pack(f">{size + 1}i", size, *[1] * size))
    c.equal("unknown", ask(address, "ccs_killport", b"\0\0\1\0"), b"")
    c.equal("a list of PEs", send(address, struct.pack(">ii32sii", 0, -2, b"unknown", 0, 0)),
            b"\0\0\0\0")
    c.equal("PE out of range", ask(address, "ccs_getinfo", pe=size), None)
    for what, data in (("noise", os.urandom(4096)), ("all ones", b"\xff" * 5000),
                       ("long", struct.pack(">ii32s", 1 << 28, 0, b"x")),
                       ("a long list", struct.pack(">ii32s", 0, -(1 << 31), b"x")),
                       ("a login", b"\x80\0\1\0" + b"\1" * 40)):
        reply = send(address, data)
        # Noise may be a short request for something unknown.
        c.true(f"{what}: {reply[:40]!r}", reply in (b"", b"\0\0\0\0"))
    # Who connects and says nothing is in nobody's way.
    idle = [socket.create_connection(address, timeout=20) for _ in range(8)]
    c.true("silent clients are in the way", ask(address, "ccs_getinfo"))
    return idle


def check_loads(c, exact, values):
    """Loads of all seconds against what the record says that each rank computed."""
    loads = collections.Counter()
    for text in list(values.values())[:-1]:
        words = next(line for line in text.decode().splitlines() if line[:7] == "idlest ").split()
        loads.update({int(rank): int(load) * 1000
                      for rank, load in zip(words[1::2], words[2::2])})
    for rank, ns in loads.items():
        computed = next(ns for name, ns in exact[rank].items() if name.startswith("live-"))
        # The last second is not whole, and before the first there was a moment without a stream.
        c.true(f"rank {rank} computed {ns} of {computed}",
               -1.12 * SECOND_NS < ns - computed < 0.01 * SECOND_NS)


def check_values(c, values, size):
    """Values of whole seconds: loads are within bounds and in order."""
    for number, text in list(values.items())[1:-1]:
        lines = {words[0]: words[1:] for line in text.decode().splitlines()
                 if (words := line.split())}
        c.equal("second", lines["second"], [str(number)])
        _, n, sum_, least, least_rank, most, most_rank = lines["load"]
        c.equal("processes", int(n), size)
        c.true(f"load {lines['load']}", 0 <= int(least) <= int(sum_) / size <= int(most) <= 1000001)
        idlest, busiest = lines["idlest"], lines["busiest"]
        c.equal("ends of the lists", (idlest[:2], busiest[:2]),
                ([least_rank, least], [most_rank, most]))
        c.equal("lists", sorted(idlest[::2]), [str(rank) for rank in range(size)])
        c.true("messages", size == 1 or int(lines["messages"][2]) > 0)
        c.true("memory", int(lines["memory"][2]) > 1 << 20)
        c.equal("messages and bytes", int(lines["message-bytes"][2]),
                1000 * int(lines["messages"][2]))


def low_utilization(blocks, names):
    """Where the seconds begin that kymo-cli tells when compute falls below 99 % of a second: of all
    stretches that end in a block, in steps of 10 ms, the lowest; once until a block has none."""
    compute = {id_ for id_, (_, role) in names.items() if role == "compute"}
    steps, begins, before, met = [], [], None, False
    for number in sorted(blocks):
        if before is None or number != before + 1:
            steps = []
        before = number
        bins = [sum(ns for id_, ns in bin_.items() if id_ in compute)
                for bin_ in make_stream.decode(blocks[number], DETAIL)]
        old, steps = steps, steps + [sum(bins[at:at + 10]) for at in range(0, len(bins), 10)]
        ends = range(max(100, len(old) + 1), len(steps) + 1)
        lowest = min(((sum(steps[end - 100:end]), end) for end in ends), default=None)
        steps = steps[-100:]
        if lowest is None:
            continue
        if lowest[0] < 0.99 * SECOND_NS and not met:
            begins.append((number + 1) * SECOND_NS
                          - (len(old) + len(bins) // 10 - lowest[1] + 100) * 10 ** 7)
        met = lowest[0] < 0.99 * SECOND_NS
    return begins


def check_alarms(c, program, lines, path, blocks, names):
    """What was watched for: alarms as they came, in the recording, and told of it later."""
    alarms = [(line["alarm"].split(" for ")[0], line["begin_ns"]) for line in lines
              if "alarm" in line]
    loads = {line["second"]: value["least"] for line in lines if "second" in line
             for value in line["values"] if value["name"] == "load"}
    expected = {("Memory: highest above 1.00 MB", 0)}
    expected |= {("Load: lowest below 99 %", n * SECOND_NS) for n, load in loads.items()
                 if load < 990000 <= loads.get(n - 1, 990000)}
    expected |= {("Utilization was below 99 %", at) for at in low_utilization(blocks, names)}
    c.equal("alarms", set(alarms), expected)
    c.equal("each alarm once", len(alarms), len(expected))
    _, frames = make_stream.split(path.read_bytes())
    c.equal("marks", {(data.decode().split(" for ")[0], at) for kind, _, at, data in frames
                      if kind == make_stream.MARK}, expected)
    told = harness.run(program, "replay", path, "--format", "json", *WATCHED).out
    c.equal("alarms of the recording",
            [(line["alarm"].split(" for ")[0], line["begin_ns"])
             for line in map(json.loads, told.splitlines()) if "alarm" in line], alarms)


def check_attach(c, program, lines, path, blocks, names):
    """What `kymo-cli attach --scalars` printed and recorded."""
    lines = [json.loads(line) for line in lines.splitlines()]
    seen = {line["block"]: line for line in lines if "block" in line}
    values = [line["second"] for line in lines if "second" in line]
    c.equal("seconds with values", values, sorted(seen))
    # The last one comes before its second is over.
    c.true(f"{len(seen)} of {len(blocks)} blocks", len(seen) >= len(blocks) - 1)
    for number, line in seen.items():
        sums = add_up({number: blocks[number]}, names)
        c.equal("names", {a["name"] for a in line["activities"]}, set(sums))
        compute = sum(ns for name, ns in sums.items() if (name, "compute") in names.values())
        c.true(f"utilization {line['utilization']} of {compute}",
               abs(line["utilization"] * SECOND_NS - compute) < 1)
    check_alarms(c, program, lines, path, {n: blocks[n] for n in seen}, names)
    profile = harness.ask(program, "profile", path)
    c.equal("calls", {a["calls"] for a in profile["activities"] if a["role"] is not None}, {None})
    roles = {a["name"]: a["role"] for a in profile["activities"] if a["role"] is not None}
    c.equal("roles in the recording", {name: role for name, role in names.values()
                                       if name in roles}, roles)


def check_whole(mpi, mpirun, program, recorder, folder, size):
    """A run that is watched by several clients. On a machine that has much else to do a rank may be
    left out of a second, whose mean is of the others then; not three times in a row."""
    for last in (False, False, True):
        c, complete = check_watched(mpi, mpirun, program, recorder, folder, size, last)
        if complete:
            break
        print("# a rank was late", flush=True)
    return c.problems


def check_watched(mpi, mpirun, program, recorder, folder, size, last):
    """(Compare, whether all ranks were in time)."""
    c = harness.Compare()
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        with Job(mpi, mpirun, recorder, folder, scratch, size, 3.3, "--live") as job:
            address = job.address()
            c.equal("host", address[0], "127.0.0.1")
            idle = check_bytes(c, address, size)
            attach = [program, "attach", f"127.0.0.1:{address[1]}", "--scalars", "--format", "json",
                      *WATCHED, "--record"]
            with subprocess.Popen([*attach, scratch / "seen.kymostream"], stdout=subprocess.PIPE,
                                  stderr=subprocess.DEVNULL) as watcher, \
                    subprocess.Popen([*attach, scratch / "killed.kymostream"],
                                     stdout=subprocess.DEVNULL,
                                     stderr=subprocess.DEVNULL) as killed:
                clients = [Follower(), Follower()]
                while job.process.poll() is None:
                    for client in clients:
                        client.follow(address)
                    if len(clients[0].blocks) == 2:
                        killed.kill()
                    time.sleep(0.05)
                killed.kill()
                code, told = job.end()
                lines = watcher.communicate(timeout=60)[0]
            for connection in idle:
                connection.close()
            c.equal("the program", code, 0)
            if "in time" in told and not last:
                return c, False
            c.equal("stderr", told.count("\n"), 0)
        c.true("the address stays", not (job.record / "live.address").exists())
        exact = profile_since_init(program, job.record, size)
        blocks, values, names = check_sums(c, exact, job.record, size)
        check_values(c, values, size)
        check_loads(c, exact, values)
        c.equal("role", names[10000 - 1], ("other than compute", "communication"))
        c.equal("roles", {role for name, role in names.values() if name.startswith("live-")},
                {"compute"})
        for client in clients:
            c.true(f"{len(client.blocks)} of {len(blocks)} seen",
                   len(client.blocks) >= len(blocks) - 1)
            c.equal("blocks", client.blocks, {n: blocks[n] for n in client.blocks})
            c.equal("values", client.values, {n: values[n] for n in client.values})
        check_attach(c, program, lines, scratch / "seen.kymostream", blocks, names)
        c.equal("the archive", recording.warnings(job.record / "traces.otf2")[:3], [])
    return c, True


def check_stopped(mpi, mpirun, program, recorder, folder):
    """A rank that is stopped is left out, and comes back; each rank is a node here, so the tree is
    one of TCP."""
    c = harness.Compare()
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        with Job(mpi, mpirun, recorder, folder, scratch, 2, 7, "--live",
                 KYMO_RECORD_TEST_NODES="1") as job:
            address = job.address()
            wait_for("a block", lambda: ask_block(address, 0)[2] > 0)
            pid = job.pid(1)
            os.kill(pid, signal.SIGSTOP)
            try:
                n = ask_block(address, 0)[2]
                wait_for("blocks without rank 1", lambda: ask_block(address, 0)[2] >= n + 2)
                number, _, _, block = ask_block(address, n + 1)
                c.equal("processes while it is stopped",
                        (number, struct.unpack("<ii", block[:8])), (n + 1, (1000, 1)))
            finally:
                os.kill(pid, signal.SIGCONT)
            code, told = job.end()
        c.equal("the program", code, 0)
        late = told.count("rank 1 does not answer in time")
        c.true(f"what is said: {told}", late >= 1)
        c.equal("back", told.count("rank 1 is in the live view again"), late)
        blocks = stored(job.record)[0]
        counts = [struct.unpack("<i", blocks[n][4:8])[0] for n in sorted(blocks)]
        c.true(f"processes {counts}", 2 in counts[n + 2:])
    return c.problems


def wait_for_processes(address, wanted):
    """Until that many are in the mean of a second."""
    def look():
        number = ask_block(address, 0)[2]
        block = ask_block(address, number - 1)[3] if number else b""
        return block and struct.unpack("<i", block[4:8])[0] == wanted
    wait_for(f"{wanted} processes in a second", look)


def recover(program, record):
    """(exit status, what is said)."""
    done = subprocess.run([program, "recover", record], timeout=100, check=False,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    return done.returncode, done.stderr


def check_lost(mpi, mpirun, program, recorder, folder):
    """In a tree that is a chain a process in the middle is killed: those below it go on with the
    one above it. Who started them sleeps, so that it does not end the others. Then rank 0 is
    killed, and its stream stays."""
    c, size = harness.Compare(), 4
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        with Job(mpi, mpirun, recorder, folder, scratch, size, 60, "--live", arguments=["alone"],
                 KYMO_RECORD_TEST_NODES="1", KYMO_RECORD_TEST_FAN="1") as job:
            address = job.address()
            pids = [job.pid(rank) for rank in range(size)]
            launcher = int(pathlib.Path(f"/proc/{pids[0]}/stat").read_text(encoding="utf-8")
                           .rpartition(")")[2].split()[1])
            wait_for_processes(address, size)
            os.kill(launcher, signal.SIGSTOP)
            try:
                os.kill(pids[1], signal.SIGKILL)
                wait_for_processes(address, size - 1)
                traced = wait_for("the loss to be told", lambda: (
                    done := subprocess.run([program, "attach", job.record, "--trace-ranks", "1-3",
                                            "--for", "200ms", "--format", "json"], check=False,
                                           stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                           text=True, timeout=60))
                    and "rank 1 is gone" in done.stdout and json.loads(done.stdout))
                c.true(f"trace: {traced}", re.match(r"[0-9]+ events of 2 of the [23] chosen ranks",
                                                    traced["sentence"]))
                n = ask_block(address, 0)[2]
                for rank in (3, 2, 0):
                    os.kill(pids[rank], signal.SIGKILL)
            finally:
                os.kill(launcher, signal.SIGCONT)
            _, told = job.end()
        sentence = ("rank 1 is gone: it is missing in the live view from here on; of the 1 that it "
                    "connected, rank 0 connects 1 now")
        c.equal(f"what is said: {told}", (told.count(sentence), told.count("is gone")), (1, 1))
        blocks, _, _, ended = stored(job.record)
        c.true(f"{len(blocks)} blocks of {n}, {ended}", len(blocks) >= n and not ended)
        counts = [struct.unpack("<i", blocks[n][4:8])[0] for n in sorted(blocks)]
        c.equal(f"processes {counts}", {size - 1, size} - set(counts), set())
        code, told = recover(program, job.record)
        c.equal(f"recovered: {told}", (code, told.count("did not end by itself")), (0, size))
        c.true(f"the stream: {told}", f"live.kymostream has {len(blocks)} seconds" in told)
        info = harness.ask(program, "info", job.record / "live" / "live.kymostream")
        c.equal("the stream", info["end_ns"] // SECOND_NS, max(blocks) + 1)
    return c.problems


def check_keys(mpi, mpirun, program, recorder, folder):
    """A port that is taken, keys, and a program that is killed."""
    c = harness.Compare()
    with tempfile.TemporaryDirectory() as scratch, socket.socket() as taken:
        scratch = pathlib.Path(scratch)
        taken.bind(("0.0.0.0", 0))
        taken.listen()
        port = taken.getsockname()[1]
        (scratch / "keys").write_text("0 112233\n", encoding="utf-8")
        (scratch / "wrong").write_text("0 112234\n", encoding="utf-8")
        with Job(mpi, mpirun, recorder, folder, scratch, 1, 60, f"--live={port}",
                 f"--live-key={scratch / 'keys'}") as job:
            host, opened = job.address()
            c.equal("host", host, socket.gethostname())
            c.true("the port is the taken one", opened != port)
            address = "127.0.0.1", opened
            c.equal("without a key", ask(address, "ccs_getinfo"), None)
            target = f"127.0.0.1:{opened}"
            refused = harness.run(program, "attach", target, "--key", scratch / "wrong", "--wait",
                                  "2s")
            c.equal("with a wrong key", refused.code, 1)
            seen = harness.run(program, "attach", target, "--key", scratch / "keys", "--for", "2s")
            c.equal("with the key", seen.code, 0)
            c.true(f"saw {seen.out}", b"  0 " in seen.out)
            os.kill(job.pid(0), signal.SIGKILL)
            _, told = job.end()
        c.equal("what is said", told.count(f"port {port} of --live cannot be opened"), 1)
        blocks, _, _, ended = stored(job.record)
        c.true(f"{len(blocks)} blocks, {ended}", blocks and not ended)
        info = harness.ask(program, "info", job.record / "live" / "live.kymostream")
        c.equal("the stream of a killed run", info["format"], "ccs")
    return c.problems


def main(arguments):
    mpi, mpirun, *paths = arguments[:5]
    program, recorder, folder = (pathlib.Path(path).resolve() for path in paths)
    where = mpi, mpirun, program, recorder, folder
    tap = harness.Tap()
    if arguments[5:]:
        tap.check(f"{arguments[5]} ranks", check_whole, *where, int(arguments[5]))
        return tap.end()
    for size in (1, 4) if mpi == "openmpi" else (2,):
        tap.check(f"{size} ranks", check_whole, *where, size)
    tap.check("a stopped rank", check_stopped, *where)
    tap.check("a lost rank, and rank 0 killed", check_lost, *where)
    tap.check("keys, a port that is taken, a killed program", check_keys, *where)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
