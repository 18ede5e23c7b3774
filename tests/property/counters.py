# SPDX-License-Identifier: GPL-3.0-or-later
"""Counters over time against a plain reading of the same files, column by column,
and against the table of user events.

Usage: counters.py KYMO-CLI SOURCE-ROOT
"""
import math
import pathlib
import re
import struct
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import harness  # noqa: E402

COLUMNS = 13
LINE = re.compile(r'(\d+) (\S*) (-?\d+) "(.*)" (\S+)$')


def read_events(path):
    found = map(LINE.match, path.read_text(errors="replace").splitlines())
    return {int(m[1]): (m[4], int(m[3]), m[5]) for m in found if m}


def read_samples(folder):
    """{name: [(rank, time, value)]}; of metrics what each call counted itself."""
    samples, start = {}, None
    records = {}
    for path in sorted(folder.glob("tautrace.*.trc")):
        rank = int(path.name.split(".")[1])
        events = read_events(folder / f"events.{rank}.edf")
        data = path.read_bytes()
        records[rank] = [(events[e], par, ti) for e, _, _, par, ti in
                         struct.iter_unpack("<iHHqQ", data)]
    start = min(r[0][2] for r in records.values())
    for rank, rows in records.items():
        stack, triple = [], 0
        for i, ((name, tag, kind), par, ti) in enumerate(rows):
            time = (ti - start) * 1000
            if kind == "EntryExit" and i + 1 < len(rows) and rows[i + 1][0][1] == 1:
                metric, total = rows[i + 1][0][0], rows[i + 1][1]
                if par == 1:
                    stack.append([time, total, 0])
                else:
                    begin, first, inner = stack.pop()
                    samples.setdefault(metric, []).append((rank, begin, total - first - inner))
                    if stack:
                        stack[-1][2] += total - first
            elif kind == "TriggerValue" and tag != 1 and " | " not in name:
                if name.startswith("TauTraceClockOffset"):
                    samples.setdefault(name, []).append((rank, time, par))
                    continue
                triple = (triple + 1) % 3
                if triple == 2:
                    samples.setdefault(name.rstrip(), []).append((rank, time, par))
    return samples


def columns_of(samples, edges):
    columns = [[] for _ in range(COLUMNS)]
    for _, time, value in samples:
        at = sum(1 for e in edges[1:-1] if e <= time)
        if edges[0] <= time:
            columns[at].append(value)
    return columns


def compare_row(c, what, row, samples, edges):
    inside = [s for s in samples if edges[0] <= s[1]]
    values = [v for _, _, v in inside]
    c.equal(f"{what}: samples", row["samples"], len(values))
    c.equal(f"{what}: range", (row["min"], row["max"]), (min(values), max(values)))
    c.true(f"{what}: mean", math.isclose(row["mean"], sum(values) / len(values), rel_tol=1e-12))
    columns = columns_of(inside, edges)
    c.equal(f"{what}: n", row["column_samples"], [len(v) for v in columns])
    c.equal(f"{what}: min", row["column_min"], [min(v) if v else None for v in columns])
    c.equal(f"{what}: max", row["column_max"], [max(v) if v else None for v in columns])
    for got, v in zip(row["column_mean"], columns):
        c.true(f"{what}: mean {got}", got is None if not v
               else math.isclose(got, sum(v) / len(v), rel_tol=1e-12))


def check_columns(program, folder, *span):
    c = harness.Compare()
    truth = read_samples(folder)
    answer = harness.ask(program, "counters", folder, "--bins", COLUMNS, *span)
    edges, end = answer["edges_ns"], answer["end_ns"]
    # What stands on the last nanosecond of the run is inside.
    whole = not span
    truth = {n: [s for s in rows if edges[0] <= s[1] and (whole or s[1] < end)]
             for n, rows in truth.items()}
    truth = {n: rows for n, rows in truth.items() if rows}
    c.equal("names", sorted(r["name"] for r in answer["names"]), sorted(truth))
    for row in answer["names"]:
        compare_row(c, row["name"], row, truth[row["name"]], edges)
        own = harness.ask(program, "counters", folder, "--bins", COLUMNS, "--name", row["name"],
                          *span)
        c.equal("locations", [r["location"] for r in own["series"]],
                sorted({s[0] for s in truth[row["name"]]}))
        for each in own["series"]:
            compare_row(c, f"{row['name']} {each['label']}", each,
                        [s for s in truth[row["name"]] if s[0] == each["location"]], edges)
    return c.problems


def check_table(program, run):
    """The same samples as in the table of user events."""
    c = harness.Compare()
    counters = {r["name"]: (r["samples"], r["min"], r["max"])
                for r in harness.ask(program, "counters", run)["names"]
                if r["kind"] == "user-event"}
    table = {r["name"]: (r["count"], r["min"], r["max"])
             for r in harness.ask(program, "user-events", run)["user_events"]}
    c.equal("table", counters, table)
    c.true("none", len(counters) > 0)
    return c.problems


def check_events(program, run):
    """Events and brackets in columns add up to what the table of all activities has."""
    c = harness.Compare()
    for span in ((), ("--from", "40ms", "--to", "212.345678ms")):
        answer = harness.ask(program, "user-events-time", run, "--bins", 37, *span)
        told = {a["id"]: (a["blocks"], a["inclusive_ns"])
                for a in harness.ask(program, "profile", run, *span)["activities"]
                if a["kind"] == "event" and (a["blocks"] or a["inclusive_ns"])}
        c.equal("sums", {s["id"]: (sum(s["column_events"]), sum(s["column_ns"]))
                         for s in answer["series"]}, told)
        c.equal("all", (answer["events"], answer["time_ns"]),
                tuple(map(sum, zip(*told.values()))))
        first = answer["series"][0]
        one = harness.ask(program, "user-events-time", run, "--bins", 37, "--names",
                          f"{first['name']};no such event", *span)
        c.equal("names", one["series"], [{**first, "rank": 0}])
    return c.problems


def main():
    program, root = sys.argv[1], pathlib.Path(sys.argv[2])
    tap = harness.Tap()
    tau = root / "tests" / "data" / "tau"
    for name in ("trace-stencil-4", "trace-clockmetric-4"):
        tap.check(f"{name} columns", check_columns, program, tau / name)
        tap.check(f"{name} part", check_columns, program, tau / name,
                  "--from", "110ms", "--to", "140ms")
    for run in (tau / "trace-stencil-4", tau / "trace-threads-2x3" / "tau.trc",
                root / "tests" / "data" / "feat-p4-text"):
        tap.check(f"{run.name} table", check_table, program, run)
    for name in ("feat-p4-text", "ampi-jacobi-p4-gz", "v7-feat-p3-text"):
        tap.check(f"{name} events", check_events, program, root / "tests" / "data" / name)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
