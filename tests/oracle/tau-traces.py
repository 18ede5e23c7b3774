# SPDX-License-Identifier: GPL-3.0-or-later
"""Every recorded trace of TAU, as files of threads and merged, against its
oracle.json; the two forms, the four layouts and different numbers of cores
against each other; totals against the profile of the same run.

Usage: tau-traces.py KYMO-CLI SOURCE-ROOT
"""
import json
import os
import pathlib
import shutil
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import harness  # noqa: E402

SINGLE = ("TauTraceClockOffsetStart", "TauTraceClockOffsetEnd")
QUESTIONS = (("profile", "--per-location"), ("usage",), ("communication",),
             ("time-profile", "--bins", "37"), ("messages", "--limit", "100000"),
             ("histogram", "--of", "duration", "--min", "0", "--max", "1000000",
              "--bins", "20"))


def order(name):
    return tuple(map(int, name.split(".")))


def check_info(program, run, truth):
    c = harness.Compare()
    info = harness.ask(program, "info", run)
    threads = truth["threads"]
    c.equal("kind", (info["kind"], info["format"]), ("trace", "tau-trace"))
    c.equal("records", info["records"], truth["records"])
    c.equal("span", (info["begin_ns"], info["end_ns"]),
            (0, (truth["last_ts"] - truth["first_ts"]) * 1000))
    c.equal("locations", info["locations"], len(threads))
    c.equal("intervals", info["intervals"],
            sum(e["calls"] for t in threads.values() for e in t["events"].values()))
    c.equal("messages", info["messages"], sum(n for n, _ in truth["sent"].values()))
    c.equal("issues", info["report"]["issues"], [])
    return c.problems


def check_profile(program, run, truth):
    c = harness.Compare()
    profile = harness.ask(program, "profile", run, "--per-location")
    names = {a["id"]: a["name"] for a in profile["activities"] if a["kind"] == "function"}
    each = profile["per_location"]
    threads = [truth["threads"][name] for name in sorted(truth["threads"], key=order)]
    c.equal("locations", len(each), len(threads))
    for got, thread in zip(each, threads):
        who = got["label"]
        c.equal(f"{who}: span", (got["begin_ns"], got["end_ns"]),
                tuple((thread[k] - truth["first_ts"]) * 1000 for k in ("first", "last")))
        c.equal(who, {names[a["id"]]: (a["blocks"], a["exclusive_ns"])
                      for a in got["activities"] if a["kind"] == "function"},
                {name.rstrip(): (e["calls"], e["excl_us"] * 1000)
                 for name, e in thread["events"].items()})
    sums = {}
    for thread in threads:
        for name, e in thread["events"].items():
            calls, inclusive, group = sums.get(name.rstrip(), (0, 0, ""))
            sums[name.rstrip()] = (calls + e["calls"], inclusive + e["incl_us"] * 1000,
                                   e["group"])
    c.equal("totals", {a["name"]: (a["calls"], a["inclusive_ns"], a["group"])
                       for a in profile["activities"]
                       if a["kind"] == "function" and a["calls"]}, sums)
    parts = sum(profile[k] for k in ("busy_ns", "idle_ns", "overhead_ns", "untraced_ns"))
    c.equal("parts and span", parts, profile["span_ns"])
    return c.problems


def check_messages(program, run, truth):
    c = harness.Compare()
    got = harness.ask(program, "communication", run)
    c.equal("matched", got["matched"], truth["matched_fifo_per_src_dst_tag_comm"])
    c.equal("received", {f"{m['from']}>{m['to']}": [m["messages"], m["bytes"]]
                         for m in got["matrix"]}, truth["received"])
    sent = {}
    for pair, (n, size) in truth["sent"].items():
        before = sent.get(int(pair.split(">")[0]), (0, 0))
        sent[int(pair.split(">")[0])] = (before[0] + n, before[1] + size)
    c.equal("sent", {s["location"]: (s["records"], s["bytes"]) for s in got["sent"]
                     if s["records"]}, sent)
    return c.problems


