# SPDX-License-Identifier: GPL-3.0-or-later
"""Recordings of streams for tests, and blocks to put into them."""
import json
import struct

import make_stream
from make_stream import END, FORM, REPLY

BEGIN_US = 1_795_253_152_000_000


def write(path, handler, blocks, pes=4, apart_us=100_000, first_us=None, order="little",
          more=""):
    """Blocks that came apart_us from each other, the first first_us after the
    begin, and an end apart_us after the last."""
    at_us = BEGIN_US
    form = f"handler: {handler}\nbyte-order: {order}\n{more}" + (f"pes: {pes}\n" if pes else "")
    frames = [(FORM, at_us, make_stream.NO_TIME, form.encode())]
    at_us += apart_us if first_us is None else first_us
    for index, block in enumerate(blocks):
        frames.append((REPLY, at_us, index * make_stream.SECOND_NS, block))
        at_us += apart_us
    frames.append((END, at_us, make_stream.NO_TIME, b"the program ended"))
    return write_frames(path, frames)


def write_frames(path, frames):
    path.write_bytes(make_stream.recording(frames, "program: made by a test\n"))
    return path


def captured(folder):
    """Whole exchanges of a captured program: [(request, reply, entry)]"""
    for entry in json.loads((folder / "replies" / "index.json").read_text()):
        if "file" in entry:
            stem = folder / "replies" / entry["file"]
            yield (stem.with_suffix(".req").read_bytes(), stem.with_suffix(".rep").read_bytes(),
                   entry)


def detail(bins, pes=4, order="<"):
    """A block of bins, each [(entry, share)]"""
    out = struct.pack(order + "ii", len(bins), pes)
    for records in bins:
        out += struct.pack(order + "h", len(records))
        for entry, share in records:
            out += struct.pack(order + "hB", entry, share)
    return out


def numbered(n_blocks, n_bins=1000, pes=4, order="<"):
    """Blocks that tell by their content which they are: entry i + 1 has half
    of every bin, and entry 500 a tenth of every second one."""
    return [detail([[(i + 1, 125)] + ([(500, 25)] if bin % 2 else []) for bin in range(n_bins)],
                   pes, order) for i in range(n_blocks)]
