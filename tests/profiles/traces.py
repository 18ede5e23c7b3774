# SPDX-License-Identifier: GPL-3.0-or-later
"""Profiles made of recorded traces, of the whole run and of ranges, against the answer
of profile, which is made in another way (of sums of the track, and of totals); and their
paths against their functions.

Usage: traces.py KYMO-CLI SOURCE-ROOT
"""
import collections
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import harness  # noqa: E402

STATES = ("idle", "overhead", "untraced")


def by_name(activities):
    """Sums of functions of one name; states by kind."""
    sums = collections.Counter()
    for a in activities:
        key = a["kind"] if a["kind"] in STATES else a["name"]
        if a["kind"] != "event":
            sums[key, "exclusive"] += a["exclusive_ns"]
            sums[key, "calls"] += a["calls"] if a["kind"] not in STATES else 0
    return {key: value for key, value in sums.items() if value}


def of_metrics(answer):
    sums = {}
    for a in answer["activities"]:
        if a["kind"] != "path":
            key = a["kind"] if a["kind"] in STATES else a["name"]
            sums[key, "exclusive"] = a["exclusive"]["total"]
            sums[key, "calls"] = a["calls"]["total"]
    return {key: value for key, value in sums.items() if value}


def check_sums(c, program, run, *words):
    whole = harness.ask(program, "profile", run, *words)
    made = harness.ask(program, "profile", run, "--metric", "TIME", *words)
    c.equal(f"sums {words}", of_metrics(made), by_name(whole["activities"]))
    total = sum(a["exclusive"]["total"] for a in made["activities"] if a["kind"] != "path")
    c.equal(f"span {words}", total, whole["span_ns"])


def check_paths(c, program, run):
    """However paths are cut, all that functions have is on them, but for roots."""
    made = harness.ask(program, "thread", run, "--of", "total")
    flat = {f["name"]: f for f in made["functions"] if f["kind"] not in STATES}
    tree = harness.ask(program, "calltree", run)
    for key in ("exclusive", "calls"):
        sums = collections.Counter()
        for node in tree["nodes"]:
            if node["kind"] not in STATES:
                sums[node["name"]] += node[key]
        c.equal(f"tree {key}", {n: v for n, v in sums.items() if v},
                {n: f[key] for n, f in flat.items() if f[key]})
    for node in tree["nodes"]:
        if node["parent"] >= 0:
            above = tree["nodes"][node["parent"]]
            c.true("inclusive", node["inclusive"] <= above["inclusive"])
    pairs = harness.ask(program, "calltree", run, "--callpath-depth", "2")
    c.equal("pairs", sum(n["exclusive"] for n in pairs["nodes"] if n["known"]),
            sum(n["exclusive"] for n in tree["nodes"]))


def check_run(program, run):
    c = harness.Compare()
    info = harness.ask(program, "info", run)
    if "intervals" not in info["capabilities"]:
        return []
    begin, end = info["begin_ns"], info["end_ns"]
    third = (end - begin) // 3
    check_sums(c, program, run)
    check_sums(c, program, run, "--from", begin + third, "--to", end - third)
    check_sums(c, program, run, "--from", begin + third + 12345, "--to", begin + 2 * third,
               "--locations", "0-1")
    check_paths(c, program, run)
    if "phases" in info["capabilities"]:
        check_phases(c, program, run, info)
    return c.problems


def exclusive_of(program, run, begin, end):
    """What ran in a range; nothing where it is empty."""
    if begin >= end:
        return {}
    part = harness.ask(program, "profile", run, "--from", begin, "--to", end)
    return {name: value for (name, key), value in by_name(part["activities"]).items()
            if key == "exclusive"}


def check_phases(c, program, run, info):
    """A phase that is a stretch of time has what each location did between its own marks:
    at most what ran from the first of them to the last, at least what ran where all were
    in it; and nothing is in two phases."""
    answer = harness.ask(program, "phases", run, "--of", "total")
    c.true("phases", answer["phases"])
    spans = info.get("phases", [])
    if not spans:
        return
    c.equal("names", [p["name"] for p in answer["phases"]],
            [f"Phase {p['phase']}" for p in spans])
    values = {f["kind"] if f["kind"] in STATES else f["name"]:
              [v or 0 for v in f["values"]] for f in answer["functions"]}
    total = exclusive_of(program, run, info["begin_ns"], info["end_ns"])
    for name, row in values.items():
        c.true(f"{name} in one phase", sum(row) <= total.get(name, 0))
    for i, span in enumerate(spans):
        outer = exclusive_of(program, run, span["begin_ns"], span["end_ns"])
        inner = exclusive_of(program, run,
                             spans[i - 1]["end_ns"] if i > 0 else info["begin_ns"],
                             spans[i + 1]["begin_ns"] if i + 1 < len(spans) else 0)
        for name in values.keys() | inner.keys():
            value = values.get(name, [0] * len(spans))[i]
            c.true(f"phase {i} of {name}: {inner.get(name, 0)} <= {value} <= "
                   f"{outer.get(name, 0)}", inner.get(name, 0) <= value <= outer.get(name, 0))


def main():
    program, root = sys.argv[1:3]
    tap = harness.Tap()
    with harness.kept_runs():
        for name, folder, _ in harness.cases(root):
            tap.check(name, check_run, program, folder)
        for name, folder in harness.tau_cases(root):
            if name.startswith("trace-") and (folder / "tautrace.0.0.0.trc").is_file():
                tap.check(name, check_run, program, folder)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
