#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test-regions.py KYMO-CLI SOURCE-ROOT: named ranges of a run, from what MPI calls, notes,
events and load balancing tell of it, and the options that take their names."""
import os
import pathlib
import sys
import tempfile
import unittest

CLI = os.path.abspath(sys.argv.pop(1))
SOURCE = pathlib.Path(sys.argv.pop(1))
sys.path.insert(0, str(SOURCE / "tests" / "support"))
import harness  # noqa: E402

SAMPLE = SOURCE / "data" / "sample"
SMALL = SOURCE / "tests" / "data" / "feat-p4-text"

REGION_STS = """VERSION 11.0
PROCESSORS 2
TOTAL_CHARES 3
TOTAL_EPS 3
TOTAL_MSGS 1
TOTAL_EVENTS 2
CHARE 0 "App" -1
CHARE 1 "CkReductionMgr" -1
CHARE 2 "FooLB" -1
ENTRY CHARE 0 "work()" 0 0
ENTRY CHARE 1 "RecvMsg()" 1 0
ENTRY CHARE 2 "balance()" 2 0
MESSAGE 0 8
EVENT 10 step
EVENT 11 Iteration 7
EVENT 12 Iteration 8
END
"""


class Regions(unittest.TestCase):
    FUNCTIONS = SOURCE / "tests" / "data" / "tau" / "trace-stencil-4"

    def ask(self, run, *more):
        return harness.ask(CLI, "regions", run, "--no-cache", *more)

    def found(self, text, run=FUNCTIONS):
        """(begin, end) of all blocks of a name."""
        rows = harness.ask(CLI, "search", run, text, "--limit", "1000")
        return [(r["begin_ns"], r["end_ns"]) for r in rows["found"]]

    def spans(self, answer):
        return {r["region"]: (r["begin_ns"], r["end_ns"]) for r in answer["regions"]}

    def test_mpi(self):
        spans = self.spans(self.ask(self.FUNCTIONS))
        first = max(e for _, e in self.found("MPI_Init"))
        last = min(b for b, _ in self.found("MPI_Finalize"))
        self.assertEqual(spans["main"], (first, last))
        self.assertEqual(spans["startup"][1], first)
        self.assertEqual(spans["shutdown"][0], last)
        ranks = {}
        rows = harness.ask(CLI, "search", self.FUNCTIONS, "halo", "--limit", "1000")["found"]
        for r in rows:
            ranks.setdefault(r["location"], []).append(r["begin_ns"])
        begins = [min(column) for column in zip(*(sorted(r) for r in ranks.values()))]
        self.assertEqual(len(begins), 20)
        for n in range(19):
            self.assertEqual(spans[f"iteration:{n + 1}"], (begins[n], begins[n + 1]))

    def test_option(self):
        spans = self.spans(self.ask(SAMPLE))
        for name in ("main", "iteration:3"):
            begin, end = spans[name]
            for command in (["profile"], ["export", "timeline"]):
                with tempfile.TemporaryDirectory() as folder:
                    out = []
                    for n, words in enumerate((["--region", name],
                                               ["--from", str(begin), "--to", str(end)])):
                        path = pathlib.Path(folder) / f"{n}.csv"
                        harness.run(CLI, *command, SAMPLE, "--format", "csv", "-o", path, *words)
                        out.append(path.read_bytes())
                    self.assertEqual(*out)

    def test_compare(self):
        answer = harness.ask(CLI, "compare", SAMPLE, SMALL, "--region", "main")
        for run, told in zip((SAMPLE, SMALL), answer["runs"]):
            self.assertEqual((told["begin_ns"], told["end_ns"]),
                             self.spans(self.ask(run))["main"])

    def test_overlaid(self):
        spans = self.spans(self.ask(SAMPLE))
        chosen = ("iteration:3", "iteration:7")
        words = [w for n, name in enumerate(chosen) for w in ("--range-of", f"{n}={name}")]
        answer = harness.ask(CLI, "compare", SAMPLE, SAMPLE, *words)
        self.assertEqual([(r["begin_ns"], r["end_ns"]) for r in answer["runs"]],
                         [spans[name] for name in chosen])
        with tempfile.TemporaryDirectory() as folder:
            # The picture is of the first one's time, whole and alone.
            pictures = []
            for more in ([], ["--from", spans[chosen[0]][0], "--to", spans[chosen[0]][1]]):
                path = pathlib.Path(folder) / "over.svg"
                done = harness.run(CLI, "export", "compare-time-profile", SAMPLE, SAMPLE, *words,
                           "--time-scale", "own", "-o", path, *more)
                self.assertEqual(done.code, 0, done.err)
                pictures.append(path.read_bytes())
            self.assertEqual(*pictures)
        for text, code in (("0=iteration:99", 1), ("0=", 2), ("9=main", 2), ("0=1ms..x", 2)):
            done = harness.run(CLI, "compare", SAMPLE, SAMPLE, "--range-of", text)
            self.assertEqual((text, done.code), (text, code), done.err)

    def test_counted(self):
        """An axis that counts from the begin of an iteration; what lies outside of it is pale."""
        begin, end = self.spans(self.ask(SAMPLE))["iteration:3"]
        part = ["--from", str(begin), "--to", str((begin + end) // 2)]
        with tempfile.TemporaryDirectory() as folder:
            pictures = []
            for words in ([], ["--count-from", "iteration:3"],
                          ["--count-from", f"{begin}ns..{end}ns"],
                          ["--count-from", f"{begin}ns..{begin + 1000}ns"]):
                path = pathlib.Path(folder) / "part.svg"
                done = harness.run(CLI, "export", "timeline", SAMPLE, *part, "-o", path, *words)
                self.assertEqual(done.code, 0, done.err)
                pictures.append(path.read_bytes())
            self.assertEqual(pictures[1], pictures[2])
            self.assertEqual(len(set(pictures)), 3)
            for text, code in (("iteration:99", 1), ("5s..6s", 2), ("1ms..x", 2), ("", 2)):
                done = harness.run(CLI, "export", "timeline", SAMPLE, "-o", path,
                                   "--count-from", text)
                self.assertEqual((text, done.code), (text, code), done.err)

    def test_refusals(self):
        done = harness.run(CLI, "profile", SAMPLE, "--region", "phase:9")
        self.assertEqual(done.code, 1)
        for word in ("phase:9", "main", "startup", "iteration:12"):
            self.assertIn(word, done.err)
        for words in (["--from", "1ms"], ["--phase", "1"]):
            done = harness.run(CLI, "profile", SAMPLE, "--region", "main", *words)
            self.assertEqual(done.code, 2)
        self.assertEqual(harness.run(CLI, "replay", SAMPLE, "--region", "main").code, 2)

    def made(self, *more):
        """Two PEs that run the application from 100 to 900 us and the runtime before; @more are
        records of PE 0 and PE 1."""
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            (folder / "r.sts").write_text(REGION_STS)
            for pe in (0, 1):
                records = [(10, f"2 0 1 10 -1 {pe} 0 0 0 0 0 0 0"), (20, f"3 0 1 20 -1 {pe} 0 0"),
                           (100 + pe, f"2 0 0 {100 + pe} -1 {pe} 0 0 0 0 0 0 0"),
                           (900 + pe, f"3 0 0 {900 + pe} -1 {pe} 0 0")]
                records += [(time + pe, text.format(t=time + pe, u=time + pe + 5, pe=pe))
                            for time, text in more]
                lines = ["6 0"] + [text for _, text in sorted(records)] + ["7 1000"]
                (folder / f"r.{pe}.log").write_text(
                    f"PROJECTIONS-RECORD {len(lines)}\n" + "\n".join(lines) + "\n")
            return self.ask(folder)

    def test_application(self):
        spans = self.spans(self.made())
        self.assertEqual(spans, {"startup": (0, 100000), "main": (100000, 901000),
                                 "shutdown": (901000, 1000000)})

    def test_notes(self):
        answer = self.made(*((t, "28 {t} 11 iteration %d" % n) for n, t in
                             ((1, 200), (2, 300), (3, 500))))
        spans = self.spans(answer)
        self.assertEqual([spans[f"iteration:{n}"] for n in (1, 2, 3)],
                         [(200000, 300000), (300000, 500000), (500000, 901000)])

    def test_many_notes(self):
        """Of more notes than 10,000 those with the lowest numbers count, on whichever PE."""
        answer = self.made(*((200 + n // 10, "28 {t} 16 iteration {pe}%05d" % n)
                             for n in range(6000)))
        count = {e["kind"]: e["count"] for e in answer["evidence"]}
        self.assertEqual(count["iteration"], 10000)
        numbers = [r["number"] for r in answer["regions"] if r["kind"] == "iteration"]
        self.assertTrue(100000 <= max(numbers) < 104000, max(numbers))

    def test_named_event(self):
        answer = self.made(*((t, "13 10 {t} 1 {pe}") for t in (200, 300, 500)))
        spans = self.spans(answer)
        self.assertEqual([spans[f"iteration:{n}"] for n in (1, 2, 3)],
                         [(200000, 300000), (300000, 500000), (500000, 501000)])

    def test_numbered_events(self):
        answer = self.made(*((t, "13 %d {t} 1 {pe}" % e) for t, e in ((200, 11), (400, 12))))
        spans = self.spans(answer)
        self.assertEqual(spans["iteration:7"], (200000, 201000))
        self.assertEqual(spans["iteration:8"], (400000, 401000))

    def test_balancing(self):
        answer = self.made(*(one for t in (910, 930) for one in (
            (t, "2 0 2 {t} -1 {pe} 0 0 0 0 0 0 0"), (t + 5, "3 0 2 {t} -1 {pe} 0 0"))))
        spans = self.spans(answer)
        self.assertEqual(spans["lb:1"], (910000, 916000))
        self.assertEqual(spans["lb:2"], (930000, 936000))
        self.assertEqual(spans["main"], (100000, 901000))

    def test_nothing_repeats(self):
        count = {e["kind"]: e["count"] for e in self.made()["evidence"]}
        self.assertEqual(count, {"main": 1, "phase": 0, "lb": 0, "iteration": 0})


if __name__ == "__main__":
    unittest.main(verbosity=2)
