# SPDX-License-Identifier: GPL-3.0-or-later
"""One input for each kind of damage, through the program as people run it:
the answer comes with exit status 0, or 3 with --strict where something was
lost; the sentence stands on standard error and in `info`, with the file, the
severity, the count and the offset. Memory stays within a bound that follows
from the size of the files, and time within a limit.

Usage: kinds.py KYMO-CLI SOURCE-ROOT
"""
import gzip
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import harness  # noqa: E402

MIB = 1 << 20
BASE_BYTES = 64 * MIB           # the program itself, with a buffer a thread
MEMORY_FACTOR = 12              # of the plain bytes of the files
SECONDS = 30
SLOW_SECONDS = 1                # longer ones are not read twice
ANY = object()


class Measured:
    """A child's output, exit status and largest resident set."""

    def __init__(self, command):
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            child = subprocess.Popen(command, stdout=out, stderr=err,
                                     stdin=subprocess.DEVNULL)
            _, status, usage = os.wait4(child.pid, 0)
            child.returncode = self.code = os.waitstatus_to_exitcode(status)
            out.seek(0)
            err.seek(0)
            self.out, self.err = out.read(), err.read().decode()
        self.memory = usage.ru_maxrss * 1024
        self.seconds = usage.ru_utime + usage.ru_stime


class Damaged:
    """A recording in a temporary folder, and what is expected of it."""

    def __init__(self, source, scratch):
        self.folder = pathlib.Path(scratch) / "run"
        shutil.copytree(source, self.folder)
        self.issues = []

    def path(self, name):
        return self.folder / name

    def read(self, name):
        return self.path(name).read_bytes()

    def put(self, name, data):
        self.path(name).write_bytes(data)

    def expect(self, file, severity, what, count=ANY, offset=ANY):
        self.issues.append((file, severity, what, count, offset))

    def plain_bytes(self):
        total = 0
        for path in self.folder.rglob("*"):
            if path.is_file() and path.parent == self.folder:
                total += path.stat().st_size * (8 if path.suffix == ".gz" else 1)
        return total


def check(program, source, damage):
    c = harness.Compare()
    with tempfile.TemporaryDirectory() as scratch:
        run = Damaged(source, scratch)
        damage(run)
        command = [program, "info", str(run.folder), "--format", "json",
                   "--no-cache"]
        plain = Measured(command)
        c.equal("exit status", plain.code, 0)
        if plain.code != 0:
            return c.problems + [plain.err]
        lost = any(severity == "lost" for _, severity, *_ in run.issues)
        if plain.seconds < SLOW_SECONDS:
            c.equal("exit status with --strict",
                    Measured(command + ["--strict"]).code, 3 if lost else 0)
        report = json.loads(plain.out)["report"]
        c.equal("complete", report["complete"], not lost)
        for expected in run.issues:
            check_issue(c, report["issues"], plain.err, *expected)
        bound = BASE_BYTES + MEMORY_FACTOR * run.plain_bytes()
        # A sanitizer keeps for a while what was freed, and more about it.
        if "ASAN_OPTIONS" not in os.environ:
            c.true(f"{plain.memory >> 20} MiB of {bound >> 20}",
                   plain.memory < bound)
        c.true(f"{plain.seconds:.1f} s", plain.seconds < SECONDS)
    return c.problems


def check_issue(c, issues, err, file, severity, what, count, offset):
    found = [i for i in issues if i["file"] == file and what in i["what"]]
    c.true(f"{len(found)} issues of {file}: {what}; there are {issues}",
           len(found) == 1)
    for issue in found[:1]:
        c.equal(f"{what}: severity", issue["severity"], severity)
        for key, value in (("count", count), ("offset", offset)):
            if value is not ANY:
                c.equal(f"{what}: {key}", issue[key], value)
        if severity != "note":
            c.true(f"{what}: not on standard error: {err}",
                   f"kymo-cli: {severity}: {file}: {issue['what']}" in err)


# Text logs -----------------------------------------------------------------

TEXT, LOG = "feat-p4-text", "feat.proj.1.log"


def line_cut(run):
    data = run.read(LOG)[:20001]
    begin = data.rindex(b"\n") + 1
    run.put(LOG, data[:begin + 5])
    run.expect(LOG, "lost", "The last line is cut off; that record is lost", 1,
               begin)
    run.expect(LOG, "lost", "ends without END_COMPUTATION", 1, begin)


def empty_file(run):
    run.put(LOG, b"")
    run.expect(LOG, "lost", "The log is empty", 1, 0)


def rubbish_after_end(run):
    data = run.read(LOG)
    run.put(LOG, data + b"rubbish\nmore rubbish\n")
    run.expect(LOG, "lost", "After END_COMPUTATION come lines that are no records",
               2, len(data))


