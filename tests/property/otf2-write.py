# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs written as OTF2 archives and read again: every answer is that of the original, to the
nanosecond, of the whole run and of parts of it; and otf2-print accepts the archives.

Usage: otf2-write.py KYMO-CLI WRITE-OTF2 SOURCE-ROOT
"""
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import harness  # noqa: E402
import otf2  # noqa: E402

QUESTIONS = (("profile", "--per-location"), ("usage",), ("time-profile", "--bins", "37"),
             ("histogram",), ("timeline", "--width", "200"), ("communication",),
             ("messages", "--limit", "100000"), ("waiting",), ("collectives",),
             ("critical-path",), ("calltree",), ("user-events",), ("counters",),
             ("events", "--limit", "100000"), ("info",))
# Of a part they are not the same: the timeline has outer functions where any nest; paths of
# functions, the critical path's rest and what others did reach beyond the range.
OF_PARTS = ("profile", "usage", "time-profile", "histogram", "communication", "messages",
            "waiting", "collectives", "events")
# Of some locations messages and collectives have not all that take part in them.
OF_LOCATIONS = ("profile", "usage", "time-profile", "histogram")
# What is of the whole run, or of its files.
NOT_COMPARED = {"collectives_inferred", "inferred", "left_out", "outer", "groups",
                "by_did", "collectives_without_root", "may_be_several",
                "collectives_may_be_several", "functions", "span"}
# What info tells of the files themselves.
OF_FILES = {"title", "path", "creator", "recorded_by", "records", "report", "format",
            "format_version", "memory_bytes"}


def ask(program, folder, question, *args):
    """The answer, or in words why there is none."""
    result = harness.run(program, question[0], folder, *question[1:], *args,
                         "--format", "json", "--quiet")
    if result.code == 0:
        return result.json
    return result.err.replace(str(folder), "RUN")


def without(value, names):
    if isinstance(value, dict):
        return {k: without(v, names) for k, v in value.items() if k not in names}
    if isinstance(value, list):
        return [without(v, names) for v in value]
    return value


def difference(left, right, path=""):
    """Where two answers differ first."""
    if isinstance(left, dict) and isinstance(right, dict):
        for key in sorted(left.keys() | right.keys()):
            found = difference(left.get(key, "absent"), right.get(key, "absent"), f"{path}/{key}")
            if found:
                return found
        return None
    if isinstance(left, list) and isinstance(right, list) and len(left) == len(right):
        for i, (a, b) in enumerate(zip(left, right)):
            found = difference(a, b, f"{path}[{i}]")
            if found:
                return found
        return None
    return None if left == right else f"{path}: {harness.short(left)} != {harness.short(right)}"


def compare(program, one, other, questions, skip, *args):
    problems = []
    for question in questions:
        found = difference(without(ask(program, one, question, *args), skip),
                           without(ask(program, other, question, *args), skip))
        if found:
            problems.append(f"{' '.join(question)} {' '.join(args)}: {found}")
    return problems


def shown(folder, option="-A"):
    """What the program of the library prints, and its problems."""
    if shutil.which("otf2-print") is None:
        return [], []
    plain = {k: v for k, v in os.environ.items() if k != "MALLOC_PERTURB_"}
    done = subprocess.run(["otf2-print", option, folder / "traces.otf2"], timeout=120,
                          check=False, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=plain)
    problems = [] if done.returncode == 0 and not done.stderr else \
        [f"otf2-print: exit {done.returncode}, {done.stderr[:200]}"]
    return done.stdout.decode("utf-8", "replace").splitlines(), problems


def check_print(folder):
    """The program of the library reads events and definitions without a word of warning."""
    return shown(folder)[1]


def written(program, *args):
    result = harness.run(program, *args, "--format", "json", "--quiet")
    if result.code != 0:
        raise AssertionError(f"{args[0]}: exit {result.code}, {result.err[:300]}")
    return result.json


SELF, THIS_GROUP = 2 ** 32 - 2, 2 ** 32 - 3
UNKNOWN = 2 ** 64 - 1
WORLD, CARTESIAN, HALF, OWN, INTER, TEAM = range(6)
NAMES = ("main", "compute", "MPI_Send", "MPI_Recv", "MPI_Barrier", "MPI_Allreduce", "MPI_Bcast",
         "MPI_Reduce", "MPI_Wait", "a name with “quotes” | $ and \x07", "!$omp parallel",
         "!$omp implicit barrier", "read", "pthread_join", "kernel", "MPI_Win_fence")
(MAIN, COMPUTE, SEND, RECEIVE, BARRIER, ALLREDUCE, BCAST, REDUCE, WAIT, ODD, PARALLEL, IMPLICIT,
 READ, JOIN, KERNEL, FENCE) = range(len(NAMES))
ROLES = {IMPLICIT: 16, READ: 27, JOIN: 33, KERNEL: 1, BARRIER: 15}


class Maker:
    """A random archive with records of every kind that is read: ranks with threads, and one that
    records nothing, in communicators of all kinds."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        rng = self.rng
        self.n, self.threads = rng.randrange(3, 6), (1, 3)[seed % 2]
        self.resolution = (10 ** 9, 10 ** 9, 10 ** 6, 2_599_999_813)[seed % 4]
        self.archive = otf2.Archive(self.resolution, offset=1000,
                                    realtime=1_700_000_000_123_456_789)
        self.time = [2000 + rng.randrange(500) for _ in range(self.n * self.threads)]
        self.total = [0] * (self.n * self.threads)
        self.counts = seed % 3 != 2
        self.sequence = 0
        self.define()
        for location in range(self.n * self.threads):
            self.call(location, "enter", MAIN)

    def define(self):
        a = self.archive
        a.processes(self.n + 1, threads=self.threads)
        self.stream = (self.n + 1) * self.threads
        a.add("process", self.n + 1, "GPU", otf2.ACCELERATOR, 1, 0)
        a.add("location", self.stream, "CUDA[0:1]", otf2.STREAM, self.n + 1)
        a.add("location", self.stream + 1, "sensors", otf2.METRIC, 0)
        order = list(range(self.n + 1))
        self.rng.shuffle(order)
        half = sorted(self.rng.sample(range(self.n), self.n // 2 + 1))
        rest = [rank for rank in range(self.n) if rank not in half] or [0]
        self.comms = [list(range(self.n + 1)), order, half]
        for number, name in enumerate(("MPI_COMM_WORLD", "cartesian", "half")):
            self.group(10 + number, name, self.comms[number])
            a.add("comm", number, name, 10 + number, 0 if number else -1)
        a.add("group", 20, "", otf2.COMM_SELF, otf2.MPI, 0, "0")
        a.add("comm", OWN, "MPI_COMM_SELF", 20)
        self.sides = half, rest
        self.group(21, "rest", rest)
        a.add("intercomm", INTER, "bridge", 12, 21)
        # A team of threads has locations as its members.
        members = ",".join(str(thread) for thread in range(self.threads))
        a.add("group", 22, "team", otf2.COMM_GROUP, otf2.OPENMP, 1, members)
        a.add("comm", TEAM, "team of rank 0", 22)
        a.add("group", 23, "those of rank 1", 3, 0, 0, ",".join(
            str(self.threads + thread) for thread in range(self.threads)))
        a.add("window", 0, "window of all", WORLD)
        a.add("window", 1, "window of half", HALF)
        for number, name in enumerate(NAMES):
            paradigm = otf2.MPI if name.startswith("MPI") else otf2.OPENMP \
                if name.startswith("!$") else otf2.USER
            a.region(number, name, paradigm, ROLES.get(number, 1), ("src/solver.c", 10 + number))
        a.add("group", 30, "solver", otf2.REGIONS, 0, 0, f"{COMPUTE},{ODD}")
        for number, (name, mode, kind, unit, base, exponent) in enumerate((
                ("power", otf2.ABSOLUTE_POINT, otf2.DOUBLE, "W", otf2.DECIMAL, 0),
                ("heap", otf2.RELATIVE_POINT, otf2.INT64, "B", otf2.BINARY, 10),
                ("energy", otf2.ACCUMULATED_START, otf2.UINT64, "J", otf2.DECIMAL, -3),
                ("PAPI_TOT_INS", otf2.ACCUMULATED_START, otf2.UINT64, "#", otf2.DECIMAL, 0))):
            a.add("member", number, name, mode, kind, unit, base, exponent)
        a.add("class", 0, otf2.ASYNCHRONOUS, "0")
        a.add("class", 1, otf2.SYNCHRONOUS, "1")
        if self.counts:
            a.add("class", 2, otf2.STRICT, "3,2")
        for number, name in enumerate(("size", "mask", "mode")):
            a.add("parameter", number, name, (otf2.INT_PARAMETER, otf2.UNSIGNED_PARAMETER,
                                              otf2.TEXT_PARAMETER)[number])
        a.add("paradigm", 0, "POSIX")
        a.add("paradigm", 1, "MPI-IO")
        a.add("file", 0, "/data/out.dat", 0)
        a.add("folder", 1, "/data", 0)
        for number, fields in enumerate((("fd 3", 0, 0, 0, -1, -1), ("stdout", -1, 0, 1, -1, -1),
                                         ("shared", 0, 1, 0, HALF, 0), ("fd 4", 1, 0, 0, -1, -1))):
            a.add("handle", number, *fields)

    def group(self, number, name, ranks):
        self.archive.add("group", number, name, otf2.COMM_GROUP, otf2.MPI, 0,
                         ",".join(map(str, ranks)))

    def tick(self, location, most=300):
        self.time[location] += self.rng.randrange(most)
        return self.time[location]

    def event(self, location, *fields):
        self.archive.event(location, self.tick(location, 30), *fields)
        return self.time[location]

    def anyone(self):
        return self.rng.randrange(self.n * self.threads)

    def call(self, location, event, region):
        self.tick(location, 30)
        if self.counts and self.rng.random() < 0.9:
            self.total[location] += self.rng.randrange(1000)
            self.archive.event(location, self.time[location], "metric", 2,
                               f"u:{self.total[location]}", f"u:{self.total[location] * 3}")
        self.archive.event(location, self.time[location], event, region)

    def compute(self, location, depth=0):
        region = self.rng.choice((COMPUTE, ODD))
        self.call(location, "enter", region)
        for _ in range(self.rng.randrange(3) if depth < 3 else 0):
            self.compute(location, depth + 1)
        if self.rng.random() < 0.3:
            self.event(location, "metric", 0, f"d:{self.rng.random() * 100}")
            self.event(location, "metric", 1, f"i:{self.rng.randrange(-5, 10)}")
        self.tick(location)
        self.call(location, "leave", region)

    def exchange(self, number, a, there, b, here):
        """From location a to b; each knows the other by its rank in the communicator."""
        size, tag = self.rng.randrange(100000), self.rng.randrange(3)
        self.sequence += 1
        self.call(a, "enter", SEND)
        if self.rng.random() < 0.5:
            self.event(a, "send", there, number, tag, size)
        else:
            self.event(a, "isend", there, number, tag, size, self.sequence)
            self.event(a, "isend-complete", self.sequence)
        sent = self.time[a]
        self.call(a, "leave", SEND)
        if b // self.threads == self.n:
            return
        self.call(b, "enter", RECEIVE)
        if self.rng.random() < 0.95:
            self.event(b, "irecv-request", self.sequence)
            self.time[b] = max(self.time[b], sent) + self.rng.randrange(50)
            self.archive.event(b, self.time[b], "recv", here, number, tag, size)
        self.call(b, "leave", RECEIVE)

    def message(self):
        number = self.rng.choice((WORLD, CARTESIAN, HALF, OWN, INTER))
        if number == OWN:
            rank = self.rng.randrange(self.n) * self.threads
            return self.exchange(OWN, rank, 0, rank, 0)
        if number == INTER:
            side = self.rng.randrange(2)
            here, there = (self.rng.randrange(len(self.sides[i])) for i in (side, 1 - side))
            return self.exchange(INTER, self.sides[side][here] * self.threads, there,
                                 self.sides[1 - side][there] * self.threads, here)
        ranks = self.comms[number]
        here, there = self.rng.sample(range(len(ranks)), 2)
        if ranks[here] == self.n:
            here, there = there, here
        a, b = (ranks[i] * self.threads + self.rng.randrange(self.threads)
                for i in (here, there))
        return self.exchange(number, a, there, b, here)

    def together(self, ranks, region, begin, end):
        """All of them call a collective; @end tells what a rank records at its end."""
        ranks = [rank for rank in ranks if rank < self.n]
        for rank in ranks:
            self.call(rank * self.threads, "enter", region)
            self.event(rank * self.threads, begin)
        last = max(self.time[rank * self.threads] for rank in ranks)
        for rank in ranks:
            location = rank * self.threads
            self.time[location] = last + self.rng.randrange(40)
            self.archive.event(location, self.time[location], *end(rank),
                               self.rng.randrange(999), self.rng.randrange(999))
            self.call(location, "leave", region)

    def collective(self):
        number = self.rng.choice((WORLD, CARTESIAN, HALF))
        region, op = self.rng.choice(((BARRIER, "barrier"), (ALLREDUCE, "allreduce"),
                                      (BCAST, "bcast"), (REDUCE, "reduce"),
                                      (COMPUTE, "allgather")))
        ranks = self.comms[number]
        root = self.rng.choice([i for i, rank in enumerate(ranks) if rank < self.n]) \
            if op in ("bcast", "reduce") else otf2.NO_ROOT
        self.together(ranks, region, "begin",
                      lambda rank: ("end", otf2.OPS.index(op), number, root))

    def broadcast_across(self):
        """From one group to the other."""
        root = self.rng.randrange(len(self.sides[0]))

        def end(rank):
            told = root if rank not in self.sides[0] else SELF if rank == self.sides[0][root] \
                else THIS_GROUP
            return "end", otf2.OPS.index("bcast"), INTER, told
        self.together(sorted({*self.sides[0], *self.sides[1]}), BCAST, "begin", end)

    def fence(self):
        window = self.rng.randrange(2)
        self.together(self.comms[(WORLD, HALF)[window]], FENCE, "window-begin",
                      lambda rank: ("window-end", otf2.OPS.index("barrier"), window,
                                    otf2.NO_ROOT))

    def asynchronous(self):
        self.sequence += 1
        request, number = self.sequence, self.rng.choice((WORLD, HALF))
        ranks = [rank for rank in self.comms[number] if rank < self.n]
        for rank in ranks:
            self.event(rank * self.threads, "request", request)
        for rank in ranks:
            location = rank * self.threads
            self.compute(location)
            self.call(location, "enter", WAIT)
            self.event(location, "done", otf2.OPS.index("allreduce"), number, otf2.NO_ROOT, 8, 8,
                       request)
            self.call(location, "leave", WAIT)

    def one_sided(self):
        self.sequence += 1
        window = self.rng.randrange(2)
        ranks = self.comms[(WORLD, HALF)[window]]
        location = self.rng.choice([rank for rank in ranks if rank < self.n]) * self.threads
        to = self.rng.randrange(len(ranks))
        if self.rng.random() < 0.3:
            self.event(location, "atomic", window, to, 0, 8, 16, self.sequence)
        else:
            self.event(location, self.rng.choice(("put", "get")), window, to, 64, self.sequence)
        self.event(location, "complete", window, self.sequence)

    def pause(self):
        location = self.anyone()
        if self.rng.random() < 0.5:
            begin = self.tick(location)
            self.archive.event(location, begin, "flush", begin + self.rng.randrange(100))
            return
        self.archive.event(location, self.tick(location), "measurement", 0)
        self.archive.event(location, self.tick(location) + 1, "measurement", 1)
        self.time[location] += 1

    def parallel(self):
        """A team of all threads of a rank; the master goes on when the last one is at its end."""
        first = self.rng.randrange(self.n) * self.threads
        self.call(first, "enter", PARALLEL)
        forked = self.event(first, "fork", self.threads)
        for thread in range(self.threads):
            location = first + thread
            self.time[location] = max(self.time[location], forked)
            self.event(location, "team-begin", TEAM)
            self.compute(location)
            self.event(location, "team-end", TEAM)
        self.time[first] = max(self.time[first:first + self.threads])
        self.event(first, "join")
        self.call(first, "leave", PARALLEL)

    def single(self):
        """A thread that another one creates and waits for."""
        if self.threads == 1:
            return
        first = self.rng.randrange(self.n) * self.threads
        other = first + self.rng.randrange(1, self.threads)
        self.sequence += 1
        created = self.event(first, "thread-create", TEAM, self.sequence)
        self.time[other] = max(self.time[other], created)
        self.event(other, "thread-begin", TEAM, self.sequence)
        self.compute(other)
        ended = self.event(other, "thread-end", TEAM, self.sequence)
        self.call(first, "enter", JOIN)
        self.time[first] = max(self.time[first], ended)
        self.event(first, "thread-wait", TEAM, self.sequence)
        self.call(first, "leave", JOIN)

    def parameters(self):
        location = self.anyone()
        self.event(location, "int", 0, self.rng.randrange(-9, 9))
        self.event(location, "unsigned", 1, 2 ** 64 - self.rng.randrange(1, 9))
        self.event(location, "text", 2, self.rng.choice(("fast", "slow “mode”", "x" * 900)))

    def input_output(self):
        """Operations that overlap, and one that is never complete."""
        location, handle = self.anyone(), self.rng.randrange(4)
        self.sequence += 2
        one, other = self.sequence, self.sequence + 1
        self.call(location, "enter", READ)
        self.event(location, "io-open", handle, 2, 3, 2)
        self.event(location, "io-begin", handle, self.rng.randrange(3), 1, 4096, one)
        self.event(location, "io-issued", handle, one)
        self.event(location, "io-begin", 1, 1, 2, UNKNOWN, other)
        self.event(location, "io-test", handle, one)
        self.event(location, "io-complete", 1, self.rng.choice((77, UNKNOWN)), other)
        if self.rng.random() < 0.5:
            self.event(location, "io-complete", handle, 4000, one)
        elif self.rng.random() < 0.7:
            self.event(location, "io-cancel", handle, one)
        for fields in (("io-duplicate", handle, 2, 1), ("io-seek", handle, -10, 1, 3990),
                       ("io-seek", handle, 5, 2, UNKNOWN), ("io-flags", handle, 4),
                       ("io-lock", handle, 1), ("io-unlock", handle, 0),
                       ("io-try-lock", handle, 1), ("io-delete", 0, 1), ("io-close", handle)):
            if self.rng.random() < 0.5:
                self.event(location, *fields)
        self.call(location, "leave", READ)

    def kernel(self, begin):
        """On a stream of the accelerator; returns when it is at its end."""
        end = begin + self.rng.randrange(1, 200)
        self.archive.event(self.stream, begin, "enter", KERNEL)
        self.archive.event(self.stream, end, "leave", KERNEL)
        return end + self.rng.randrange(50)

    def mark(self):
        """Markers of every scope, also before the first record and behind the last one."""
        a = self.archive
        a.add("marker-kind", 0, "MUST", "Type error", otf2.HIGH)
        a.add("marker-kind", 1, "", "Note", 0)
        about = [(otf2.RUN, 0)]
        about += [(otf2.LOCATION, self.anyone()) for _ in range(3)]
        about += [(otf2.PROCESS_SCOPE, rank) for rank in range(self.n)]
        about += [(otf2.NODE, 0), (otf2.NODE, 1), (otf2.NODE, 99), (otf2.LOCATION, 999)]
        about += [(otf2.GROUP, group) for group in (0, 10, 11, 12, 21, 22, 23, 99)]
        about += [(otf2.COMM, comm) for comm in range(6)]
        end = max(self.time)
        for number, (scope, what) in enumerate(about):
            a.add("marker", self.rng.randrange(1500, end + 500), self.rng.randrange(500),
                  number % 2, scope, what, f"text {number}")

    def write(self, writer, folder, n_steps=60):
        self.archive.add("creator", "write-otf2")
        ready = self.time[0]
        steps = (lambda: self.compute(self.anyone()), self.message, self.message, self.collective,
                 self.pause, self.asynchronous, self.one_sided, self.broadcast_across, self.fence,
                 self.parallel, self.single, self.parameters, self.input_output)
        for step in range(n_steps):
            (steps[step] if step < len(steps) else self.rng.choice(steps))()
            ready = self.kernel(ready)
            if step % 4 == 0:
                self.archive.event(self.stream + 1, self.time[0], "metric", 0, "d:2.5")
        for location in range(self.n * self.threads):
            self.call(location, "leave", MAIN)
        self.mark()
        return self.archive.write(writer, folder)


# -- what was made, and what the program of the library shows of it --------------------------

IO_NAMES = {"open": "CREATE_HANDLE", "close": "DESTROY_HANDLE", "duplicate": "DUPLICATE_HANDLE",
            "seek": "SEEK", "flags": "CHANGE_FLAGS", "delete": "DELETE_FILE",
            "begin": "OPERATION_BEGIN", "test": "OPERATION_TEST", "issued": "OPERATION_ISSUED",
            "complete": "OPERATION_COMPLETE", "cancel": "OPERATION_CANCELLED",
            "lock": "ACQUIRE_LOCK", "unlock": "RELEASE_LOCK", "try-lock": "TRY_LOCK"}
PARAMETERS = {"int": "INT64", "unsigned": "UINT64", "text": "STRING"}
ROOTS = {otf2.NO_ROOT: "NONE", SELF: "SELF", THIS_GROUP: "NONE"}


def expected_event(kind, fields):
    """A record that is made, as the program shows it; None of those that are written otherwise."""
    if kind in ("send", "isend"):
        return ("MPI_SEND", *map(int, fields[:4]))
    if kind == "recv":
        return ("MPI_RECV", *map(int, fields[:4]))
    if kind in ("end", "window-end", "done"):
        name = {"end": "MPI_COLLECTIVE_END", "window-end": "RMA_COLLECTIVE_END",
                "done": "NON_BLOCKING_COLLECTIVE_COMPLETE"}[kind]
        root = int(fields[2])
        return name, otf2.OPS[int(fields[0])].upper(), int(fields[1]), ROOTS.get(root, root)
    if kind in ("put", "atomic"):
        return "RMA_PUT", *(int(fields[i]) for i in ((0, 1, 2) if kind == "put" else (0, 1, 3)))
    if kind in PARAMETERS:
        return "PARAMETER_" + PARAMETERS[kind], int(fields[0]), fields[1]
    if kind.startswith("io-"):
        number = int(fields[1 if kind == "io-delete" else 0])
        return "IO_" + IO_NAMES[kind[3:]], number, "READ WRITE FLUSH".split()[int(fields[1])] \
            if kind == "io-begin" else ""
    return None


def shown_event(name, text):
    """The same of a line that the program prints."""
    def one(pattern):
        return re.search(pattern, text).group(1)

    if name in ("MPI_SEND", "MPI_RECV"):
        return (name, int(one(r"^(?:Receiver|Sender): (\d+)")),
                *(int(one(p)) for p in (r"Communicator: .*<(\d+)>", r"Tag: (\d+)",
                                        r"Length: (\d+)")))
    if "COLLECTIVE" in name and name.endswith(("_END", "_COMPLETE")):
        root = one(r"Root: (\w+)")
        return (name, one(r"Operation: (\w+)"), int(one(r"(?:Communicator|Window): .*?<(\d+)>")),
                int(root) if root.isdigit() else root)
    if name == "RMA_PUT":
        return (name, *(int(one(p)) for p in (r"Window: .*?<(\d+)>", r"Remote: (\d+)",
                                              r"Bytes: (\d+)")))
    if name.startswith("PARAMETER_"):
        value = re.search(r"<(\d+)>, Value: (?:\"(.*)\" <\d+>|(.*))$", text)
        return name, int(value[1]), value[2] or value[3]
    if name.startswith("IO_"):
        return (name, int(one(r"(?:Handle|File): .*?<(\d+)>")),
                one(r"Mode: (\w+)") if name == "IO_OPERATION_BEGIN" else "")
    return None


def made_events(maker):
    """By location of the archive that is written: (time, event) in order."""
    every = [line.split("\t") for line in maker.archive.lines if line.startswith("e\t")]
    times = [(int(t) - 1000) * 10 ** 9 // maker.resolution for _, location, t, *_ in every
             if int(location) <= maker.stream]
    found = {}
    for _, location, time, kind, *fields in every:
        event = expected_event(kind, fields)
        if event is not None:
            # The accelerator's stream is behind the threads of its rank.
            at = int(location) + (int(location) >= maker.threads)
            ns = (int(time) - 1000) * 10 ** 9 // maker.resolution - min(times)
            found.setdefault(at, []).append((ns, event))
    return found


def shown_events(lines):
    """The same of what the program prints, less the time of the first record of all."""
    rows = [re.match(r"([A-Z0-9_]+) +(\d+) +(\d+)  (.*)$", line) for line in lines]
    rows = [row for row in rows if row and not row[1].startswith("CLOCK")]
    first = min(int(row[3]) for row in rows if row[1] == "PROGRAM_BEGIN")
    found = {}
    for row in rows:
        event = shown_event(row[1], row[4])
        if event is not None:
            found.setdefault(int(row[2]), []).append((int(row[3]) - first, event))
    return found


def shown_comms(lines):
    """Name, members and number of the parent of each communicator."""
    groups = {}
    for line in lines:
        group = re.match(r"GROUP +(\d+)  .*?Members?:? ?(.*)$", line)
        if group:
            groups[int(group[1])] = [int(m) for m in re.findall(r"<(\d+)>", group[2])]
    comms = {}
    for line in lines:
        comm = re.match(r'(?:INTER_)?COMM +(\d+)  [Nn]ame: "(.*?)" <\d+>, (.*)$', line)
        if comm:
            members = [groups.get(int(g)) for g in
                       re.findall(r'Group(?: [AB])?: ".*?" <(\d+)>', comm[3])]
            parent = re.search(r'Parent: ".*?" <(\d+)>', comm[3])
            comms[int(comm[1])] = comm[2], members, int(parent[1]) if parent else None
    return comms


def made_comms(maker):
    def location(rank):
        return rank * maker.threads + (rank > 0)

    ranks = [[location(rank) for rank in members] for members in (*maker.comms, *maker.sides)]
    return {WORLD: ("MPI_COMM_WORLD", [ranks[0]], None), CARTESIAN: ("cartesian", [ranks[1]], 0),
            HALF: ("half", [ranks[2]], 0), OWN: ("MPI_COMM_SELF", [[]], None),
            INTER: ("bridge", ranks[3:], None),
            TEAM: ("team of rank 0", [list(range(maker.threads))], None)}


def check_shown(maker, folder):
    """Nothing of Kymo has a part in this: what was made is in the archive."""
    lines, problems = shown(folder)
    if not lines:
        return problems
    c = harness.Compare()
    events, made = shown_events(lines), made_events(maker)
    for location in sorted(events.keys() | made.keys()):
        # Operations of I/O, parameters and messages at one time may change places.
        got, wanted = (sorted(side.get(location, []), key=repr) for side in (events, made))
        found = difference(got, wanted)
        c.true(f"events of {location}: {found}", found is None)
    c.equal("communicators", shown_comms(lines), made_comms(maker))
    sources = re.findall(r'\nREGION .*"src/solver.c" <\d+>.*?Begin: (\d+)', "\n".join(lines))
    c.equal("sources", sources, [str(10 + n) for n in range(len(NAMES))])
    if shutil.which("otf2-marker") is not None:
        done = subprocess.run(["otf2-marker", folder / "traces.otf2"], timeout=60, check=True,
                              stdout=subprocess.PIPE, text=True)
        c.equal("markers", done.stdout.count("MARKER "),
                sum(line.startswith("marker\t") for line in maker.archive.lines))
    return problems + c.problems


# -- runs as archives -------------------------------------------------------------------------

def check_whole(program, folder, out, skip=frozenset()):
    """The run as an archive: the same answers."""
    answer = written(program, "convert", folder, out, "--to", "otf2")
    info = harness.ask(program, "info", out)
    problems = compare(program, folder, out, QUESTIONS, OF_FILES | skip)
    if not info["report"]["complete"]:
        problems.append(f"report: {info['report']['issues']}")
    if answer["left_out"]:
        problems.append(f"left out: {answer['left_out']}")
    return problems


def check_part(program, folder, out, *options, names=OF_PARTS):
    """A range of time, or some locations, that is cut out answers as the whole run does for it."""
    written(program, "extract", folder, out, *options)
    questions = [q for q in QUESTIONS if q[0] in names]
    skip = NOT_COMPARED if names == OF_PARTS else NOT_COMPARED | {"wait_ns"}
    return compare(program, folder, out, questions, skip, *options) + check_print(out)


def some_span(rng, info):
    begin = rng.randrange(info["begin_ns"], info["end_ns"])
    return "--from", str(begin), "--to", str(rng.randrange(begin + 1, info["end_ns"] + 1))


def check_made(program, writer, place, seed):
    maker, rng = Maker(seed), random.Random(seed)
    folder, out, again = place / "run", place / "out", place / "again"
    maker.write(writer, folder)
    problems = check_whole(program, folder, out) + check_shown(maker, out)
    info = harness.ask(program, "info", folder)
    problems += check_part(program, folder, place / "part", *some_span(rng, info))
    some = sorted(rng.sample(range(info["locations"]), info["locations"] // 2))
    problems += check_part(program, folder, place / "some", "--locations",
                           ",".join(map(str, some)), names=OF_LOCATIONS)
    # Of a part that is written again nothing is lost either: ranks of others are known by
    # messages alone.
    written(program, "convert", place / "part", again, "--to", "otf2")
    return problems + compare(program, place / "part", again, QUESTIONS, OF_FILES)


def check_recording(program, folder, place):
    # Names of what is known of a run have another form in properties of archives, and each
    # counter is a metric.
    skip = frozenset() if list(folder.glob("*.otf2")) else {"run", "activities"}
    problems = check_whole(program, folder, place / "out", skip) + check_print(place / "out")
    info = harness.ask(program, "info", folder)
    return problems + check_part(program, place / "out", place / "part",
                                 *some_span(random.Random(1), info))


def check_entries(program, folder, place):
    """Methods of Charm++: what begins a block is a message, with the same figures."""
    c = harness.Compare()
    written(program, "convert", folder, place / "out", "--to", "otf2")
    c.problems += compare(program, folder, place / "out", QUESTIONS[1:4], set())
    one, other = (harness.ask(program, "communication", run) for run in (folder, place / "out"))
    for figure in ("messages", "bytes", "matched", "unmatched", "matrix"):
        c.equal(figure, other[figure], one[figure])
    return c.problems + check_print(place / "out")


def check_reduced(program, folder, place):
    """Some ranks: the others keep their numbers, and the kept ones have the weights."""
    c = harness.Compare()
    done = written(program, "reduce", folder, place / "out", "--clusters", "2", "--outliers", "0")
    whole, part = (harness.ask(program, "profile", run, "--per-location")
                   for run in (folder, place / "out"))
    kept = {p["location"]: p for p in part["per_location"]}
    c.true("kept", 0 < len(kept) < len(whole["per_location"]) and done is not None)
    c.equal("figures", [p for p in whole["per_location"] if p["location"] in kept],
            list(kept.values()))
    info = harness.ask(program, "info", place / "out")
    c.equal("kind, format", (info["kind"], info["format"], info["locations_original"]),
            ("reduced", "otf2", len(whole["per_location"])))
    return c.problems + check_print(place / "out")


def check_refused(program, folder, place):
    """Nothing takes the place of anything."""
    c = harness.Compare()
    (place / "there").mkdir()
    (place / "there" / "file").write_text("mine")
    result = harness.run(program, "convert", folder, place / "there", "--to", "otf2")
    c.equal("exit", result.code, 1)
    c.equal("files", [p.name for p in place.rglob("*")], ["there", "file"])
    return c.problems


def main():
    program, writer, root = sys.argv[1:4]
    tap = harness.Tap()
    data = pathlib.Path(root) / "tests" / "data"
    if shutil.which("otf2-print") is None:
        tap.skip("otf2-print", "it is not installed")

    def check(name, function, *args):
        with tempfile.TemporaryDirectory() as folder:
            tap.check(name, function, program, *args, pathlib.Path(folder))

    for seed in range(1, 7)[::harness.PART]:
        with tempfile.TemporaryDirectory() as folder:
            tap.check(f"made {seed}", check_made, program, writer, pathlib.Path(folder), seed)
    check("otf2-stencil-4", check_recording, data / "otf2-stencil-4")
    for name, folder in list(harness.tau_cases(root))[::harness.PART]:
        if (folder / "tautrace.0.0.0.trc").is_file() or list(folder.glob("*.otf2")):
            check(name, check_recording, folder)
    for name in ("feat-notes-p3-text", "jacobi2d-traceprocs-p6"):
        check(name, check_entries, data / name)
    check("reduced", check_reduced, data / "otf2-stencil-4")
    check("refused", check_refused, data / "otf2-stencil-4")
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
