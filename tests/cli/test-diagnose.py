#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test-diagnose.py KYMO-CLI SOURCE-ROOT: what limits a run: causes against figures of other
questions, the order in which rules are tested, own rules, references, votes, exit codes."""
import os
import pathlib
import re
import shutil
import sys
import tempfile
import unittest

CLI = os.path.abspath(sys.argv.pop(1))
SOURCE = pathlib.Path(sys.argv.pop(1))
sys.path.insert(0, str(SOURCE / "tests" / "support"))
import binary_log  # noqa: E402
import harness  # noqa: E402
import make_record  # noqa: E402

SAMPLE = SOURCE / "data" / "sample"
STENCIL = SOURCE / "tests" / "data" / "tau" / "trace-stencil-4"
REPEATED = SOURCE / "tests" / "data" / "v10-feat-p3-text"
INCOMPLETE = SOURCE / "tests" / "data" / "jacobi2d-traceprocs-p6"
TEXT = SOURCE / "tests" / "data" / "feat-p4-text"
WORKERS = SOURCE / "tests" / "data" / "tau" / "trace-mw-8"
PROFILE = SOURCE / "tests" / "data" / "tau" / "flat-stencil-4"
PUBLISHED = SOURCE / "data" / "rules" / "published-nfs.rules"

HEAD = "[Kymo Rules]\nversion=1\n"
SLOW = """[expectation floor]
value=1 ns
basis=made
[metric m]
title=Made
csv=m
fold=max
unit=ms
"""


def diagnose(*words):
    return harness.run(CLI, "diagnose", *words, "--no-cache", "--quiet", "--format", "json")


def lost_blocks(path):
    """By (begin, end, processor time) of each block of a text log, in us: for how long it had no
    processor, the blocks inside it left out; of those of 20 us and more that lost more than
    rounding."""
    lost, stack = {}, [[0, 0, 0, 0, 0]]
    for line in path.read_text().split("\n"):
        f = line.split()
        if line.startswith("2 "):
            stack.append([int(f[3]), int(f[-1]), 0, 2, f[2]])
        elif line.startswith("3 ") and len(stack) > 1:
            begin, cpu, inner, slack, entry = stack.pop()
            wall, used = int(f[3]) - begin, None if cpu is None else int(f[7]) - cpu
            if wall < 20:
                stack[-1][3] += wall
            elif used is None or used < 0 or entry != f[2]:
                stack[-1][1] = None
            else:
                stack[-1][2] += wall - used
                stack[-1][3] += slack
                if wall - used - inner > slack:
                    lost[(begin, int(f[3]), used)] = min(wall - used - inner, wall)
        elif line.startswith(("7 ", "12 ")):
            del stack[1:]
        elif line.startswith("14 ") and len(stack) > 1:
            stack[-1][1] = None
    return lost


class Diagnose(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.place = pathlib.Path(self.folder.name)

    def tearDown(self):
        self.folder.cleanup()

    def write(self, name, text):
        path = self.place / name
        path.write_text(text)
        return path

    def found(self, *words):
        return {f["id"]: f for f in diagnose(*words).json["findings"]}

    # -- figures ---------------------------------------------------------------------

    def test_charm(self):
        """Idle time is what usage tells of the main part, shared among PEs."""
        found = self.found(SAMPLE)["app.dependencies"]
        rows = harness.ask(CLI, "usage", SAMPLE, "--region", "main", "--no-cache",
                           "--workers-only")["locations"]
        mean = sum(r["idle_ns"] for r in rows) / len(rows)
        self.assertAlmostEqual(found["cost_ns"], mean, delta=1)
        useful = [r["useful_ns"] for r in rows]
        self.assertEqual(found["locations"], [rows[useful.index(max(useful))]["location"]])
        main = next(r for r in harness.ask(CLI, "regions", SAMPLE, "--no-cache")["regions"]
                    if r["region"] == "main")
        self.assertEqual((found["begin_ns"], found["end_ns"]), (main["begin_ns"], main["end_ns"]))
        self.assertAlmostEqual(found["share"],
                               found["cost_ns"] / (main["end_ns"] - main["begin_ns"]), 3)

    def test_reduced(self):
        """Figures of a run that was reduced with weights are estimates for the whole run; of a run
        of which a runtime cut logs means are of the PEs with records."""
        few = self.place / "few"
        harness.run(CLI, "reduce", SAMPLE, few)
        answer = diagnose(few).json
        estimate = harness.ask(CLI, "profile", few, "--region", "main", "--no-cache",
                               "--workers-only", "--extrapolate")
        self.assertEqual(answer["parallel_efficiency"], estimate["parallel_efficiency"])
        self.assertEqual((answer["kept"], answer["stands_for"]),
                         (estimate["extrapolated_from"], estimate["stands_for"]))
        self.assertLess(answer["kept"], answer["stands_for"])
        text = harness.run(CLI, "diagnose", few, "--no-cache", "--quiet").out.decode()
        self.assertIn(f"estimates for {answer['stands_for']} locations", text)

        cut = self.place / "cut"
        shutil.copytree(REPEATED, cut)
        log = cut / "feat.proj.2.log"
        lines = log.read_text().split("\n")
        log.write_text("\n".join([*lines[:2], lines[-2], ""]))
        rows = harness.ask(CLI, "usage", cut, "--region", "main", "--no-cache")["locations"]
        self.assertEqual([r["untraced_ns"] == r["span_ns"] for r in rows], [False, False, True])
        metrics = harness.ask(CLI, "diagnose", cut, "--explain", "app.dependencies",
                              "--no-cache")["metrics"]
        idle = next(m for m in metrics if m["metric"] == "idle.mean")
        self.assertAlmostEqual(idle["value"], sum(r["idle_ns"] for r in rows) / 2, delta=1)

    def test_losses(self):
        """That a run lacks logs the answer says as the load report does; of others nothing."""
        answer, text = diagnose(INCOMPLETE), harness.run(CLI, "diagnose", INCOMPLETE, "--no-cache")
        issues = harness.ask(CLI, "info", INCOMPLETE, "--no-cache")["report"]["issues"]
        self.assertEqual(answer.json["losses"], sum(x["severity"] == "lost" for x in issues))
        self.assertTrue(text.out.decode().startswith("This run is incomplete (1 problem)\n"))
        self.assertNotIn("losses", diagnose(TEXT).json)

    def test_once(self):
        """A cause that one rule found is not called excluded because another rule did not."""
        answer = diagnose(TEXT).json
        titles = {x["title"] for x in answer["findings"]}
        self.assertTrue(titles & {x["title"] for x in answer["excluded"]})
        text = harness.run(CLI, "diagnose", TEXT, "--no-cache", "--quiet").out.decode()
        excluded = text.partition("\nExcluded:\n")[2].partition("\n\n")[0]
        self.assertTrue(excluded)
        self.assertFalse(titles & {x.split(":")[0].strip() for x in excluded.split("\n")})

    def test_stretched(self):
        """Blocks that last longer than a PE had a CPU waited for one, at least the difference."""
        begin, end = [], []
        short = self.place / "short"
        shutil.copytree(REPEATED, short)
        for pe in range(3):
            log = short / f"feat.proj.{pe}.log"
            lines = log.read_text().split("\n")
            begin.append(int(next(x for x in lines if x.startswith("2 ")).split()[-1]))
            ends = [i for i, line in enumerate(lines) if line.startswith("3 ")]
            end.append(int(lines[ends[-1]].split()[7]))
            for i in ends:
                fields = lines[i].split()
                lines[i] = " ".join([*fields[:7], str(begin[pe] + 1000 + pe), *fields[8:]])
            log.write_text("\n".join(lines))
        told = [row["cpu_ns"] for row in harness.ask(CLI, "info", REPEATED,
                                                     "--no-cache")["location_list"]]
        self.assertEqual(told, [(e - b) * 1000 for b, e in zip(begin, end)])
        self.assertNotIn("os.stretched-run", self.found(REPEATED))
        self.assertNotIn("os.stretched-blocks", self.found(short))
        found = self.found(short)["os.stretched-run"]
        useful = harness.ask(CLI, "profile", short, "--region", "main",
                             "--no-cache")["useful_mean_ns"]
        self.assertEqual(found["cost_ns"], useful - 1001000)
        for kept, words in ((False, ()), (True, ("--locations", "0-1"))):
            answer = diagnose(short, *words).json
            self.assertEqual("os.stretched-run" in {u["id"] for u in answer["untested"]}, kept)

    def test_stretched_blocks(self):
        """What blocks lost is exactly what their records say, of each PE and entry method, and the
        worst block is named; of a damaged log nothing is."""
        answer = harness.ask(CLI, "stretched", REPEATED, "--no-cache", "--limit", "1000")
        logs = [lost_blocks(REPEATED / f"feat.proj.{pe}.log") for pe in range(3)]
        self.assertEqual([(r["blocks"], r["excess_ns"]) for r in answer["locations"]],
                         [(len(lost), sum(lost.values()) * 1000) for lost in logs])
        self.assertGreater(sum(map(len, logs)), 50)
        self.assertEqual({(b["location"], b["begin_ns"] // 1000, b["end_ns"] // 1000,
                           b["cpu_ns"] // 1000): b["excess_ns"] // 1000 for b in answer["blocks"]},
                         {(pe, *key): us for pe in range(3) for key, us in logs[pe].items()})
        self.assertEqual(sum(n["excess_ns"] for n in answer["names"]),
                         sum(r["excess_ns"] for r in answer["locations"]))
        worst = answer["blocks"][0]
        found = self.found(REPEATED)["os.stretched-blocks"]
        self.assertIn(worst["label"], found["says"])
        self.assertIn(worst["location"], found["locations"])
        self.assertEqual(found["blocks"],
                         [{key: worst[key] for key in ("location", "begin_ns", "end_ns")}])
        for cut in (0, worst["excess_ns"] // 2, worst["excess_ns"]):
            part = harness.ask(CLI, "stretched", REPEATED, "--no-cache", "--from",
                               f"{worst['begin_ns'] + cut}ns", "--to", f"{worst['end_ns']}ns")
            row = next(r for r in part["locations"] if r["location"] == worst["location"])
            self.assertEqual(row["excess_ns"], worst["excess_ns"] - cut)
        text = harness.ask(CLI, "stretched", TEXT, "--no-cache", "--limit", "1000")
        self.assertEqual([r["excess_ns"] for r in text["locations"]],
                         [sum(lost_blocks(TEXT / f"feat.proj.{pe}.log").values()) * 1000
                          for pe in range(4)])
        for order in "<>":
            twin = self.place / f"binary{order}"
            shutil.copytree(TEXT, twin)
            binary_log.encode_run(twin, order)
            told = harness.ask(CLI, "stretched", twin, "--no-cache", "--limit", "1000")
            self.assertEqual([told[key] for key in ("locations", "names", "blocks")],
                             [text[key] for key in ("locations", "names", "blocks")])
        reduced = self.place / "reduced"
        self.assertEqual(harness.run(CLI, "reduce", REPEATED, reduced, "-k", "1", "--outliers", "1",
                                     "--quiet").code, 0)
        rows = harness.ask(CLI, "stretched", reduced, "--no-cache")["locations"]
        self.assertLess(len(rows), 3)
        for row in rows:
            self.assertIn(row, answer["locations"])
        untested = {u["id"] for u in diagnose(reduced).json["untested"]}
        self.assertLessEqual({"os.stretched-blocks", "os.stretched-run"}, untested)
        damaged = self.place / "damaged"
        shutil.copytree(REPEATED, damaged)
        log = damaged / "feat.proj.1.log"
        lines = log.read_text().split("\n")
        log.write_text("\n".join([*lines[:40], "2 ?!", *lines[40:]]))
        rows = harness.ask(CLI, "stretched", damaged, "--no-cache")["locations"]
        self.assertEqual([r["location"] for r in rows], [0, 2])

    def test_ranks(self):
        """Waits for late receivers are those that waiting tells, shared among ranks, less the
        imbalance that they contain."""
        answer = diagnose(WORKERS).json
        found = {f["id"]: f for f in answer["findings"]}
        waits = harness.ask(CLI, "waiting", WORKERS, "--region", "main", "--no-cache")
        kinds = {k["kind"]: k["ns"] for k in waits["kinds"]}
        imbalance = found["app.imbalance"]["cost_ns"]
        self.assertAlmostEqual(found["app.late-receiver"]["cost_ns"] + imbalance,
                               kinds["late-receiver"] / 8, delta=2)
        profile = harness.ask(CLI, "profile", WORKERS, "--region", "main", "--no-cache")
        evidence = {e["metric"]: e for f in answer["findings"] for e in f["evidence"]}
        self.assertAlmostEqual(evidence["transfer.efficiency"]["value"],
                               profile["transfer_efficiency"], 9)
        self.assertEqual(evidence["ideal"]["value"], profile["ideal_ns"])
        costs = [f["cost_ns"] for f in answer["findings"]]
        self.assertEqual(costs, sorted(costs, reverse=True))
        self.assertTrue(all(f["state"] == "likely" for f in answer["findings"]
                            if f["share"] >= 0.1))

    def test_untested(self):
        """What a profile does not tell is untested with what is missing, and never excluded."""
        answer = diagnose(PROFILE).json
        untested = {u["id"]: u["needs"] for u in answer["untested"]}
        self.assertEqual(untested["app.late-sender"], "a trace of messages between ranks")
        self.assertEqual([e["id"] for e in answer["excluded"]],
                         ["app.imbalance", "app.communication"])
        self.assertEqual(answer["tested"], 3)
        ids = [f["id"] for part in ("findings", "excluded", "untested") for f in answer[part]]
        self.assertEqual(len(ids), len(set(ids)))

    def test_range(self):
        """A range that is asked replaces the main part."""
        answer = diagnose(STENCIL, "--from", "0s", "--to", "1s").json
        self.assertEqual(answer["begin_ns"], 0)
        shorter = diagnose(STENCIL, "--region", "iteration:2").json
        self.assertLess(shorter["wall_ns"], answer["wall_ns"])
        self.assertEqual([diagnose(STENCIL).json["part"], answer["part"], shorter["part"]],
                         ["main", "whole", "range"])

    # -- what is known already ---------------------------------------------------------

    def test_acknowledged(self):
        """A cause that is known is listed apart with its note, fails nothing, and comes back."""
        cause = "app.dependencies"
        # The blocks of the sample wait for CPUs, too: that is no matter here.
        rules = self.write("without.rules", HEAD + "[diagnosis os.stretched-blocks]\nlayer=system\n"
                           "title=Off\nsays=Off\nadvice=None\nwhen=wall < 1 ns\n"
                           "cost=wall\n")
        def ask(*words):
            return harness.run(CLI, "diagnose", SAMPLE, *words, "--rules", rules, "--no-cache",
                               "--quiet", "--format", "json",
                               env={"XDG_DATA_HOME": self.folder.name})
        before = ask("--fail")
        self.assertEqual((before.code, before.json["acknowledged"]), (1, []))
        (told,) = [f for f in before.json["findings"] if f["id"] == cause]
        after = ask("--fail", "--acknowledge", cause, "--note", "Known: eight PEs on two cores")
        self.assertEqual(after.code, 0, after.err)
        self.assertEqual(after.json["findings"],
                         [f for f in before.json["findings"] if f["id"] != cause])
        (known,) = after.json["acknowledged"]
        self.assertRegex(known.pop("when"), r"^\d{4}-\d\d-\d\dT.*Z$")
        self.assertEqual(known, {**told, "note": "Known: eight PEs on two cores"})
        self.assertEqual(ask("--fail").json, after.json)
        # Once more without a note keeps the note; an empty one takes it away.
        for words, note in (((), "Known: eight PEs on two cores"), (("--note", ""), ""),
                            (("--note", "Known: eight PEs on two cores"),) * 2):
            (again,) = ask("--acknowledge", cause, *words).json["acknowledged"]
            self.assertEqual(again["note"], note[1] if isinstance(note, tuple) else note)
        text = harness.run(CLI, "diagnose", SAMPLE, "--rules", rules, "--no-cache", "--quiet",
                           env={"XDG_DATA_HOME": self.folder.name}).out.decode()
        self.assertIn("Acknowledged:\n  PEs wait for work although loads are equal: ", text)
        self.assertIn(". Known: eight PEs on two cores\n", text)
        # Because of other rows it is another cause.
        (kept,) = (self.place / "kymo" / "acknowledged").iterdir()
        whole = kept.read_text()
        kept.write_text(re.sub("locations=.*", "locations=0-1", whole))
        self.assertEqual(ask("--fail").code, 1)
        kept.write_text(whole)
        wrong = ask("--acknowledge", "app.imbalance")
        self.assertEqual(wrong.code, 2)
        self.assertIn("“app.imbalance” is no cause that was found", wrong.err)
        self.assertEqual(ask("--withdraw", cause, "--fail").json, before.json)
        self.assertFalse(kept.exists())
        self.assertIn("is not acknowledged", ask("--withdraw", cause).err)

    def test_acknowledged_damaged(self):
        """What is no such file, or of another version, acknowledges nothing."""
        harness.run(CLI, "diagnose", SAMPLE, "--no-cache", "--quiet", "--acknowledge",
                    "app.dependencies", env={"XDG_DATA_HOME": self.folder.name})
        (kept,) = (self.place / "kymo" / "acknowledged").iterdir()
        for text in (b"\0\xff", b"", b"[Kymo Acknowledged]\nversion=2\n[Finding 1]\nrule=x\n",
                     b"[Kymo Acknowledged]\nversion=1\n[Finding 1]\nrule=" + b"x" * 300
                     + b"\n[Finding 2]\nrule=app.dependencies\nlocations=9-\n"):
            kept.write_bytes(text)
            told = harness.run(CLI, "diagnose", SAMPLE, "--no-cache", "--quiet", "--format", "json",
                               env={"XDG_DATA_HOME": self.folder.name})
            self.assertEqual((told.code, told.json["acknowledged"]), (0, []))

    # -- what changed ------------------------------------------------------------------

    def check_changed(self, a, b, *words):
        """Parts sum up to the times of both runs, and their differences to that of the times."""
        def compare(first, second):
            return harness.ask(CLI, "compare", first, second, *words, "--no-cache")
        answer, back = compare(a, b), compare(b, a)
        changed = answer["changed"]
        elapsed = next(row for row in answer["totals"] if row["name"] == "elapsed")["total_ns"]
        self.assertEqual([changed["a_ns"], changed["b_ns"]], elapsed)
        for key in ("a_ns", "b_ns", "difference_ns"):
            self.assertEqual(sum(cause[key] for cause in changed["causes"]), changed[key], key)
            self.assertTrue(key == "difference_ns"
                            or all(cause[key] >= 0 for cause in changed["causes"]))
        self.assertEqual({c["id"]: -c["difference_ns"] for c in changed["causes"]},
                         {c["id"]: c["difference_ns"] for c in back["changed"]["causes"]})
        return {c["id"]: c for c in changed["causes"]}

    def test_changed(self):
        data = SOURCE / "tests" / "data"
        causes = self.check_changed(data / "feat-p4-text", data / "feat-notracenested-p4")
        idle = self.found(data / "feat-p4-text")["app.dependencies"]["cost_ns"]
        self.assertEqual(causes["app.dependencies"]["a_ns"], idle)
        causes = self.check_changed(WORKERS, STENCIL)
        self.assertEqual(causes["app.start-up"]["a_ns"],
                         self.found(WORKERS)["app.start-up"]["cost_ns"])
        causes = self.check_changed(SAMPLE, SAMPLE, "--from", "500ms", "--to", "900ms")
        self.assertEqual({c["difference_ns"] for c in causes.values()}, {0})
        told = harness.run(CLI, "compare", WORKERS, STENCIL, "--no-cache", "--quiet").out.decode()
        self.assertRegex(told, r"\nB took \S+ ms less than A: \S+ ms in place of \S+ ms\.\n"
                         r"  Start-up and shutdown: −\S+ ms \(")

    def test_changed_repeats(self):
        """Repeats count as their mean, which still adds up."""
        data = SOURCE / "tests" / "data"
        answer = harness.ask(CLI, "compare", data / "feat-p4-text", data / "feat-notracenested-p4",
                             "--repeat-of-b", data / "feat-p4-outlierphases", "--no-cache")
        changed = answer["changed"]
        self.assertEqual(sum(c["difference_ns"] for c in changed["causes"]),
                         changed["difference_ns"])
        alone = [harness.ask(CLI, "compare", data / "feat-p4-text", data / run, "--no-cache")
                 ["changed"]["b_ns"] for run in ("feat-notracenested-p4", "feat-p4-outlierphases")]
        self.assertEqual(changed["b_ns"], sum(alone) // 2)

    # -- order -----------------------------------------------------------------------

    def published(self, **values):
        """The published example with these metrics: the order, and the findings."""
        names = {"App_readRate": 1000, "App_bytesRead": 100_000, "NFSc_readCount": 1000,
                 "NFSs_reqRate": 5000, "App_readTime": 0.05, **values}
        csv = self.write("m.csv", "time_ns," + ",".join(names) + "\n200000000,"
                         + ",".join(map(str, names.values())) + "\n")
        words = (STENCIL, "--from", "0s", "--rules", PUBLISHED, "--metrics-csv", csv)
        explained = diagnose(*words, "--explain", "NFSs_Bottleneck").json
        order = [(s["id"], s["value"]) for s in explained["order"] if s["id"][0].isupper()]
        return explained, order, self.found(*words)

    def test_published(self):
        explained, order, found = self.published()
        self.assertEqual(order, [
            ("App_LowReadRate", "true"), ("NFSc_LowReadRate", "true"), ("NFSc_ReadCount", "true"),
            ("NFSc_HighReadReqCount", "true"), ("NFSs_HighServerReqsToClientReqs", "true"),
            ("NFSs_Bottleneck", "true")])
        self.assertEqual(found["NFSs_Bottleneck"]["cost_ns"], 50_000_000)
        self.assertEqual(found["NFSs_Bottleneck"]["layer"], "system")
        self.assertEqual(explained["rule"].split(":")[0], "published-nfs.rules")

    def test_published_false(self):
        """Where the application reads fast nothing else is measured."""
        _, order, found = self.published(App_readRate=2e9)
        self.assertEqual(order, [("App_LowReadRate", "false"), ("NFSs_Bottleneck", "false")])
        self.assertNotIn("NFSs_Bottleneck", found)

    def test_published_client(self):
        """A client with large requests ends the chain: the server is not asked."""
        _, order, found = self.published(App_bytesRead=1e9)
        self.assertNotIn("NFSs_HighServerReqsToClientReqs", dict(order))
        self.assertEqual(dict(order)["NFSs_Bottleneck"], "false")
        self.assertNotIn("NFSs_Bottleneck", found)

    def test_queue(self):
        """Priority, then order in the file; a trigger that leads back ends."""
        rules = self.write("q.rules", HEAD + SLOW + "".join(
            f"[diagnosis {n}]\ntitle={n}\nwhen=m > floor\npriority={p}\n{t}"
            for n, p, t in (("Z", 5, ""), ("Y", 2, "triggers=X\n"), ("X", 1, "triggers=Y\n"),
                            ("W", 2, "triggers=V\n"), ("V", 9, ""), ("U", 2, ""))))
        csv = self.write("m.csv", "time_ns,m\n1,4\n")
        order = [s["id"] for s in diagnose(STENCIL, "--from", "0s", "--rules", rules,
                                           "--metrics-csv", csv, "--explain", "Z").json["order"]
                 if len(s["id"]) == 1]
        # X and Y only lead to each other, so nothing begins with them.
        self.assertEqual(order, ["W", "U", "Z", "V"])

    # -- own rules -------------------------------------------------------------------

    def test_own_rules_replace(self):
        own = self.write("own.rules", HEAD + "[expectation much]\nvalue=90 %\nbasis=mine\n")
        self.assertIn("app.dependencies", self.found(SAMPLE))
        answer = diagnose(SAMPLE, "--rules", own).json
        self.assertIn("app.dependencies", [e["id"] for e in answer["excluded"]])

    # -- references and votes --------------------------------------------------------

    RELATIVE = HEAD + """[metric t]