def replace_line(run, number, line):
    lines = run.read(LOG).split(b"\n")
    offset = sum(len(text) + 1 for text in lines[:number])
    lines[number] = line
    run.put(LOG, b"\n".join(lines))
    return offset


def number_overflows(run):
    offset = replace_line(run, 40, b"14 99999999999999999999 1")
    run.expect(LOG, "lost", "Records that could not be understood", 1, offset)


def time_overflows(run):
    offset = replace_line(run, 40, b"14 9223372036854775 1")
    run.expect(LOG, "lost", "Records that could not be understood", 1, offset)


def negative_time(run):
    offset = replace_line(run, 40, b"14 -5 1")
    run.expect(LOG, "lost", "Records that could not be understood", 1, offset)


def time_backwards(run):
    replace_line(run, 200, b"2 5 4 1 1 0 8 0 0 0 0 0 5")
    run.expect(LOG, "repaired", "begin before the record before them", ANY, None)


def long_line(run):
    data = run.read(LOG)
    begin = data.index(b"\n", 5000) + 1
    run.put(LOG, data[:begin] + b"1" * (10 * MIB) + b"\n" + data[begin:])
    run.expect(LOG, "lost", "Lines longer than 1 MiB are no records", 1, begin)


def binary_noise(run):
    data = run.read(LOG)
    begin = data.index(b"\n", 5000) + 1
    run.put(LOG, data[:begin] + b"\0\1\2\3\n" + data[begin:])
    run.expect(LOG, "lost", "Records that could not be understood", 1, begin)


def foreign_pe(run):
    shutil.copy(run.path(LOG), run.path("feat.proj.9.log"))
    run.expect("feat.proj.9.log", "lost", "beyond the number of PEs", 1)


def largest_pe(run):
    shutil.copy(run.path(LOG), run.path("feat.proj.2147483647.log"))
    run.expect("feat.proj.2147483647.log", "lost", "beyond the number of PEs", 1)


def missing_pe(run):
    run.path(LOG).unlink()
    run.expect("feat.proj.sts", "lost", "PEs without a log: 1", 1)


def link_to_itself(run):
    run.path(LOG).unlink()
    run.path(LOG).symlink_to(LOG)
    run.expect(LOG, "lost", "cannot be opened: Too many levels of symbolic links",
               1)


def link_to_nowhere(run):
    run.path(LOG).unlink()
    run.path(LOG).symlink_to("nowhere")
    run.expect(LOG, "lost", "cannot be opened: No such file or directory", 1)


def folders_in_circles(run):
    inner = run.path("feat.proj.projdir.0")
    inner.mkdir()
    (inner / "feat.proj.projdir.0").symlink_to("..")
    run.path("feat.proj.projdir.1").symlink_to(".")


def unreadable_file(run):
    run.path(LOG).chmod(0)
    run.expect(LOG, "lost", "cannot be opened: Permission denied", 1)


def pipe_for_a_log(run):
    """A pipe is no file: nobody waits for a writer."""
    run.path(LOG).unlink()
    os.mkfifo(run.path(LOG))
    run.expect(LOG, "lost", "is a FIFO (a named pipe), no ordinary file", 1)


# The names -----------------------------------------------------------------

STS = "feat.proj.sts"


def names_missing(run):
    run.path(STS).unlink()
    run.expect(STS, "lost", "There is no .sts that can be read", 1)


def names_empty(run):
    run.put(STS, b"")
    run.expect(STS, "lost", "The file is empty or no .sts", 1)


def names_cut(run):
    run.put(STS, run.read(STS)[:5000])
    run.expect(STS, "lost", "The file ends without END: names are missing")


def names_of_another_run(run):
    other = run.folder.parent / "other.sts"
    run.put(STS, other.read_bytes())
    run.expect(STS, "lost", "The .sts is of another run")


def many_processors(run):
    run.put(STS, run.read(STS).replace(b"PROCESSORS 4\n",
                                       b"PROCESSORS 999999999\n"))
    run.expect(STS, "lost", "PEs without a log: 4-999999998", 999999995)


def many_entries(run):
    """A line at a time: a child's memory is measured from its parent's on."""
    head = run.read(STS).rsplit(b"END", 1)[0]
    with run.path(STS).open("wb") as out:
        out.write(head)
        for i in range(1000, 1000000):
            out.write(b'ENTRY CHARE %d "e%d()" 0 0\n' % (i, i))
        out.write(b"END\n")


def entry_beyond(run):
    head, end = run.read(STS).rsplit(b"END", 1)
    run.put(STS, head + b'ENTRY CHARE 999999999999 "e()" 0 0\nEND' + end)
    run.expect(STS, "lost", "An ENTRY line has no number that could be one", 1,
               len(head))


def version_odd(run):
    run.put(STS, run.read(STS).replace(b"VERSION 11.0", b"VERSION soon"))
    run.expect(STS, "lost", "The VERSION line is not a version", 1)


# Compressed logs -----------------------------------------------------------

