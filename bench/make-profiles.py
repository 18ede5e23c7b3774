#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""make-profiles.py FOLDER [--ranks N] [--functions N] [--metrics A,B] [--seed N]
                 [--paths] [--phases N]

Writes a run of TAU profiles in text, one file a rank and metric, as large as those
of a real program: every function a line, a line of metadata, some user events. The
figures are made up, but add up: exclusive times of a rank to the inclusive time of
its first function. With --paths every function has a call path as well, below the one of a
third of its number; with --phases there are so many functions that are phases, and a
path for what every tenth function had in each."""
import argparse
import pathlib
import random

METADATA = ["CPU Cores", "CPU MHz", "CPU Type", "CWD", "Command Line", "Executable",
            "Hostname", "Local Time", "Memory Size", "Node Name", "OS Machine", "OS Name",
            "OS Release", "Starting Timestamp", "TAU Config", "TAU Makefile", "TAU Version",
            "Timestamp", "UTC Time", "pid", "tid", "Ending Timestamp"] + [
                f"TAU_SETTING_{i}" for i in range(58)]
GROUPS = ["TAU_USER", "MPI", "TAU_IO", "TAU_USER|SOLVER"]


def function_names(n):
    names = [("MPI_%s()  " % word, "MPI") for word in
             ("Init", "Send", "Recv", "Isend", "Irecv", "Waitall", "Allreduce", "Finalize")]
    names += [(f"void Solver<double>::step_{i}(const Field &, int) "
               f"[{{solver_{i % 7}.cc}} {{{40 * i + 3},1}}-{{{40 * i + 37},1}}]", GROUPS[i % 4])
              for i in range(n)]
    return names[:n - 1]


def paths_of(names, figures):
    """Lines of (name, group, calls, exclusive) beside the functions."""
    stacks, lines = [], []
    for i, (name, group) in enumerate(names):
        stacks.append((stacks[i // 3 - 1] if i >= 3 else ".TAU application") + f" => {name}")
        lines.append((stacks[i], "TAU_CALLPATH|" + group, *figures[i]))
    return lines


def phases_of(names, figures, n_phases):
    lines = []
    for p in range(n_phases):
        lines.append((f"phase {p}", "TAU_PHASE|TAU_USER", 1, 0))
        lines += [(f"phase {p} => {names[i][0]}", "TAU_CALLPATH|" + names[i][1],
                   figures[i][0], figures[i][1] / n_phases) for i in range(0, len(names), 10)]
    return lines


def write_file(path, rank, metric, names, chance, paths, n_phases):
    calls = [chance.randrange(1, 5000) for _ in names]
    exclusive = [chance.randrange(1, 10 ** 6) / (1 if metric == "TIME" else 1000)
                 for _ in names]
    attributes = "".join(f"<attribute><name>{key}</name><value>value {len(key)} of rank {rank}"
                         "</value></attribute>" for key in METADATA)
    figures = list(zip(calls, exclusive))
    more = (paths_of(names, figures) if paths else []) + phases_of(names, figures, n_phases)
    with open(path, "w") as out:
        out.write(f"{len(names) + len(more) + 1} templated_functions_MULTI_{metric}\n"
                  "# Name Calls Subrs Excl Incl ProfileCalls # <metadata><attribute><name>"
                  f"Metric Name</name><value>{metric}</value></attribute>{attributes}"
                  "</metadata>\n"
                  f'".TAU application" 1 {sum(calls)} 100 {100 + sum(exclusive):.16G} 0 '
                  'GROUP="TAU_UTILITY" \n')
        for (name, group), n, value in zip(names, calls, exclusive):
            out.write(f'"{name}" {n} 0 {value:.16G} {value:.16G} 0 GROUP="{group}" \n')
        for name, group, n, value in more:
            out.write(f'"{name}" {n} 0 {value:.16G} {value:.16G} 0 GROUP="{group}" \n')
        out.write("0 aggregates\n2 userevents\n# eventname numevents max min mean sumsqr\n")
        for name, n, mean in (("Message size sent to all nodes", calls[0], 1024.5),
                              ("Heap Memory Used (KB) at Entry", calls[1], 4000)):
            out.write(f'"{name}" {n} {4 * mean} 8 {mean} {n * mean * mean * 1.5:.16G}\n')


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder")
    parser.add_argument("--ranks", type=int, default=16384)
    parser.add_argument("--functions", type=int, default=101)
    parser.add_argument("--metrics", default="TIME")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--paths", action="store_true")
    parser.add_argument("--phases", type=int, default=0)
    given = parser.parse_args()
    chance, names = random.Random(given.seed), function_names(given.functions)
    metrics = given.metrics.split(",")
    for metric in metrics:
        folder = pathlib.Path(given.folder)
        if len(metrics) > 1:
            folder /= f"MULTI__{metric}"
        folder.mkdir(parents=True, exist_ok=True)
        for rank in range(given.ranks):
            write_file(folder / f"profile.{rank}.0.0", rank, metric, names, chance, given.paths,
                       given.phases)


if __name__ == "__main__":
    main()
