#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""series.py BUILD FOLDER pilot [--series tuning|first|earlier|checked|counted] [--only CASE,…]
   series.py BUILD FOLDER run [--series tuning|first|earlier|checked|counted] [--minutes N]
                            [--only CASE,…] [--votes N] [--undisturbed N] [--references N]
                            [--seed N] [--part K --parts N]
   series.py BUILD FOLDER judge
   series.py BUILD FOLDER table

How often the diagnosis is right: five disturbed cases, weak and strong, in votes of five runs, and
undisturbed runs of all programs, a third of them beside compilers, and decoys. Tuning and counting
have programs of their own; those of `first`, `earlier` and `checked` were counted once, and rules
were mended with them. `run` makes the runs in random order, or the Kth of N parts of them; it can
be stopped at any time and goes on where it was. References come first. A run that fails, or whose
disturbance has no effect, is void and made again, at most MOST_ATTEMPTS times. Each attempt is a
line of FOLDER/runs.jsonl, and all recordings are kept. `pilot` makes two runs of each disturbance
and two references, and prints how much longer they take, so that strengths can be chosen; it asks
for no diagnosis, and nothing of it is counted. `judge` diagnoses those that were not judged yet
(FOLDER/verdicts.jsonl), and `table` prints the counts for docs/diagnosis.md.

