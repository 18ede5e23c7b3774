# SPDX-License-Identifier: GPL-3.0-or-later
"""The plan and the counts of the series, without a run. Usage: test-series.py SOURCE-ROOT"""
import collections
import math
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(sys.argv[1]) / "tests" / "support"))
sys.dont_write_bytecode = True
import cases  # noqa: E402
import harness  # noqa: E402
import series  # noqa: E402
import verdicts  # noqa: E402


def check_plan():
    """As many runs as the protocol asks for, each with a name of its own, in the order of its
    seed."""
    c = harness.Compare()
    state = {"only": list(cases.CASES), "series": "counted", "votes": 10, "undisturbed": 300,
             "references": 7, "seed": 1}
    plan = series.make_plan(state)
    kinds = collections.Counter(task["kind"] for task in plan)
    c.equal("disturbed", kinds["disturbed"], 500)
    c.equal("undisturbed", kinds["undisturbed"], 300)
    c.equal("beside compilers", sum(bool(task.get("compilers")) for task in plan), 100)
    c.equal("names", len({series.name_of(task) for task in plan}), len(plan))
    c.equal("the same again", [series.name_of(task) for task in plan],
            [series.name_of(task) for task in series.make_plan(state)])
    blocks = [series.block_of(task, len(state["only"])) for task in plan
              if task["kind"] != "reference"]
    c.equal("blocks", (blocks == sorted(blocks), set(blocks)),
            (True, {*range(10), series.LAST_BLOCK}))
    beside = collections.Counter((task["case"], bool(task.get("compilers"))) for task in plan
                                 if task["kind"] == "undisturbed")
    c.equal("of each program", [case for case in cases.CASES
                                if not 10 <= beside[case, True] <= 20
                                or not 25 <= beside[case, False] <= 35], [])
    c.true("another seed", series.make_plan({**state, "seed": 2}) != plan)
    seen = {(task["case"], task["variant"]) for task in plan if task["kind"] == "disturbed"}
    c.equal("variants", seen, {(name, variant) for name, case in cases.CASES.items()
                               for variants in case.disturb.get("counted", {}).values()
                               for variant in variants})
    return c.problems


def check_programs():
    """What is counted was not tuned with, and has a strength for all its configurations; a decoy
    has words for all series of its case."""
    c = harness.Compare()
    sources = {name: {case.programs[name].source for case in cases.CASES.values()
                      if name in case.programs} for name in cases.SERIES}
    c.equal("in two series", sum(map(len, sources.values())), len(set().union(*sources.values())))
    c.equal("known to no series", {path.name for path in cases.HERE.glob("*.c")}
            - set().union(*sources.values()), set())
    c.equal("files", [program.path for case in cases.CASES.values()
                      for program in case.programs.values()
                      if program.is_ours and not program.path.is_file()], [])
    for name, case in cases.CASES.items():
        for kind in cases.SERIES[1:]:
            for mpi, ranks in series.CONFIGURATIONS[name]:
                for strength, variants in case.disturb.get(kind, {}).items():
                    for variant in variants:
                        c.true(f"{name}, {kind}, {mpi}, {ranks}",
                               case.level(kind, strength, variant, mpi, ranks) is not None)
    c.equal("decoys", [name for name, decoy in cases.DECOYS.items()
                       if set(decoy.words) not in (set(), set(cases.CASES[decoy.case].programs))],
            [])
    table = cases.make_table(1 << 12)
    c.equal("table", [int.from_bytes(table[at:at + 8], sys.byteorder) for at in (0, 8)],
            [0x9e3779b97f4a7c15, 0x3c6ef372fe94f82a])
    return c.problems


def check_bounds():
    """0 of 168 is less than 1.8 %, 0 of 300 less than 1 %."""
    c = harness.Compare()
    for wrong, n, percent in ((0, 168, 1.77), (0, 300, 0.99), (0, 60, 4.87), (1, 168, 2.79),
                              (5, 32, None)):
        p = verdicts.bound(wrong, n)
        c.true(f"{wrong} of {n}", percent is None or abs(p * 100 - percent) < 0.06)
        few = sum(math.comb(n, k) * p ** k * (1 - p) ** (n - k) for k in range(wrong + 1))
        c.true(f"{wrong} of {n} or fewer", abs(few - 0.05) < 1e-6)
    return c.problems


def check_attempts():
    """What failed or had no effect is made again; a run counts by its last attempt."""
    c = harness.Compare()
    task = {"kind": "disturbed", "case": "library", "mpi": "mpich", "ranks": 2}
    lines = [{**task, "kind": "reference", "name": f"r{i}", "signal": i} for i in (3, 5, 4)]
    lines.append({**task, "kind": "reference", "name": "r9", "failed": "it hung"})
    for signal, void in ((3.9, True), (4, True), (4.1, False)):
        line = {**task, "name": "d-0", "signal": signal}
        series.mark_void(lines, line)
        c.equal(f"signal {signal}", line["void"], void)
        lines.append(line)
    c.equal("attempts", series.attempts_of(lines)["d-0"], (3, True))
    c.equal("until then", series.attempts_of(lines[:-1])["d-0"], (2, False))
    c.equal("what failed", series.attempts_of(lines)["r9"], (1, False))
    c.equal("a vote has what counts", [line["signal"] for line in verdicts.group_votes(lines)["d"]],
            [4.1])
    return c.problems


def finding(name, layer, state="likely"):
    return {"id": name, "layer": layer, "state": state, "cost_ns": 1, "share": 0.5}


def check_verdicts():
    """Right is the wanted cause, before all others outside of the program; foreign load is none."""
    c = harness.Compare()
    task = {"case": "library", "variant": "busy", "kind": "disturbed"}
    wanted = finding("lib.allreduce", "library")
    for what, findings, right in (
            ("alone", [wanted], True),
            ("behind the program and load", [finding("app.collective-waits", "application"),
                                             finding("os.cpu", "system"), wanted], True),
            ("a hint", [finding("lib.allreduce", "library", "possible")], False),
            ("behind another", [finding("net.slow", "hardware"), wanted], False),
            ("before another", [wanted, finding("net.slow", "hardware")], True),
            ("nothing", [], False)):
        verdict = {}
        verdicts.judge_disturbed(verdict, task, findings)
        c.equal(what, verdict["right"], right)
    verdict = {}
    verdicts.judge_undisturbed(verdict, {"case": "library"}, [
        finding("os.cpu", "system"), finding("net.slow", "hardware", "possible"),
        finding("app.input-output", "application")])
    c.equal("undisturbed", (verdict["wrong"], verdict["load"], verdict["surprise"]),
            (["net.slow"], ["os.cpu"], ["app.input-output"]))
    return c.problems


def main():
    tap = harness.Tap()
    for check in (check_plan, check_programs, check_bounds, check_attempts, check_verdicts):
        tap.check(check.__name__[6:], check)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
