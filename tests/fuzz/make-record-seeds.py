#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""make-record-seeds.py OUT: first inputs of the fuzz target of raw folders, as OUT/record/NAME: one
process each, as fuzz-record.c takes them apart."""
import pathlib
import struct
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import make_record as m  # noqa: E402

WHOLE_FILE, RING, SWAPPED, SAMPLES = 1, 2, 4, 8


def every_record(process, events):
    """A record of each type, inside main."""
    main = process.define("region", 1, 1, "main", "a.c", 3)
    comm = process.define("comm", "world", 0, 0, "world", "0-1")
    process.define("comm", "inter", 0, 1, "bridge", "0|1")
    win = process.define("win", comm, "window")
    handle = process.define("handle", process.define("file", "/tmp/a"), 0, comm, "h")
    metric = process.define("class", "node", "load;;double;17", "pages;B;u64;0")
    events.enter(10, main)
    for i, kind in enumerate(range(m.SEND, m.DROPPED + 1)):
        target = {True: comm}.get(kind <= m.COMM_DESTROY, win if kind <= m.RMA_GROUP_SYNC
                                  else metric if kind == m.METRIC else handle)
        cells = [struct.pack("iiQ" if not process.big_endian else ">iiQ", 0, 1, 64),
                 events.pack("QQ", 7, 1)]
        events.add(kind, 20 + i, target, 1, b"".join(cells))
    events.leave(100, main)


def seed(big_endian=False, chunks=1, mpi=True):
    run = m.Recording(1, mpi=False, big_endian=big_endian)
    process = run.processes[0]
    if mpi:
        process.line("world", 0, 2, "w1")
    process.line("offset", 5, -3)
    process.line("property", "Command.program", "/bin/a")
    process.line("lost", "gpu", 1, "not recorded")
    events = process.file()
    for _ in range(chunks):
        every_record(process, events) if not events.open and not events.chunks else None
        for i in range(220 * (chunks > 1)):
            events.enter(200 + i, 0)
            if i % 3:
                events.leave(201 + i, 0)
    process.line("end", "finalize")
    return process, events


def main():
    out = pathlib.Path(sys.argv[1]) / "record"
    out.mkdir(parents=True, exist_ok=True)
    for name, choices, how in (("every", 0, {}), ("swapped", SWAPPED, {"big_endian": True}),
                               ("samples", SAMPLES, {}), ("long", 0, {"chunks": 2}),
                               ("ring", RING, {"chunks": 2}), ("whole", WHOLE_FILE, {}),
                               ("alone", 0, {"mpi": False})):
        process, events = seed(**how)
        data = events.bytes(spare=0)
        if not choices & WHOLE_FILE:
            data = data[m.HEADER_BYTES:]
        text = "\n".join(process.lines) + "\n"
        (out / name).write_bytes(text.encode() + bytes([0, choices]) + data.rstrip(b"\0"))


if __name__ == "__main__":
    main()
