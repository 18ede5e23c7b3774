# SPDX-License-Identifier: GPL-3.0-or-later
"""Clocks of processes a second time, by brute force: the table of pairs from
the logs as the reference reader has them, and the bounds of every offset by
the shortest paths of Floyd and Warshall. Times are nanoseconds."""
import itertools
import math
import pathlib

FAR = math.inf


def processes(folder, run):
    """The process of each PE."""
    sts = next(p for p in pathlib.Path(folder).glob("*.sts")
               if not p.name.endswith((".sum.sts", ".util.sts")))
    for line in sts.read_text(errors="replace").splitlines():
        words = line.split()
        if words[:1] == ["SMPMODE"]:
            per, workers = int(words[1]), int(words[1]) * int(words[2])
            return {pe: pe - workers if pe >= workers else pe // per
                    for pe in run}
    return {pe: pe for pe in run}


def matches(run, process):
    """(from, to, entry, latency, certain) of every begin record whose
    creation is in another process."""
    for to, location in run.items():
        for block in location.blocks:
            sender = run.get(block.src)
            if block.ev < 0 or sender is None \
                    or process[block.src] == process[to]:
                continue
            creation = sender.creations.get(block.ev)
            if creation is None:
                continue
            time, ep, kind, _ = creation
            yield (process[block.src], process[to], block.ep,
                   block.begin - time, kind != 1 or ep == block.ep)


def pairs(run, process):
    """{(from, to): (messages, negative, smallest latency)}; entries that are
    met with another one's creation are not believed."""
    found = list(matches(run, process))
    stale = {entry for _, _, entry, _, certain in found if not certain}
    table = {}
    for source, target, entry, latency, _ in found:
        if entry in stale:
            continue
        n, negative, least = table.get((source, target), (0, 0, FAR))
        table[source, target] = (n + 1, negative + (latency < 0),
                                 min(least, latency))
    return table


def bounds(table, ids):
    """d[p][q]: how far the offset of p may be above that of q."""
    d = {p: {q: 0 if p == q else FAR for q in ids} for p in ids}
    for (source, target), (_, _, least) in table.items():
        d[source][target] = least
    for middle, p, q in itertools.product(ids, repeat=3):
        d[p][q] = min(d[p][q], d[p][middle] + d[middle][q])
    return d


def least_mean_cycle(table, ids):
    """The least mean latency of a cycle, all of them tried; None without."""
    least = None
    for n in range(2, len(ids) + 1):
        for cycle in itertools.permutations(ids, n):
            if cycle[0] != min(cycle):
                continue
            steps = list(zip(cycle, cycle[1:] + cycle[:1]))
            if all(step in table for step in steps):
                mean = sum(table[step][2] for step in steps) / n
                least = mean if least is None else min(least, mean)
    return least
