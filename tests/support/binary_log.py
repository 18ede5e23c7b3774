# SPDX-License-Identifier: GPL-3.0-or-later
"""Text logs of Projections written again in the binary form, in either byte
order, as `+binary-trace` does: an int32 count, then per record a type byte,
the fields without padding, and a newline.
"""
import pathlib
import struct

import reference

# Fields after the type, in struct letters; * = index values, text, lists.
FIELDS = {
    3: "HHQiiiQ", 6: "Q", 7: "Q", 8: "Qii", 9: "Qii", 11: "Q", 12: "Q",
    13: "HQii", 14: "Qi", 15: "Qi", 16: "Qi", 17: "Qi", 18: "Qi", 19: "Qi",
    1: "HHQiiiQ", 20: "HHQiiiQi", 26: "iQ", 27: "QQ", 30: "HQ",
    32: "QddiH", 98: "HQiii", 99: "HQiii", 100: "HQiii",
}


def index_letters(dims):
    return "iiii" if dims < 0 else ("h" if dims >= 4 else "i") * dims


def numbers(letters, words):
    return [float(w) if c == "d" else int(w) for c, w in zip(letters, words)]


def encode_note(order, kind, line):
    times = 1 if kind == 28 else 2
    words = line.split(" ", 1 + times + (kind == 29))
    digits = 1
    rest = words[-1]
    while int(rest[:digits]) != len(rest) - digits:
        digits += 1
    text = rest[digits:].encode("utf-8", "surrogateescape")
    head = struct.pack(order + "Q" * times, *map(int, words[1:1 + times]))
    if kind == 29:
        head += struct.pack(order + "i", int(words[3]))
    return head + struct.pack(order + "i", len(text)) + text


def encode_record(order, line, dims):
    words = line.split()
    kind, words = int(words[0]), words[1:]
    if kind == 2:
        letters = "HHQiiiQ" + index_letters(dims.get(int(words[1]), -1)) + "Q"
        letters += "q" * (len(words) - len(letters))
    elif kind == 3:
        letters = FIELDS[3] + "q" * (len(words) - len(FIELDS[3]))
    elif kind == 21:                 # the list's own count is a size_t
        letters = "HHQiiiQi" + "Q" + "i" * int(words[7])
    elif kind in (28, 29):
        return bytes([kind]) + encode_note(order, kind, line) + b"\n"
    else:
        letters = FIELDS[kind]
    return (bytes([kind])
            + struct.pack(order + letters, *numbers(letters, words)) + b"\n")


def encode_log(text, dims, order):
    """The bytes of a binary log; order is "<" or ">"."""
    lines = text.decode("utf-8", "surrogateescape").splitlines()
    records = [encode_record(order, line, dims) for line in lines[1:] if line]
    count = struct.pack(order + "i", int(lines[0].split()[1]))
    return count + b"".join(records)


def encode_run(folder, order):
    """Rewrites the text logs of a run in place."""
    folder = pathlib.Path(folder)
    _, dims, _ = reference.read_sts(next(folder.glob("*.sts")))
    for log in folder.glob("*.log"):
        log.write_bytes(encode_log(log.read_bytes(), dims, order))
