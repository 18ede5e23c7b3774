#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test-rest.py KYMO-CLI SOURCE-ROOT: how the command line tells of a stream:
idle time and overhead as one thing, one location as the mean of all PEs, and
bars, replies and the busiest as text, CSV and pictures."""
import hashlib
import json
import os
import pathlib
import re
import sys
import tempfile
import unittest

CLI = os.path.abspath(sys.argv.pop(1))
SOURCE = pathlib.Path(sys.argv.pop(1))
sys.path.insert(0, str(SOURCE / "tests" / "support"))
import harness  # noqa: E402
import make_stream as ms  # noqa: E402

LOAD = SOURCE / "tests" / "data" / "streams" / "load-p4.kymostream"
SAMPLE = SOURCE / "data" / "sample"
TEXTS = (["profile"], ["usage"], ["time-profile", "--bins", "4"], ["busiest"])


def text(*arguments):
    result = harness.run(CLI, *arguments, "--quiet")
    assert result.code == 0, result.err
    return result.out.decode()


def refusal(code, *arguments):
    result = harness.run(CLI, *arguments)
    assert (result.code, result.out) == (code, b""), result
    assert len(result.err.splitlines()) == 1, result.err
    return result.err.decode() if isinstance(result.err, bytes) else result.err


class Rest(unittest.TestCase):
    def test_one_thing(self):
        for question in TEXTS:
            told = text(*question, LOAD)
            self.assertEqual(told.count("Idle or overhead"), 1, told)
            rest = told.split("note:")[0].replace("Idle or overhead", "")
            self.assertNotRegex(rest, r"Idle|Overhead")

    def test_traces_tell_both(self):
        for question in TEXTS[:3]:
            told = text(*question, SAMPLE)
            self.assertRegex(told, r"Idle")
            self.assertRegex(told, r"Overhead")
            self.assertNotIn("Idle or overhead", told)

    def test_mean_of_pes(self):
        self.assertRegex(text("info", LOAD), r"Locations +mean of 4 PEs")
        self.assertNotIn("Imbalance", text("info", LOAD))
        answer = harness.ask(CLI, "info", LOAD)
        self.assertIsNone(answer["imbalance"])
        self.assertEqual(answer["stream"]["pes"], 4)
        self.assertEqual(answer["stream"]["blocks"], 23)
        self.assertEqual(answer["stream"]["handler"], ms.HANDLERS[0])

    def test_one_kind(self):
        kinds = [a["kind"] for a in harness.ask(CLI, "profile", LOAD)["activities"]]
        self.assertEqual(kinds.count("rest"), 1)
        self.assertFalse({"idle", "overhead"} & set(kinds))

    def test_bounds(self):
        for bound in ("--max-idle", "--max-overhead", "--max-imbalance",
                      "--min-load-balance", "--min-communication-efficiency"):
            told = refusal(1, "check", LOAD, bound, "2")
            self.assertIn(bound, told)
            self.assertIn("--min-utilization", told)
        self.assertEqual(harness.run(CLI, "check", LOAD, "--min-utilization", "20%").code, 0)
        self.assertEqual(harness.run(CLI, "check", LOAD, "--min-utilization", "40%").code, 1)
        self.assertEqual(harness.run(CLI, "check", LOAD, "--min-efficiency", "1%").code, 0)
        self.assertEqual(harness.run(CLI, "check", LOAD, "--min-efficiency", "99%").code, 1)


class Bars(unittest.TestCase):
    def test_csv_of_bars(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "bars.csv"
            text("export", "time-profile", LOAD, "--bar", "5s", "--from", "7s", "--to", "12s",
                 "-o", path)
            bars = re.findall(r"^(\d+),(\d+),", path.read_text(), re.M)
            self.assertEqual(bars, [("5000000000", "10000000000"),
                                    ("10000000000", "15000000000")])

    def test_bookmarks(self):
        """Those of a desk are searched with the run, by name and by note."""
        with tempfile.TemporaryDirectory() as folder:
            desk = pathlib.Path(folder) / "a.kymodesk"
            desk.write_text("[Kymo Desk]\nversion=1\n\n"
                            "[Bookmark 1]\nname=zebra late\ntime-begin=1200000000\n"
                            "time-end=1300000000\nnote=\n\n"
                            "[Bookmark 2]\nname=early\ntime-begin=200000000\n"
                            "time-end=300000000\nnote=a Zebra\\nhere\nlocations=1-3\n\n"
                            "[Bookmark 3]\nname=other\ntime-begin=1\ntime-end=2\nnote=\n")
            found = json.loads(text("search", SAMPLE, "zebra", "--desk", desk,
                                    "--format", "json"))
            self.assertEqual([(one["name"], one["begin_ns"], one["locations"])
                              for one in found["bookmarks"]],
                             [("early", 200000000, "1-3"), ("zebra late", 1200000000, None)])
            self.assertEqual((found["bookmarks_found"], found["matches"]), (2, 0))
            self.assertIn("a Zebra here", text("search", SAMPLE, "zebra", "--desk", desk))
            self.assertNotIn("early", text("search", SAMPLE, "zebra", "--desk", desk,
                                           "--from", "1s"))
            self.assertIn("no regular expression", refusal(
                2, "search", SAMPLE, "z(", "--regex", "--desk", desk))
            self.assertIn("steps", refusal(2, "search", SAMPLE, "(.+)+x+y", "--regex"))

    def test_kept_desk(self):
        """That of the window is found by where the run lies and what it is called."""
        with tempfile.TemporaryDirectory() as home:
            before = os.environ.get("XDG_DATA_HOME")
            os.environ["XDG_DATA_HOME"] = home
            try:
                self.assertIn("no desk is kept", refusal(
                    1, "search", SAMPLE, "zebra", "--desk", "kept"))
                run = pathlib.Path(SAMPLE).resolve()
                title = json.loads(text("info", SAMPLE, "--format", "json"))["title"]
                name = hashlib.sha256(f"{run}\n{title}".encode()).hexdigest()[:32]
                kept = pathlib.Path(home) / "kymo" / "desks" / f"{name}.kymodesk"
                kept.parent.mkdir(parents=True)
                kept.write_text(f"[Kymo Desk]\nversion=1\n\n[Run]\nuri={run.as_uri()}\n"
                                "[Views]\nlegend=perhaps\n\n"
                                "[Bookmark 1]\nname=a zebra\ntime-begin=1\ntime-end=2\n")
                done = harness.run(CLI, "search", SAMPLE, "zebra", "--desk", "kept",
                                   "--format", "json")
                self.assertEqual([one["name"] for one in json.loads(done.out)["bookmarks"]],
                                 ["a zebra"])
                self.assertIn("legend of [Views]", done.err)
                done = harness.run(CLI, "desk", SAMPLE)
                self.assertIn(b"a zebra", done.out)
                self.assertIn("The kept desk is used without", done.err)
            finally:
                os.environ.pop("XDG_DATA_HOME")
                if before is not None:
                    os.environ["XDG_DATA_HOME"] = before

    def test_wrong(self):
        self.assertIn("--bins", refusal(2, "time-profile", LOAD, "--bar", "1s", "--bins", "3"))
        self.assertIn("1 ns", refusal(2, "time-profile", LOAD, "--bar", "0s"))
        self.assertIn("23000000000 bars", refusal(2, "time-profile", LOAD, "--bar", "1ns"))
        refusal(2, "usage", LOAD, "--bar", "1s")

    def test_bars_of_a_trace(self):
        answer = harness.ask(CLI, "time-profile", SAMPLE, "--bar", "500ms")
        self.assertEqual(answer["edges_ns"][1:-1],
                         [500_000_000 * i for i in range(1, len(answer["edges_ns"]) - 1)])


class Replies(unittest.TestCase):
    def test_text(self):
        told = text("replies", LOAD)
        self.assertIn("23 blocks, 0 lost, 60 empty replies", told)
        self.assertEqual(len(re.findall(r"^ *\d+ (?:s|ns) .* kB +1 ", told, re.M)), 23)

    def test_only_of_streams(self):
        self.assertIn("utilization stream", refusal(1, "replies", SAMPLE))
        with tempfile.TemporaryDirectory() as folder:
            self.assertIn("utilization stream", refusal(
                1, "export", "replies", SAMPLE, "-o", pathlib.Path(folder) / "r.png"))

    def test_pictures(self):
        """Each form is there, and says what one location stands for."""
        begins = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF", "csv": b"begin_ns,0"}
        with tempfile.TemporaryDirectory() as folder:
            for form, begin in begins.items():
                path = pathlib.Path(folder) / f"replies.{form}"
                text("export", "replies", LOAD, "-o", path)
                self.assertTrue(path.read_bytes().startswith(begin), form)
            svg = (pathlib.Path(folder) / "replies.svg").read_text()
            self.assertIn("utilization stream, mean of 4 PEs", svg)

    def test_lost_and_marks(self):
        """A lost block and a mark, where they were."""
        frames = ms.split(LOAD.read_bytes())[1]
        out, blocks = [], 0
        for kind, at_us, _, payload in frames:
            if kind == ms.REPLY and len(payload) > 4:
                blocks += 1
                if blocks == 5:
                    kind, payload = ms.LOST, b"it was cut"
                if blocks == 9:
                    out.append((ms.MARK, at_us, ms.NO_TIME, b"busy below 10 % for 3 s"))
            out.append((kind, at_us, ms.NO_TIME, payload))
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "lost.kymostream"
            path.write_bytes(ms.recording(out))
            info = harness.ask(CLI, "info", path)
            profile = harness.ask(CLI, "time-profile", path, "--bar", "1s")
            told = text("info", path)
        self.assertEqual((info["stream"]["blocks"], info["stream"]["lost"]), (22, 1))
        marks = [(m["time_ns"], m["kind"]) for m in info["marks"] if m["kind"] != "state"]
        self.assertEqual(marks, [(4 * ms.SECOND_NS, "lost"), (8 * ms.SECOND_NS, "condition")])
        self.assertEqual(profile["marks"], info["marks"])
        self.assertEqual([i for i, ns in enumerate(profile["untraced_ns"]) if ns], [4])
        self.assertIn("8 s: busy below 10 % for 3 s", told)


if __name__ == "__main__":
    unittest.main()
