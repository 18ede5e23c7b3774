#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""make-otf2-seeds.py WRITE-OTF2 OUT: first inputs of the fuzz target of OTF2, as OUT/otf2/NAME:
archives that the library of that format wrote, each as one input (see fuzz-otf2.c)."""
import pathlib
import struct
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import otf2  # noqa: E402


def numbers(folder):
    """Which file of an archive is which number."""
    yield 0, folder / "traces.otf2"
    yield 1, folder / "traces.def"
    for location in range(8):
        for kind in range(2):
            yield 2 + 2 * location + kind, folder / "traces" / f"{location}.{('evt', 'def')[kind]}"


# Where the anchor tells the sizes of chunks, and the least that the library takes: it clears
# as much memory for each file, which is most of the time that a small archive takes.
CHUNKS_AT = 12
LEAST_CHUNK = 1 << 18


def with_small_chunks(anchor):
    return (anchor[:CHUNKS_AT] + struct.pack("<QQ", LEAST_CHUNK, LEAST_CHUNK)
            + anchor[CHUNKS_AT + 16:])


def pack(folder):
    parts = []
    for number, path in numbers(folder):
        if path.is_file():
            data = path.read_bytes()
            if number == 0:
                data = with_small_chunks(data)
            parts.append(struct.pack("<BH", number, len(data)) + data)
    return b"".join(parts)


def ranks(n, threads=1):
    a = otf2.Archive()
    a.processes(n, threads=threads)
    a.comm(0, range(n))
    a.region(0, "main")
    a.region(1, "MPI_Recv")
    return a


def begin_end(a, locations, end):
    for location in locations:
        a.event(location, 1, "enter", 0)
    return lambda: [a.event(location, end, "leave", 0) for location in locations]


def messages():
    a = ranks(2)
    end = begin_end(a, range(2), 90)
    a.event(0, 10, "enter", 1)
    a.event(0, 11, "isend", 1, 0, 7, 300, 1)
    a.event(0, 12, "send", 1, 0, 7, 5)
    a.event(0, 20, "leave", 1)
    a.event(1, 15, "irecv-request", 1)
    a.event(1, 30, "irecv", 0, 0, 7, 300, 1)
    a.event(1, 31, "recv", 0, 0, 7, 5)
    end()
    return a


def collectives():
    a = ranks(3)
    a.comm(1, [2, 0])
    a.add("window", 0, "window", 0)
    end = begin_end(a, range(3), 90)
    for rank in range(3):
        a.event(rank, 10 + rank, "begin")
        a.event(rank, 20, "end", 1, 0, 2, 8, 8)
        a.event(rank, 30, "request", 4)
        a.event(rank, 40 + rank, "done", 11, 0, otf2.NO_ROOT, 1, 2, 4)
        a.event(rank, 50, "window-begin")
        a.event(rank, 60, "window-end", 0, 0, otf2.NO_ROOT, 0, 0)
    a.event(0, 70, "put", 0, 1, 100, 1)
    a.event(0, 71, "get", 0, 2, 50, 2)
    a.event(0, 72, "atomic", 0, 1, 0, 8, 16, 3)
    for operation in (1, 2, 3):
        a.event(0, 80, "complete", 0, operation)
    end()
    return a


def metrics():
    a = ranks(1, threads=2)
    a.add("location", 3, "sensors", otf2.METRIC, 0)
    a.add("member", 0, "PAPI_TOT_INS", otf2.ACCUMULATED_START, otf2.UINT64, "#")
    a.add("member", 1, "power", otf2.ABSOLUTE_POINT, otf2.DOUBLE, "W")
    a.add("class", 0, otf2.STRICT, "0")
    a.add("class", 1, otf2.ASYNCHRONOUS, "1")
    a.add("instance", 2, 1, 0)
    a.add("offset", 1, 5, 3)
    a.add("regions", 1, "1,0")
    for time, total, what in ((1, 5, "enter"), (50, 25, "leave")):
        a.event(0, time, "metric", 0, f"u:{total}")
        a.event(0, time, what, 0)
    a.event(0, 60, "flush", 65)
    a.event(0, 70, "measurement", 0)
    a.event(0, 80, "measurement", 1)
    a.event(1, 9, "fork", 2)
    a.event(1, 10, "enter", 0)
    a.event(1, 11, "metric", 1, "d:2.5")
    a.event(1, 12, "metric", 2, "d:-1e30")
    a.event(1, 20, "leave", 0)
    a.event(1, 21, "join")
    a.event(3, 15, "metric", 1, "d:1")
    return a


def sides():
    """Two groups that speak to each other, contexts and an accelerator."""
    a = ranks(4)
    a.add("group", 30, "a", otf2.COMM_GROUP, otf2.MPI, 0, "0,2")
    a.add("group", 31, "b", otf2.COMM_GROUP, otf2.MPI, 0, "3,1")
    a.add("intercomm", 2, "inter", 30, 31)
    a.add("context", 0, 0, -1)
    a.add("process", 9, "CUDA", otf2.ACCELERATOR, 1, 0)
    a.add("location", 5, "CUDA[0:7]", otf2.STREAM, 9)
    a.event(0, 5, "context-enter", 0)
    a.event(0, 10, "send", 1, 2, 0, 8)
    a.event(0, 15, "context-leave", 0)
    a.event(1, 10, "enter", 1)
    a.event(1, 20, "recv", 0, 2, 0, 8)
    a.event(1, 25, "leave", 1)
    a.event(5, 7, "enter", 0)
    a.event(5, 9, "leave", 0)
    return a


def main():
    writer, out = sys.argv[1:3]
    corpus = pathlib.Path(out) / "otf2"
    corpus.mkdir(parents=True, exist_ok=True)
    for make in (messages, collectives, metrics, sides):
        with tempfile.TemporaryDirectory() as folder:
            data = pack(make().write(writer, pathlib.Path(folder) / "run"))
            (corpus / make.__name__).write_bytes(data)


if __name__ == "__main__":
    main()
