#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test-recording.py KYMO-CLI SOURCE-ROOT: a recording of a stream as a run:
what names it, where its entry methods have their names from, what is told of
damage, what it answers and what it refuses. Figures are property/stream.py's."""
import json
import os
import pathlib
import shutil
import struct
import sys
import tempfile
import unittest

CLI = os.path.abspath(sys.argv.pop(1))
SOURCE = pathlib.Path(sys.argv.pop(1))
sys.path.insert(0, str(SOURCE / "tests" / "support"))
import harness  # noqa: E402
import make_stream as ms  # noqa: E402

DATA = SOURCE / "tests" / "data"
LEANMD = DATA / "streams" / "leanmd-p6.kymostream"
LOGS = DATA / "v7-feat-p3-text"


def ask(question, path, *arguments):
    return harness.ask(CLI, question, path, *arguments)


def refuse(question, path, *arguments, code=1):
    result = harness.run(CLI, question, path, *arguments)
    assert result.code == code, f"exit {result.code}: {result.err}"
    assert len(result.err.splitlines()) == 1, result.err
    assert result.out == b""
    return result.err


def names(path, *arguments):
    return {a["id"]: a["name"] for a in ask("profile", path, *arguments)["activities"]
            if a["kind"] == "entry"}


def frames_without_names():
    frames = [f for f in ms.split(LEANMD.read_bytes())[1] if f[0] != ms.NAMES]
    sts = next(f[3] for f in ms.split(LEANMD.read_bytes())[1] if f[0] == ms.NAMES)
    return frames, sts