A series is judged by one set of rules, those of its first `judge`: kymo-cli is copied into
FOLDER, and the commit of data/rules and src/diagnosis stands in FOLDER/series.json. `judge` refuses
to go on when they are others by then. Only root can make the nodes that three of the cases need
(nodes.py); what this machine does not allow is said, and left out."""
import argparse
import collections
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import time

import cases
import verdicts
from cases import CASES, ROOT, SERIES, Machine, Missing

# Of each case: (MPI, ranks); votes take them in turn.
CONFIGURATIONS = {
    "broadcast": [("openmpi", 4), ("openmpi", 8)],
    "library": [("openmpi", 2), ("mpich", 2), ("openmpi", 4)],
    "file": [("openmpi", 4), ("openmpi", 2), ("mpich", 2)],
    "memory": [("openmpi", 2), ("openmpi", 4), ("mpich", 2)],
    "bandwidth": [("openmpi", 2), ("mpich", 2)],
    "halo": [("openmpi", 4), ("mpich", 2)],
    "melt": [("openmpi", 2), ("openmpi", 4)],
}
N_RUNS = 5
MOST_ATTEMPTS = 4
LAST_BLOCK = 1 << 20


def plan_references(only, series, n_references):
    """The switched program of a case has references for each strength, as its work differs."""
    strengths = {case: [None, *CASES[case].disturb[series]] if CASES[case].switch else [None]
                 for case in only}
    return [{"kind": "reference", "case": case, "mpi": mpi, "ranks": ranks, "number": number,
             **({"strength": strength} if strength else {})}
            for case in only for mpi, ranks in CONFIGURATIONS[case] for strength in strengths[case]
            for number in range(n_references if strength is None else N_RUNS)]


def plan_disturbed(only, series, n_votes):
    plan = []
    for case in only:
        for strength, variants in CASES[case].disturb.get(series, {}).items():
            names = sorted(variants)
            for vote in range(n_votes):
                mpi, ranks = CONFIGURATIONS[case][vote % len(CONFIGURATIONS[case])]
                variant = names[vote % len(names)] if len(CONFIGURATIONS[case]) % len(names) \
                    else names[vote // len(CONFIGURATIONS[case]) % len(names)]
                plan += [{"kind": "disturbed", "case": case, "mpi": mpi, "ranks": ranks,
                          "strength": strength, "variant": variant, "vote": vote,
                          "number": number} for number in range(N_RUNS)]
    return plan


def plan_undisturbed(only, n):
    """A third of each program beside a compiler; votes of five have one configuration."""
    plan = []
    for vote in range(n // N_RUNS):
        case = only[vote % len(only)]
        turn = vote // len(only)
        mpi, ranks = CONFIGURATIONS[case][turn % len(CONFIGURATIONS[case])]
        plan += [{"kind": "undisturbed", "case": case, "mpi": mpi, "ranks": ranks, "vote": vote,
                  "number": number, "compilers": 2 if (turn + vote) % 3 == 2 else 0}
                 for number in range(N_RUNS)]
    return plan


def plan_decoys(only):
    return [{"kind": "decoy", "case": decoy.case, "decoy": name, "mpi": mpi, "ranks": ranks,
             "number": number}
            for name, decoy in cases.DECOYS.items() if decoy.case in only
            for mpi, ranks in CONFIGURATIONS[decoy.case][:1] for number in range(N_RUNS)]


def name_of(task):
    keys = ("kind", "case", "decoy", "mpi", "ranks", "strength", "variant", "vote", "number")
    return "-".join(str(task[key]).replace(" ", "_") for key in keys if key in task)


def attempts_of(lines):
    """{name: (attempts, whether the last one counts)}."""
    attempts = {}
    for line in lines:
        attempts[line["name"]] = (attempts.get(line["name"], (0, False))[0] + 1,
                                  verdicts.is_valid(line))
    return attempts


class Series:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder).resolve()
        self.folder.mkdir(parents=True, exist_ok=True)
        self.state_path = self.folder / "series.json"
        self.state = json.loads(self.state_path.read_text()) if self.state_path.exists() else None

    def lines(self, name):
        path = self.folder / name
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []

    def add(self, name, line):
        with (self.folder / name).open("a") as file:
            file.write(json.dumps(line) + "\n")

    def begin(self, options):
        """What is recorded; it does not depend on rules."""
        if self.state is None:
            self.state = {"series": options.series, "seed": options.seed, "votes": options.votes,
                          "undisturbed": options.undisturbed, "references": options.references,
                          "only": options.only, "begun": time.strftime("%Y-%m-%d %H:%M")}
            self.save()

    def freeze(self, build):
        """Rules and engine are those of the first judgement."""
        rules = rules_now()
        if "rules" not in self.state:
            if self.state["series"] == "counted" and "dirty" in rules:
                sys.exit("rules that are not committed cannot be counted")
            self.state["rules"] = rules
            shutil.copy(pathlib.Path(build) / "src" / "cli" / "kymo-cli", self.program)
            self.save()
        elif self.state["rules"] != rules and self.state["series"] == "counted":
            sys.exit(f"the rules have changed since {self.state['rules']}: "
                     "what was judged by them counts, more needs another series")

    def save(self):
        self.state_path.write_text(json.dumps(self.state) + "\n")

    @property
    def program(self):
        return self.folder / "kymo-cli"


def rules_now():
    """Commit, and what of rules and engine differs from it."""
    def git(*words):
        return subprocess.run(["git", "-C", ROOT, *words], check=True, text=True,
                              stdout=subprocess.PIPE).stdout.strip()
    places = ("data/rules", "src/diagnosis")
    commit = git("log", "-1", "--format=%h", "--", *places)
    return commit + ("-dirty" if git("status", "--porcelain", "--", *places) else "")


def block_of(task, n_programs):
    """A series that is not completed has whole votes of all cases: a tenth of all in each block;
    decoys come last."""
    if task["kind"] == "disturbed":
        return task["vote"]
    if task["kind"] == "undisturbed":
        return task["vote"] // n_programs
    return LAST_BLOCK


def make_plan(state):
    """References first; then blocks, of which each is in random order."""
    only = state["only"]
    first = plan_references(only, state["series"], state["references"])
    rest = (plan_disturbed(only, state["series"], state["votes"])
            + plan_undisturbed(only, state["undisturbed"]) + plan_decoys(only))
    order = random.Random(state["seed"])
    order.shuffle(first)
    order.shuffle(rest)
    return first + sorted(rest, key=lambda task: block_of(task, len(only)))


def record(series, machine, task, attempt):
    name = name_of(task)
    run = series.folder / "runs" / (name if attempt == 0 else f"{name}~{attempt}")
    shutil.rmtree(run, ignore_errors=True)
    begin = time.monotonic()
    line = {"name": name, "run": run.name, **task, "load": round(os.getloadavg()[0], 1),
            "at": time.strftime("%H:%M:%S")}
    try:
        line["wall"], line["signal"] = machine.run(
            task["case"], task["mpi"], task["ranks"], run, series=series.state["series"],
            **{key: task[key] for key in ("strength", "variant", "compilers", "decoy")
               if key in task})
    except (RuntimeError, subprocess.SubprocessError, OSError) as error:
        line["failed"] = str(error)[-300:]
    line["seconds"] = round(time.monotonic() - begin, 2)
    return line


def mark_void(lines, line):
    """A disturbance that has no effect: what the program itself took for what is disturbed is not
    above that of all references but one, as one may have had bad luck itself."""
    references = verdicts.find_references(lines, line)
    if line["kind"] == "disturbed" and "failed" not in line and references:
        signals = sorted(other["signal"] for other in references)
        line["void"] = line["signal"] <= signals[-2 if len(signals) > 2 else -1]


def run_task(series, machine, task, lines, attempts, end):
    """Until an attempt counts."""
    n, is_done = attempts.get(name_of(task), (0, False))
    while not is_done and n < MOST_ATTEMPTS and time.monotonic() < end:
        line = record(series, machine, task, n)
        mark_void(lines, line)
        series.add("runs.jsonl", line)
        lines.append(line)
        if "failed" in line:
            print(f"{line['run']}: {line['failed']}", file=sys.stderr, flush=True)
        n, is_done = n + 1, verdicts.is_valid(line)


def run_series(options, series):
    series.begin(options)
    (series.folder / "runs").mkdir(exist_ok=True)
    lines = series.lines("runs.jsonl")
    attempts = attempts_of(lines)
    end = time.monotonic() + 60 * options.minutes
    missing = {}
    with Machine(options.build, series.folder) as machine:
        for task in make_plan(series.state)[options.part::options.parts]:
            if task["case"] in missing or task["mpi"] not in machine.mpis:
                continue
            if time.monotonic() > end:
                break
            try:
                run_task(series, machine, task, lines, attempts, end)
            except Missing as why:
                missing[task["case"]] = str(why)
                print(f"{task['case']} cannot be tried here: {why}", file=sys.stderr)
    return 0


def run_pilot(options, series):
    """Ratios of wall and signal to those of two references, in a table."""
    series.state = {"series": options.series}
    (series.folder / "runs").mkdir(exist_ok=True)
    plan = [task for task in plan_references(options.only, options.series, 2) if task["number"] < 2]
    disturbed = {}
    for task in plan_disturbed(options.only, options.series, 60):
        if task["number"] < 2:
            disturbed.setdefault(name_of({**task, "vote": 0}), {**task, "vote": 0})
    usual, spent = collections.defaultdict(list), 0
    with Machine(options.build, series.folder) as machine:
        for task in sorted([*plan, *disturbed.values()],
                           key=lambda task: (task["case"], task["mpi"], task["ranks"])):
            line = record(series, machine, task, 0)
            spent += line["seconds"]
            key = line["case"], line["mpi"], line["ranks"]
            if "failed" in line:
                print(f"{line['name']}: {line['failed']}")
                continue
            if CASES[line["case"]].switch:
                key += line.get("strength"),
            if task["kind"] == "reference":
                usual[key].append((line["wall"], line["signal"]))
            wall, signal_s = (min(column) for column in zip(*usual[key]))
            print(f"{line['name']:48} {line['wall']:6.3f} s, {line['wall'] / wall:5.2f} and "
                  f"{line['signal'] / signal_s:6.2f} times, took {line['seconds']:5.2f} s",
                  flush=True)
    print(f"{spent:.0f} s")
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("folder")
    parser.add_argument("what", choices=("pilot", "run", "judge", "table"))
    parser.add_argument("--series", choices=SERIES, default="tuning")
    parser.add_argument("--minutes", type=float, default=1e9)
    parser.add_argument("--only", type=lambda text: text.split(","))
    parser.add_argument("--votes", type=int, default=10)
    parser.add_argument("--undisturbed", type=int, default=300)
    parser.add_argument("--references", type=int, default=7)
    parser.add_argument("--part", type=int, default=0)
    parser.add_argument("--parts", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    options.only = options.only or [name for name, case in CASES.items()
                                    if options.series in case.programs]
    # Nodes are unmade however it is stopped.
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: sys.exit(1))
    series = Series(options.folder)
    if options.what in ("run", "pilot"):
        return run_series(options, series) if options.what == "run" else run_pilot(options, series)
    if series.state is None:
        sys.exit("no series was begun there")
    if options.what == "judge":
        series.freeze(options.build)
        return verdicts.judge(series)
    print(verdicts.table(series))
    return 0


if __name__ == "__main__":
    sys.exit(main())
