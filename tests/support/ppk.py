# SPDX-License-Identifier: GPL-3.0-or-later
"""Packs a folder of TAU profiles as ParaProf does (--pack), by the second reader."""
import gzip
import struct

import tau_profile


def string(text):
    data = text.encode("utf-8", "surrogateescape")
    return struct.pack(">H", len(data)) + data


def pairs(facts):
    return struct.pack(">i", len(facts)) + b"".join(string(k) + string(v) for k, v in facts)


def strings(list_of):
    return struct.pack(">i", len(list_of)) + b"".join(map(string, list_of))


def functions(run, groups):
    names = sorted(run.groups)
    out = struct.pack(">i", len(names))
    for name, is_path in names:
        mine = sorted(run.groups[name, is_path]) + (["TAU_CALLPATH"] if is_path else [])
        out += string(name) + struct.pack(f">{1 + len(mine)}i", len(mine),
                                          *map(groups.index, mine))
    return names, out


def pack(folder):
    run = tau_profile.read_folder(folder)
    groups = sorted(set().union(*run.groups.values()) | {"TAU_CALLPATH"})
    header = (struct.pack(">i", 0) + pairs(run.metadata) + struct.pack(">i", len(run.threads))
              + b"".join(struct.pack(">3i", *t) + pairs([]) for t in run.threads))
    names, table = functions(run, groups)
    users = sorted({name for _, name in run.users})
    out = ("PPK".encode("utf-16-be") + struct.pack(">3i", 2, 1, len(header)) + header
           + strings(run.metrics) + strings(groups) + table + strings(users)
           + struct.pack(">i", len(run.threads)))
    # ParaProf keeps threads in no order that matters.
    for location in reversed(range(len(run.threads))):
        rows = [(i, run.rows[(location, *key)]) for i, key in enumerate(names)
                if (location, *key) in run.rows]
        events = [(i, run.users[location, name]) for i, name in enumerate(users)
                  if (location, name) in run.users]
        out += struct.pack(">4i", *run.threads[location], len(rows))
        out += b"".join(struct.pack(f">i{len(f)}d", i, *f) for i, f in rows)
        out += struct.pack(">i", len(events))
        out += b"".join(struct.pack(">2i4d", i, int(n), least, most, mean, squares)
                        for i, (n, most, least, mean, squares) in events)
    return gzip.compress(out)
