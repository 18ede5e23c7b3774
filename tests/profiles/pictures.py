#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""pictures.py KYMO-CLI SOURCE-ROOT: pictures of profiles as files. Every one is written
in every form, is the same to the byte twice, and has the figures of its question; words
are in the run's terms; a picture that a run does not have is one sentence."""
import json
import pathlib
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
sys.dont_write_bytecode = True
import harness  # noqa: E402

PROGRAM, ROOT = sys.argv[1], pathlib.Path(sys.argv[2])
TAU = ROOT / "tests/data/tau"
# Picture, its question, and what both are asked with.
PICTURES = [
    ("thread-bars", "thread-bars", []),
    ("thread-bars", "thread-bars", ["--value", "inclusive-per-call"]),
    ("function-bars", "function-bars", ["--of", "MPI_Init()"]),
    ("function-threads-histogram", "function-bars", ["--of", "MPI_Init()"]),
    ("icicle", "calltree", []), ("calltree", "calltree", ["--of", "max"]),
    ("call-graph", "call-graph", []), ("thread", "thread", ["--of", "2"]),
    ("threads", "threads", ["--of", "mean,0,3"]), ("user-events", "user-events", []),
    ("thread-scatter", "thread-scatter", ["--x", "MPI_Init()", "--y", "calls:fib"]),
]


def export(view, run, path, *more):
    return harness.run(PROGRAM, "export", view, run, "-o", path, "--size", "1000x600",
                       "--quiet", *more)


def shapes(svg):
    """Filled areas of a picture, glyphs aside."""
    found = 0
    for element in ElementTree.fromstring(svg).iter():
        name, style = element.tag.rpartition("}")[2], element.get("style", "")
        if name in ("path", "rect") and "fill:none" not in style and "stroke:none" in style:
            found += 1
    return found


def check_forms(folder):
    run = TAU / "callpath-deep-4"
    for view, question, more in PICTURES:
        svg, again = folder / "one.svg", folder / "two.svg"
        for path in (svg, again, folder / "one.png", folder / "one.pdf", folder / "one.csv",
                     folder / "one.json"):
            result = export(view, run, path, *more)
            assert result.code == 0, (view, path.name, result.err)
        assert svg.read_bytes() == again.read_bytes(), view
        assert shapes(svg.read_bytes()) > 4, view
        assert (folder / "one.png").read_bytes()[:4] == b"\x89PNG", view
        assert (folder / "one.pdf").read_bytes()[:4] == b"%PDF", view
        figures = json.loads((folder / "one.json").read_text())
        asked = harness.ask(PROGRAM, question, run, *more)
        for key in ("metric", "unit", "nodes", "edges", "user_events", "x", "y"):
            assert figures.get(key) == asked.get(key), (view, key)
        if "mean" in asked:
            assert figures["mean"] == asked["mean"], view


def check_options(folder):
    run = TAU / "callpath-deep-4"
    path = folder / "one.svg"
    plain, words = set(), ["thread-bars", run, path]
    for more in ([], ["--relative"], ["--unit", "s"], ["--value", "calls"],
                 ["--groups", "MPI"], ["--theme", "dark"]):
        result = export(*words, *more)
        assert result.code == 0, (more, result.err)
        plain.add(path.read_bytes())
    assert len(plain) == 6, "an option changes nothing"
    focused = set()
    for more in ([], ["--focus", ".TAU application => fib"], ["--focus", "nowhere"]):
        assert export("icicle", run, path, *more).code == 0, more
        focused.add(path.read_bytes())
    assert len(focused) == 2, "the focus of an icicle"
    result = export("thread-bars", run, path, "--unit", "weeks")
    assert result.code == 2 and "weeks" in result.err, result.err
    assert export("threads", run, path, "--of", "7000").code == 1
    # Of a function that is not named it is the one with most.
    assert export("function-bars", run, folder / "a.json").code == 0
    most = harness.ask(PROGRAM, "thread-bars", run, "--functions", "1")["functions"][0]["name"]
    assert json.loads((folder / "a.json").read_text())["name"] == most


def check_derived(folder):
    run = TAU / "multi-coll-8"
    metric = ["--metric", "CPU_TIME / TIME"]
    assert export("thread-bars", run, folder / "one.svg", *metric).code == 0
    assert export("thread-bars", run, folder / "one.json", *metric).code == 0
    figures = json.loads((folder / "one.json").read_text())
    asked = harness.ask(PROGRAM, "thread-bars", run, *metric, "--functions", "40")
    assert figures["functions"] == asked["functions"]
    assert figures["metric"] == asked["metric"]


def check_traces(folder):
    """The same pictures of a range of a trace; a range beyond the run has no figures."""
    run = TAU / "trace-stencil-4"
    span = harness.ask(PROGRAM, "info", run)
    half = (span["begin_ns"] + span["end_ns"]) // 2
    path = folder / "one.json"
    assert export("thread-bars", run, path, "--to", str(half)).code == 0
    figures = json.loads(path.read_text())
    assert figures["end_ns"] == half, figures["end_ns"]
    for row in figures["rows"]:
        assert sum(row["values"]) <= half + 1, row
    assert export("thread-bars", run, path, "--from", str(span["end_ns"] + 10),
                  "--to", str(span["end_ns"] + 20)).code == 0
    assert not any(any(row["values"]) for row in json.loads(path.read_text())["rows"])
    for view in ("icicle", "call-graph", "function-bars", "communication"):
        assert export(view, run, folder / "one.svg").code == 0, view


def check_phases(folder):
    assert export("phases", TAU / "phase-8", folder / "one.json").code == 0
    asked = harness.ask(PROGRAM, "phases", TAU / "phase-8")
    assert json.loads((folder / "one.json").read_text())["functions"] == asked["functions"]
    result = export("phases", TAU / "flat-stencil-4", folder / "one.svg")
    assert result.code == 1 and "phases" in result.err, result.err


def check_words():
    """Text of the command line speaks of ranks, threads and functions."""
    for run, row in (("trace-stencil-4", "rank"), ("trace-threads-2x3", "thread")):
        text = harness.run(PROGRAM, "clusters", TAU / run, "-k", "2").out.decode()
        assert f"{row.capitalize()}s" in text and f" {row}s are kept" in text, text
        assert "PE" not in text.replace("OPEN", ""), text
        text = harness.run(PROGRAM, "explain", TAU / run, "--of", "1").out.decode()
        assert f"{row}s against the mean" in text, text
    text = harness.run(PROGRAM, "clusters", ROOT / "data/sample", "-k", "2").out.decode()
    assert " PEs are kept" in text, text


def main():
    tap = harness.Tap()
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        tap.check("forms", check_forms, folder)
        tap.check("options", check_options, folder)
        tap.check("derived metric", check_derived, folder)
        tap.check("range of a trace", check_traces, folder)
        tap.check("phases", check_phases, folder)
        tap.check("words", check_words)
    return tap.end()


sys.exit(main())
