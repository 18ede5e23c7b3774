# SPDX-License-Identifier: GPL-3.0-or-later
"""Answers and pictures that must not change by accident: digests of the JSON
of every question and of the filled shapes of every SVG (text is left out: its
outlines are the fonts' business), against golden.json. Each picture is also
made twice and must be the same to the byte.

Usage: golden.py KYMO-CLI SOURCE-ROOT [--update]
After a change that is meant: run with --update, look at what moved, commit.
"""
import hashlib
import json
import pathlib
import re
import shutil
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
sys.dont_write_bytecode = True
import harness  # noqa: E402

STORE = pathlib.Path(__file__).with_name("golden.json")
RANGE = ["--from", "100ms", "--to", "200ms"]
RUNS = {"sample": "data/sample", "feat": "tests/data/feat-p4-text",
        "nested": "tests/data/v10-feat-p3-text",
        "reduced": "tests/data/feat-p4-outlierphases",
        "summary": "tests/data/jacobi2d-sum-p8",
        "detailed": "tests/data/jacobi2d-sumbins-p4",
        "stream": "tests/data/streams/leanmd-p6.kymostream"}
QUESTIONS = {
    "profile": ["profile", "--per-location"],
    "usage": ["usage"],
    "time-profile": ["time-profile", "--bins", "40"],
    "histogram": ["histogram", "--preset", "grain"],
    "sizes": ["histogram", "--of", "message-size", "--max", "10000"],
    "communication": ["communication"],
    "communication-time": ["communication-time", "--bins", "40"],
    "communication-locations": ["communication-locations", "--join", *RANGE],
    "call-table": ["call-table", "--join"],
    "messages": ["messages", "--limit", "50", *RANGE],
    "events": ["events", "--limit", "200"],
    "timeline": ["timeline", "--width", "200"],
    "timeline-rows": ["timeline", "--width", "64", "--rows", "2"],
    "part": ["profile", *RANGE],
    "short": ["profile", "--from", "30ms", "--to", "70.5ms"],
    "busiest": ["busiest"],
    "bars": ["time-profile", "--bar", "50ms", "--from", "0.42s", "--to", "1.03s"],
    "replies": ["replies"],
    "places": ["clusters", "-k", "3", "--x", "principal-1", "--y", "idle"],
    "extrema": ["extrema", "--by", "most-idle", "--stacked", "--kept", "-k", "3"],
}
SUMMARIES = ("summary", "detailed", "stream")
OF_STREAMS = ("profile", "usage", "time-profile", "short", "busiest", "bars", "replies")
OF_SUMMARIES = (*OF_STREAMS[:5], "places", "extrema")
# PEs 0, 2 and 3 of 6, with weights as if a reduction had kept them.
WEIGHED = "tests/data/jacobi2d-traceprocs-p6"
NOTE = """[Reduction]
version=1
processors=6
pes=6
kept=0;2;3;
[Weights]
0=1.000000
2=3.234567
3=1.765433
[Error]
begin_ns=0
end_ns=1000000000
bars=100
time_profile=0.021
[Error of entries]
idle=100;90;
"""
OF_WEIGHED = ("profile", "usage", "time-profile", "histogram", "sizes", "communication", "part",
              "busiest")
# Of answers about which PEs matter what the contract names.
CHOICES = {
    "info": (["info"], ("begin_ns", "end_ns", "records", "intervals", "messages", "points",
                        "activities", "busy_ns", "useful_ns"), ()),
    "clusters": (["clusters", "-k", "3", "--keep", "50%"], ("clusters", "kept", "rounds"),
                 ("size", "representative", "outliers", "members")),
    "scaled": (["clusters", "-k", "2-4", "--scale", "stddev", "--with", "idle,messages"],
               ("k", "clusters", "kept"), ("size", "representative", "outliers", "members")),
    "further": (["clusters", "-k", "3", "--quota", "spread", "--union", "idle,messages",
                 "--critical-path"], ("clusters", "kept"),
                ("size", "representative", "outliers", "members")),
    "path": (["critical-path", "--limit", "20"], ("path_ns", "locations", "activities", "steps"),
             ("location", "id", "path_ns", "message_ns", "begin_ns", "end_ns")),
    "why": (["explain", "--of", "1"], ("of", "reasons"),
            ("id", "difference_ns", "calls", "calls_of_all", "waiting_ns", "location",
             "begin_ns")),
    "busy": (["extrema", "--by", "busy", "--count", "3"], ("extrema",),
             ("location", "value_ns")),
    "bytes": (["extrema", "--by", "bytes-sent", "--count", "3"], ("extrema",),
              ("location", "value_bytes")),
}
# One recording is enough for these; RUN is where its path stands.
ALONE = (
    ("sample search", "data/sample", "search", "RUN", "Cell", "--limit", "20"),
    ("sample chain", "data/sample", "chain", "RUN", "--location", "1", "--at", "900ms"),
    ("feat clocks", "tests/data/feat-p4-text", "clocks", "RUN"),
    ("functions collectives", "tests/data/tau/trace-stencil-4", "collectives", "RUN"))