PACKED, GZ = "ampi-jacobi-p4-gz", "jacobi.proj.1.log.gz"


def member_cut(run):
    run.put(GZ, run.read(GZ)[:12000])
    run.expect(GZ, "lost", "The compressed file is cut off")


def bad_checksum(run):
    data = bytearray(run.read(GZ))
    data[-6] ^= 1
    run.put(GZ, data)
    run.expect(GZ, "lost", "The checksum or length of the compressed data", 1)


def bad_length(run):
    data = bytearray(run.read(GZ))
    data[-1] ^= 1
    run.put(GZ, data)
    run.expect(GZ, "lost", "The checksum or length of the compressed data", 1)


def damaged_inside(run):
    data = bytearray(run.read(GZ))
    data[9000:9040] = bytes(40)
    run.put(GZ, data)
    run.expect(GZ, "lost", "compressed data")


def rubbish_after_gzip(run):
    plain = gzip.decompress(run.read(GZ))
    run.put(GZ, run.read(GZ) + b"rubbish" * 10)
    run.expect(GZ, "lost", "come bytes of something else", 70, len(plain))


def members_of_one_log(run):
    plain = gzip.decompress(run.read(GZ))
    run.put(GZ, gzip.compress(plain[:9999]) + gzip.compress(plain[9999:]))


def empty_gzip(run):
    run.put(GZ, gzip.compress(b""))
    run.expect(GZ, "lost", "The log is empty", 1, 0)


# Summaries -----------------------------------------------------------------

SUMS, SUM = "jacobi2d-sumbins-p4", "jacobi2d.summ.1.sum"


def sum_empty(run):
    run.put(SUM, b"")
    run.expect(SUM, "lost", "does not begin with the header of a summary")


def sum_cut(run):
    run.put(SUM, run.read(SUM)[:150])
    run.expect(SUM, "lost", "The file is cut off within a line", 1)


def sum_of_many_bins(run):
    """Counts of 99,999,999,999 values in few bytes are not believed."""
    lines = run.read(SUM).split(b"\n")
    lines[1] = b"  1+99999999999"
    run.put(SUM, b"\n".join(lines))
    run.expect(SUM, "lost", "more utilization than bins")


def sum_that_inflates(run):
    """Twenty million figures in a file of 40 KB are not kept."""
    head, _, *rest = run.read(SUM).split(b"\n")
    run.path(SUM).unlink()
    with gzip.open(run.path(SUM + ".gz"), "wb") as out:
        out.write(head + b"\n")
        for _ in range(1000):   # not at once, as for many_entries
            out.write(b" 1 2" * 10_000)
        out.write(b"\n" + b"\n".join(rest))
    run.expect(SUM + ".gz", "lost", "more figures than its size allows")


def check_absurd_sends(program, source):
    """Bytes times destinations stay at the largest number."""
    c = harness.Compare()
    with tempfile.TemporaryDirectory() as scratch:
        run = Damaged(source, scratch)
        lines = run.read(LOG).split(b"\n")
        lines[40:40] = 3 * [b"20 5 4 1 1 1 2147483647 0 2147483647"]
        run.put(LOG, b"\n".join(lines))
        answer = harness.ask(program, "communication", run.folder, "--no-cache")
        sent = {row["location"]: row["bytes"] for row in answer["sent"]}
        c.equal("bytes sent", sent[1], (1 << 63) - 1)
    return c.problems


KINDS = (
    (TEXT, line_cut, empty_file, rubbish_after_end, number_overflows,
     time_overflows, negative_time, time_backwards, long_line, binary_noise,
     foreign_pe, largest_pe, missing_pe, link_to_itself, link_to_nowhere,
     folders_in_circles, unreadable_file, pipe_for_a_log, names_missing,
     names_empty, names_cut, names_of_another_run, many_processors,
     many_entries, entry_beyond, version_odd),
    (PACKED, member_cut, bad_checksum, bad_length, damaged_inside,
     rubbish_after_gzip, members_of_one_log, empty_gzip),
    (SUMS, sum_empty, sum_cut, sum_of_many_bins,
     sum_that_inflates),
)


def main():
    program, root = sys.argv[1], pathlib.Path(sys.argv[2])
    tap = harness.Tap()
    for case, *kinds in KINDS:
        for kind in kinds:
            name = kind.__name__.replace("_", " ")
            if kind is unreadable_file and os.geteuid() == 0:
                tap.skip(name, "root reads everything")
                continue
            if kind is names_of_another_run:
                def kind(run):
                    shutil.copy(root / "tests" / "data" / PACKED /
                                "jacobi.proj.sts", run.folder.parent / "other.sts")
                    names_of_another_run(run)
            tap.check(name, check, program, root / "tests" / "data" / case, kind)
    tap.check("absurd sends", check_absurd_sends, program,
              root / "tests" / "data" / TEXT)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
