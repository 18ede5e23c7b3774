# SPDX-License-Identifier: GPL-3.0-or-later
"""A made run is complete, every message has its creation, none is early, and
the same seed gives the same bytes.

Usage: test-made-run.py KYMO-MAKE-RUN KYMO-BENCH KYMO-CLI SOURCE-ROOT
"""
import json
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(sys.argv[4]) / "tests" / "support"))
import harness  # noqa: E402


def make(maker, folder, *options):
    subprocess.run([maker, "--pes", "6", "--records", "20000", *options, folder],
                   check=True)
    return folder


def check_answers(program, folder):
    c = harness.Compare()
    info = harness.ask(program, "info", folder)
    told = harness.ask(program, "communication", folder)
    c.true("complete", info["report"]["complete"])
    c.equal("issues", info["report"]["issues"], [])
    c.true(f"{info['records']} records", 15000 < info["records"] < 25000)
    c.equal("messages", told["messages"], info["intervals"])
    c.equal("unmatched", told["unmatched"], 0)
    return c.problems


def check_same(maker, scratch):
    c = harness.Compare()
    one, two, other = (scratch / name for name in ("one", "two", "other"))
    make(maker, one), make(maker, two), make(maker, other, "--seed", "2")
    for path in one.iterdir():
        same = path.read_bytes() == (two / path.name).read_bytes()
        c.true(f"{path.name}: same seed", same)
        if path.suffix == ".log":
            c.true(f"{path.name}: other seed",
                   path.read_bytes() != (other / path.name).read_bytes())
    return c.problems


ROW = {"key": str, "name": str, "unit": str}
NUMBERS = {"figure", "best", "cpu_seconds", "bytes", "records", "must", "aim",
           "records_per_core_second"}
GOALS = ("load.text", "load.gzip", "load.memory", "load.tau", "load.profiles", "open.second",
         "open.tenfold", "timeline.visible", "timeline.merged",
         "whole.time-profile.first", "whole.time-profile.again",
         "whole.usage.first", "whole.usage.again", "whole.histogram.first",
         "whole.histogram.again", "whole.profile.first", "whole.profile.again",
         "paint.timeline", "files.first", "files.second", "classes.clusters",
         "classes.clusters.drowned", "classes.reduce", "attach.second",
         "window.launch",
         "window.paint", "window.frame", "window.first-picture")
SMALL = ("--times", "1", "--records", "5000", "--intervals", "3000",
         "--large-pes", "8", "--files", "20", "--window", "/nonexistent")


def check_row(c, row):
    """Its figures are there, whatever they are; or words why not."""
    key = row["key"]
    for name, kind in ROW.items():
        c.true(f"{key}: {name}", isinstance(row[name], kind) and row[name])
    if "skipped" in row:
        c.true(f"{key} was skipped: {row['skipped']}",
               key.startswith("window.") and row["skipped"])
        return
    c.true(f"{key}: no figure", row["figure"] >= row["best"] > 0)
    c.true(f"{key}: a number is not positive",
           all(row[name] > 0 for name in NUMBERS & row.keys()))
    c.equal(f"{key}: must and kept", "must" in row, "kept" in row)
    for limit in row["limits"]:
        c.true(f"{key}: limit {limit}", limit["name"] and limit["value"] > 0
               and limit["ratio"] > 0)


def run_bench(bench, program, *options):
    done = subprocess.run([bench, "--cli", program, *SMALL, *options],
                          capture_output=True, check=True)
    return json.loads(done.stdout), done.stderr.decode()


def check_bench(bench, program):
    """A smoke run, on data of its own: every row, in JSON and in the table."""
    c = harness.Compare()
    told, table = run_bench(bench, program)
    rows = {row["key"]: row for row in told["rows"]}
    c.equal("keys are not different", len(rows), len(told["rows"]))
    c.equal("rows of goals that are missing", set(GOALS) - rows.keys(), set())
    for row in told["rows"]:
        check_row(c, row)
        c.true(f"{row['key']}: not in the table", row["name"] in table)
    for key in ("load.text", "load.gzip", "load.tau", "load.profiles", "open.second",
                "paint.timeline", "timeline.visible", "files.first"):
        c.true(f"{key}: no limit", rows[key]["limits"])
    return c.problems


def check_figures(bench, program, source_root, scratch):
    """The table in Markdown has a line for every row that was measured, and
    those that the page had of others."""
    c = harness.Compare()
    told, _ = run_bench(bench, program, "--only", "whole,open.second")
    (scratch / "bench.json").write_text(json.dumps(told))
    page = scratch / "page.md"
    before = ("9 cores", "", "| | old |", "|---|---:|", "| load from text | 77 s |",
              "| usage, first | old |")
    page.write_text("\n".join(("a", "<!-- figures -->", *before, "<!-- end of figures -->",
                               "z", "")))
    subprocess.run([sys.executable, pathlib.Path(source_root) / "bench/figures.py",
                    scratch / "bench.json", "--into", page], check=True)
    lines = page.read_text().splitlines()
    c.equal("ends of the page", (lines[0], lines[-1]), ("a", "z"))
    c.true("the old table is still there", not any("old" in line for line in lines))
    c.equal("the line about the runs", lines.count("9 cores"), 1)
    c.equal("a row that was not measured", lines.count("| load from text | 77 s |"), 1)
    for row in told["rows"]:
        there = sum(line.startswith(f"| {row['name']} | ") for line in lines)
        c.equal(row["key"], there, 0 if "skipped" in row and row["key"] != "load.text" else 1)
    return c.problems


def check_bench_choice(bench, program, folder):
    """A run that is given, and a choice of rows."""
    c = harness.Compare()
    told, _ = run_bench(bench, program, "--only", "load.text,whole.usage",
                        str(folder))
    rows = {row["key"]: row for row in told["rows"]}
    c.equal("records", rows["load.text"]["records"],
            harness.ask(program, "info", folder)["records"])
    c.equal("skipped", rows["load.gzip"]["skipped"], "not chosen")
    c.equal("skipped", rows["timeline.visible"]["skipped"], "not chosen")
    c.true("no usage", rows["whole.usage.again"]["figure"] > 0)
    return c.problems


def main():
    maker, bench, program = sys.argv[1:4]
    tap = harness.Tap()
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        text = make(maker, scratch / "text")
        packed = make(maker, scratch / "packed", "--gzip")
        tap.check("text", check_answers, program, text)
        tap.check("gzip", check_answers, program, packed)
        tap.check("bench", check_bench, bench, program)
        tap.check("bench of a run", check_bench_choice, bench, program, text)
        tap.check("figures", check_figures, bench, program, sys.argv[4], scratch)
        tap.check("seeds", check_same, maker, scratch)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
