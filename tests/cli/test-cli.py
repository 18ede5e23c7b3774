#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test-cli.py KYMO-CLI SOURCE-ROOT: the contract of the command line, from
outside: exit codes, where output goes, one JSON object, whole files, pictures
that are what their ending says. What the numbers are is the oracle's part."""

import csv
import io
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ET

CLI = os.path.abspath(sys.argv.pop(1))
SOURCE = pathlib.Path(sys.argv.pop(1))
sys.path.insert(0, str(SOURCE / "tests" / "support"))
sys.dont_write_bytecode = True
import harness  # noqa: E402
import many  # noqa: E402

SAMPLE = SOURCE / "data" / "sample"
SMALL = SOURCE / "tests" / "data" / "feat-p4-text"
FUNCTIONS = SOURCE / "tests" / "data" / "tau" / "trace-stencil-4"

QUESTIONS = {
    "info": [], "profile": ["--per-location"], "usage": [],
    "time-profile": ["--bins", "40"],
    "histogram": ["--min", "0", "--max", "1ms", "--bins", "10"],
    "communication": [], "messages": ["--limit", "20"], "clocks": [],
    "events": ["--limit", "20"], "timeline": ["--width", "200"],
}
VIEWS = ["timeline", "time-profile", "usage", "histogram", "profile",
         "communication", "extrema", "clusters", "scatter", "distances"]
SVG = "{http://www.w3.org/2000/svg}"


def ask(*arguments, env=None):
    """Runs kymo-cli; a crash is never an answer."""
    words = [CLI, *map(str, arguments)]
    if harness.STARTED or "KYMO_CLI_MANY" not in os.environ:
        done = subprocess.run(words, timeout=120, capture_output=True, env=env)
    else:
        done = many.run(words, os.environ if env is None else env, 120)
    done.stdout, done.stderr = done.stdout.decode(), done.stderr.decode()
    assert done.returncode >= 0, f"signal {-done.returncode}: {done.stderr}"
    return done


COUNTED_STS = """VERSION 11.0
PROCESSORS 1
TOTAL_CHARES 1
TOTAL_EPS 2
TOTAL_MSGS 1
TOTAL_PAPI_EVENTS 2
PAPI_EVENT 0 PAPI_TOT_CYC
PAPI_EVENT 1 PAPI_L2_DCM
CHARE 0 "C" -1
ENTRY CHARE 0 "outer()" 0 0
ENTRY CHARE 1 "inner()" 0 0
MESSAGE 0 8
END
"""
COUNTED_LOG = """PROJECTIONS-RECORD 6
6 0
2 4 0 10 -1 0 64 0 0 0 0 0 0 1000 5
2 4 1 20 -1 0 64 0 0 0 0 0 0 1100 6
3 0 1 30 0 0 0 0 1400 9
3 0 0 50 0 0 0 0 2000 20
7 60
"""