OF_REDUCED = ("clusters", "kept", "weights", "bytes_before")
OF_QUALITY = ("pes", "pes_kept", "bars_compared", "bars")
VIEWS = ("timeline", "time-profile", "usage", "histogram", "profile",
         "communication")
OF_TRAFFIC = ("communication-time", "communication-locations", "communication-graph",
              "call-table", "message-graph")
OF_PROFILES = {
    "callpath": ("tests/data/tau/callpath-deep-4",
                 ("thread-bars", "function-bars", "function-threads-histogram", "icicle",
                  "calltree", "call-graph", "thread", "threads", "thread-scatter", "profile",
                  "user-events")),
    "phases": ("tests/data/tau/phase-8", ("phases", "icicle")),
    "functions": ("tests/data/tau/trace-stencil-4",
                  ("thread-bars", "call-graph", "communication", "waiting", "waiting-matrix",
                   "counters", *OF_TRAFFIC)),
    "feat": ("tests/data/feat-p4-text", ("counters", *OF_TRAFFIC))}
OF_COMPARED = ("compare-activities", "compare-time-profile", "compare-series")
COMPARED = ("tests/data/feat-notracenested-p4", "--repeat-of-a",
            "tests/data/feat-p4-outlierphases")
OF_MESSAGES = (
    ("critical-path", "critical-path"),
    ("messages-all", "timeline", "--messages", "all"),
    ("messages-single", "timeline", "--messages", "all", "--from", "1.2s", "--to", "1.2001s"),
    ("messages-block", "timeline", "--messages", "block", "--location", "0", "--at", "1.2005s"))
OVER_TIME = (
    ("feat user-events-time", "feat-p4-text", "light", "user-events-time"),
    ("ampi user-events-time", "ampi-jacobi-p4-gz", "dark", "user-events-time", "--of", "time"),
    ("feat counter-map", "feat-p4-text", "light", "counter-map", "--name", "temperature"),
    ("functions counter-map", "tau/trace-stencil-4", "dark", "counter-map", "--name",
     "Message size for all-reduce", "--statistic", "last"),
    ("callpath focus", "tau/callpath-deep-4", "light", "icicle", "--function", "MPI_Barrier()"),
    ("nested focus", "v10-feat-p3-text", "dark", "flame-graph", "--function", "A4::inl"),
    ("callpath focus table", "tau/callpath-deep-4", "light", "calltree", "--function", "fib"))
OF_PES = ("extrema", "clusters", "scatter", "distances")
# Commands that answer no question about one run, or that other tests know.
NO_QUESTIONS = {"attach", "cache", "check", "convert", "desk", "export", "extract", "fetch",
                "filter", "hosts", "metrics", "recover", "replay"}
# What nothing above names is asked of these, where they answer.
COMMON = {"sample": "data/sample", "functions": "tests/data/tau/trace-stencil-4"}


def digest(data):
    return hashlib.sha256(data).hexdigest()[:16]


def shapes(svg):
    """Every filled path outside of the glyph definitions, in order."""
    found = []

    def walk(element):
        name = element.tag.rpartition("}")[2]
        if name == "defs":
            return
        style = element.get("style", "")
        if name in ("path", "rect") and "fill:none" not in style:
            found.append(f"{style} {element.get('d', '')}")
        for child in element:
            walk(child)

    walk(ElementTree.fromstring(svg))
    if len(found) < 3:
        raise AssertionError(f"only {len(found)} shapes")
    return "\n".join(found).encode()


def weighed(root, scratch):
    folder = pathlib.Path(scratch) / "weighed"
    if not folder.exists():
        shutil.copytree(root / WEIGHED, folder)
        (folder / "jacobi2d.proj.kymo").write_text(NOTE)
    return folder


def picture(program, view, folder, scratch, theme, *more):
    path = pathlib.Path(scratch) / f"{view}.svg"
    result = harness.run(program, "export", view, folder, "-o", path, "--size",
                         "1000x600", "--theme", theme, "--quiet", *more)
    if result.code != 0:
        raise AssertionError(result.err)
    return path.read_bytes()


def compared(root):
    return [one if one.startswith("--") else root / one for one in COMPARED]


def answers(program, root, scratch):
    for name, more in ("compare", []), ("time", ["--bins", "20"]):
        answer = harness.ask(program, "compare", root / RUNS["feat"], *compared(root), *more)
        answer.pop("changed", None)     # by the rules of diagnosis, which tests of their own hold
        yield f"compared {name}", json.dumps(answer, sort_keys=True).encode()
    for name in OF_WEIGHED:
        answer = harness.ask(program, *QUESTIONS[name], weighed(root, scratch), "--extrapolate")
        yield f"weighed {name}", json.dumps(answer, sort_keys=True).encode()
    for name, folder, *question in ALONE:
        answer = harness.ask(program, *(root / folder if word == "RUN" else word
                                        for word in question))
        yield name, json.dumps(answer, sort_keys=True).encode()
    for run, folder in RUNS.items():
        for name, question in QUESTIONS.items():
            if run in SUMMARIES:
                if name not in (OF_STREAMS if run == "stream" else OF_SUMMARIES):
                    continue
            elif name in ("short", "replies"):
                continue
            answer = harness.ask(program, *question, root / folder)
            yield f"{run} {name}", json.dumps(answer, sort_keys=True).encode()


