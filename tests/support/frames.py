# SPDX-License-Identifier: GPL-3.0-or-later
"""Frames between Kymo and kymo-server (src/remote/frames/kymo-frame.h), read and written without
Kymo. Run by hand it records a client and its server, as tests/data/frames/README.md tells:

    frames.py record KYMO-CLI KYMO-SERVER OUT NAME COMMAND...
                                     makes OUT/NAME-client.bin and OUT/NAME-server.bin
    frames.py swap IN OUT            the same in the other order of bytes
    frames.py replay FILE            be a server that sends what was recorded
"""
import pathlib
import shlex
import struct
import subprocess
import sys

MAGIC = 0x4d594b89
HEADER = 32
LAST = 2
PROGRESS, ANSWERS = 9, {2, 4, 6, 7, 12, 17, 19}     # ANSWERS: what ends a request, and WELCOME


def order_of(data):
    return "<" if struct.unpack_from("<I", data)[0] == MAGIC else ">"


def split(data):
    """Each part of a message: (type, flags, id, part, total, bytes)."""
    at = 0
    while at + HEADER <= len(data):
        _, kind, flags, _, number, length, part, total = struct.unpack_from(
            order_of(data[at:]) + "IBBHQIIQ", data, at)
        at += HEADER
        yield kind, flags, number, part, total, data[at:at + length]
        at += length


def join(kind, flags, number, part, total, body, order="<"):
    return struct.pack(order + "IBBHQIIQ", MAGIC, kind, flags, 1, number, len(body), part,
                       total) + body


def swap(data):
    """Whole messages that are not compressed, in the other order of bytes."""
    from gi.repository import GLib
    other = ">" if order_of(data) == "<" else "<"
    out, body = b"", b""
    for kind, flags, number, _, total, piece in split(data):
        body += piece
        if not flags & LAST:
            continue
        assert len(body) == total and flags == LAST
        # Bodies begin at a multiple of eight.
        value = GLib.Variant.new_from_bytes(GLib.VariantType("a{sv}"), GLib.Bytes(body), False)
        body = value.byteswap().get_data_as_bytes().get_data() or b""
        out += join(kind, LAST, number, 0, len(body), body, other)
        body = b""
    return out


def take(stream):
    """A part, as bytes; empty at the end."""
    head = stream.read(HEADER)
    if len(head) < HEADER:
        return b""
    return head + stream.read(struct.unpack_from(order_of(head) + "I", head, 16)[0])


def replay(path):
    """Sends what was recorded up to the next answer, whenever a message that wants one comes."""
    parts = list(split(path.read_bytes()))
    order = order_of(path.read_bytes())
    while True:
        asked = take(sys.stdin.buffer)
        if not asked:
            return
        kind = next(split(asked))[0]
        # CANCEL, CLOSE, VALUE and ALIVE have no answer.
        if kind in (8, 15, 20, 21):
            continue
        while parts:
            part = parts.pop(0)
            sys.stdout.buffer.write(join(*part, order))
            if part[0] in ANSWERS and part[1] & LAST:
                break
        sys.stdout.buffer.flush()


def record(cli, server, out, name, command):
    line = (f"tee {shlex.quote(str(out / name))}-client.bin | {shlex.quote(str(server))} --stdio | "
            f"tee {shlex.quote(str(out / name))}-server.bin")
    subprocess.run([cli, *command, "--server", "sh -c " + shlex.quote(line)], check=True)


def main():
    how, *words = sys.argv[1:]
    if how == "record":
        record(*(pathlib.Path(word) for word in words[:3]), words[3], words[4:])
    elif how == "swap":
        pathlib.Path(words[1]).write_bytes(swap(pathlib.Path(words[0]).read_bytes()))
    else:
        replay(pathlib.Path(words[0]))


if __name__ == "__main__":
    main()