title=Elapsed
question=profile
value=elapsed_ns
unit=ns
[diagnosis slower]
layer=system
title=Slower than usual
when=exceeds (t)
cost=t - ref (t)
says=It took %{t}, usually %{t.usual}.
advice=Look around.
confirms=t > 2 * ref (t)
"""

    def made(self, name, **how):
        return make_record.make_solver(self.place / name, **how)

    def usual(self, n=5, **how):
        """Words for N reference runs, whose calls differ a little."""
        return [word for i in range(n) for word in (
            "--reference", self.made(f"usual-{i}", call=20_000 + 300 * i, **how))]

    def test_references(self):
        rules = self.write("r.rules", self.RELATIVE)
        usual = self.usual()
        words = ("--rules", rules, "--from", "0s")
        slow = self.made("slow", compute=4_000_000)
        few = diagnose(slow, *words, *usual[:8]).json
        self.assertIn(("slower", "at least 5 reference runs with the same work"),
                      [(u["id"], u["needs"]) for u in few["untested"]])
        self.assertEqual(few["reference"]["state"], "untested")
        one = diagnose(slow, *words, *usual).json
        wall = {r: harness.ask(CLI, "profile", r, "--no-cache")["elapsed_ns"]
                for r in (slow, usual[5])}
        found = next(f for f in one["findings"] if f["id"] == "slower")
        self.assertEqual((found["cost_ns"], found["state"]),
                         (wall[slow] - wall[usual[5]], "possible"))
        reference = one["reference"]
        self.assertEqual((reference["given"], reference["fitting"], reference["state"]),
                         (5, 5, "explained"))
        self.assertEqual((reference["wall_ns"], reference["usual_ns"]),
                         (wall[slow], wall[usual[5]]))
        same = diagnose(usual[1], *words, *usual).json
        self.assertIn("slower", [e["id"] for e in same["excluded"]])
        self.assertEqual(same["reference"]["state"], "usual")
        # Without that rule nothing explains why.
        bare = diagnose(slow, *usual)
        self.assertEqual(bare.json["reference"]["state"], "unknown")
        text = harness.run(CLI, "diagnose", slow, *usual, "--no-cache", "--quiet").out.decode()
        self.assertIn("The cause of most of it is not known.", text)

    def test_other_work(self):
        """References that did other work are told apart from runs that were disturbed."""
        usual = self.usual()
        for how, words in (({"rounds": 70}, "120 calls of MPI_Allreduce, not 140"),
                           ({"ranks": 3}, "2 rows, not 3"),
                           ({"message": 1 << 18}, "bytes of messages, not"),
                           ({"properties": [("Command.arguments", "solver;big;")]}, None)):
            answer = diagnose(self.made(f"other-{len(how)}-{words}", **how), *usual).json
            needs = {u["id"]: u["needs"] for u in answer["untested"]}.get("lib.allreduce")
            if words is None:
                self.assertEqual(answer["reference"]["fitting"], 5)
                continue
            self.assertIn("5 of 5 do not fit: ", needs)
            self.assertIn(words, needs)
            self.assertEqual((answer["reference"]["fitting"], answer["reference"]["state"]),
                             (0, "untested"))
        told = [("Command.arguments", "/usr/bin/solver;small;")]
        words = [word for i in range(5) for word in (
            "--reference", self.made(f"told-{i}", properties=told))]
        answer = diagnose(self.made("big", properties=[("Command.arguments", "solver;big;")]),
                          *words).json
        self.assertEqual(answer["reference"]["unfit"],
                         "arguments: “solver, small” is not “solver, big”")
        answer = diagnose(self.made("small", properties=[("Command.arguments", "solver;small;")]),
                          *words).json
        self.assertEqual(answer["reference"]["fitting"], 5)

    def test_votes(self):
        rules = self.write("r.rules", self.RELATIVE.replace("2 * ref", "1.1 * ref"))
        usual = self.usual()
        words = ["--rules", rules, "--from", "0s", *usual]
        slow = self.made("slow", compute=4_000_000)
        for n, state in (5, "certain"), (4, "certain"), (3, "likely"), (2, None):
            found = self.found(*[slow] * n, *[usual[1]] * (5 - n), *words).get("slower")
            self.assertEqual(found and (found["state"], found["votes"], found["runs"]),
                             state and (state, n, 5))

    # -- exits -----------------------------------------------------------------------

    def test_exits(self):
        self.assertEqual(diagnose(SAMPLE).code, 0)
        self.assertEqual(diagnose(SAMPLE, "--fail").code, 1)
        quiet = self.write("q.rules", HEAD + "".join(
            f"[diagnosis {i}]\ntitle=none\nwhen=1 > 2\n" for i in
            [x["id"] for part in ("findings", "excluded", "untested")
             for x in diagnose(SAMPLE).json[part]]))
        self.assertEqual(diagnose(SAMPLE, "--rules", quiet, "--fail").code, 4)
        self.assertEqual(diagnose().code, 2)
        self.assertEqual(diagnose(SAMPLE, "--explain", "nothing").code, 2)

    def test_csv(self):
        for text, words in (("", "empty"), ("a,b\n", "m.csv:1: the first line"),
                            ("time_ns,m\n1,2\n3\n", "m.csv:3: a line has another number"),
                            ("time_ns,m\nx,2\n", "m.csv:2: a time"),
                            ("time_ns,m,m\n1,2,3\n", "m.csv:1: two columns have the same name"),
                            ("time_ns,m\n1,nan\n", "m.csv:2: a value")):
            result = diagnose(SAMPLE, "--metrics-csv", self.write("m.csv", text))
            self.assertEqual(result.code, 1)
            self.assertIn(words, result.err)
        self.assertEqual(diagnose(SAMPLE, "--note", "lost").code, 2)

    def test_no_part(self):
        """A range outside of the run is no answer, and samples outside of it are no value."""
        result = diagnose(STENCIL, "--from", "100s")
        self.assertEqual(result.code, 1)
        self.assertIn("the range holds nothing of “", result.err)
        rules = self.write("late.rules", HEAD + SLOW + "[diagnosis d]\ntitle=D\nwhen=m > floor\n")
        told = diagnose(STENCIL, "--rules", rules, "--metrics-csv",
                        self.write("late.csv", "time_ns,m\n99000000000,4\n"), "--explain", "d").json
        self.assertEqual(told["needs"], "values of “m” with times in the range that is asked")

    def test_own_rules(self):
        """Files of the person's configuration override by name, the later one wins; a fault in
        them is told with file and line."""
        rules = self.place / "kymo" / "rules"
        rules.mkdir(parents=True)
        strict = "[Kymo Rules]\nversion=1\n[expectation good-efficiency]\nvalue={} %\nbasis=b\n"
        words = (CLI, "diagnose", SAMPLE, "--no-cache", "--quiet", "--format", "json")
        for name, value, is_true in (("a.rules", 99, True), ("b.rules", 50, False)):
            (rules / name).write_text(strict.format(value))
            answer = harness.run(*words, env={"XDG_CONFIG_HOME": str(self.place)}).json
            why = {e["id"]: e["why"] for e in answer["excluded"]}["app.imbalance"]
            self.assertEqual(why.startswith("it is true, but costs only "), is_true)
        (rules / "c.rules").write_text("[Kymo Rules]\nversion=1\n[diagnosis x]\nwhen=nothing > 1\n")
        result = harness.run(*words, env={"XDG_CONFIG_HOME": str(self.place)})
        self.assertEqual(result.code, 2)
        self.assertIn("c.rules:", result.err)

    def test_text(self):
        result = harness.run(CLI, "diagnose", SAMPLE, "--no-cache", "--quiet")
        efficiency, _, first = result.out.decode().split("\n")[:3]
        answer = diagnose(SAMPLE).json
        self.assertAlmostEqual(answer["parallel_efficiency"],
                               answer["load_balance"] * answer["communication_efficiency"])
        self.assertIn(f"Parallel efficiency {answer['parallel_efficiency']:.1%}".replace("%", " %"),
                      efficiency)
        self.assertTrue(efficiency.endswith(" (main part, without start-up and shutdown)"))
        self.assertRegex(first, r"^1\. .+: .+ \(.+ %\), (likely|possible)$")
        self.assertIn("   Advice: ", result.out.decode())
        self.assertIn("\nExcluded:\n", result.out.decode())
        self.assertIn("\nNot tested, needs:\n", result.out.decode())


if __name__ == "__main__":
    unittest.main()