class Answers(unittest.TestCase):
    def test_json_is_one_object(self):
        for question, options in QUESTIONS.items():
            with self.subTest(question):
                done = ask(question, SMALL, "--format", "json", *options)
                self.assertEqual(done.returncode, 0, done.stderr)
                answer = json.loads(done.stdout, parse_constant=self.fail)
                self.assertIsInstance(answer, dict)

    def test_csv_is_rectangular(self):
        for question in ("profile", "usage", "time-profile"):
            with self.subTest(question):
                done = ask(question, SMALL, "--format", "csv")
                self.assertEqual(done.returncode, 0, done.stderr)
                rows = list(csv.reader(io.StringIO(done.stdout)))
                self.assertGreater(len(rows), 1)

    def test_text_of_call_graph(self):
        """Callers by name, the longest first, with the figures of the edges."""
        folder = SOURCE / "tests" / "data" / "tau" / "callpath-d3-coll-4"
        graph = json.loads(ask("call-graph", folder, "--format", "json").stdout)
        names = [node["name"] for node in graph["nodes"]]
        edges = sorted(graph["edges"], key=lambda edge: -edge["inclusive"])
        lines = ask("call-graph", folder).stdout.splitlines()
        self.assertEqual(len(lines), len(edges) + 2)
        for line, edge in zip(lines[2:], edges):
            self.assertRegex(line, rf"\b{edge['calls']:,.0f} +{re.escape(names[edge['from']])} ")
            self.assertTrue(line.endswith(names[edge["to"]]), line)

    def test_text_is_for_people(self):
        for question, options in QUESTIONS.items():
            with self.subTest(question):
                done = ask(question, SMALL, *options)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertTrue(done.stdout.strip())
                self.assertNotIn("(null)", done.stdout)

    def test_options_stand_anywhere(self):
        first = ask("--format", "json", "profile", SMALL)
        last = ask("profile", SMALL, "--format=json")
        self.assertEqual(first.stdout, last.stdout)

    def test_a_file_names_its_run(self):
        by_folder = ask("info", SMALL, "--format", "json")
        for name in ("feat.proj.sts", "feat.proj.2.log"):
            by_file = ask("info", SMALL / name, "--format", "json")
            self.assertEqual(by_folder.stdout, by_file.stdout)

    def test_threads_change_nothing(self):
        one = ask("profile", SAMPLE, "--format", "json", "--threads", "1")
        many = ask("profile", SAMPLE, "--format", "json", "--threads", "5")
        self.assertEqual(one.returncode, 0, one.stderr)
        self.assertEqual(one.stdout, many.stdout)

    def test_search(self):
        done = ask("search", SAMPLE, "FORCES", "--format", "json", "--limit", "3")
        found = json.loads(done.stdout)
        calls = {a["name"]: a["blocks"] for a in json.loads(
            ask("profile", SAMPLE, "--format", "json").stdout)["activities"]}
        self.assertEqual({n["name"]: n["count"] for n in found["names"]},
                         {name: n for name, n in calls.items()
                          if "forces" in name.lower() and n})
        begins = [one["begin_ns"] for one in found["found"]]
        self.assertEqual((len(begins), begins), (3, sorted(begins)))
        self.assertIn("17,496 found", ask("search", SAMPLE, "cell::.*forces|calc",
                                          "--regex").stdout)

    def test_outliers(self):
        answer = json.loads(ask("outliers", SAMPLE, "--format", "json", "--times", "10",
                                "--limit", "5").stdout)
        self.assertEqual(len(answer["outliers"]), 5)
        for one in answer["outliers"]:
            self.assertGreater(one["duration_ns"], 10 * one["median_ns"])
        self.assertIn("Median", ask("outliers", SAMPLE).stdout)

    def test_spans_add_up(self):
        profile = json.loads(ask("profile", SAMPLE, "--format", "json",
                                 "--from", "1.15s", "--to", "1.4s").stdout)
        self.assertEqual(profile["span_ns"],
                         sum(profile[part + "_ns"] for part in
                             ("busy", "idle", "overhead", "untraced")))
        self.assertEqual(profile["span_ns"], 8 * 250_000_000)


    def test_roles_of_mpi_calls(self):
        folder = SOURCE / "tests" / "data" / "ampi-jacobi-p4-gz"
        profile = json.loads(ask("profile", folder, "--format", "json").stdout)
        roles = {a["name"]: a["role"] for a in profile["activities"]}
        self.assertEqual(roles["AMPI_Waitall"], "wait")
        self.assertEqual(roles["AMPI_Barrier"], "synchronization")
        self.assertEqual(roles["AMPI_Allreduce"], "communication")
        self.assertEqual(roles["AMPI_Init"], "runtime")
        self.assertEqual(roles["AMPI::rank"], "compute")
        # Brackets lie over blocks and idle time and are part of neither.
        self.assertEqual(profile["busy_ns"], sum(
            a["exclusive_ns"] for a in profile["activities"]
            if a["kind"] == "entry"))
        text = ask("profile", folder).stdout
        self.assertRegex(text, r"AMPI_Waitall +wait +[0-9.]+ s +– ")

    def test_ranks_have_lanes(self):
        folder = SOURCE / "tests" / "data" / "ampi-jacobi-p4-gz"
        timeline = json.loads(ask("timeline", folder, "--width", "500",
                                  "--format", "json").stdout)
        for pe, row in enumerate(timeline["rows"]):
            self.assertEqual([lane["label"] for lane in row["lanes"]],
                             [f"rank {4 * pe + i}" for i in range(4)])
            self.assertEqual({event[3] for event in row["events"]},
                             {0, 1, 2, 3})

    def test_hardware_counters(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            (folder / "a.sts").write_text(COUNTED_STS)
            (folder / "a.0.log").write_text(COUNTED_LOG)
            profile = json.loads(ask("profile", folder, "--no-cache",
                                     "--format", "json").stdout)
            text = ask("profile", folder, "--no-cache").stdout
        self.assertEqual(profile["metrics"], ["PAPI_TOT_CYC", "PAPI_L2_DCM"])
        counters = {a["name"]: a["counters"] for a in profile["activities"]}
        self.assertEqual(counters["C::outer"], [700, 12])
        self.assertEqual(counters["C::inner"], [300, 3])
        self.assertEqual(counters["Idle"], [None, None])
        self.assertRegex(text, r"PAPI_TOT_CYC +PAPI_L2_DCM\n")

    def test_phases_are_ranges(self):
        info = json.loads(ask("info", SMALL, "--format", "json").stdout)
        ends = {}
        for path in SMALL.glob("*.log"):
            for line in path.read_text(errors="replace").splitlines():
                if line.startswith("30 "):
                    _, phase, time = map(int, line.split()[:3])
                    ends.setdefault(phase, []).append(time * 1000)
        begins = [info["begin_ns"]] + [min(ends[p]) for p in sorted(ends)]
        self.assertEqual(info["phases"], [
            {"phase": p, "begin_ns": begins[p], "end_ns": max(ends[p])}
            for p in sorted(ends)])
        one = ask("profile", SMALL, "--phase", "1", "--format", "json")
        same = ask("profile", SMALL, "--format", "json", "--from",
                   str(begins[1]), "--to", str(max(ends[1])))
        self.assertEqual(one.stdout, same.stdout)


class SmallPictures(unittest.TestCase):
    def test_smallest(self):
        views = {SAMPLE: VIEWS, FUNCTIONS: ["waiting-matrix", "communication"]}
        with tempfile.TemporaryDirectory() as folder:
            for run, names in views.items():
                for view in names:
                    with self.subTest(view):
                        path = pathlib.Path(folder) / f"{view}.svg"
                        done = ask("export", view, run, "--size", "64x64", "-o", path)
                        self.assertEqual(done.returncode, 0, done.stderr)


class Refusals(unittest.TestCase):
    def check(self, code, *arguments):
        done = ask(*arguments)
        self.assertEqual(done.returncode, code, done.stderr)
        sentence = done.stderr.strip()
        self.assertTrue(sentence)
        self.assertEqual(done.stdout, "")
        self.assertNotIn("CRITICAL", sentence)
        return sentence

    def test_usage(self):
        for words in ([], ["dance", SMALL], ["info"], ["info", SMALL, "more"],
                      ["info", SMALL, "--nonsense"],
                      ["info", SMALL, "--bins", "3"],
                      ["profile", SMALL, "--from", "yesterday"],
                      ["profile", SMALL, "--from", "2s", "--to", "1s"],
                      ["profile", SMALL, "--format", "png"],
                      ["usage", SMALL, "--phase", "two"],
                      ["usage", SMALL, "--phase", "1", "--from", "1ms"],
                      ["info", SMALL, "--format"],
                      ["histogram", SMALL, "--bins", "0"], ["search", SMALL],
                      ["export", "timeline", SMALL, "--size", "0x0",
                       "-o", "x.png"]):
            with self.subTest(words):
                self.check(2, *words)

    def test_unreadable(self):
        self.assertIn("/nowhere/at/all",
                      self.check(1, "info", "/nowhere/at/all"))
        with tempfile.TemporaryDirectory() as folder:
            self.assertIn(folder, self.check(1, "info", folder))
            text = pathlib.Path(folder) / "novel.txt"
            text.write_text("It was a dark and stormy night.\n")
            self.check(1, "info", text)

    def test_no_such_phase(self):
        self.assertIn("99", self.check(1, "usage", SMALL, "--phase", "99"))
        self.assertIn("none", self.check(1, "usage", SAMPLE, "--phase", "0"))

    def test_two_runs_in_a_folder(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            for case, base in (("feat-p4-text", "feat.proj"),
                               ("feat-notes-p3-text", "featnote.proj")):
                for path in (SOURCE / "tests" / "data" / case).iterdir():
                    if path.name.startswith(base):
                        shutil.copy(path, folder)
            sentence = self.check(1, "info", folder)
            self.assertIn("featnote", sentence)
            done = ask("info", folder, "--base", "feat.proj",
                       "--format", "json")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(json.loads(done.stdout)["locations"], 4)

    def test_losses_are_told(self):
        with tempfile.TemporaryDirectory() as folder:
            run = pathlib.Path(folder) / "run"
            shutil.copytree(SMALL, run)
            log = run / "feat.proj.1.log"
            log.write_bytes(log.read_bytes()[:-2000])
            done = ask("info", run, "--format", "json")
            self.assertEqual(done.returncode, 0, done.stderr)
            report = json.loads(done.stdout)["report"]
            self.assertFalse(report["complete"])
            self.assertTrue(any("feat.proj.1.log" in issue["file"]
                                for issue in report["issues"]))
            strict = ask("info", run, "--strict", "--format", "json")
            self.assertEqual(strict.returncode, 3)
            self.assertEqual(strict.stdout, done.stdout)

    def test_corrected_clocks_are_told(self):
        """On stderr, in the report and under pictures, of every command."""
        for command in (["profile"], ["check", "--max-idle", "1"],
                        ["timeline"]):
            done = ask(*command, SMALL, "--correct-clocks")
            self.assertIn("Clocks were corrected by choice", done.stderr)
        plain = json.loads(ask("info", SMALL, "--format", "json").stdout)
        self.assertIsNone(plain["clock_correction"])
        info = json.loads(ask("info", SMALL, "--format", "json",
                              "--correct-clocks").stdout)
        self.assertTrue(info["report"]["complete"])
        estimate = json.loads(ask("clocks", SMALL, "--format", "json").stdout)
        self.assertEqual(info["clock_correction"], estimate["offsets"])
        with tempfile.TemporaryDirectory() as folder:
            for options, told in ([], False), (["--correct-clocks"], True):
                path = pathlib.Path(folder) / "timeline.svg"
                ask("export", "timeline", SMALL, "-o", path, *options)
                words = ET.parse(path).getroot().findtext(SVG + "desc")
                self.assertEqual("clocks corrected" in words, told)

    def test_clocks_that_need_nothing(self):
        """The choice is answered even where it changes nothing."""
        for name in ("jacobi2d-sum-p8", "jacobi2d-traceoff-p2"):
            done = ask("info", SOURCE / "tests" / "data" / name, "--format",
                       "json", "--correct-clocks")
            info = json.loads(done.stdout)
            self.assertIsNone(info["clock_correction"])
            self.assertTrue(any("No clock was corrected" in issue["what"]
                                for issue in info["report"]["issues"]))

    def test_bounds(self):
        self.assertEqual(ask("check", SAMPLE, "--max-idle", "99%").returncode,
                         0)
        done = ask("check", SAMPLE, "--max-idle", "1%")
        self.assertEqual(done.returncode, 1)
        self.assertIn("idle", done.stdout + done.stderr)

    def test_efficiency(self):
        figures = json.loads(ask("profile", SAMPLE, "--from", "400ms", "--to", "900ms",
                                 "--workers-only", "--format", "json").stdout)
        self.assertAlmostEqual(figures["load_balance"] * figures["communication_efficiency"],
                               figures["parallel_efficiency"])
        self.assertAlmostEqual(figures["load_balance"] * figures["imbalance"], 1)
        for option, key in (("--min-efficiency", "parallel_efficiency"),
                            ("--min-load-balance", "load_balance"),
                            ("--min-communication-efficiency", "communication_efficiency")):
            self.assertTrue(0.01 < figures[key] < 0.99, figures[key])
            for bound, code in ((figures[key] - 0.005, 0), (figures[key] + 0.005, 1)):
                done = ask("check", SAMPLE, option, str(bound), "--from", "400ms", "--to", "900ms",
                           "--format", "json")
                self.assertEqual(done.returncode, code, done.stderr)
                told = json.loads(done.stdout)["bounds"][0]
                self.assertEqual((told["name"], told["value"]), (key, figures[key]))
        self.assertIn("communication efficiency", ask("info", SAMPLE).stdout)

    def test_efficiency_of_a_profile(self):
        """From its oracle: exclusive time of what is neither MPI nor the like."""
        run = SOURCE / "tests" / "data" / "tau" / "flat-stencil-4"
        info = json.loads(ask("info", run, "--format", "json").stdout)
        profile = json.loads(ask("profile", run, "--format", "json").stdout)
        useful = sum(a["exclusive"]["total"] for a in profile["activities"]
                     if a["role"] == "compute") * 1000
        self.assertAlmostEqual(info["useful_mean_ns"] * 4 / useful, 1, places=6)
        self.assertAlmostEqual(info["load_balance"] * info["communication_efficiency"],
                               info["parallel_efficiency"])
        self.assertTrue(0 < info["useful_mean_ns"] <= info["useful_max_ns"] < info["elapsed_ns"])
        for bound, code in ((info["parallel_efficiency"] - 0.001, 0),
                            (info["parallel_efficiency"] + 0.001, 1)):
            self.assertEqual(ask("check", run, "--min-efficiency", str(bound)).returncode, code)
        refused = ask("check", run, "--max-idle", "20%")
        self.assertEqual(refused.returncode, 1)
        self.assertIn("--min-efficiency can", refused.stderr)

    def test_efficiency_words(self):
        self.assertIn("Parallel efficiency", ask("profile", SAMPLE).stdout)

    def test_desk(self):
        desk = SOURCE / "tests" / "data" / "desks" / "whole.kymodesk"
        told = json.loads(ask("desk", desk, "--format", "json").stdout)
        self.assertEqual(told["layout"], "right 0.6000 timeline* below 0.5000 histogram profile")
        self.assertEqual(told["bookmarks"], [{"name": "here", "begin_ns": 5, "end_ns": 9,
                                              "note": "why?\n because", "locations": "1-2"}])
        self.assertIn({"part": 2, "key": "histogram.bins", "value": "35"}, told["chosen"])
        lines = ask("desk", desk, "--format", "csv").stdout.splitlines()
        self.assertEqual(lines[0], "name,begin_ns,end_ns,note,locations")
        with tempfile.TemporaryDirectory() as home:
            kept = pathlib.Path(home) / "kymo" / "desks"
            kept.mkdir(parents=True)
            environ = dict(os.environ, XDG_DATA_HOME=home)
            refused = ask("desk", "/runs/leanmd", env=environ)
            self.assertEqual(refused.returncode, 1)
            self.assertIn("nothing is kept", refused.stderr)
            shutil.copy(desk, kept / "1.kymodesk")
            self.assertIn("here", ask("desk", "/runs/leanmd", env=environ).stdout)
        hostile = ask("desk", desk.parent / "word-hostile.kymodesk")
        self.assertEqual(hostile.returncode, 0)
        self.assertIn("histogram.bins of [Part 1]", hostile.stderr)

    def test_help(self):
        for words in ([], *([question] for question in QUESTIONS),
                      ["check"], ["export"]):
            done = ask(*words, "--help")
            self.assertEqual(done.returncode, 0)
            self.assertIn("Usage", done.stdout)
        version = re.search(r"version: '([0-9.]+)'",
                            (SOURCE / "meson.build").read_text()).group(1)
        self.assertIn(version, ask("--version").stdout)


class Output(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def test_file_is_whole_or_untouched(self):
        target = self.folder / "answer.json"
        target.write_text("before")
        done = ask("info", "/nowhere", "-o", target)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(target.read_text(), "before")
        done = ask("info", SMALL, "--format", "json", "-o", target)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(target.read_text())["locations"], 4)
        self.assertEqual([path.name for path in self.folder.iterdir()],
                         ["answer.json"])

    def test_folder_that_is_not_there(self):
        done = ask("info", SMALL, "-o", self.folder / "no" / "answer.json")
        self.assertEqual(done.returncode, 1)
        self.assertTrue(done.stderr.strip())

    def test_closed_pipe(self):
        process = subprocess.Popen([CLI, "events", str(SAMPLE)],
                                   stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        process.stdout.close()
        process.stderr.read()
        process.stderr.close()
        self.assertIn(process.wait(60), (0, 1, -signal.SIGPIPE))

    def test_pictures(self):
        for view in VIEWS:
            for theme in ("light", "dark"):
                for ending in ("png", "svg", "pdf"):
                    with self.subTest(view=view, theme=theme, ending=ending):
                        target = self.folder / f"{view}-{theme}.{ending}"
                        done = ask("export", view, self.run_of(theme, ending), "-o", target,
                                   "--theme", theme, "--size", "800x480")
                        self.assertEqual(done.returncode, 0, done.stderr)
                        self.look(target.read_bytes(), ending)

    @staticmethod
    def run_of(theme, ending):
        """A sanitized program reads the large run for one picture of each view: five more times
        would find nothing more."""
        return SAMPLE if harness.PART == 1 or (theme, ending) == ("light", "svg") else SMALL

    def look(self, data, ending):
        self.assertGreater(len(data), 1500)
        if ending == "png":
            self.assertEqual(data[:8], b"\x89PNG\r\n\x1a\n")
            width = int.from_bytes(data[16:20], "big")
            height = int.from_bytes(data[20:24], "big")
            self.assertEqual((width, height), (800, 480))
        elif ending == "svg":
            picture = ET.fromstring(data)
            self.assertTrue(picture.tag.endswith("}svg"))
            self.assertTrue(picture.findtext(SVG + "title"))
            self.assertTrue(picture.findtext(SVG + "desc"))
        else:
            self.assertEqual(data[:5], b"%PDF-")
            self.assertIn(b"%%EOF", data[-64:])

    def test_same_picture_twice(self):
        for ending in ("png", "svg", "pdf"):
            with self.subTest(ending):
                pictures = []
                for name in ("a", "b"):
                    target = self.folder / f"{name}.{ending}"
                    ask("export", "timeline", SMALL, "-o", target)
                    pictures.append(target.read_bytes())
                self.assertEqual(pictures[0], pictures[1])

    def test_figures_of_a_picture(self):
        target = self.folder / "usage.csv"
        done = ask("export", "usage", SAMPLE, "-o", target)
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = list(csv.reader(target.open()))
        self.assertGreater(len(rows), 8)

    def test_unknown_view(self):
        done = ask("export", "hologram", SAMPLE, "-o", self.folder / "x.png")
        self.assertIn(done.returncode, (1, 2))
        self.assertIn("hologram", done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
