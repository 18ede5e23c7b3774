#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""figures.py BENCH.json [--into PAGE]: what kymo-bench wrote, as a table in
Markdown. With --into it takes the place of the table in PAGE, between the
marks <!-- figures --> and <!-- end of figures -->. Rows that were not chosen
stay in PAGE as they are; where only a part was measured the line about the
runs stays, too."""

import argparse
import json
import pathlib
import re

MARKS = ("<!-- figures -->", "<!-- end of figures -->")
HEAD = ("", "figure", "CPU", "M records/s/core", "must", "aim", "x bound")


def number(value):
    if value is None:
        return ""
    return f"{value:.0f}" if value >= 1000 else f"{value:.3g}"


def tightest(row):
    """The bound that leaves least to win."""
    limits = [l for l in row["limits"] if "ratio" in l]
    if not limits:
        return ""
    limit = min(limits, key=lambda l: l["ratio"])
    return f"{number(limit['ratio'])} x {limit['name']}"


def cells_of(row):
    unit = row["unit"]
    scale = 1000 if unit == "ms" else 1
    cpu, rate = row.get("cpu_seconds"), row.get("records_per_core_second")
    kept = {True: "", False: " (not kept)"}.get(row.get("kept"), "")
    return (row["name"], f"{number(row['figure'])} {unit}{kept}",
            f"{number(cpu * scale)} {unit}" if cpu else "",
            number(rate / 1e6) if rate else "", number(row.get("must")),
            number(row.get("aim")), tightest(row))


def lines_of(page):
    """The lines of the table in a page, by name of row; the line about the runs by ''."""
    block = page.partition(MARKS[0])[2].partition(MARKS[1])[0].strip().splitlines()
    lines = {line.split("|")[1].strip(): line for line in block[4:]}
    return lines | {"": block[0]} if lines else {}


def table(told, before):
    """Of rows that were skipped, the lines that were @before."""
    about = (f"{told['cores']} cores, median of {told['times']}; "
             f"{told['records']:,} records in the run that is loaded, "
             f"{told['intervals']:,} intervals on {told['large_pes']:,} PEs in "
             f"the large run, {told['files']:,} files in the run of many.")
    if any("skipped" in row for row in told["rows"]):
        about = before.get("", about)
    lines = [about, "", "| " + " | ".join(HEAD) + " |", "|---|" + "---:|" * 5 + "---|"]
    for row in told["rows"]:
        if "skipped" not in row:
            lines.append("| " + " | ".join(cells_of(row)) + " |")
        elif row["name"] in before:
            lines.append(before[row["name"]])
    return "\n".join(lines) + "\n"


def replace(page, text):
    """The page with another table; its marks must be there."""
    pattern = re.compile(f"({re.escape(MARKS[0])}\n).*?({re.escape(MARKS[1])})",
                         re.DOTALL)
    new, count = pattern.subn(lambda m: f"{m[1]}\n{text}\n{m[2]}", page)
    if count != 1:
        raise SystemExit(f"the page has not {MARKS[0]} and {MARKS[1]} once each")
    return new


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("json", type=pathlib.Path)
    parser.add_argument("--into", type=pathlib.Path, metavar="PAGE")
    args = parser.parse_args()
    page = args.into.read_text() if args.into is not None else ""
    text = table(json.loads(args.json.read_text()), lines_of(page))
    if args.into is None:
        print(text, end="")
    else:
        args.into.write_text(replace(page, text))


if __name__ == "__main__":
    main()
