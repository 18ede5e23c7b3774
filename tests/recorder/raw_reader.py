# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads raw folders by the description in src/recorder/raw/kymo-raw.h, without Kymo."""
import collections
import pathlib
import struct
import urllib.parse

(PAD, CHUNK, OPEN, ENTER, LEAVE) = range(1, 6)
(IO_OPEN, IO_CLOSE, IO_DUP, IO_SEEK, IO_BEGIN, IO_END, IO_LOCK, IO_DELETE, IO_STATUS,
 THREAD_CREATE, THREAD_BEGIN, THREAD_WAIT, THREAD_END, METRIC) = range(32, 46)
HEADER = 4096

Record = collections.namedtuple("Record", "kind small arg time words")


def definitions(folder):
    """Lists of fields by kind, in order; a last line without newline is not complete."""
    found = collections.defaultdict(list)
    text = (pathlib.Path(folder) / "definitions").read_text("utf-8", "surrogateescape")
    for line in text.split("\n")[:-1]:
        kind, *fields = line.split("\t")
        found[kind].append([urllib.parse.unquote(field, errors="surrogateescape")
                            for field in fields])
    return found


def records(path):
    """Records of an event file in order; words are unsigned numbers of 64 bits."""
    data = pathlib.Path(path).read_bytes()
    if len(data) < HEADER:
        return                  # it is being made
    magic, _, version, chunk_bytes = struct.unpack_from("<8sIII", data)
    if magic != b"KYMORAW1" or version != 1:
        raise AssertionError(f"{path}: {magic} {version}")
    for begin in range(HEADER, len(data), chunk_bytes):
        at, end = begin, min(begin + chunk_bytes, len(data))
        while at + 16 <= end:
            kind, cells, small, arg, time = struct.unpack_from("<BBHIQ", data, at)
            if kind in (0, PAD):
                break
            if at + 16 * cells > end or cells == 0:
                raise AssertionError(f"{path}: a record at {at} leaves its chunk")
            words = struct.unpack_from(f"<{2 * cells - 2}Q", data, at + 16)
            if kind not in (CHUNK, OPEN):
                yield Record(kind, small, arg, time, words)
            at += 16 * cells


def threads(folder, kind="thread"):
    """{number: records} of a raw folder."""
    return {int(path.name.rsplit("-", 1)[1]): list(records(path))
            for path in sorted(pathlib.Path(folder).glob(f"{kind}-*"))}


def processes(folder):
    """The raw folders of a run."""
    return sorted(path for path in (pathlib.Path(folder) / "raw").iterdir() if path.is_dir())


def low(word):
    """The first of the two short numbers in a word."""
    return word & 0xFFFFFFFF