class Recording(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def put(self, data, name="a.kymostream"):
        (self.folder / name).write_bytes(data)
        return self.folder / name

    def test_info(self):
        info = ask("info", LEANMD)
        self.assertEqual(info["kind"], "stream")
        self.assertEqual((info["begin_ns"], info["end_ns"]), (0, 7 * ms.SECOND_NS))
        self.assertEqual(info["run"]["recording_client"], "make_stream.py")
        self.assertEqual(info["run"]["handler"], ms.HANDLERS[0])
        self.assertTrue(info["report"]["complete"])

    def test_any_name(self):
        """By its content; even where the name is that of a log."""
        for name in ("a", "a.0.log", "a.sts", "a.bin"):
            path = self.put(LEANMD.read_bytes(), name)
            self.assertEqual(ask("info", path)["kind"], "stream", name)
            path.unlink()

    def test_logs_win_in_a_folder(self):
        for path in LOGS.iterdir():
            shutil.copy(path, self.folder)
        path = self.put(LEANMD.read_bytes())
        self.assertEqual(ask("info", self.folder)["kind"], "trace")
        self.assertEqual(ask("info", path)["kind"], "stream")
        self.assertEqual(ask("info", self.folder, "--base", "a")["kind"], "stream")

    def test_folder_of_recordings(self):
        self.put(LEANMD.read_bytes())
        self.put(b"no run", "README.txt")
        self.assertEqual(ask("info", self.folder)["kind"], "stream")
        self.put(LEANMD.read_bytes(), "b.kymostream")
        self.assertIn("a.kymostream, b.kymostream", refuse("info", self.folder))
        self.assertEqual(ask("info", self.folder, "--base", "b")["kind"], "stream")
        self.assertIn("named", refuse("info", self.folder, "--base", "c"))

    def test_names(self):
        """Of the recording; else of the one .util.sts beside it; else ids."""
        frames, sts = frames_without_names()
        path = self.put(ms.recording(frames))
        self.assertEqual(names(path)[175], "entry 175")
        self.assertEqual(names(path)[10000], "other")
        self.put(sts, "job.util.sts")
        known = names(LEANMD)
        self.assertEqual(names(path), known)
        self.assertEqual(names(self.folder), known)
        issues = ask("info", path)["report"]["issues"]
        self.assertIn("job.util.sts", [issue["file"] for issue in issues])
        self.put(b"", "other.util.sts")
        self.assertEqual(names(path)[175], "entry 175")
        self.put(sts, "a.util.sts")
        self.assertEqual(names(path), known)
        self.put(b'CHARE 0 "Wrong" -1\nENTRY CHARE 175 "wrong()" 0 0\n', "a.util.sts")
        self.assertEqual(names(path)[175], "Wrong::wrong")
        self.put(LEANMD.read_bytes())
        self.assertEqual(names(path), known)

    def test_bad_names(self):
        frames, _ = frames_without_names()
        path = self.put(ms.recording(frames[:1] + [(ms.NAMES, 1, -1, b"rubbish")] + frames[1:]))
        self.assertEqual(names(path)[175], "entry 175")
        self.assertFalse(ask("info", path)["report"]["complete"])

    def test_damage(self):
        data = LEANMD.read_bytes()
        path = self.put(data[:-3000])
        result = harness.run(CLI, "profile", path, "--strict", "--format", "json")
        self.assertEqual(result.code, 3)
        self.assertIn("a.kymostream: The recording was cut within a frame", result.err)
        self.assertEqual(json.loads(result.out)["span_ns"], 6 * ms.SECOND_NS)
        path = self.put(data[:30000] + b"\0" * 10 + data[30010:])
        profile = ask("profile", path)
        self.assertEqual(profile["span_ns"], 7 * ms.SECOND_NS)
        self.assertEqual(profile["untraced_ns"], ms.SECOND_NS)
        self.assertFalse(ask("info", path)["report"]["complete"])

    def test_nothing_in_it(self):
        self.assertIn("is empty", refuse("info", self.put(b"")))
        self.assertIn("no recording", refuse("info", self.put(b"text")))
        self.assertIn("no block", refuse("info", self.put(ms.header())))
        self.assertIn("cut within its header", refuse("info", self.put(ms.header()[:9])))
        form = (ms.FORM, 1, -1, b"handler: nothing\n")
        self.assertIn("no block", refuse("info", self.put(ms.recording(
            [form, (ms.REPLY, 1, -1, b"\0" * 99)]))))

    def test_answers_and_refusals(self):
        for question in ("info", "profile", "usage", "time-profile"):
            self.assertTrue(ask(question, LEANMD))
        for question in ("timeline", "histogram", "communication", "messages", "events",
                         "clocks"):
            self.assertIn("stream", refuse(question, LEANMD))
        for view in ("time-profile", "profile", "usage"):
            out = self.folder / f"{view}.svg"
            result = harness.run(CLI, "export", view, LEANMD, "-o", out)
            self.assertEqual(result.code, 0, result.err)
            self.assertGreater(out.stat().st_size, 2000)

    def test_memory_limit(self):
        """A small limit makes bins longer, and never the sums wrong."""
        replies = [struct.pack("<ii", 1000, 2) + b"".join(
            struct.pack("<h", 4) + b"".join(
                struct.pack("<hB", i + k % 3, (40 + i + j + 3 * k) % 60) for i in range(4))
            for j in range(1000)) for k in range(7)]
        form = b"handler: CkPerfSumDetail compressed\nbyte-order: little\npes: 2\n"
        lost = (ms.LOST, 2, -1, b"it was cut")
        frames = [(ms.FORM, 1, -1, form)]
        for i in range(400):
            frames.append(lost if i in (50, 51, 300) else (ms.REPLY, 2, -1, replies[i % 7]))
        path = self.put(ms.recording(frames))
        limit = ("--memory-limit", "16M")
        exact, small = (ask("profile", path, *more) for more in ((), limit))
        for key in ("activities", "busy_ns", "untraced_ns", "span_ns"):
            self.assertEqual(exact[key], small[key])
        self.assertEqual(exact["untraced_ns"], 3 * ms.SECOND_NS)
        self.assertTrue(any("longer than 1 ms" in note for note in small["notes"]))
        self.assertFalse(any("longer than 1 ms" in note for note in exact["notes"]))
        exact, small = (ask("time-profile", path, "--bins", 40, *more) for more in ((), limit))
        self.assertEqual(exact["series"], small["series"])
        self.assertEqual(exact["untraced_ns"], small["untraced_ns"])
        newest = ("--from", "390s", "--to", "390250ms")
        exact, small = (ask("profile", path, *newest, *more) for more in ((), limit))
        self.assertEqual(exact["activities"], small["activities"])


if __name__ == "__main__":
    unittest.main()
