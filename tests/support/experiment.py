# SPDX-License-Identifier: GPL-3.0-or-later
"""What the published experiment about reduced runs needs, for bench/reduction.py
and the suite: the grain of each PE of a made run, the proportionality test by
definition, the two humps, choices at random, and the adjusted Rand index."""
import math
import pathlib
import random
from collections import Counter

GRAIN_US, BARS = 100, 100
# Of kymo-make-classes: pairs are 0.3 to 1.3 ms long, undivided ones 3 to 7 ms.
FIRST_HUMP, VALLEY, SECOND_HUMP = range(5, 11), range(26, 32), range(40, 60)


def planted(folder):
    """{PE: class}, as the program says in its output."""
    classes = {}
    for line in (pathlib.Path(folder) / "run.out").read_text().splitlines():
        words = line.split()
        if words[:2] == ["PLANTED", "pe"]:
            classes[int(words[2])] = int(words[4])
    return classes


def bars_of(folder):
    """{PE: bars of 0.1 ms} of a run of kymo-make-classes, which does not nest."""
    bars = {}
    for path in pathlib.Path(folder).glob("made.*.log"):
        mine, begin = [0] * BARS, 0
        for line in path.read_text().splitlines():
            if line.startswith("2 "):
                begin = int(line.split(" ", 4)[3])
            elif line.startswith("3 "):
                us = int(line.split(" ", 4)[3]) - begin
                if us >= GRAIN_US:
                    mine[min(us // GRAIN_US - 1, BARS - 1)] += 1
        bars[int(path.name.split(".")[1])] = mine
    return bars


def total(bars, pes):
    """Bars of some PEs together."""
    return [sum(column) for column in zip(*(bars[pe] for pe in pes))]


def weighted(bars, weights):
    """Bars of kept PEs, each as often as it weighs; of the list of `reduce`."""
    return [math.fsum(one["weight"] * bars[one["location"]][i] for one in weights)
            for i in range(BARS)]


def proportions(original, reduced):
    """Mean and deviation of the ratios of bars."""
    ratios = [r / o for o, r in zip(original, reduced) if o]
    mean = math.fsum(ratios) / len(ratios)
    return mean, math.sqrt(math.fsum((r - mean) ** 2 for r in ratios) / len(ratios))


def blocks_in(bars, stretch):
    """Blocks between i and i + 1 tenths of a millisecond, i of the stretch."""
    return sum(bars[i - 1] for i in stretch)


def hump(original, reduced):
    """How many blocks of the second hump are kept for one of the first, as a
    multiple of how many there were: 1 where both are kept alike."""
    before = blocks_in(original, SECOND_HUMP) / blocks_in(original, FIRST_HUMP)
    return blocks_in(reduced, SECOND_HUMP) / blocks_in(reduced, FIRST_HUMP) / before


def humps_survive(original, reduced):
    """Both are there: the valley between them is at most a tenth as high as the
    lower of the two, and the second is kept half to four times as well as the first."""
    first, valley, second = (blocks_in(reduced, stretch) / len(stretch)
                             for stretch in (FIRST_HUMP, VALLEY, SECOND_HUMP))
    return (valley <= min(first, second) / 10 and second > 0
            and 0.5 <= hump(original, reduced) <= 4)


def random_choices(pes, n, times, seed=1):
    rng = random.Random(f"{seed}, {len(pes)}, {n}")
    return [sorted(rng.sample(sorted(pes), n)) for _ in range(times)]


def mean_and_spread(values):
    """Of the population."""
    mean = math.fsum(values) / len(values)
    return mean, math.sqrt(math.fsum((v - mean) ** 2 for v in values) / len(values))


def adjusted_rand(one, other):
    """Hubert and Arabie (1985): how alike two partitions {item: class} are, 1
    where they are the same, 0 as much as by chance."""
    def pairs(counts):
        return sum(n * (n - 1) // 2 for n in counts.values())
    both = pairs(Counter((one[item], other[item]) for item in one))
    a = pairs(Counter(one.values()))
    b = pairs(Counter(other[item] for item in one))
    expected = a * b / (len(one) * (len(one) - 1) / 2)
    most = (a + b) / 2
    return 1.0 if most == expected else (both - expected) / (most - expected)


def clusters_of(answer):
    """{PE: cluster} of an answer of `clusters`."""
    return {pe: i for i, one in enumerate(answer["clusters"]) for pe in one["members"]}