def samples_of(truth, metrics):
    """{name: (samples, sum)} over all threads."""
    sums = {}
    for events in truth["user_events"].values():
        for name, e in events.items():
            if " | " in name or name in metrics:
                continue
            n = e["records"] if name in SINGLE else e["records"] // 3
            before = sums.get(name.rstrip(), (0, 0))
            sums[name.rstrip()] = (before[0] + n, before[1] + e["raw_sum"])
    return sums


def check_user_events(program, run, truth):
    c = harness.Compare()
    info = harness.ask(program, "info", run)
    expected = samples_of(truth, info["metrics"])
    got = harness.ask(program, "user-events", run)["user_events"]
    c.equal("points", info["points"], sum(n for n, _ in expected.values()))
    c.equal("samples", {e["name"]: (e["count"], round(e["mean"] * e["count"])) for e in got},
            expected)
    return c.problems


def check_metadata(program, run, folder):
    """Metadata are facts of the run where all processes agree on them."""
    c = harness.Compare()
    told = {}
    for path in folder.glob("events.*.edf"):
        for line in path.read_text(errors="replace").splitlines():
            name = line[line.find('"') + 1:line.rfind('"')]
            if " | " in name:
                key, value = name.split(" | ", 1)
                told.setdefault(key, set()).add(value)
    facts = harness.ask(program, "info", run)["run"]
    known = {"Executable": "program", "Command Line": "command_line", "Username": "user",
             "Hostname": "host", "OS Machine": "machine", "Local Time": "timestamp",
             "TAU Version": "runtime_version"}
    c.equal("facts", facts, {known.get(k, k): next(iter(v)) for k, v in told.items()
                             if len(v) == 1})
    return c.problems


def answers(program, run, *args):
    return [harness.ask(program, question[0], run, *question[1:], *args)
            for question in QUESTIONS]


def check_same(program, run, other, *args):
    c = harness.Compare()
    for question, a, b in zip(QUESTIONS, answers(program, run),
                              answers(program, other, *args)):
        c.equal(question[0], a, b)
    return c.problems


def check_totals(program, folder):
    """Of the same run TAU wrote a profile: to the microsecond, but for what it counts
    otherwise (it has no function for its own flushing)."""
    c = harness.Compare()
    (oracle,) = json.loads((folder / "oracle-profile.json").read_text())
    profile = harness.ask(program, "profile", folder)
    got = {a["name"]: a for a in profile["activities"] if a["kind"] == "function"}
    for name, truth in oracle["events"].items():
        if " => " in name or got.get(name.rstrip(), {}).get("calls", 0) == 0:
            continue
        mine = got[name.rstrip()]
        c.equal(f"{name}: calls", mine["calls"], truth["calls"]["total"])
        slack = truth["calls"]["total"] * 1000 + got.get("FLUSH", {}).get("exclusive_ns", 0)
        difference = abs(mine["inclusive_ns"] - truth["inclusive"]["total"] * 1000)
        c.true(f"{name}: inclusive differs by {difference} ns", difference <= slack)
    c.true("no function is in both", len(got) > 3)
    return c.problems


def check_layouts(program, folder, twin):
    """Each layout is the merged trace that it was made of."""
    problems = []
    for base in ("le24", "be24", "le32", "be32"):
        problems += check_same(program, twin / "tau.trc", folder / f"{base}.trc")
    return problems


def check_cut(program, folder):
    with tempfile.TemporaryDirectory() as place:
        for path in (folder / "truncated-le24.trc", folder / "tau.edf"):
            shutil.copy(path, place)
            os.utime(pathlib.Path(place) / path.name, (1e9, 1e9))
        return check_cut_in(program, pathlib.Path(place))


