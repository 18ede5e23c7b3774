#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""make_stream.py CAPTURE OUT.kymostream: a recording of what a running program
replied, made of captured exchanges: a folder with `replies/index.json` and one
file a reply (4 bytes of length, big endian, and the payload), and the .sts
beside it. A second writer of docs/formats/stream.md, in no way related to
Kymo's own; and functions for tests that make recordings or take them apart."""
import json
import pathlib
import re
import struct
import sys
import zlib

MAGIC = b"\x89KYST\r\n\x1a"
SYNC = b"\xf5KF\x9a"
FORM, REPLY, LOST, NAMES, MARK, STATE, END = range(1, 8)
SECOND_NS = 1_000_000_000
BIN_NS = 1_000_000
NO_TIME = -1
HANDLERS = ("CkPerfSumDetail compressed", "CkPerfSummaryCcsClientCB uchar",
            "CkPerfSummaryCcsClientCB")


def header(provenance=""):
    text = provenance.encode()
    head = MAGIC + struct.pack("<II", 1, len(text)) + text
    return head + struct.pack("<I", zlib.crc32(head))


def frame(number, kind, at_us, begin_ns, payload):
    head = SYNC + struct.pack("<IIIqqI", kind, len(payload), zlib.crc32(payload),
                              at_us, begin_ns, number)
    return head + struct.pack("<I", zlib.crc32(head)) + payload


def recording(frames, provenance=""):
    """The bytes of a file of (kind, at_us, begin_ns, payload)."""
    return header(provenance) + b"".join(frame(i, *f) for i, f in enumerate(frames))


def split(data):
    """(provenance, [(kind, at_us, begin_ns, payload)]) of a whole recording."""
    if data[:8] != MAGIC or struct.unpack_from("<I", data, 8)[0] != 1:
        raise ValueError("no recording")
    length = struct.unpack_from("<I", data, 12)[0]
    at = 16 + length
    if zlib.crc32(data[:at]) != struct.unpack_from("<I", data, at)[0]:
        raise ValueError("header damaged")
    provenance, frames, at = data[16:at].decode(), [], at + 4
    while at < len(data):
        kind, size, check, at_us, begin_ns, number, own = \
            struct.unpack_from("<IIIqqII", data, at + 4)
        payload = data[at + 40:at + 40 + size]
        if data[at:at + 4] != SYNC or own != zlib.crc32(data[at:at + 36]) \
                or len(payload) != size or check != zlib.crc32(payload) \
                or number != len(frames):
            raise ValueError(f"frame at {at} damaged")
        frames.append((kind, at_us, begin_ns, payload))
        at += 40 + size
    return provenance, frames


def decode(payload, handler, order="<", pes=1):
    """A list of bins, each {entry: nanoseconds, mean over the PEs}; None where
    the reply tells of nothing new."""
    if handler == HANDLERS[0]:
        return decode_detail(payload, order)
    if handler == HANDLERS[1]:
        return None if payload in (b"", b"\xff") else \
            [{-1: value * 5000} if value else {} for value in payload]
    values = struct.unpack(f"{order}{len(payload) // 8}d", payload)
    if not values or values == (-13.37,):
        return None
    return [{-1: round(value * 1e9 / pes)} if value else {} for value in values]


def decode_detail(payload, order):
    if len(payload) <= 4:
        return None
    n_bins, _ = struct.unpack_from(order + "ii", payload)
    bins, at = [], 8
    for _ in range(n_bins):
        n = struct.unpack_from(order + "h", payload, at)[0]
        at += 2
        found = {}
        for _ in range(n):
            entry, value = struct.unpack_from(order + "hB", payload, at)
            at += 3
            if value:
                found[entry] = found.get(entry, 0) + value * 4000
        bins.append(found)
    if at != len(payload):
        raise ValueError("bytes left over")
    return bins


def read_exchanges(folder):
    """[(handler, receive time in us, payload)]; refused connections, and
    answers without a header, are left out."""
    for item in json.loads((folder / "replies" / "index.json").read_text()):
        if "error" in item:
            continue
        raw = (folder / "replies" / f"{item['file']}.rep").read_bytes()
        if len(raw) >= 4 and struct.unpack(">I", raw[:4])[0] == len(raw) - 4:
            yield item["handler"], round(item["t_recv"] * 1e6), raw[4:]


def make(folder):
    """The frames of a capture: form, names, every reply of the stream, end."""
    exchanges = list(read_exchanges(folder))
    handler = next(h for h, _, _ in exchanges if h in HANDLERS)
    info = next(p for h, _, p in exchanges if h == "ccs_getinfo")
    arch = next(p for h, _, p in exchanges if h == "debug/converse/arch")
    counts = struct.unpack(f">{len(info) // 4}i", info)
    order = "big" if arch[3] == 2 else "little"
    form = (f"handler: {handler}\nbyte-order: {order}\npes: {sum(counts[1:])}\n"
            f"processes: {counts[0]}\nword-bits: {64 if arch[2] == 2 else 32}\n"
            f"target: 127.0.0.1\nclient: make_stream.py\n")
    begun = exchanges[0][1]
    frames = [(FORM, begun, NO_TIME, form.encode())]
    sts = sorted(folder.glob("*.sts"))
    if sts:
        text = re.sub(rb" \+traceroot [^\s\"]+", b"", sts[0].read_bytes())
        frames.append((NAMES, begun, NO_TIME, text))
    clock = 0
    for name, at_us, payload in exchanges:
        if name == handler:
            frames.append((REPLY, at_us, clock, payload))
            bins = decode(payload, handler, "<" if order == "little" else ">",
                          sum(counts[1:]))
            clock += len(bins or []) * BIN_NS
    frames.append((END, exchanges[-1][1], clock, b"The recording ends here"))
    return frames


def main():
    folder, out = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    readme = (folder / "README.txt").read_text().splitlines()
    told = [line for line in readme if line.startswith("PEs:")]
    provenance = "".join(line + "\n" for line in
                         ["client: make_stream.py", f"capture: {folder.name}"] + told)
    out.write_bytes(recording(make(folder), provenance))


if __name__ == "__main__":
    main()
