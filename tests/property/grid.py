# SPDX-License-Identifier: GPL-3.0-or-later
"""The timeline on the grid, of random traces and of recordings: every cell is
the state that has most time in its column and group of locations, with its
share, as the slow reference reader adds it up; a row range, one packed number
a cell and any number of threads change nothing.

Usage: grid.py KYMO-CLI SOURCE-ROOT
"""
import pathlib
import random
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import harness  # noqa: E402
import property as random_runs  # noqa: E402
import reference  # noqa: E402

N_SEEDS = 24
NOTHING = 0xffffffff
# Of equals an activity first, then overhead, idle and untraced.
RANK = {"overhead": 1 << 40, "idle": 1 << 41, "untraced": 1 << 42}


def expected_cell(answer, locations, column):
    """(rank of the state, its time) of one cell, or None; times of equals are
    told apart by rank."""
    width = (answer["end_ns"] - answer["begin_ns"]) // answer["columns"]
    begin = answer["begin_ns"] + column * width
    total = {}
    for location in locations:
        for state, ns in location.time(begin, begin + width).items():
            total[state] = total.get(state, 0) + ns
    total = {s: ns for s, ns in total.items() if ns > 0}
    if not total:
        return None
    most = max(total.values())
    return sorted((s for s, ns in total.items() if ns == most),
                  key=lambda s: RANK.get(s, s)), most


def check_cells(c, answer, run):
    width = answer["column_ns"]
    c.equal("columns fill the range", answer["columns"] * width,
            answer["end_ns"] - answer["begin_ns"])
    c.equal("the grid", (answer["begin_ns"] % width, width & (width - 1)),
            (0, 0))
    for row in answer["rows"]:
        cells = {cell[0]: cell for cell in row["cells"]}
        locations = [run[pe] for pe in row["locations"]]
        for column in range(answer["columns"]):
            expected = expected_cell(answer, locations, column)
            if expected is None:
                c.true(f"{row['label']} {column} is empty",
                       column not in cells)
                continue
            c.true(f"{row['label']} {column} is there", column in cells)
            if column not in cells:
                continue
            states, most = expected
            cell = cells[column]
            state = random_runs.state_of(answer, cell[2])
            c.true(f"{row['label']} {column}: {state} of {states}",
                   state in states if isinstance(state, int)
                   else state == states[0])
            share = int(most / (width * len(locations)) * 65535 + 0.5)
            c.equal(f"share of {row['label']} {column}",
                    round(cell[3] * 65535), share)


