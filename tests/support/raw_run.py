# SPDX-License-Identifier: GPL-3.0-or-later
"""Raw folders as kymo-record leaves them (src/recorder/raw/kymo-raw.h), written without it.

    run = RawRun(folder)
    process = run.process(rank=0, size=2)
    main = process.region("main")
    thread = process.thread()
    thread.enter(100, main)
    thread.send(150, 0, peer=1, tag=7, bytes=80)
    thread.leave(200, main)
    run.write()

Times are nanoseconds since the run began; the clock of the process may tick in its own way."""
import pathlib
import struct

(END, PAD, CHUNK, OPEN, ENTER, LEAVE, SEND, RECV, ISEND, ISEND_COMPLETE, IRECV_REQUEST, IRECV,
 REQUEST_TEST, REQUEST_CANCELLED, COLL_BEGIN, COLL_END, NB_REQUEST, NB_COMPLETE, COMM_CREATE,
 COMM_DESTROY, WIN_CREATE, WIN_DESTROY, RMA_PUT, RMA_GET, RMA_ATOMIC, RMA_COMPLETE,
 RMA_COLL_BEGIN, RMA_COLL_END, RMA_LOCK, RMA_UNLOCK, RMA_SYNC, RMA_GROUP_SYNC, IO_OPEN, IO_CLOSE,
 IO_DUP, IO_SEEK, IO_BEGIN, IO_END, IO_LOCK, IO_DELETE, IO_STATUS, THREAD_CREATE, THREAD_BEGIN,
 THREAD_WAIT, THREAD_END, METRIC, MEASUREMENT, MARKER, DROPPED) = range(49)

NONE = 2 ** 32 - 1
HEADER_BYTES, CELL_BYTES, RING = 4096, 16, 1
MPI, POSIX, ISOC, MPI_IO, LIBNFS = 4, 0, 1, 2, 3
FUNCTION, COLL_OTHER, BARRIER, POINT_TO_POINT, FILE_IO = 1, 26, 15, 28, 27


def quote(text):
    """A field of a definition."""
    return "".join(f"%{ord(c):02X}" if ord(c) < 32 or c in "\x7f%" else c for c in str(text))


def words(a, b=0):
    """A cell of two 64-bit words."""
    return struct.pack("<QQ", a & 2 ** 64 - 1, b & 2 ** 64 - 1)


def pairs(i, j, n):
    """A cell of two 32-bit words and a 64-bit one."""
    return struct.pack("<IIQ", i & NONE, j & NONE, n & 2 ** 64 - 1)


class Thread:
    """An event file. With a ring only its last chunks are kept."""

    def __init__(self, process, name, tid, chunk_bytes=4096, ring=0):
        self.process, self.name, self.tid = process, name, tid
        self.chunk_bytes, self.ring = chunk_bytes, ring
        self.chunks, self.open, self.room = [], [], 0

    def begin_chunk(self, ns):
        ticks = self.process.ticks(ns)
        chunk = [struct.pack("<BBHIQ", CHUNK, 2, 0, len(self.open), ticks),
                 words(len(self.chunks) + 1)]
        chunk += [struct.pack("<BBHIQ", OPEN, 1, 0, region, self.process.ticks(since))
                  for region, since in self.open]
        self.chunks.append(chunk)
        self.room = self.chunk_bytes - sum(map(len, chunk))

    def record(self, ns, kind, small=0, arg=0, *cells):
        n = CELL_BYTES * (1 + len(cells))
        if n > self.room:
            if self.chunks and self.room:
                self.chunks[-1].append(struct.pack("<BBHIQ", PAD, 1, 0, 0, 0))
            self.begin_chunk(ns)
        self.chunks[-1].append(struct.pack("<BBHIQ", kind, 1 + len(cells), small, arg,
                                           self.process.ticks(ns)))
        self.chunks[-1] += cells
        self.room -= n

    def enter(self, ns, region):
        self.record(ns, ENTER, 0, region)
        self.open.append((region, ns))

    def leave(self, ns, region):
        self.record(ns, LEAVE, 0, region)
        if self.open:
            self.open.pop()

    def call(self, begin, end, region):
        self.enter(begin, region)
        self.leave(end, region)

    def send(self, ns, comm, peer, tag=0, bytes=0, request=None):
        cells = [pairs(peer, tag, bytes)] + ([words(request)] if request else [])
        self.record(ns, ISEND if request else SEND, 0, comm, *cells)

    def receive(self, ns, comm, peer, tag=0, bytes=0, request=None):
        cells = [pairs(peer, tag, bytes)] + ([words(request)] if request else [])
        self.record(ns, IRECV if request else RECV, 0, comm, *cells)

    def request(self, ns, kind, request):
        self.record(ns, kind, 0, 0, words(request))

    def collective(self, begin, end, comm, operation, root=NONE, sent=0, received=0):
        self.record(begin, COLL_BEGIN)
        self.record(end, COLL_END, operation, comm, pairs(root, 0, sent), words(received))

    def metric(self, ns, number, *values):
        """Values are integers, or floats of a class of doubles."""
        data = b"".join(struct.pack("<d", v) if isinstance(v, float)
                        else struct.pack("<Q", v & 2 ** 64 - 1) for v in values)
        data += bytes(-len(data) % CELL_BYTES)
        self.record(ns, METRIC, len(values), number,
                    *(data[i:i + CELL_BYTES] for i in range(0, len(data), CELL_BYTES)))

    def data(self):
        header = struct.pack("<8sIIIIIIIIQ", b"KYMORAW1", 0x01020304, 1, self.chunk_bytes,
                             int(self.name.split("-")[1]), self.process.pid, self.tid,
                             RING if self.ring else 0, 0, self.process.ticks(0))
        chunks = [b"".join(chunk).ljust(self.chunk_bytes, b"\0") for chunk in self.chunks]
        if self.ring:
            places = [b""] * min(self.ring, len(chunks))
            for i, chunk in enumerate(chunks):
                places[i % self.ring] = chunk
            chunks = places
        else:
            # The next chunk is there before it is used.
            chunks.append(bytes(self.chunk_bytes))
        return header.ljust(HEADER_BYTES, b"\0") + b"".join(chunks)


