#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test-names.py KYMO-CLI SOURCE-ROOT: names of 70,000 characters in files of every form are
cut where they are read, stay apart from each other, and stand in the load report."""
import os
import pathlib
import shutil
import sys
import tempfile
import unittest

CLI = os.path.abspath(sys.argv.pop(1))
SOURCE = pathlib.Path(sys.argv.pop(1))
sys.path.insert(0, str(SOURCE / "tests" / "support"))
import harness  # noqa: E402
import make_stream  # noqa: E402
import ppk  # noqa: E402

DATA = SOURCE / "tests" / "data"
MOST = 4096
LONG = 70000
WORDS = "Names of more than 4,096 bytes are cut"

# What is opened, which files are changed, the two names in them, and where the report says so.
FORMS = {
    "projections": ("feat-p4-text", "*.sts", "flush_warning(int pe)",
                    "closingTraces()", "feat.proj.sts"),
    "tau-profile": ("tau/flat-stencil-4", "profile.*", "MPI_Init()  ", "MPI_Comm_rank()  ", None),
    "snapshots": ("tau/snapshot-stencil-4", "snapshot.*", "MPI_Init()  ", "MPI_Comm_rank()  ",
                  None),
    "tau-trace": ("tau/trace-coll-4", "events.*.edf", "MPI_Bcast()  ", "MPI_Comm_dup()  ",
                  "events.*.edf"),
    "merged trace": ("tau/trace-coll-4", "tau.edf", "MPI_Bcast()  ", "MPI_Comm_dup()  ",
                     "tau.edf"),
    "gprof": ("tau/gprof-basic", "gprof-brief.txt", "leaf", "other", "gprof-brief.txt"),
    "mpip": ("tau/mpip-made", "*.mpiP", "[unknown]", "main", "app.2.4711.1.mpiP"),
    "merged profile": ("tau/merged-coll-8", "tauprofile.xml", "MPI_Send()", "MPI_Bcast()",
                       "run"),
    "packed profile": ("tau/flat-stencil-4", "profile.*", "MPI_Init()  ", "MPI_Comm_rank()  ",
                       None),
    "stream": ("streams", "leanmd-p6.kymostream", "Compute_serial_1", "Compute_serial_2",
               "leanmd-p6"),
}
# The packed form writes how long a name is in two bytes.
PACKED = 65000


def change_text(text, first, second, length):
    for name, letter in ((first, b"a"), (second, b"b")):
        text = text.replace(name.encode(), b"n" * length + letter)
    return text


def change(folder, pattern, first, second, length=LONG):
    """Both names are alike for far more than what is kept of them."""
    for path in folder.glob(pattern):
        data = path.read_bytes()
        if path.suffix == ".kymostream":
            head, frames = make_stream.split(data)
            data = make_stream.recording([(*frame[:3], change_text(
                frame[3], first, second, length) if frame[0] == make_stream.NAMES else frame[3])
                for frame in frames], head)
        else:
            data = change_text(data, first, second, length)
        path.write_bytes(data)


def opened(form, folder):
    """What to open; a packed profile is made of the folder first."""
    if form == "packed profile":
        packed = folder.with_name("run.ppk")
        packed.write_bytes(ppk.pack(folder))
        return packed
    if form == "merged trace":
        return folder / "tau.trc"
    pattern = FORMS[form][1]
    return folder / pattern if pattern.endswith((".txt", ".xml", ".kymostream")) else folder


def names_of(answer):
    if isinstance(answer, dict):
        for key, value in answer.items():
            if isinstance(value, str) and key in ("name", "signature", "group", "label"):
                yield value
            yield from names_of(value)
    elif isinstance(answer, list):
        for value in answer:
            yield from names_of(value)


class Names(unittest.TestCase):
    def check(self, form, folder):
        path = opened(form, folder)
        report = [line for line in harness.ask(CLI, "info", path)["report"]["issues"]
                  if line["what"].startswith(WORDS)]
        self.assertEqual(len(report), 1, report)
        self.assertGreaterEqual(report[0]["count"], 1)
        self.assertEqual(report[0]["severity"], "note")
        self.assertEqual(report[0]["file"], FORMS[form][4] or path.name)
        names = set(names_of(harness.ask(CLI, "profile", path)))
        parts = {part for name in names for part in name.split(" => ")}
        self.assertLessEqual(max(len(part.encode()) for part in parts), MOST)
        return parts

    def test_forms(self):
        for form, (data, pattern, first, second, _) in FORMS.items():
            with self.subTest(form), tempfile.TemporaryDirectory() as scratch:
                folder = pathlib.Path(scratch) / "run"
                shutil.copytree(DATA / data, folder)
                change(folder, pattern, first, second,
                       PACKED if form == "packed profile" else LONG)
                names = self.check(form, folder)
                if form not in ("projections", "mpip"):
                    self.assertEqual(sum("n" * 4000 in name for name in names), 2)

    def test_figures_stay(self):
        """What a name is has no say in figures."""
        data, pattern, first, second, _ = FORMS["tau-profile"]
        with tempfile.TemporaryDirectory() as scratch:
            folder = pathlib.Path(scratch) / "run"
            shutil.copytree(DATA / data, folder)
            before = harness.ask(CLI, "profile", folder)
            change(folder, pattern, first, second)
            after = harness.ask(CLI, "profile", folder)
        figures = [sorted(entry["exclusive"]["total"] for entry in answer["activities"])
                   for answer in (before, after)]
        self.assertEqual(*figures)

    def test_paths(self):
        """A call path is as long as its calls are deep; its functions are cut one by one."""
        with tempfile.TemporaryDirectory() as scratch:
            folder = pathlib.Path(scratch) / "run"
            shutil.copytree(DATA / "tau" / "callpath-d3-coll-4", folder)
            before = harness.ask(CLI, "calltree", folder)
            change(folder, "profile.*", "MPI_Bcast()", "MPI_Reduce()")
            after = harness.ask(CLI, "calltree", folder)
        self.assertEqual(len(list(names_of(before))), len(list(names_of(after))))
        self.assertEqual(len(set(names_of(before))), len(set(names_of(after))))

    def test_short_names(self):
        """Nothing is told, and nothing cut, of names that just fit."""
        with tempfile.TemporaryDirectory() as scratch:
            folder = pathlib.Path(scratch) / "run"
            shutil.copytree(DATA / "tau" / "flat-stencil-4", folder)
            for path in folder.glob("profile.*"):
                path.write_text(path.read_text().replace("MPI_Init()  ", "n" * MOST))
            self.assertNotIn(WORDS, str(harness.ask(CLI, "info", folder)["report"]))
            self.assertIn("n" * MOST, set(names_of(harness.ask(CLI, "profile", folder))))


if __name__ == "__main__":
    unittest.main(testRunner=unittest.TextTestRunner(stream=sys.stdout))