def part_of(answer, keys, members=None):
    """Some keys, and of their lists of objects some members."""
    found = {}
    for key in keys:
        value = answer[key]
        if isinstance(value, list) and value and isinstance(value[0], dict) and members:
            value = [{m: one[m] for m in members if m in one} for one in value]
        found[key] = value
    return json.dumps(found, sort_keys=True).encode()


def choices(program, root, scratch):
    """Which PEs matter; a reduced run and how good it is."""
    for run in ("sample", "feat", "nested"):
        folder, out = root / RUNS[run], pathlib.Path(scratch) / run
        for name, (question, keys, members) in CHOICES.items():
            yield f"{run} {name}", part_of(harness.ask(program, *question, folder), keys, members)
        got = harness.ask(program, "reduce", folder, out, "-k", 2, "--outliers", 1)
        got["clusters"] = [one["members"] for one in got["clusters"]]
        got["weights"] = [(one["location"], round(one["weight"], 6)) for one in got["weights"]]
        yield f"{run} reduce", part_of(got, OF_REDUCED)
        got = harness.ask(program, "quality", folder, out)
        got["bars"] = [(bar["original"], bar["reduced"]) for bar in got["bars"]]
        yield f"{run} quality", part_of(got, OF_QUALITY)


def pictures(program, root, scratch):
    for run in ("sample", "nested", "detailed", "stream"):
        views = VIEWS if run not in SUMMARIES else OF_SUMMARIES[:3]
        views = views if run == "stream" else (*views, *OF_PES)
        for view in (*views, "replies") if run == "stream" else views:
            theme = "dark" if run == "nested" else "light"
            first, again = (picture(program, view, root / RUNS[run], scratch, theme)
                            for _ in range(2))
            if first != again:
                raise AssertionError(f"{run} {view}: two pictures differ")
            yield f"{run} {view}.svg", shapes(first)
    for run, (folder, views) in OF_PROFILES.items():
        for view in views:
            yield f"{run} {view}.svg", shapes(picture(
                program, view, root / folder, scratch, "dark" if run == "phases" else "light"))
    for view in OF_COMPARED:
        yield f"compared {view}.svg", shapes(picture(
            program, view, root / RUNS["feat"], scratch,
            "dark" if view == "compare-time-profile" else "light", *compared(root)))
    for name, view, *more in OF_MESSAGES:
        yield f"sample {name}.svg", shapes(picture(
            program, view, root / RUNS["sample"], scratch, "light", *more))
    for name, folder, theme, view, *more in OVER_TIME:
        yield f"{name}.svg", shapes(picture(
            program, view, root / "tests" / "data" / folder, scratch, theme, *more))
    for view in ("usage", "time-profile"):
        yield f"weighed {view}.svg", shapes(picture(
            program, view, weighed(root, scratch), scratch, "light", "--extrapolate"))


def help_part(program, heading, *args):
    return harness.run(program, *args).out.decode().partition(heading)[2].partition("\n\n")[0]


def further(program, root, scratch):
    """Questions and pictures without a line of their own here."""
    named = set(re.findall(r'"([a-z-]+)"', pathlib.Path(__file__).read_text()))
    commands = re.findall(r"^  ([a-z-]+) ", help_part(program, "\nCommands:\n", "--help"), re.M)
    views = help_part(program, "\nViews:\n", "export", "--help").split()
    for kind in [c for c in commands if c not in named]:
        each = {run: harness.run(program, kind, root / folder, "--format", "json", "--quiet")
                for run, folder in COMMON.items()}
        if all(got.code != 0 for got in each.values()):
            raise AssertionError(f"{kind} answers about none of {list(COMMON)}: ask it of another "
                                 f"run in ALONE, or list it in NO_QUESTIONS")
        for run, got in each.items():
            if got.code == 0:
                yield f"{run} {kind}", json.dumps(got.json, sort_keys=True).encode()
    for run, folder in COMMON.items():
        for view in [v for v in views if v not in named]:
            yield f"{run} {view}.svg", shapes(picture(program, view, root / folder, scratch,
                                                      "dark" if run == "functions" else "light"))


def main():
    program, root = sys.argv[1], pathlib.Path(sys.argv[2])
    with tempfile.TemporaryDirectory() as scratch:
        found = {}
        for some in (answers, choices, pictures, further):
            found.update((key, digest(data)) for key, data in some(program, root, scratch))
    if "--update" in sys.argv:
        STORE.write_text(json.dumps(found, indent=1) + "\n")
        return
    known = json.loads(STORE.read_text())
    keys = sorted(set(known) | set(found))
    print(f"1..{len(keys)}")
    for i, key in enumerate(keys, 1):
        same = known.get(key) == found.get(key)
        print(f"{'ok' if same else 'not ok'} {i} {key}")
    sys.exit(known != found)


main()
