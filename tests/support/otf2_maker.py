# SPDX-License-Identifier: GPL-3.0-or-later
"""Random OTF2 archives with records of every kind that is read."""
import random

import otf2

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
        self.sequence += 2
        request = self.sequence - 1
        blocks, posted = self.rng.random() < 0.5, self.rng.random() < 0.5
        if posted and b // self.threads < self.n:
            self.event(b, "irecv-request", request + 1)
        self.call(a, "enter", SEND)
        if blocks:
            self.event(a, "send", there, number, tag, size)
        else:
            self.event(a, "isend", there, number, tag, size, request)
        sent = self.time[a]
        self.call(a, "leave", SEND)
        if b // self.threads < self.n:
            self.receive(b, sent, posted and request + 1, here, number, tag, size)
        if not blocks and self.rng.random() < 0.9:
            self.call(a, "enter", WAIT)
            for _ in range(self.rng.randrange(3)):
                self.event(a, "request-test", request)
            self.event(a, self.rng.choice(("isend-complete",) * 5 + ("request-cancelled",)),
                       request)
            self.call(a, "leave", WAIT)

    def receive(self, location, sent, request, *message):
        """With a request it was posted before; 5 of 100 never come."""
        self.call(location, "enter", RECEIVE)
        if self.rng.random() < 0.95:
            self.time[location] = max(self.time[location], sent) + self.rng.randrange(50)
            if request:
                self.event(location, "request-test", request)
                self.archive.event(location, self.time[location], "irecv", *message, request)
            else:
                self.archive.event(location, self.time[location], "recv", *message)
        elif request and self.rng.random() < 0.5:
            self.event(location, "request-cancelled", request)
        self.call(location, "leave", RECEIVE)

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

    def together(self, ranks, region, begin, end, *more):
        """All of them call a collective; @end tells what a rank records at its end, before
        the bytes, @more behind them."""
        ranks = [rank for rank in ranks if rank < self.n]
        for rank in ranks:
            self.call(rank * self.threads, "enter", region)
            self.event(rank * self.threads, begin)
        last = max(self.time[rank * self.threads] for rank in ranks)
        for rank in ranks:
            location = rank * self.threads
            self.time[location] = last + self.rng.randrange(40)
            self.archive.event(location, self.time[location], *end(rank),
                               self.rng.randrange(999), self.rng.randrange(999), *more)
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
                                    otf2.NO_ROOT), self.rng.randrange(4))

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
        self.compute(location)
        for _ in range(self.rng.randrange(3)):
            self.event(location, "operation-test", window, self.sequence)
        self.event(location, self.rng.choice(("complete", "complete-later")), window,
                   self.sequence)
        if self.rng.random() < 0.5:
            self.event(location, "complete-remote", window, self.sequence)

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

    def fork(self):
        """Threads that record nothing of the team that they make."""
        location = self.anyone()
        self.event(location, "fork", self.rng.randrange(9))
        self.compute(location)
        if self.rng.random() < 0.9:
            self.event(location, "join")

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
                 self.parallel, self.single, self.parameters, self.input_output, self.fork)
        for step in range(n_steps):
            (steps[step] if step < len(steps) else self.rng.choice(steps))()
            ready = self.kernel(ready)
            if step % 4 == 0:
                self.archive.event(self.stream + 1, self.time[0], "metric", 0, "d:2.5")
        for location in range(self.n * self.threads):
            self.call(location, "leave", MAIN)
        self.mark()
        return self.archive.write(writer, folder)
