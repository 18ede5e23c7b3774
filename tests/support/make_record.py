# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the raw folder of a recorded program (src/recorder/raw/kymo-raw.h) without the recorder,
and beside it the same run as a script for write-otf2, so that both must give the same answers."""
import pathlib
import struct

import otf2

(END, PAD, CHUNK, OPEN, ENTER, LEAVE, SEND, RECV, ISEND, ISEND_COMPLETE, IRECV_REQUEST, IRECV,
 REQUEST_TEST, REQUEST_CANCELLED, COLL_BEGIN, COLL_END, NB_REQUEST, NB_COMPLETE, COMM_CREATE,
 COMM_DESTROY, WIN_CREATE, WIN_DESTROY, RMA_PUT, RMA_GET, RMA_ATOMIC, RMA_COMPLETE,
 RMA_COLL_BEGIN, RMA_COLL_END, RMA_LOCK, RMA_UNLOCK, RMA_SYNC, RMA_GROUP_SYNC, IO_OPEN, IO_CLOSE,
 IO_DUP, IO_SEEK, IO_BEGIN, IO_END, IO_LOCK, IO_DELETE, IO_STATUS, THREAD_CREATE, THREAD_BEGIN,
 THREAD_WAIT, THREAD_END, METRIC, MEASUREMENT, MARKER, DROPPED) = range(49)
HEADER_BYTES, CELL_BYTES, NONE, RING = 4096, 16, 2 ** 32 - 1, 1


def escape(text):
    return "".join(f"%{ord(c):02X}" if ord(c) < 32 or c in "%\x7f" else c for c in str(text))


class Events:
    """An event file: thread-N or system-N."""

    def __init__(self, process, name, chunk_bytes, flags):
        self.process, self.name, self.flags = process, name, flags
        self.chunk_bytes, self.chunks, self.open, self.sequence = chunk_bytes, [], [], 0
        self.begin = None

    def pack(self, form, *values):
        return struct.pack((">" if self.process.big_endian else "<") + form, *values)

    def cell(self, kind, cells, time, arg=0, small=0):
        return self.pack("BBHIQ", kind, cells, small, arg, time)

    def add(self, kind, time, arg=0, small=0, cells=b""):
        """One record; cells are those behind the first."""
        record = self.cell(kind, 1 + len(cells) // CELL_BYTES, time, arg, small) + cells
        if not self.chunks or len(self.chunks[-1]) + len(record) > self.chunk_bytes:
            self.begin_chunk(time)
        self.chunks[-1] += record
        if self.begin is None:
            self.begin = time

    def begin_chunk(self, time):
        if self.chunks and len(self.chunks[-1]) < self.chunk_bytes:
            self.chunks[-1] += self.cell(PAD, 1, 0)
        self.sequence += 1
        head = self.cell(CHUNK, 2, time, len(self.open)) + self.pack("QQ", self.sequence, 0)
        for region, since in self.open:
            head += self.cell(OPEN, 1, since, region)
        self.chunks.append(bytearray(head))

    def enter(self, time, region):
        self.add(ENTER, time, region)
        self.open.append((region, time))

    def leave(self, time, region):
        self.open.pop()
        self.add(LEAVE, time, region)

    def short(self, kind, time, arg, small, *cells):
        """The first of the cells has two short words."""
        body = self.pack("iiQ", *cells[0])
        for words in cells[1:]:
            body += self.pack("QQ", *words)
        self.add(kind, time, arg, small, body)

    def long(self, kind, time, arg, small, *cells):
        self.add(kind, time, arg, small, b"".join(self.pack("QQ", *words) for words in cells))

    def bytes(self, spare=1, keep=None, turn=0):
        """All chunks, or the last ones in a ring that begins elsewhere, and unused space."""
        chunks = [bytes(chunk).ljust(self.chunk_bytes, b"\0") for chunk in self.chunks]
        if keep is not None:
            chunks = chunks[-keep:]
            chunks = chunks[turn % len(chunks):] + chunks[:turn % len(chunks)]
        head = b"KYMORAW1" + self.pack("IIIIIIIIQ", 0x01020304, 1, self.chunk_bytes, 0,
                                       self.process.pid, self.process.pid, self.flags, 0,
                                       self.begin or 0)
        return (head.ljust(HEADER_BYTES, b"\0") + b"".join(chunks)
                + bytes(spare * self.chunk_bytes))


class Process:
    def __init__(self, run, rank, host, pid, big_endian):
        self.run, self.rank, self.host, self.pid, self.big_endian = run, rank, host, pid, big_endian
        self.lines, self.files, self.counts = [], {}, {}
        self.line("kymo-raw", 1)
        self.line("process", host, pid, 1_700_000_000 * 10 ** 9, run.program)

    def line(self, *fields):
        self.lines.append("\t".join(escape(field) for field in fields))

    def define(self, kind, *fields):
        """A definition with an id, which is returned."""
        number = self.counts.get(kind, 0)
        self.counts[kind] = number + 1
        self.line(kind, number, *fields)
        return number

    def file(self, name="thread-0", chunk_bytes=4096, flags=0):
        if name not in self.files:
            self.files[name] = Events(self, name, chunk_bytes, flags)
        return self.files[name]

    @property
    def name(self):
        return f"{self.host}.{self.pid}"

    def write(self, folder, **how):
        folder = pathlib.Path(folder) / "raw" / self.name
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "definitions").write_text("\n".join(self.lines) + "\n", encoding="utf-8")
        for name, events in self.files.items():
            (folder / name).write_bytes(events.bytes(**how))
        return folder


class Recording:
    """A run whose clocks tick in nanoseconds times RATE, from another zero on each host."""

    def __init__(self, size, program="/usr/bin/solver", rate=1, big_endian=False, hosts=1,
                 mpi=True):
        self.program, self.rate, self.processes = program, rate, []
        for rank in range(size):
            process = Process(self, rank, f"node{rank % hosts}", 100 + rank, big_endian)
            self.processes.append(process)
            delta = 1000 * (rank % hosts)
            for ns in (0, 10 ** 10):
                mono = 10 ** 9 - delta + ns
                # Ticks of a monotonic clock are its nanoseconds.
                process.line("clock", "tsc" if rate != 1 else "monotonic",
                             self.ticks(ns) if rate != 1 else mono, mono,
                             1_700_000_000 * 10 ** 9 + ns)
            if rate == 1:
                process.zero = 10 ** 9 - delta
            else:
                process.zero = None
            if mpi:
                process.line("world", rank, size, "w1")
                process.line("mpi", "Open MPI", "4.1.4", "single")
                if delta:
                    process.line("offset", 10 ** 9 - delta, delta)
                    process.line("offset", 11 * 10 ** 9 - delta, delta)

    def ticks(self, ns):
        return 5000 + ns * self.rate

    def at(self, rank, ns):
        """The time of a record of a rank, in its ticks."""
        zero = self.processes[rank].zero
        return self.ticks(ns) if zero is None else zero + ns

    def end(self, reason="finalize"):
        for process in self.processes:
            process.line("end", reason)

    def write(self, folder, **how):
        for process in self.processes:
            process.write(folder, **how)
        return pathlib.Path(folder)


class Twin:
    """The same run as a recording and as an archive. Times are nanoseconds."""

    REGIONS = (("main", 1, otf2.USER), ("MPI_Send", 28, otf2.MPI), ("MPI_Recv", 28, otf2.MPI),
               ("MPI_Allreduce", 25, otf2.MPI), ("MPI_Bcast", 23, otf2.MPI),
               ("MPI_Isend", 28, otf2.MPI), ("MPI_Wait", 28, otf2.MPI), ("write", 27, 1),
               ("compute: 100 %\tdone", 1, otf2.USER))

    def __init__(self, size, **how):
        self.size, self.per_cycle, self.counters = size, None, []
        self.raw = Recording(size, **how)
        self.archive = otf2.Archive(offset=0, realtime=1_699_999_999 * 10 ** 9)
        self.archive.processes(size)
        self.archive.add("group", 1, "self", otf2.COMM_SELF, otf2.MPI, 0, "0")
        self.comms = []
        for number, (name, role, paradigm) in enumerate(self.REGIONS):
            # A tab separates fields of the script.
            self.archive.region(number, name.replace("\t", " "), paradigm, role)
        for process in self.raw.processes:
            # Each process numbers its functions as it likes.
            order = list(range(len(self.REGIONS)))
            order = order[process.rank:] + order[:process.rank]
            process.regions = {}
            for number in order:
                name, role, paradigm = self.REGIONS[number]
                process.regions[number] = process.define("region", role, paradigm,
                                                         name.replace("\t", " "), "", 0)
            process.comms = {}
        self.comm(range(size), "MPI_COMM_WORLD", "world")

    def comm(self, ranks, name, kind="group"):
        number, ranks = len(self.comms), list(ranks)
        self.comms.append(ranks)
        self.archive.comm(number, ranks, name)
        for rank in ranks:
            process = self.raw.processes[rank]
            process.comms[number] = process.define(
                "comm", kind, ranks[0], number, name, ",".join(map(str, ranks)))
        return number

    def file(self, rank):
        return self.raw.processes[rank].file()

    def event(self, rank, ns, *fields):
        self.archive.event(rank, 10 ** 9 + ns, *fields)

    def count_from_now(self, per_cycle):
        """Cycles of 2 GHz and so many instructions in each, before each enter and leave."""
        self.per_cycle = per_cycle
        self.counters = [process.define("class", "thread", "PAPI_TOT_INS;#;u64;0",
                                        "PAPI_TOT_CYC;#;u64;0") for process in self.raw.processes]

    def count(self, rank, ns):
        if self.per_cycle is not None:
            self.file(rank).long(METRIC, self.raw.at(rank, ns), self.counters[rank], 2,
                                 (int(2 * ns * self.per_cycle), 2 * ns))

    def enter(self, rank, ns, region):
        process = self.raw.processes[rank]
        self.count(rank, ns)
        self.file(rank).enter(self.raw.at(rank, ns), process.regions[region])
        self.event(rank, ns, "enter", region)

    def leave(self, rank, ns, region):
        process = self.raw.processes[rank]
        self.count(rank, ns)
        self.file(rank).leave(self.raw.at(rank, ns), process.regions[region])
        self.event(rank, ns, "leave", region)

    def message(self, kind, rank, ns, comm, peer, tag, n_bytes, request=None):
        """send, recv, isend or irecv."""
        code = {"send": SEND, "recv": RECV, "isend": ISEND, "irecv": IRECV}[kind]
        local = self.raw.processes[rank].comms[comm]
        more = [] if request is None else [(request, 0)]
        self.file(rank).short(code, self.raw.at(rank, ns), local, 0, (peer, tag, n_bytes), *more)
        self.event(rank, ns, kind, peer, comm, tag, n_bytes, *([] if request is None
                                                               else [request]))

    def request(self, kind, rank, ns, request):
        """isend-complete or irecv-request"""
        code = {"isend-complete": ISEND_COMPLETE, "irecv-request": IRECV_REQUEST}[kind]
        self.file(rank).long(code, self.raw.at(rank, ns), 0, 0, (request, 0))
        self.event(rank, ns, kind, request)

    def collective(self, rank, begin_ns, end_ns, comm, op, root, sent, received):
        local = self.raw.processes[rank].comms[comm]
        self.file(rank).add(COLL_BEGIN, self.raw.at(rank, begin_ns))
        root_word = struct.unpack("i", struct.pack("I", root))[0]
        self.file(rank).short(COLL_END, self.raw.at(rank, end_ns), local, op, (root_word, 0, sent),
                              (received, 0))
        self.event(rank, begin_ns, "begin")
        self.event(rank, end_ns, "end", op, comm, root, sent, received)

    def write_io(self, rank, begin_ns, end_ns, path, n_bytes, done):
        """One file that is opened, written and closed within a call of write."""
        process, number = self.raw.processes[rank], rank
        local = process.define("handle", process.define("file", path), 0, "-", "log")
        if not any(line.startswith("paradigm") for line in self.archive.lines):
            self.archive.add("paradigm", 0, "POSIX")
        self.archive.add("file", number, path, -1)
        self.archive.add("handle", number, "log", number, 0, 0, -1, -1)
        at = self.raw.at
        self.enter(rank, begin_ns, 7)
        self.file(rank).short(IO_OPEN, at(rank, begin_ns + 1), local, 1, (2, 4, 0))
        self.event(rank, begin_ns + 1, "io-open", number, 1, 2, 4)
        self.file(rank).short(IO_BEGIN, at(rank, begin_ns + 2), local, 1, (0, 0, n_bytes), (9, 0))
        self.event(rank, begin_ns + 2, "io-begin", number, 1, 0, n_bytes, 9)
        self.file(rank).long(IO_END, at(rank, end_ns - 2), local, 0, (done, 0), (9, 0))
        self.event(rank, end_ns - 2, "io-complete", number, done, 9)
        self.file(rank).add(IO_CLOSE, at(rank, end_ns - 1), local)
        self.event(rank, end_ns - 1, "io-close", number)
        self.leave(rank, end_ns, 7)


# -- a made program ------------------------------------------------------------------------

# Nanoseconds between two calls.
SOLVER_GAP = 1000
# Regions of the twin.
MAIN, SEND_TO, RECV_FROM, ALLREDUCE = range(4)


LEVEL = 17


def tell_metrics(run, process, scope, totals, end):
    """Counters that grow evenly from 0 to these totals: {(name, unit): total}, and levels, which
    stay as they are: {(name, unit, LEVEL): value}."""
    members = process.define("class", scope, *(f"{name};{unit};u64;{mode[0] if mode else 0}"
                                               for name, unit, *mode in totals))
    events = process.file(f"system-{len(process.files)}")
    values = [int(total) for total in totals.values()]
    for part in range(3):
        cells = [value if LEVEL in name else value * part // 2
                 for name, value in totals.items()] + [0] * (len(values) % 2)
        pairs = [tuple(cells[i:i + 2]) for i in range(0, len(cells), 2)]
        events.long(METRIC, run.at(process.rank, end * part // 2), members, len(values), *pairs)


def make_solver(folder, ranks=2, rounds=60, compute=1_000_000, call=20_000, size=64,
                transfer=50_000, message=1 << 17, files=0, slow_rank=None, nodes=(), processes=(),
                properties=(), hosts=1, per_cycle=None):
    """Each round computes, calls MPI_Allreduce together, and sends a message around. Nanoseconds of
    call: MPI_Allreduce, all ranks together; transfer: each message; files: one write of rank 0.
    slow_rank: (rank, factor of its computing); nodes: {scope: totals} of each node;
    processes: totals of each process; properties: of rank 0; per_cycle: instructions."""
    twin = Twin(ranks, hosts=hosts)
    if per_cycle is not None:
        twin.count_from_now(per_cycle)
    run, at = twin.raw, [0] * ranks
    for rank in range(ranks):
        twin.enter(rank, 0, MAIN)
    if files:
        twin.write_io(0, SOLVER_GAP, files, "/tmp/out", 4096, 4096)
        at[0] = files
    for turn in range(rounds):
        for rank in range(ranks):
            factor = slow_rank[1] if slow_rank and slow_rank[0] == rank else 1
            at[rank] += int((compute + 997 * (turn % 7)) * factor)
        begin = max(at)
        for rank in range(ranks):
            end = begin + call + 11 * (turn % 5)
            twin.enter(rank, at[rank], ALLREDUCE)
            twin.collective(rank, at[rank] + 1, end - 1, 0, 11, otf2.NO_ROOT, size * ranks,
                            size * ranks)
            twin.leave(rank, end, ALLREDUCE)
            at[rank] = end + SOLVER_GAP
        begin = max(at)
        for rank in range(ranks):
            twin.enter(rank, begin, SEND_TO)
            twin.message("send", rank, begin + 1, 0, (rank + 1) % ranks, turn, message)
            twin.leave(rank, begin + SOLVER_GAP, SEND_TO)
            twin.enter(rank, begin + SOLVER_GAP, RECV_FROM)
            end = begin + SOLVER_GAP + transfer + 7 * (turn % 3)
            twin.message("recv", rank, end - 1, 0, (rank - 1) % ranks, turn, message)
            twin.leave(rank, end, RECV_FROM)
            at[rank] = end + SOLVER_GAP
    last = max(at)
    for rank, process in enumerate(run.processes):
        twin.leave(rank, last, MAIN)
        if processes:
            tell_metrics(run, process, "process", processes[rank % len(processes)], last)
    for scope, totals in dict(nodes).items():
        for process in run.processes[:hosts]:
            tell_metrics(run, process, scope, totals, last)
    for name, value in properties:
        run.processes[0].line("property", name, value)
    run.end()
    return run.write(folder)


def make_star(folder, ranks=4, rounds=5, send=100_000, size=1 << 16, gather=False, killed=False,
              link=0, pause=0, properties=()):
    """Rank 0 sends to each of the others in turn, or receives; properties are its own. A killed run
    ends while it waits for the last receiver, who died, and without MPI_Finalize. With `link` sends
    are buffered: all receivers wait from the begin of a round, and each message takes so long on
    the link, one after the other; rank 0 computes for `pause` after each send."""
    twin, now = Twin(ranks), 0
    run, at = twin.raw, [0] * ranks
    finalize = [p.define("region", 1, otf2.MPI, "MPI_Finalize", "", 0) for p in run.processes]
    for rank in range(ranks):
        twin.enter(rank, 0, MAIN)
    for turn in range(rounds):
        begin = there = max(at) + SOLVER_GAP
        for other in range(1, ranks):
            source, target = (other, 0) if gather else (0, other)
            now = at[0] + pause if link and other > 1 else max(at) + SOLVER_GAP
            there = max(now, there) + link if link else now + send
            is_last = killed and turn == rounds - 1 and other == ranks - 1
            for rank, kind, region in (source, "send", SEND_TO), (target, "recv", RECV_FROM):
                if is_last and kind == "recv":
                    continue
                twin.enter(rank, begin if link and kind == "recv" else max(at[rank], now), region)
                if kind == "send":
                    twin.message(kind, rank, now + 1, 0, target, turn, size)
                    at[rank] = now + send + (50 * send if is_last else 0)
                else:
                    twin.message(kind, rank, there - 1, 0, source, turn, size)
                    at[rank] = there
                twin.leave(rank, at[rank], region)
    last = max(at) + SOLVER_GAP
    for rank in range(ranks):
        if not killed:
            events = twin.file(rank)
            events.enter(run.at(rank, last), finalize[rank])
            events.leave(run.at(rank, last + SOLVER_GAP), finalize[rank])
        twin.leave(rank, at[rank] + SOLVER_GAP if killed else last + 2 * SOLVER_GAP, MAIN)
    for name, value in properties:
        run.processes[0].line("property", name, value)
    run.end()
    return run.write(folder)