def check_cut_in(program, folder):
    c = harness.Compare()
    info = harness.ask(program, "info", folder / "truncated-le24.trc")
    told = {i["what"]: i["severity"] for i in info["report"]["issues"]}
    c.equal("records", info["records"], 9685 // 24)
    c.equal("complete", info["report"]["complete"], False)
    c.equal("cut", told.get("The last record is cut off and lost"), "lost")
    c.equal("end", told.get("The trace ends without its closing records: the end of the run is "
                            "missing"), "lost")
    strict = harness.run(program, "info", folder / "truncated-le24.trc", "--strict", "--quiet")
    c.equal("exit", strict.code, 3)
    return c.problems


def check_growing(program, folder):
    """Where something was written just now a trace without its end may get it."""
    c = harness.Compare()
    old, fresh = ("The trace ends without its closing records: the end of the run is missing",
                  "The trace has no closing records yet: it is still being written, or its "
                  "program was killed just now")
    with tempfile.TemporaryDirectory() as place:
        run = pathlib.Path(place)
        for path in folder.glob("*.*"):
            if path.name.startswith(("tautrace.", "events.")):
                shutil.copy(path, run)
        whole = harness.ask(program, "info", run)
        cut = run / "tautrace.1.0.0.trc"
        cut.write_bytes(cut.read_bytes()[:-100 * 24 - 5])
        for age, said in ((0, fresh), (3600, old)):
            for path in run.iterdir():
                os.utime(path, (time.time() - age, time.time() - age))
            info = harness.ask(program, "info", run)
            told = [i["what"] for i in info["report"]["issues"]]
            c.true(f"{age}: {told}", said in told and len(told) == 2)
            c.equal("records", info["records"], whole["records"] - 101)
    return c.problems


def check_choice(program, folder):
    """Which form of a run is read: of threads before merged, unless a file is named;
    several runs are listed."""
    c = harness.Compare()
    with tempfile.TemporaryDirectory() as place:
        run = pathlib.Path(place)
        for path in folder.iterdir():
            if path.suffix in (".trc", ".edf") and path.name != "tautrace.0.0.0.trc":
                shutil.copy(path, run)
        n = len(list(run.glob("tautrace.*.trc")))
        for name, locations in ((".", n), ("events.0.edf", n), ("tautrace.0.0.1.trc", n),
                                ("tau.trc", n + 1), ("tau.edf", n + 1)):
            c.equal(name, harness.ask(program, "info", run / name)["locations"], locations)
        c.equal("base", harness.ask(program, "info", run, "--base", "tau")["locations"], n + 1)
        for path in run.glob("tautrace.*"):
            path.unlink()
        c.equal("merged alone", harness.ask(program, "info", run)["locations"], n + 1)
        shutil.copy(run / "tau.trc", run / "other.trc")
        several = harness.run(program, "info", run)
        c.equal("several", (several.code, "other, tau" in several.err), (1, True))
        (run / "tau.trc").unlink()
        (run / "other.trc").unlink()
        none = harness.run(program, "info", run)
        c.equal("none", (none.code, none.err.count("\n")), (1, 1))
    return c.problems


def main():
    program, root = sys.argv[1], pathlib.Path(sys.argv[2])
    tap = harness.Tap()
    folders = dict(harness.tau_cases(root))
    for name, folder in folders.items():
        oracle = folder / "oracle.json"
        truth = json.loads(oracle.read_text()) if oracle.is_file() else {}
        if "merged" not in truth:
            continue
        for form, run in (("threads", folder), ("merged", folder / "tau.trc")):
            for check in (check_info, check_profile, check_messages, check_user_events):
                tap.check(f"{name} {form} {check.__name__[6:]}", check, program, run,
                          truth["merged"])
            tap.check(f"{name} {form} metadata", check_metadata, program, run, folder)
        tap.check(f"{name} merged is threads", check_same, program, folder, folder / "tau.trc")
        tap.check(f"{name} cores", check_same, program, folder, folder / "tau.trc",
                  "--threads", "3")
        if (folder / "oracle-profile.json").is_file():
            tap.check(f"{name} totals", check_totals, program, folder)
    layouts, twin = folders["trace-layouts"], folders["trace-threads-2x3"]
    tap.check("layouts", check_layouts, program, layouts, twin)
    tap.check("cut", check_cut, program, layouts)
    tap.check("growing", check_growing, program, folders["trace-stencil-4"])
    tap.check("choice", check_choice, program, twin)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
