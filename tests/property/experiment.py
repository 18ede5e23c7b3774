# SPDX-License-Identifier: GPL-3.0-or-later
"""The published experiment about reduced runs, small: both humps of a made run
with poor grain survive, where choices at random lose one; weights and outliers
add up; the order of PEs decides nothing; planted classes are found. The whole of
it is bench/reduction.py (docs/reduction.md).

Usage: experiment.py KYMO-CLI SOURCE-ROOT KYMO-MAKE-CLASSES
"""
import itertools
import pathlib
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
sys.dont_write_bytecode = True
import experiment as x  # noqa: E402
import harness  # noqa: E402

RANDOM = 40


def make(maker, folder, *options):
    subprocess.run([maker, *map(str, options), folder], check=True)
    return folder


def check_humps(program, runs):
    """In every reduced run; of random choices some lose the second one. By
    weights it is as high as it was, in the mean much nearer than at random."""
    c, ours, theirs, lost = harness.Compare(), [], [], 0
    for folder, bars in runs:
        full = x.total(bars, bars)
        c.true("the full run has both", x.humps_survive(full, full))
        for share, k in itertools.product(("5%", "10%", "20%"), (5, 10)):
            with tempfile.TemporaryDirectory() as name:
                got = harness.ask(program, "reduce", folder, pathlib.Path(name) / "out", "-k", k,
                                  "--keep", share)
            reduced = x.total(bars, got["kept"])
            what = f"{folder.name}, {share}, k = {k}"
            c.true(f"{what}: humps {reduced}", x.humps_survive(full, reduced))
            ours.append(abs(x.hump(full, x.weighted(bars, got["weights"])) - 1))
            c.true(f"{what}: weighted {ours[-1]}", ours[-1] < 0.15)
            for choice in x.random_choices(bars, len(got["kept"]), RANDOM):
                other = x.total(bars, choice)
                theirs.append(abs(x.hump(full, other) - 1))
                lost += not x.humps_survive(full, other)
    c.true(f"{lost} random choices lose it", lost > RANDOM)
    ours, theirs = (x.mean_and_spread(values)[0] for values in (ours, theirs))
    c.true(f"second hump off by {ours}, at random by {theirs}", ours < theirs / 4)
    return c.problems