def check_rows(c, whole, run, asked, rows):
    """Groups are the smallest power of two that fits."""
    pes = sorted(run) if asked is None else asked
    group = whole["group"]
    c.equal("group", group & (group - 1), 0)
    c.true("as few rows as asked for", -(-len(pes) // group) <= rows)
    c.true("no larger groups than needed",
           group == 1 or -(-len(pes) // (group // 2)) > rows)
    c.equal("locations", [r["locations"] for r in whole["rows"]],
            [pes[i:i + group] for i in range(0, len(pes), group)])


def check_part(c, program, folder, question, whole):
    """A range of rows is a part of the whole."""
    n = whole["rows_total"]
    first, count = n // 3, max(n // 2, 1)
    part = harness.ask(program, *question, folder, "--first-row", first,
                       "--n-rows", count)
    names = [(part["names"], part["kinds"]), (whole["names"], whole["kinds"])]
    named = [[[(c0, c1, n[a], k[a], share) for c0, c1, a, share in r["cells"]]
              for r in rows] for (n, k), rows in
             zip(names, (part["rows"], whole["rows"][first:first + count]))]
    c.equal("rows in all", part["rows_total"], n)
    c.equal("first row", part["first_row"], first)
    c.equal("a range of rows", named[0], named[1])


def check_dense(c, program, folder, question, whole):
    """One number a cell tells what lists of cells tell."""
    dense = harness.ask(program, *question, folder, "--dense")
    n = whole["columns"]
    got = dense["dense"]
    c.equal("numbers", len(got), len(whole["rows"]) * n)
    c.true("no lists", all(not r["cells"] for r in dense["rows"]))
    for i, row in enumerate(whole["rows"]):
        line = [NOTHING] * n
        for x0, _, activity, share in row["cells"]:
            name = dense["names"].index(whole["names"][activity])
            line[x0] = name << 16 | round(share * 65535)
        c.equal(f"line {i}", got[i * n:(i + 1) * n], line)


def check_totals(c, answer, run):
    """Times by name are those of the range that is shown."""
    total = {}
    for row in answer["rows"]:
        for pe in row["locations"]:
            times = run[pe].time(answer["begin_ns"], answer["end_ns"])
            for state, ns in times.items():
                total[state] = total.get(state, 0) + ns
        own = {}
        for pe in row["locations"]:
            times = run[pe].time(answer["begin_ns"], answer["end_ns"])
            for state, ns in times.items():
                own[state] = own.get(state, 0) + ns
        span = sum(ns for s, ns in own.items() if s != "untraced")
        busy = sum(ns for s, ns in own.items() if isinstance(s, int))
        c.equal(f"busy of {row['label']}", row["busy"],
                busy / span if span else None)
    got = {random_runs.state_of(answer, i): ns
           for i, ns in enumerate(answer["names_ns"]) if ns}
    c.equal("names_ns", got, {s: ns for s, ns in total.items() if ns})


def check_run(c, program, folder, run, rng):
    begin, end = random_runs.pick_range(rng, run)
    rows = rng.randrange(1, len(run) + 2)
    question = ["timeline", "--grid", "--width", rng.choice((2, 9, 40)),
                "--rows", rows]
    if rng.random() < 0.6:
        question += ["--from", begin, "--to", end]
    asked = None
    if rng.random() < 0.3:
        asked = sorted(rng.sample(sorted(run), rng.randrange(1, len(run) + 1)))
        question += ["--locations", ",".join(map(str, asked))]
    whole = harness.ask(program, *question, folder)
    check_rows(c, whole, run, asked, rows)
    check_totals(c, whole, run)
    if whole["column_ns"] == 0:
        c.true("a part of the run", whole["end_ns"] > whole["begin_ns"])
        return False
    check_cells(c, whole, run)
    check_part(c, program, folder, question, whole)
    check_dense(c, program, folder, question, whole)
    texts = {harness.run(program, *question, folder, "--format", "json",
                         "--quiet", "--threads", n).out for n in (1, 2, 7)}
    c.equal("by 1, 2 and 7 threads", len(texts), 1)
    return True


def check_seed(program, seed):
    """At least one of a few questions is answered on the grid."""
    c = harness.Compare()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        rng = random_runs.write_run(folder, seed)
        run = reference.read_run(folder)
        met = [check_run(c, program, folder, run, rng) for _ in range(4)]
        if sum(len(location.blocks) for location in run.values()) > 100:
            c.true("some are on the grid", any(met))
    return c.problems


def check_recording(program, folder):
    """What the picture without a grid shows is what the grid shows, where the
    range is a whole number of its columns."""
    c = harness.Compare()
    whole = harness.ask(program, "timeline", folder, "--grid", "--width", 128,
                        "--rows", 3)
    c.true("is on the grid", whole["column_ns"] > 0)
    info = harness.ask(program, "info", folder)
    width = whole["column_ns"]
    begin = -(-info["begin_ns"] // width) * width
    n = (info["end_ns"] - begin) // width
    exact = harness.ask(program, "timeline", folder, "--width", n, "--from",
                        begin, "--to", begin + n * width)
    grid = harness.ask(program, "timeline", folder, "--grid", "--width", n,
                       "--from", begin, "--to", begin + n * width)
    c.equal("range", [grid[k] for k in ("begin_ns", "end_ns", "column_ns")],
            [exact["begin_ns"], exact["end_ns"], width])
    for a, b in zip(exact["rows"], grid["rows"]):
        cells = {x: (exact["names"][i], share) for x0, x1, i, share
                 in a["cells"] for x in range(x0, x1)}
        c.equal(f"columns of {a['label']}", sorted(cells),
                [cell[0] for cell in b["cells"]])
        for x0, _, i, share in b["cells"]:
            c.equal(f"{a['label']} {x0}",
                    (grid["names"][i], round(share * 65535)),
                    (cells[x0][0], int(cells[x0][1] * 65535 + 0.5)))
    return c.problems


def main():
    program, root = sys.argv[1], pathlib.Path(sys.argv[2])
    tap = harness.Tap()
    for seed in range(500, 500 + N_SEEDS):
        tap.check(f"seed {seed}", check_seed, program, seed)
    for name in ("data/sample", "tests/data/feat-p4-text",
                 "tests/data/v10-feat-p3-text"):
        tap.check(name, check_recording, program, root / name)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
