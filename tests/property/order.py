# SPDX-License-Identifier: GPL-3.0-or-later
"""Locations in an order of their own, of random traces: rows are those the
order names, then the others by number; every row, merged or not, on the grid
or not, is what the slow reference reader adds up of its locations; and sorted
again all is as without an order.

Usage: order.py KYMO-CLI SOURCE-ROOT
"""
import pathlib
import random
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import grid  # noqa: E402
import harness  # noqa: E402
import property as random_runs  # noqa: E402
import reference  # noqa: E402

N_SEEDS = 20


def pick_order(rng, pes):
    """Text of an order, and what it says of these PEs: ranges, repetitions
    and PEs that are not there."""
    words, ids = [], []
    for _ in range(rng.randrange(1, 7)):
        first = rng.randrange(max(pes) + 3)
        last = first + rng.choice((0, 0, 0, 1, 3, 2000000000))
        words.append(str(first) if last == first else f"{first}-{last}")
        ids += [pe for pe in sorted(pes) if first <= pe <= last]
    ids += sorted(pes)
    return ",".join(words), list(dict.fromkeys(ids))


def edges(answer):
    begin, n = answer["begin_ns"], answer["columns"]
    length = answer["end_ns"] - begin
    return [begin + length * i // n for i in range(n + 1)]


def check_merged(c, answer, run):
    """Without a grid: each cell is the state with most time, and its share."""
    at = edges(answer)
    for row in answer["rows"]:
        cells = {}
        for x0, x1, activity, share in row["cells"]:
            cells.update({x: (activity, share) for x in range(x0, x1)})
        for column in range(answer["columns"]):
            total = {}
            for pe in row["locations"]:
                times = run[pe].time(at[column], at[column + 1])
                for state, ns in times.items():
                    total[state] = total.get(state, 0) + ns
            most = max(total.values(), default=0)
            c.equal(f"{row['label']} {column} is there", column in cells,
                    most > 0)
            if most <= 0 or column not in cells:
                continue
            activity, share = cells[column]
            state = random_runs.state_of(answer, activity)
            c.equal(f"{row['label']} {column}: {state}",
                    total.get(state), most)
            width = (at[column + 1] - at[column]) * len(row["locations"])
            c.true(f"share of {row['label']} {column}",
                   abs(share - most / width) < 1e-9)


def check_grid(c, program, folder, run, rng):
    text, ids = pick_order(rng, run)
    rows = rng.randrange(1, len(run) + 2)
    question = ["timeline", "--grid", "--width", rng.choice((2, 9, 40)),
                "--rows", rows, "--order", text]
    if rng.random() < 0.6:
        begin, end = random_runs.pick_range(rng, run)
        question += ["--from", begin, "--to", end]
    if rng.random() < 0.3:
        asked = rng.sample(ids, rng.randrange(1, len(run) + 1))
        ids = [pe for pe in ids if pe in asked]
        question += ["--locations", ",".join(map(str, asked))]
    whole = harness.ask(program, *question, folder)
    grid.check_rows(c, whole, run, ids, rows)
    grid.check_totals(c, whole, run)
    if whole["column_ns"] == 0:
        return False
    grid.check_cells(c, whole, run)
    grid.check_part(c, program, folder, question, whole)
    grid.check_dense(c, program, folder, question, whole)
    texts = {harness.run(program, *question, folder, "--format", "json",
                         "--quiet", "--threads", n).out for n in (1, 2, 7)}
    c.equal("by 1, 2 and 7 threads", len(texts), 1)
    return True


def check_no_grid(c, program, folder, run, rng):
    text, ids = pick_order(rng, run)
    n, rows = len(run), rng.randrange(1, len(run) + 2)
    answer = harness.ask(program, "timeline", folder, "--order", text,
                         "--width", 30, "--rows", rows)
    rows = min(rows, n)
    begins = [-(-row * n // rows) for row in range(rows + 1)]
    c.equal("rows", [row["locations"] for row in answer["rows"]],
            [ids[a:b] for a, b in zip(begins, begins[1:])])
    if rows < n:
        check_merged(c, answer, run)


def check_sorted(c, program, folder, run, rng):
    """Only the places change."""
    text, ids = pick_order(rng, run)
    plain, ordered = (harness.ask(program, "usage", folder, *order)
                      for order in ([], ["--order", text]))
    c.equal("bars", [l["location"] for l in ordered["locations"]], ids)
    ordered["locations"].sort(key=lambda l: l["location"])
    c.equal("usage", ordered, plain)
    plain, ordered = (harness.ask(program, "timeline", folder, "--width", 50,
                                  *order) for order in ([], ["--order", text]))
    c.equal("rows", [r["locations"] for r in ordered["rows"]],
            [[pe] for pe in ids])
    ordered["rows"].sort(key=lambda r: r["locations"])
    c.equal("timeline", ordered, plain)


def check_seed(program, seed):
    c = harness.Compare()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        rng = random_runs.write_run(folder, seed)
        run = reference.read_run(folder)
        check_sorted(c, program, folder, run, rng)
        check_no_grid(c, program, folder, run, rng)
        met = [check_grid(c, program, folder, run, rng) for _ in range(3)]
        if sum(len(location.blocks) for location in run.values()) > 100:
            c.true("some are on the grid", any(met))
    return c.problems


def check_recording(program, folder):
    """Real ties, real gaps, and names as they come."""
    c = harness.Compare()
    run = reference.read_run(folder)
    rng = random.Random(7)
    for _ in range(5):
        check_sorted(c, program, folder, run, rng)
    return c.problems


def check_wrong(program, folder):
    """What is no order is told as wrong usage."""
    c = harness.Compare()
    for text in ("", "5-3", "a", "1,", "-1"):
        done = harness.run(program, "timeline", folder, f"--order={text}")
        c.equal(f"exit of {text!r}", done.code, 2)
        c.true(f"words of {text!r}", "--order" in done.err)
    done = harness.run(program, "profile", folder, "--order", "1")
    c.equal("exit of profile --order", done.code, 2)
    return c.problems


def main():
    program, root = sys.argv[1], pathlib.Path(sys.argv[2])
    tap = harness.Tap()
    for seed in range(900, 900 + N_SEEDS):
        tap.check(f"seed {seed}", check_seed, program, seed)
    for name in ("data/sample", "tests/data/feat-p4-text"):
        tap.check(name, check_recording, program, root / name)
    tap.check("wrong words", check_wrong, program, root / "data/sample")
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