class Process:
    """A raw folder; definitions may be added to `lines` as they are in the file."""

    def __init__(self, run, host, pid, rank, size, world, program, clock, end):
        self.run, self.host, self.pid, self.rank, self.size = run, host, pid, rank, size
        self.rate, self.zero = clock
        self.end, self.lines, self.threads = end, [], []
        self.counts = {}
        self.define("kymo-raw", 1)
        self.define("process", host, pid, run.real_ns, program)
        self.moment(0)
        if rank is not None:
            self.define("world", rank, size, world)
            self.define("comm", self.count("comm"), "world", 0, 0, "MPI_COMM_WORLD",
                        f"0-{size - 1}")
            self.define("comm", self.count("comm"), "self", rank, 0, "MPI_COMM_SELF", rank)

    def ticks(self, ns):
        """rate is ticks in a nanosecond; 1 is the system's monotonic clock."""
        return self.zero + self.run.mono_ns + ns if self.rate == 1 \
            else int(self.zero + ns * self.rate)

    def count(self, kind):
        self.counts[kind] = self.counts.get(kind, -1) + 1
        return self.counts[kind]

    def define(self, *fields):
        self.lines.append("\t".join(map(quote, fields)) + "\n")

    def moment(self, ns):
        self.define("clock", "monotonic" if self.rate == 1 else "tsc", self.ticks(ns),
                    self.run.mono_ns + ns, self.run.real_ns + ns)

    def region(self, name, role=FUNCTION, paradigm=MPI, file="", line=0):
        number = self.count("region")
        self.define("region", number, role, paradigm, name, file, line)
        return number

    def comm(self, kind, root, counter, name, members):
        number = self.count("comm")
        self.define("comm", number, kind, root, counter, name, members)
        return number

    def win(self, comm, name):
        number = self.count("win")
        self.define("win", number, comm, name)
        return number

    def file(self, path):
        number = self.count("file")
        self.define("file", number, path)
        return number

    def handle(self, file, paradigm, comm="-", name=""):
        number = self.count("handle")
        self.define("handle", number, "-" if file is None else file, paradigm, comm, name)
        return number

    def metrics(self, scope, *members):
        """Members are texts NAME;UNIT;TYPE;MODE."""
        number = self.count("class")
        self.define("class", number, scope, *members)
        return number

    def thread(self, name="", chunk_bytes=4096, ring=0):
        number = self.count("thread")
        tid = self.pid + number
        self.define("thread", number, tid, name)
        self.threads.append(Thread(self, f"thread-{number}", tid, chunk_bytes, ring))
        return self.threads[-1]

    def samples(self):
        number = self.count("system")
        self.threads.append(Thread(self, f"system-{number}", self.pid + 1000 + number))
        return self.threads[-1]

    def write(self, folder):
        folder.mkdir(parents=True)
        lines = self.lines + ([f"end\t{self.end}\n"] if self.end else [])
        (folder / "definitions").write_text("".join(lines), "utf-8")
        for thread in self.threads:
            (folder / thread.name).write_bytes(thread.data())


class RawRun:
    """DIR with raw/HOST.PID in it."""

    def __init__(self, folder, mono_ns=5_000_000_000, real_ns=1_700_000_000_000_000_000):
        self.folder, self.mono_ns, self.real_ns = pathlib.Path(folder), mono_ns, real_ns
        self.processes = []

    def process(self, rank=None, size=1, host="node1", pid=None, world="world-1",
                program="/usr/bin/program", clock=(1, 0), end="finalize"):
        """clock is (ticks in a nanosecond, ticks when the run began)."""
        pid = pid or 1000 + len(self.processes)
        self.processes.append(Process(self, host, pid, rank, size, world, program, clock, end))
        return self.processes[-1]

    def write(self):
        for process in self.processes:
            process.write(self.folder / "raw" / f"{process.host}.{process.pid}")
        return self.folder
