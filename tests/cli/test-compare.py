#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test-compare.py KYMO-CLI SOURCE-ROOT: comparing runs. Figures are those that
`profile` and `time-profile` tell of each run alone, put together here by name
once more; then noise, alignment, exit codes, and the text in 80 columns."""
import os
import pathlib
import sys
import tempfile
import unittest

CLI = os.path.abspath(sys.argv.pop(1))
SOURCE = pathlib.Path(sys.argv.pop(1))
sys.path.insert(0, str(SOURCE / "tests" / "support"))
import harness  # noqa: E402

DATA = SOURCE / "tests" / "data"
A, B, C = (DATA / name for name in
           ("feat-p4-text", "feat-notracenested-p4", "feat-p4-outlierphases"))
TRACE, PROFILE = DATA / "tau" / "trace-stencil-4", DATA / "tau" / "flat-stencil-4"
STATES = {"idle", "overhead", "untraced"}


def by_name(run, *options):
    """Calls and time by name and whether it is an event; overloads are summed."""
    profile = harness.ask(CLI, "profile", run, *options)
    sums = {}
    for one in profile["activities"]:
        key = one["name"], one["kind"] == "event"
        calls, ns = sums.get(key, (0, 0))
        known = calls is not None and one["calls"] is not None
        sums[key] = calls + one["calls"] if known else None, ns + one["exclusive_ns"]
    return profile, sums


def refusal(code, *arguments):
    result = harness.run(CLI, "compare", *arguments, "--quiet")
    assert (result.code, result.out) == (code, b""), result
    assert len(result.err.splitlines()) == 1, result.err
    return result.err


class Compare(unittest.TestCase):
    def check(self, first, second, *options):
        answer = harness.ask(CLI, "compare", first, second, *options)
        sides = [by_name(run, *options) for run in (first, second)]
        met = set()
        for one in answer["activities"]:
            key = one["name"], one["kind"] == "event"
            met.add(key)
            for side, (_, sums) in enumerate(sides):
                calls, ns = sums.get(key, (0, 0))
                self.assertEqual(one["exclusive_ns"][side], ns, key)
                if one["kind"] not in STATES:
                    self.assertEqual(one["calls"][side], calls, key)
                    self.assertEqual(one["mean_ns"][side], ns // calls if calls else None)
            self.assertEqual(one["difference_ns"],
                             one["exclusive_ns"][1] - one["exclusive_ns"][0])
            self.assertFalse(one["has_noise"] or one["is_noise"])
        self.assertEqual(met, set(sides[0][1]) | set(sides[1][1]))
        sizes = [abs(one["difference_ns"]) for one in answer["activities"]]
        self.assertEqual(sizes, sorted(sizes, reverse=True))
        for total in answer["totals"]:
            if total["name"] != "elapsed":
                self.assertEqual(total["total_ns"],
                                 [p[f"{total['name']}_ns"] for p, _ in sides])
        parts = sum(one["difference_ns"] for one in answer["activities"]
                    if one["kind"] != "event")
        whole = {t["name"]: t["difference_ns"] for t in answer["totals"]}["span"]
        self.assertEqual(parts, whole)
        return answer

    def test_figures(self):
        self.check(A, B)
        self.check(A, DATA / "jacobi2d-sum-p8")
        answer = self.check(A, SOURCE / "data" / "sample")
        self.assertTrue(answer["pes_differ"])
        self.assertEqual([s["pes"] for s in answer["sides"]], [4, 8])
        for one in answer["activities"]:
            self.assertTrue(all(abs(one["per_pe_ns"][i] * pes - one["exclusive_ns"][i]) <= 8
                                for i, pes in enumerate((4, 8))), one)
        self.check(A, B, "--locations", "1-2")

    def test_mirrored(self):
        there, back = (harness.ask(CLI, "compare", *runs)["activities"]
                       for runs in ((A, B), (B, A)))
        self.assertEqual({o["name"]: o["difference_ns"] for o in there},
                         {o["name"]: -o["difference_ns"] for o in back})

    def test_itself(self):
        answer = harness.ask(CLI, "compare", A, A, "--repeat-of-b", A, "--repeat-of", "a=" + str(A))
        for one in answer["activities"] + answer["totals"]:
            self.assertEqual((one["difference_ns"], one["noise_ns"]), (0, 0))
            self.assertTrue(one["has_noise"] and one["is_noise"])
        self.assertEqual([s["n_runs"] for s in answer["sides"]], [2, 2])
        for scale in "shared", "own":
            for one in harness.ask(CLI, "compare", A, A, "--bins", "7",
                                   "--time-scale", scale)["series"]:
                self.assertEqual(one["difference_ns"], [0] * 7)

    def test_series(self):
        answer = harness.ask(CLI, "compare", A, B, C)
        self.assertEqual([s["label"] for s in answer["sides"]], ["A", "B", "C"])
        first = answer["sides"][0]["elapsed_ns"]
        for side in answer["sides"]:
            self.assertAlmostEqual(side["speed_up"], first / side["elapsed_ns"])
        self.assertEqual({o["trend"] for o in answer["activities"]}
                         - {"growing", "shrinking", "steady", "insignificant"}, set())
        against = harness.ask(CLI, "compare", A, B, C, "--against", "b")
        alone = harness.ask(CLI, "compare", A, B)
        self.assertEqual({o["name"]: o["difference_ns"] for o in alone["activities"]},
                         {o["name"]: o["difference_ns"] for o in against["activities"]
                          if o["name"] in {p["name"] for p in alone["activities"]}})

    def test_time(self):
        """Shared bins are moved stretches of each run."""
        answer = harness.ask(CLI, "compare", A, B, "--bins", "5", "--align", "phase 1")
        offset = answer["runs"][1]["offset_ns"]
        phases = [next(p for p in harness.ask(CLI, "info", run)["phases"] if p["phase"] == 1)
                  for run in (A, B)]
        self.assertEqual(offset, phases[1]["begin_ns"] - phases[0]["begin_ns"])
        edges = answer["edges_ns"]
        for i in range(1, 3):
            for run, key, by in (A, "a_ns", 0), (B, "b_ns", offset):
                _, sums = by_name(run, "--from", f"{edges[i] + by}ns",
                                  "--to", f"{edges[i + 1] + by}ns")
                for one in answer["series"]:
                    self.assertEqual(one[key][i], sums.get((one["name"], False), (0, 0))[1])

    def test_phase(self):
        answer = harness.ask(CLI, "compare", A, B, "--phase", "1")
        for side, run in enumerate((A, B)):
            _, sums = by_name(run, "--phase", "1")
            for one in answer["activities"]:
                key = one["name"], one["kind"] == "event"
                self.assertEqual(one["exclusive_ns"][side], sums.get(key, (0, 0))[1])

    def test_align(self):
        runs = harness.ask(CLI, "compare", A, A, "--align", "offsets 0,5ms")["runs"]
        self.assertEqual([r["offset_ns"] for r in runs], [0, 5_000_000])
        for how in "start", "end", "phase 2", "block A1::work #3", "marker nested ids #2":
            runs = harness.ask(CLI, "compare", A, A, "--align", how)["runs"]
            self.assertEqual([r["offset_ns"] for r in runs], [0, 0], how)
        self.assertIn("A1::nothing", refusal(1, A, B, "--align", "block A1::nothing"))
        self.assertIn("A: the run has no phase 9", refusal(1, A, B, "--align", "phase 9"))
        self.assertIn("sideways", refusal(2, A, B, "--align", "sideways"))
        refusal(2, A, B, "--align", "offsets 1ms")
        for far in "9223372036s", "-9223372036s", "9000001s":
            self.assertIn("104 days", refusal(2, A, B, "--align", f"offsets 0,{far}"))
        span = harness.ask(CLI, "compare", A, A, "--bins", "3", "--align",
                           "offsets 0,-9000000s")
        self.assertGreater(span["end_ns"] - span["begin_ns"], 9_000_000 * 10**9)

    def test_family(self):
        """A trace with a profile: functions of both, in nanoseconds."""
        answer = harness.ask(CLI, "compare", TRACE, PROFILE)
        self.assertTrue(answer["is_family"])
        one = next(o for o in answer["activities"] if o["name"] == "MPI_Waitall()")
        figures = [next(o for o in harness.ask(CLI, "profile", run, "--metric", "TIME")
                        ["activities"] if o["shown"] == "MPI_Waitall()")
                   for run in (TRACE, PROFILE)]
        self.assertEqual(one["calls"], [f["calls"]["total"] for f in figures])
        self.assertEqual(one["exclusive_ns"], [figures[0]["exclusive"]["total"],
                                               figures[1]["exclusive"]["total"] * 1000])
        refusal(1, TRACE, PROFILE, "--bins", "5")

    def test_info(self):
        facts = {f["key"]: f for f in harness.ask(CLI, "compare", A, B, "--info")["facts"]}
        self.assertEqual(facts["program"]["values"], ["feat", "feat"])
        self.assertFalse(facts["program"]["differs"])
        self.assertTrue(facts["command_line"]["differs"])
        self.assertEqual(facts["paths"]["values"], [None, "yes"])

    def test_bounds(self):
        for bound, code in ("0", 1), ("10000%", 0):
            result = harness.run(CLI, "compare", B, A, "--max-growth", bound,
                                 "--min-effect", "0.1%", "--quiet")
            self.assertEqual(result.code, code, result.out.decode())
            self.assertEqual(b"BROKEN" in result.out, code == 1)
        # Twice the same on each side is noise without width, one each is none.
        result = harness.run(CLI, "compare", A, A, "--max-growth", "0", "--quiet")
        self.assertEqual(result.code, 0)
        # What lies inside the band breaks no bound.
        broken = harness.run(CLI, "compare", B, A, "--repeat-of-a", C, "--repeat-of-b", C,
                             "--max-growth", "0", "--format", "json", "--quiet")
        noise = {o["name"] for o in broken.json["activities"] if o["is_noise"]}
        self.assertTrue(noise)
        self.assertFalse(noise & {o["name"] for o in broken.json["broken"]
                                  if o["what"] == "activity"})

    def test_text(self):
        for options in [], ["--repeat-of-a", C], [C], ["--info"], ["--bins", "6"]:
            result = harness.run(CLI, "compare", A, B, *options, "--quiet")
            self.assertEqual(result.code, 0, result.err)
            lines = result.out.decode().splitlines()
            self.assertLessEqual(max(map(len, lines)), 80, options)
        csv = harness.run(CLI, "compare", A, B, "--format", "csv", "--quiet").out.decode()
        self.assertIn("# activities\nname,kind,group", csv)

    def test_reduced(self):
        """Of a reduced run figures of all PEs, where asked for; the other has its own."""
        full = SOURCE / "data" / "sample"
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder) / "reduced"
            harness.ask(CLI, "reduce", full, out, "-k", "2", "--outliers", "1")
            answer = harness.ask(CLI, "compare", full, out, "--extrapolate")
            self.assertEqual([r["extrapolated"] for r in answer["runs"]], [False, True])
            self.assertEqual([r["pes"] for r in answer["runs"]], [8, 8])
            _, sums = by_name(out, "--extrapolate")
            for one in answer["activities"]:
                self.assertEqual(one["exclusive_ns"][1],
                                 sums.get((one["name"], one["kind"] == "event"), (0, 0))[1])
        refusal(1, A, B, "--extrapolate")

    def test_pictures(self):
        with tempfile.TemporaryDirectory() as folder:
            for view in "compare-activities", "compare-time-profile", "compare-series":
                for ending in "png", "csv":
                    path = pathlib.Path(folder) / f"{view}.{ending}"
                    result = harness.run(CLI, "export", view, A, B, C, "-o", path, "--against",
                                         "B", "--phase", "1", "--quiet")
                    self.assertEqual(result.code, 0, result.err)
                    self.assertGreater(path.stat().st_size, 500)
            out = pathlib.Path(folder) / "none.svg"
            for arguments in (["compare-series", A], ["timeline", A, B]):
                result = harness.run(CLI, "export", *arguments, "-o", out, "--quiet")
                self.assertEqual(result.code, 2, result.err)
            self.assertFalse(out.exists())

    def test_usage(self):
        refusal(2, A)
        refusal(2, A, B, "--against", "C")
        refusal(2, A, B, "--repeat-of", "C=x")
        refusal(2, A, B, "--info", "--bins", "4")
        refusal(2, A, B, "--info", "--max-growth", "1%")
        refusal(1, A, DATA / "nowhere")


if __name__ == "__main__":
    unittest.main()
