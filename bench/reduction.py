#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""reduction.py [--build build] [--recording RUN] [--into docs/reduction.md]

Repeats the published experiment about reduced runs (Lee, Mendes and Kale,
2008) on runs that kymo-make-classes makes, beside choices at random, and where
it fails; of a recording with planted classes how well clusters find them. The
tables go to standard output, or between the marks of a page; a picture of the
histograms lies beside the page. The same numbers every time. Takes some minutes."""
import argparse
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "tests" / "support"))
sys.dont_write_bytecode = True
import experiment as x  # noqa: E402

SIZES, SHARES, SEEDS = (512, 1024, 2048, 4096), (5, 10, 20), (5, 10, 15, 20, 25)
RANDOM = 40                            # choices at random beside each reduction
BARS = 100                             # of a time profile
CLASSES = ("compute", "patches", "Fourier", "gather", "poor", "late", "chatty")


class Tools:
    """kymo-cli and the maker; opens are kept in a cache of our own."""

    def __init__(self, build, scratch):
        self.cli = build / "src" / "cli" / "kymo-cli"
        self.maker = build / "bench" / "kymo-make-classes"
        self.scratch = scratch
        self.env = {**os.environ, "KYMO_CACHE_MIN_BYTES": "0",
                    "XDG_CACHE_HOME": str(scratch / "cache")}
        self.made = {}

    def call(self, *args):
        return subprocess.run([self.cli, *map(str, args), "--quiet"], env=self.env, check=True,
                              stdout=subprocess.PIPE).stdout

    def ask(self, *args):
        return json.loads(self.call(*args, "--format", "json"))

    def make(self, pes, *options):
        """A run, its bars by PE, and its planted classes; made once."""
        key = (pes, *options)
        if key not in self.made:
            folder = self.scratch / f"run{len(self.made)}"
            subprocess.run([self.maker, "--pes", str(pes), *options, folder], check=True)
            self.made[key] = folder, x.bars_of(folder), x.planted(folder)
        return self.made[key]

    def reduce(self, folder, *options):
        """What `reduce` answers, and what `quality` says of it."""
        out = self.scratch / "reduced"
        subprocess.run(["rm", "-rf", out], check=True)
        got = self.ask("reduce", folder, out, *options)
        return got, self.ask("quality", folder, out), out


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |",
             "|" + "|".join("---" if i == 0 else "---:" for i in range(len(head))) + "|"]
    return "\n".join(lines + ["| " + " | ".join(map(str, row)) + " |" for row in rows])


def spread(values, digits=3):
    return "%.*f ± %.*f" % tuple(p for v in x.mean_and_spread(values) for p in (digits, v))


# -- the experiment ----------------------------------------------------------

def experiment(tools, poor, k):
    """Proportions, and both humps, beside those of random choices."""
    rows = []
    for pes in SIZES:
        folder, bars, _ = tools.make(pes, "--poor", poor)
        full = x.total(bars, bars)
        for share in SHARES:
            got, quality, _ = tools.reduce(folder, "-k", k, "--keep", f"{share}%")
            kept = x.total(bars, got["kept"])
            mean, deviation = x.proportions(full, kept)
            assert abs(quality["mean_ratio"] - mean) + abs(quality["stddev"] - deviation) < 1e-9
            others = [x.total(bars, pes_) for pes_ in
                      x.random_choices(bars, len(got["kept"]), RANDOM)]
            both = [x.proportions(full, other) for other in others]
            row = [f"{pes:,}", f"{share} %", len(got["kept"]), len(got["clusters"]),
                   f"{quality['share']:.3f}", f"{mean:.3f}", f"{deviation:.3f}",
                   spread([m for m, _ in both]), spread([d for _, d in both])]
            if poor != "none":
                survive = sum(x.humps_survive(full, other) for other in others)
                row += [f"{x.hump(full, kept):.2f}"
                        + ("" if x.humps_survive(full, kept) else " (lost)"),
                        f"{x.hump(full, x.weighted(bars, got['weights'])):.2f}",
                        spread([x.hump(full, other) for other in others], 2),
                        f"{RANDOM - survive} of {RANDOM}"]
            rows.append(row)
    head = ["PEs", "kept", "PEs kept", "clusters", "share", "mean", "deviation", "random: mean",
            "random: deviation"]
    if poor != "none":
        head += ["second hump", "weighted", "random", "random: lost"]
    return table(head, rows)


def clusters_of_seeds(tools):
    """How many clusters are not empty."""
    rows = []
    for poor, words in (("none", "good grain"), ("more", "poor grain")):
        for pes in SIZES:
            folder = tools.make(pes, "--poor", poor)[0]
            rows.append([f"{pes:,}, {words}"] + [
                len(tools.ask("clusters", folder, "-k", k)["clusters"]) for k in SEEDS])
    return table(["PEs"] + [f"{k} seeds" for k in SEEDS], rows)


def kept_by_class(tools):
    """How many PEs of the planted classes are kept, and how many they stand for."""
    folder, _, classes = tools.make(2048, "--poor", "more")
    numbers = sorted(set(classes.values()))
    rows = [["PEs of the run", ""] + [sum(c == n for c in classes.values()) for n in numbers]]
    for k in (5, 10, 20):
        weights = tools.reduce(folder, "-k", k, "--keep", "10%")[0]["weights"]
        mine = [[one["weight"] for one in weights if classes[one["location"]] == n]
                for n in numbers]
        rows.append([f"k = {k}", len(weights)] + [f"{len(w)}; {sum(w):.0f}" for w in mine])
    return table(["", "kept"] + [CLASSES[n] for n in numbers], rows)


# -- extrapolated ------------------------------------------------------------

def bars_in_time(tools, folder, span, *options):
    """{series: bars} of a time profile."""
    got = tools.ask("time-profile", folder, "--bins", BARS, "--from", span[0], "--to", span[1],
                    *options)
    series = {(one["name"], one["id"]): one["ns"] for one in got["series"]}
    return {**series, "idle": got["idle_ns"], "overhead": got["overhead_ns"]}


def time_error(true, estimated, factor=1.0):
    """The largest difference of any one figure, as a share of all time of its bar."""
    worst = 0
    for i in range(BARS):
        whole = sum(series[i] for series in true.values())
        for key in true.keys() | estimated.keys():
            e = estimated[key][i] * factor if key in estimated else 0
            worst = max(worst, abs(e - (true[key][i] if key in true else 0)) / whole)
    return worst


def true_profile(tools, folder):
    info = tools.ask("info", folder)
    span = info["begin_ns"], info["end_ns"]
    return span, bars_in_time(tools, folder, span)


def random_errors(tools, folder, bars, n, span, true):
    """In percent, of choices at random with equal weights."""
    return [100 * time_error(true, bars_in_time(tools, folder, span, "--locations",
                                            ",".join(map(str, choice))), len(bars) / n)
            for choice in x.random_choices(bars, n, RANDOM)]


def random_error(*what):
    return spread(random_errors(*what), 1) + " %"


def equal_weights(weights):
    """How many PEs of equal weight have sums that scatter alike (Kish, 1965)."""
    values = [one["weight"] for one in weights]
    return sum(values) ** 2 / sum(value ** 2 for value in values)


def extrapolated(tools):
    """Error of the time profile, by weights and at random with equal ones."""
    rows = []
    for pes in (512, 2048):
        folder, bars, _ = tools.make(pes, "--poor", "more")
        span, true = true_profile(tools, folder)
        for share in SHARES:
            row = [f"{pes:,}, {share} %"]
            for k in SEEDS:
                got, _, out = tools.reduce(folder, "-k", k, "--keep", f"{share}%")
                error = time_error(true, bars_in_time(tools, out, span, "--extrapolate"))
                row.append(f"{error:.1%}; {equal_weights(got['weights']):.0f}")
            row.append(random_error(tools, folder, bars, len(got["kept"]), span, true))
            rows.append(row)
    return table(["PEs, kept"] + [f"k = {k}" for k in SEEDS] + ["random"], rows)


def bounds(tools):
    """What is kept for a bound, and what as many at random have."""
    rows = []
    for pes in (512, 2048):
        folder, bars, _ = tools.make(pes, "--poor", "more")
        span, true = true_profile(tools, folder)
        for bound in ("10%", "5%", "3%", "2%"):
            got, _, out = tools.reduce(folder, "--error", bound)
            error = time_error(true, bars_in_time(tools, out, span, "--extrapolate"))
            n, weights = len(got["kept"]), got["weights"]
            others = random_errors(tools, folder, bars, n, span, true)
            rows.append([f"{pes:,}, {bound}", n, f"{n / pes:.1%}", len(got["clusters"]),
                         f"{equal_weights(weights):.0f}", f"{error:.1%}",
                         spread(others, 1) + " %", f"{min(others):.1f} %"])
    return table(["PEs, bound", "PEs kept", "of all", "clusters", "of equal weight", "error",
                  "random", f"best of {RANDOM}"], rows)


# -- where it fails ----------------------------------------------------------

CASES = (("one class by another order", ("--hidden", "order"), 5),
         ("a class by a small entry method", ("--hidden", "small"), 6),
         ("one entry method drowns the rest", ("--hidden", "heavy"), 2),
         ("poor grain, same totals", ("--poor", "balanced"), 4),
         ("poor grain, more to do", ("--poor", "more"), 4))


def failures(tools):
    """Whether a class is found (how many of it are kept, adjusted Rand index of all
    classes), for each way to scale; unscaled, what it means for the figures."""
    rows = []
    for words, options, number in CASES:
        folder, bars, classes = tools.make(1024, *options)
        span, true = true_profile(tools, folder)
        members = [pe for pe in classes if classes[pe] == number]
        row = [words, len(members), f"{len(members) * 102 / 1024:.1f}"]
        for scale in ("none", "range", "stddev"):
            got = tools.ask("clusters", folder, "-k", 10, "--keep", "10%", "--scale", scale)
            index = x.adjusted_rand(classes, x.clusters_of(got))
            row.append(f"{sum(pe in got['kept'] for pe in members)}; {index:.2f}")
        got, _, out = tools.reduce(folder, "-k", 10, "--keep", "10%")
        stood = sum(w["weight"] for w in got["weights"] if w["location"] in members)
        full, kept = x.total(bars, bars), x.total(bars, got["kept"])
        row.append(f"{stood:.0f}")
        row.append(f"{x.hump(full, kept):.2f}" if "--poor" in options else "")
        row.append(f"{time_error(true, bars_in_time(tools, out, span, '--extrapolate')):.1%}")
        row.append(random_error(tools, folder, bars, len(got["kept"]), span, true))
        rows.append(row)
    return table(["planted", "PEs", "kept by chance", "unscaled", "by range", "by deviation",
                  "stood for", "second hump", "profile off", "random"], rows)


# -- planted classes of a recording -------------------------------------------

def rand_table(tools, folder):
    """Adjusted Rand index by seeding, scaling and k; of random seedings the mean
    of ten seeds."""
    classes, rows = x.planted(folder), []
    for seeding in ("diagonal", "random", "k-means++"):
        for scale in ("none", "range", "stddev"):
            row = [f"{seeding}, {scale}"]
            for k in ("4", "5", "8", "10", "15", "20", "2-10"):
                values = [x.adjusted_rand(classes, x.clusters_of(tools.ask(
                    "clusters", folder, "-k", k, "--seeding", seeding, "--scale", scale,
                    "--seed", seed))) for seed in range(1, 2 if seeding == "diagonal" else 11)]
                row.append(f"{values[0]:.2f}" if len(values) == 1 else spread(values, 2))
            rows.append(row)
    return table(["seeding, scale", "k = 4", "5", "8", "10", "15", "20", "2–10 by silhouette"],
                 rows)


def slow_apart(tools, folder):
    """Of the slow PEs (class 3) how many are in no cluster with class 0."""
    classes = x.planted(folder)
    got = x.clusters_of(tools.ask("clusters", folder, "-k", 10))
    usual = {got[pe] for pe in got if classes[pe] == 0}
    slow = [pe for pe in got if classes[pe] == 3]
    return f"{sum(got[pe] not in usual for pe in slow)} of {len(slow)}"


# -- all ---------------------------------------------------------------------

def picture(full, kept, share):
    """Bars of blocks, full run and kept PEs, each by its own largest; powers of ten."""
    parts = ['<svg xmlns="http://www.w3.org/2000/svg" width="640" height="300" '
             'font-family="sans-serif" font-size="11"><rect width="640" height="300" '
             'fill="#ffffff"/>']
    for bars, top, name, colour in ((full, 20, "all PEs", "#3584e4"),
                                    (kept, 160, f"{share} kept", "#e66100")):
        parts.append(f'<text x="600" y="{top + 12}" text-anchor="end">{name}: '
                     f'{sum(bars):,} blocks from 0.1 ms on</text>')
        for i, n in enumerate(bars[:80]):
            height = 100 * math.log10(n + 1) / math.log10(max(bars) + 1)
            parts.append(f'<rect x="{30 + 7 * i}" y="{top + 100 - height:.1f}" width="6" '
                         f'height="{height:.1f}" fill="{colour}"/>')
        parts += [f'<text x="{23 + 70 * ms}" y="{top + 114}" text-anchor="middle">{ms} ms</text>'
                  for ms in range(1, 9)]
    return "\n".join(parts + ["</svg>"]) + "\n"


def pictures(tools, folder):
    run, bars, _ = tools.make(1024, "--poor", "more")
    kept = tools.ask("clusters", run, "-k", 10, "--keep", "10%")["kept"]
    (folder / "reduction-humps.svg").write_text(
        picture(x.total(bars, bars), x.total(bars, kept), f"{len(kept)} of {len(bars):,}"))


def put(page, name, text):
    """Between the marks of that name, which have to be there."""
    begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->"
    old = page.read_text()
    if old.count(begin) != 1 or old.count(end) != 1:
        sys.exit(f"{page}: no marks for {name}")
    page.write_text(re.sub(re.escape(begin) + ".*?" + re.escape(end),
                           lambda _: f"{begin}\n{text}\n\n{end}", old, flags=re.DOTALL))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build"))
    parser.add_argument("--recording", type=pathlib.Path, help="a run with planted classes")
    parser.add_argument("--into", type=pathlib.Path, help="a page with marks")
    parser.add_argument("--only", default="", help="tables whose names begin so")
    options = parser.parse_args()

    def show(name, make, *args):
        if name.startswith(options.only):
            text = make(tools, *args)
            put(options.into, name, text) if options.into else print(f"\n{name}\n\n{text}")

    with tempfile.TemporaryDirectory() as scratch:
        tools = Tools(options.build.resolve(), pathlib.Path(scratch))
        show("poor grain, k 10", experiment, "more", 10)
        show("poor grain, k 5", experiment, "more", 5)
        show("good grain, k 5", experiment, "none", 5)
        show("seeds", clusters_of_seeds)
        show("kept by class", kept_by_class)
        show("failures", failures)
        show("extrapolated", extrapolated)
        show("bounds", bounds)
        if options.recording:
            show("planted", rand_table, options.recording)
            show("slow apart", slow_apart, options.recording)
        if options.into and "pictures".startswith(options.only):
            pictures(tools, options.into.parent)


if __name__ == "__main__":
    main()
