# SPDX-License-Identifier: GPL-3.0-or-later
"""Raw folders as a crash may leave them, and as nobody would write them: there is an archive that
others read without a warning, or one sentence why there is none.

Usage: damage.py KYMO-CLI ARCHIVE-TOOL
"""
import pathlib
import random
import shutil
import struct
import sys
import tempfile

import recording
from recording import harness, raw

ODD = ("", "0", "-1", "4294967295", "4294967296", "18446744073709551615", "99999999999999999999",
       "0-4294967295", "3-0", "0-1|", "|", "%", "%00", "%FF%zz", "a" * 70_000, "-", "1e9")
KINDS = ("process", "parent", "clock", "world", "mpi", "offset", "thread", "region", "comm",
         "commname", "win", "file", "handle", "class", "property", "lost", "end", "=file", "=open")


def damage_lines(rng, data):
    """Fields, lines and whole definitions that are others' or gone."""
    lines = data.decode("utf-8").split("\n")
    for _ in range(rng.randrange(1, 8)):
        i = rng.randrange(1, len(lines))
        how = rng.randrange(5)
        fields = lines[i].split("\t")
        if how == 0:
            del lines[i]
        elif how == 1:
            lines.insert(i, lines[rng.randrange(1, len(lines))])
        elif how == 2:
            fields[rng.randrange(len(fields))] = rng.choice(ODD)
            lines[i] = "\t".join(fields)
        elif how == 3:
            lines.insert(i, "\t".join([rng.choice(KINDS)] + [rng.choice(ODD) for _ in range(7)]))
        else:
            lines[i] = "\t".join(fields[:rng.randrange(len(fields))])
    return "\n".join(lines).encode("utf-8")


def damage_records(rng, data):
    """Types, lengths, numbers and times of records; now and then the header."""
    data = bytearray(data)
    for _ in range(rng.randrange(1, 12)):
        at = raw.CELL_BYTES * rng.randrange(raw.HEADER_BYTES // raw.CELL_BYTES,
                                            len(data) // raw.CELL_BYTES)
        how = rng.randrange(6)
        if how == 0:
            data[at] = rng.randrange(256)
        elif how == 1:
            data[at + 1] = rng.choice((0, 1, 2, 255))
        elif how == 2:
            data[at + 4:at + 8] = struct.pack("<I", rng.choice((0, 1, 5, 2 ** 31, 2 ** 32 - 1)))
        elif how == 3:
            data[at + 8:at + 16] = struct.pack("<Q", rng.choice((0, 1, 2 ** 63, 2 ** 64 - 1)))
        elif how == 4:
            data[at:at + 64] = rng.randbytes(64)
        else:
            data[rng.randrange(48)] = rng.randrange(256)
    return bytes(data)


def damage_file(rng, path):
    data = path.read_bytes()
    how = rng.randrange(4)
    if how == 0:
        data = data[:rng.randrange(len(data))]
    elif path.name == "definitions":
        data = damage_lines(rng, data)
    elif how == 1:
        data += rng.randbytes(5000)
    else:
        data = damage_records(rng, data)
    path.write_bytes(data)


def check_damage(program, tool, folder, seed):
    c = harness.Compare()
    rng = random.Random(seed)
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(folder.parent / "whole", folder)
    files = sorted(path for path in (folder / "raw").rglob("*") if path.is_file())
    for path in rng.sample(files, rng.randrange(1, 5)):
        damage_file(rng, path)
    code, told = recording.recover(tool, folder)
    c.true("nothing is told", told)
    c.true("no sentences", all(line.endswith(".") for line in told))
    if code == 0:
        archive = folder / "traces.otf2"
        c.equal("otf2-print", recording.warnings(archive), [])
        result = harness.run(program, "info", archive, "--format", "json")
        c.equal("info", (result.code, result.err if result.code else ""), (0, ""))
    else:
        c.equal("left", sorted(p.name for p in folder.iterdir()), ["raw"])
    return c.problems


def main(arguments):
    program, tool, *more = arguments
    tap = harness.Tap()
    first, n = map(int, more) if more else (0, 40)
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        recording.make_whole(folder / "whole").write()
        for seed in range(first, first + n):
            tap.check(f"seed {seed}", check_damage, program, tool, folder / "run", seed)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
