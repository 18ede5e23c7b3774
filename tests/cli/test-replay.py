#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test-replay.py KYMO-CLI SOURCE-ROOT: `kymo-cli replay` against figures that
are added up here from the replies of the recordings, and what it does with
ranges, names, losses, damage, folders and outputs."""
import csv
import io
import json
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import time
import unittest

CLI = os.path.abspath(sys.argv.pop(1))
SOURCE = pathlib.Path(sys.argv.pop(1))
sys.path.insert(0, str(SOURCE / "tests" / "support"))
import harness  # noqa: E402
import make_stream as ms  # noqa: E402

STREAMS = SOURCE / "tests" / "data" / "streams"
LEANMD = STREAMS / "leanmd-p6.kymostream"


def replay(*arguments, code=0):
    result = harness.run(CLI, "replay", *arguments)
    assert result.code == code, f"exit {result.code}: {result.err}"
    return result


def lines(*arguments, code=0):
    """One object a line, each by itself."""
    out = replay(*arguments, "--format", "json", "--notes", code=code).out.decode()
    assert out == "" or out.endswith("\n")
    return [json.loads(line, parse_constant=harness.refuse) for line in out.splitlines()]


def form_of(payload):
    return dict(line.split(": ", 1) for line in payload.decode().splitlines())


def names_of(payload):
    """{entry id: "Chare::method"} of an .sts, by its two kinds of lines."""
    text = payload.decode()
    chares = dict(re.findall(r'^CHARE (\d+) "(.*)" -?\d+$', text, re.M))
    return {int(entry): f"{chares[chare]}::{name.split('(')[0]}"
            for entry, name, chare in
            re.findall(r'^ENTRY CHARE (\d+) "(.*)" (\d+) -?\d+$', text, re.M)}


def expect(path):
    """What replay should say of each block, added up the plain way."""
    form, names, clock = {}, {}, 0
    for kind, at_us, _, payload in ms.split(path.read_bytes())[1]:
        if kind == ms.FORM:
            form = form_of(payload)
        elif kind == ms.NAMES:
            names = names_of(payload)
        if kind != ms.REPLY:
            continue
        order = "<" if form["byte-order"] == "little" else ">"
        bins = ms.decode(payload, form["handler"], order, int(form["pes"]))
        if bins is None:
            continue
        sums = {}
        for one in bins:
            for entry, ns in one.items():
                sums[entry] = sums.get(entry, 0) + ns
        length = len(bins) * ms.BIN_NS
        special = {10000: "other", -1: "(entry method unknown)"}
        yield {"block": clock // ms.SECOND_NS, "begin_ns": clock, "bins": len(bins),
               "pes": int(form["pes"]), "bytes": len(payload), "at_us": at_us,
               "utilization": sum(sums.values()) / length,
               "activities": [{"id": entry, "name": special.get(entry) or names[entry],
                               "share": sums[entry] / length}
                              for entry in sorted(sums, key=lambda e: (-sums[e], e))]}
        clock += length


def write(folder, name, frames, provenance=""):
    path = pathlib.Path(folder) / name
    path.write_bytes(ms.recording(frames, provenance))
    return path


def form(handler=ms.HANDLERS[0], order="little", pes=2):
    text = f"handler: {handler}\nbyte-order: {order}\npes: {pes}\n"
    return (ms.FORM, 10, ms.NO_TIME, text.encode())


def block(n_bins, *records):
    """A reply of n_bins equal bins on 2 PEs."""
    one = struct.pack("<h", len(records)) + b"".join(struct.pack("<hB", *r) for r in records)
    return struct.pack("<ii", n_bins, 2) + one * n_bins


class Figures(unittest.TestCase):
    def test_blocks(self):
        for path in sorted(STREAMS.glob("*.kymostream")):
            with self.subTest(path.name):
                wanted = list(expect(path))
                got = [line for line in lines(path) if "block" in line]
                self.assertGreater(len(wanted), 1)
                self.assertEqual(len(got), len(wanted))
                for one, other in zip(got, wanted):
                    self.compare(one, other)

    def compare(self, got, wanted):
        for key in ("block", "begin_ns", "bins", "pes", "bytes"):
            self.assertEqual(got[key], wanted[key], key)
        self.assertAlmostEqual(got["utilization"], wanted["utilization"], delta=1e-12)
        self.assertEqual(got["activities"], wanted["activities"])
        when = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(wanted["at_us"] // 10 ** 6))
        self.assertEqual(got["arrived"], f"{when}.{wanted['at_us'] % 10 ** 6:06d}Z")

    def test_sample(self):
        """The sample recording is the one of the tests, and has all to show."""
        got = [line for line in lines(SOURCE / "data" / "sample" / "load.kymostream")
               if "block" in line]
        self.assertEqual(len(got), 23)
        self.assertEqual([one["block"] for one in got], list(range(23)))
        self.assertLess(got[5]["utilization"], 0.1)
        self.assertGreater(got[9]["utilization"], 0.4)

    def test_other_is_added(self):
        with tempfile.TemporaryDirectory() as folder:
            path = write(folder, "a", [form(), (ms.REPLY, 20, ms.NO_TIME, block(
                1000, (3, 25), (10000, 50), (10000, 25), (5, 250), (6, 0)))])
            one = lines(path)[0]
        self.assertEqual([(a["id"], a["name"], a["share"]) for a in one["activities"]],
                         [(5, "entry 5", 1), (10000, "other", .3), (3, "entry 3", .1)])
        self.assertEqual(one["utilization"], 1.4)

    def test_csv(self):
        out = replay(LEANMD, "--format", "csv").out.decode()
        rows = list(csv.DictReader(io.StringIO(out)))
        wanted = [(b, a) for b in expect(LEANMD) for a in b["activities"]]
        self.assertEqual(len(rows), len(wanted))
        for row, (one, activity) in zip(rows, wanted):
            self.assertEqual(int(row["block"]), one["block"])
            self.assertEqual(int(row["begin_ns"]), one["begin_ns"])
            self.assertEqual(row["name"], activity["name"])
            self.assertEqual(float(row["share"]), activity["share"])

    def test_csv_of_nothing(self):
        with tempfile.TemporaryDirectory() as folder:
            path = write(folder, "a", [form(), (ms.REPLY, 20, ms.NO_TIME, block(1000))])
            out = replay(path, "--format", "csv").out.decode().splitlines()
        self.assertEqual(out[1:], ["0,0,1000,2,2008,0,,,"])

    def test_text(self):
        out = replay(LEANMD).out.decode().splitlines()
        self.assertEqual(len(out), 1 + 7 + 1)
        self.assertIn("Compute::Compute_serial_1 10.5 %", out[1])
        self.assertIn("end: ", out[-1])

    def test_range(self):
        def blocks(*range_):
            return [one["block"] for one in lines(LEANMD, *range_) if "block" in one]
        self.assertEqual(blocks("--from", "2s"), [2, 3, 4, 5, 6])
        self.assertEqual(blocks("--to", "2s"), [0, 1])
        self.assertEqual(blocks("--from", "1.5s", "--to", "3001ms"), [1, 2, 3])
        self.assertEqual(blocks("--from", "100s"), [])

    def test_names(self):
        sts = next((SOURCE / "tests" / "data" / "feat-p4-text").glob("*.sts"))
        names = {a["id"]: a["name"] for one in lines(LEANMD, "--names", sts)
                 if "block" in one for a in one["activities"]}
        known = names_of(sts.read_bytes())
        self.assertEqual(names[10000], "other")
        for entry, name in names.items():
            if entry < 10000:
                self.assertEqual(name, known.get(entry, f"entry {entry}"))
        recorded = lines(STREAMS / "load-p4.kymostream")
        self.assertEqual(lines(STREAMS / "load-p4.kymostream", "--names",
                               STREAMS / "load-p1.kymostream"), recorded)
        self.assertNotEqual(lines(STREAMS / "load-p4.kymostream", "--names", LEANMD), recorded)
        result = replay(LEANMD, "--names", SOURCE / "meson.build", code=1)
        self.assertIn("names no entry methods", result.err)
        self.assertEqual(result.out, b"")


class Whole(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def put(self, *frames, name="a.kymostream"):
        return write(self.folder.name, name, frames)

    def test_what_else_is_told(self):
        path = self.put(
            form(), (ms.REPLY, 1, -1, block(1000, (1, 25))), (ms.LOST, 2, -1, b"it was cut"),
            (ms.MARK, 3, -1, b"below 20%"), (ms.STATE, 4, -1, b"connection lost"),
            (ms.REPLY, 5, -1, b"\0\0\0\0"), (ms.REPLY, 5, -1, b""),
            (ms.REPLY, 6, -1, block(1000, (1, 50))), (ms.REPLY, 7, -1, b"\1\2\3"),
            (ms.END, 8, -1, b"the program has ended"))
        got = lines(path)
        self.assertEqual([next(iter(one)) for one in got],
                         ["block", "lost", "mark", "state", "block", "lost", "end"])
        self.assertEqual([one["begin_ns"] // 10 ** 9 for one in got], [0, 1, 2, 2, 2, 3, 4])
        self.assertEqual(got[1]["lost"], "it was cut")
        self.assertEqual(got[3]["state"], "connection lost")
        self.assertEqual(len(replay(path).out.splitlines()), 8)
        plain = replay(path, "--format", "json").out.splitlines()
        self.assertEqual([b'{"block"' == one[:8] for one in plain], [True, True])
        self.assertEqual(len(replay(path, "--format", "csv").out.splitlines()), 3)
        result = replay(path, "--strict", code=3)
        self.assertIn("Blocks of the stream were lost (2)", result.err)
        self.assertEqual(replay(path, "--strict", "--quiet", code=3).err, "")

    def test_places(self):
        """A recording that begins late keeps its places, and gaps stay gaps."""
        second = ms.SECOND_NS
        path = self.put(form(), (ms.REPLY, 1, 7 * second, block(1000, (1, 25))),
                        (ms.REPLY, 1, 11 * second, block(1000, (1, 25))))
        self.assertEqual([one["block"] for one in lines(path)], [7, 11])

    def test_hostile_figures(self):
        path = self.put(form(), (ms.REPLY, -2 ** 63, -1, block(1000, (1, 25))),
                        (ms.REPLY, 2 ** 63 - 1, 2 ** 63 - 1, block(1000, (1, 25))),
                        (ms.MARK, 2 ** 62, -2 ** 63, b"\xff\n\0 mark"), (99, 1, 1, b"new"))
        got = lines(path, "--strict", code=3)
        self.assertEqual([next(iter(one)) for one in got], ["block", "lost", "mark"])
        self.assertIsNone(got[0]["arrived"])
        self.assertEqual(len(replay(path).out.decode().splitlines()), 4)

    def test_damaged(self):
        path = pathlib.Path(self.folder.name) / "cut.kymostream"
        data = LEANMD.read_bytes()
        path.write_bytes(data[:-500])
        result = replay(path, "--format", "json", "--notes", "--strict", code=3)
        self.assertIn("was cut within a frame", result.err)
        self.assertEqual(sum(b'"block"' in one for one in result.out.splitlines()), 6)
        at = len(data) // 2
        path.write_bytes(data[:at] + b"x" * 100 + data[at + 100:])
        result = replay(path, "--format", "json", "--notes", "--strict", code=3)
        self.assertIn("Damaged bytes", result.err)
        numbers = [one["block"] for one in lines(path) if "block" in one]
        self.assertEqual(len(numbers), 6)
        self.assertEqual(len(set(numbers)), 6)
        self.assertEqual(max(numbers), 6)

    def test_refused(self):
        empty = pathlib.Path(self.folder.name) / "empty.kymostream"
        empty.write_bytes(b"")
        for path, word in ((empty, "is empty"), (empty.parent / "nowhere", "No such file"),
                           (SOURCE / "meson.build", "no recording"),
                           ("/dev/zero", "no ordinary file")):
            result = replay(path, code=1)
            self.assertIn(word, result.err)
            self.assertEqual(len(result.err.splitlines()), 1)
            self.assertEqual(result.out, b"")
        for words in (["--speed", "17"], ["--speed", "0.1"], ["--speed", "fast"]):
            replay(LEANMD, *words, code=2)

    def test_folder(self):
        self.assertIn("holds no recording", replay(self.folder.name, code=1).err)
        frames = [form(), (ms.REPLY, 1, -1, block(1000, (1, 25)))]
        self.put(*frames, name="one.kymostream")
        self.assertEqual(len(lines(self.folder.name)), 1)
        self.put(*frames, frames[1], name="two.kymostream")
        result = replay(self.folder.name, code=1)
        self.assertIn("one.kymostream, two.kymostream", result.err)
        self.assertEqual(len(lines(self.folder.name, "--base", "two")), 2)
        self.assertIn("named", replay(self.folder.name, "--base", "three", code=1).err)

    def test_output(self):
        target = pathlib.Path(self.folder.name) / "lines.json"
        target.write_text("old")
        replay(LEANMD, "--format", "json", "--notes", "-o", target)
        self.assertEqual(target.read_bytes(), replay(LEANMD, "--format", "json", "--notes").out)
        replay(LEANMD, "--names", SOURCE / "meson.build", "-o", target, code=1)
        self.assertNotEqual(target.read_text(), "")
        replay(LEANMD, "-o", self.folder.name, code=1)
        self.assertEqual(len(list(pathlib.Path(self.folder.name).iterdir())), 1)

    def test_reader_goes_away(self):
        path = self.put(form(), *[(ms.REPLY, 1, -1, block(1000, (1, 25)))] * 3000)
        with subprocess.Popen([CLI, "replay", path, "--format", "json", "--notes"],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE) as job:
            json.loads(job.stdout.readline())
            job.stdout.close()
            self.assertEqual(job.wait(timeout=60), 0)
            self.assertEqual(job.stderr.read(), b"")

    def test_pace(self):
        frames = [(ms.REPLY, 1, -1, block(1000, (1, 25)))] * 9
        path = self.put(form(), *frames)
        begun = time.monotonic()
        self.assertEqual(len(lines(path, "--speed", "16")), 9)
        self.assertGreaterEqual(time.monotonic() - begun, 8 / 16)
        begun = time.monotonic()
        self.assertEqual(len(lines(path, "--speed", "1", "--from", "8s")), 1)
        self.assertLess(time.monotonic() - begun, 5)


if __name__ == "__main__":
    unittest.main()