def check_quality(program, folder, bars):
    """What `quality` tells of a reduced run is the test by definition; what is
    kept adds up."""
    c = harness.Compare()
    full = x.total(bars, bars)
    with tempfile.TemporaryDirectory() as name:
        out = pathlib.Path(name) / "out"
        got = harness.ask(program, "reduce", folder, out, "-k", 10, "--keep", "10%")
        quality = harness.ask(program, "quality", folder, out)
    mean, deviation = x.proportions(full, x.total(bars, got["kept"]))
    c.near("mean", quality["mean_ratio"], mean, 1e-9)
    c.near("deviation", quality["stddev"], deviation, 1e-9)
    c.equal("quality of reduce", got["quality"]["mean_ratio"], quality["mean_ratio"])
    c.equal("sum of weights", round(10 ** 6 * sum(w["weight"] for w in got["weights"])),
            10 ** 6 * len(bars))
    c.equal("kept", len(got["kept"]), len(bars) // 10)
    return c.problems


def check_outliers(program, folder, n_pes):
    """O in all, or what is left beside the representatives."""
    c = harness.Compare()
    for wish, n in (("0", 0), ("1", 1), ("26", 26), ("10%", -(-n_pes // 10)), ("100%", n_pes)):
        got = harness.ask(program, "clusters", folder, "-k", 10, "--outliers", wish)["clusters"]
        outliers = [pe for one in got for pe in one["outliers"]]
        stands = [one["representative"] for one in got]
        c.equal(wish, len(outliers), min(n, n_pes - len(got)))
        c.equal(f"{wish}: each once", len({*outliers, *stands}), len(outliers) + len(got))
        c.true(f"{wish}: of the cluster", all({one["representative"], *one["outliers"]}
                                              <= set(one["members"]) for one in got))
    return c.problems


def check_order(program, folder, n_pes):
    """The same logs under other PE numbers: the same choice."""
    c, rng = harness.Compare(), random.Random(n_pes)

    def choice(run, number, k, scale):
        got = harness.ask(program, "clusters", run, "-k", k, "--scale", scale)["clusters"]
        return [(number[one["representative"]], [number[pe] for pe in one["outliers"]],
                 sorted(number[pe] for pe in one["members"])) for one in got]

    for _ in range(2):
        order = rng.sample(range(n_pes), n_pes)
        with tempfile.TemporaryDirectory() as name:
            other = pathlib.Path(name)
            (other / "made.sts").symlink_to(folder / "made.sts")
            for here, there in enumerate(order):
                (other / f"made.{here}.log").symlink_to(folder / f"made.{there}.log")
            for k, scale in ((5, "none"), (10, "range"), (7, "stddev")):
                c.equal(f"k = {k}, {scale}", choice(other, order, k, scale),
                        choice(folder, range(n_pes), k, scale))
    return c.problems


def check_rand_index():
    """By the definition over all pairs."""
    c, rng = harness.Compare(), random.Random(3)
    for n, classes in ((2, 2), (7, 3), (30, 4), (30, 1)):
        one, other = ([rng.randrange(classes) for _ in range(n)] for _ in range(2))
        pairs = list(itertools.combinations(range(n), 2))
        same = [(one[i] == one[j], other[i] == other[j]) for i, j in pairs]
        a, b = (sum(s[i] for s in same) for i in range(2))
        expected, most = a * b / len(pairs), (a + b) / 2
        index = (1.0 if most == expected
                 else (sum(s == (True, True) for s in same) - expected) / (most - expected))
        c.near(f"{n}", x.adjusted_rand(dict(enumerate(one)), dict(enumerate(other))), index, 1e-12)
    return c.problems


def check_planted(program, folder):
    """At k = 10 at least 6 of the 7 slow PEs are in no cluster with a usual one."""
    c, classes = harness.Compare(), x.planted(folder)
    found = x.clusters_of(harness.ask(program, "clusters", folder, "-k", 10))
    usual = {found[pe] for pe in found if classes[pe] == 0}
    slow = [pe for pe in found if classes[pe] == 3]
    apart = sum(found[pe] not in usual for pe in slow)
    c.true(f"{apart} of {len(slow)} slow PEs are apart", len(slow) == 7 and apart >= 6)
    index = x.adjusted_rand(classes, found)
    c.true(f"adjusted Rand index {index}", index > 0.5)
    return c.problems


def check_reduced(program, folder):
    """A run that the runtime reduced opens as reduced, and is compared by what it has."""
    c = harness.Compare()
    info = harness.ask(program, "info", folder)
    c.equal("kind", info["kind"], "reduced")
    got = harness.ask(program, "clusters", folder, "-k", 3)
    members = [pe for one in got["clusters"] for pe in one["members"]]
    c.equal("PEs", sorted(members + got["left_out"]), list(range(info["locations_original"])))
    c.true("some were left out", 0 < len(members) <= info["locations"])
    return c.problems


def main():
    program, root, maker = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
    tap = harness.Tap()
    tap.check("adjusted Rand index", check_rand_index)
    for name, folder, _ in harness.cases(root):
        if "outlier" in name:
            tap.check(f"{name} is reduced", check_reduced, program, folder)
        if name.startswith("clust-") and (folder / "run.out").is_file():
            tap.check(f"{name}: planted classes", check_planted, program, folder)
    with tempfile.TemporaryDirectory() as scratch:
        runs = [make(maker, pathlib.Path(scratch) / f"seed {seed}", "--pes", 512, "--poor", "more",
                     "--steps", 6, "--seed", seed) for seed in (1, 2)]
        runs = [(folder, x.bars_of(folder)) for folder in runs]
        tap.check("humps", check_humps, program, runs)
        tap.check("quality", check_quality, program, *runs[0])
        tap.check("outliers", check_outliers, program, runs[0][0], 512)
        small = make(maker, pathlib.Path(scratch) / "small", "--pes", 96, "--steps", 3,
                     "--poor", "balanced")
        tap.check("order of PEs", check_order, program, small, 96)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
