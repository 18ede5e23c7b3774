# SPDX-License-Identifier: GPL-3.0-or-later
"""What sticks out of some PEs: on recordings and random runs every figure is
what loops over the second reader's lists find; reasons come in their order,
and sentences say what the figures say.

Usage: explain.py KYMO-CLI SOURCE-ROOT [FIRST-SEED [N-SEEDS]]
"""
import collections
import math
import pathlib
import random
import sys
import tempfile
from fractions import Fraction

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
sys.dont_write_bytecode = True
import brute  # noqa: E402
import harness  # noqa: E402
import reference  # noqa: E402

MAX_BYTES = 3 << 20
N_ENTRIES = 4
OTHERS = ["overhead", "idle", "untraced"]
COUNTS = ("blocks", "calls", "block_ns", "waiting_ns", "sent", "sent_bytes")


def nearest(value):
    """Halves away from 0."""
    return int(value + Fraction(1, 2)) if value >= 0 else -int(-value + Fraction(1, 2))


# -- the slow figures --------------------------------------------------------

def joined(pieces):
    """Neighbours without a block and of one state are one stretch."""
    out = []
    for p in pieces:
        if out and p.block is None and out[-1].block is None and out[-1].state == p.state:
            p = out.pop()._replace(end=p.end)
        out.append(p)
    return out


def figures_of(location, question):
    """By state, of one PE: time, counts, and the longest (ns, begin, end)."""
    one = collections.defaultdict(collections.Counter)
    longest = {}

    def take(state, ns, begin, end):
        if state not in longest or ns > longest[state][0]:
            longest[state] = (ns, begin, end)

    for state, ns in location.time(question.begin, question.end).items():
        one[state]["time"] = ns
    exclusive = collections.Counter()
    for p in location.pieces:
        if p.block is not None:
            exclusive[p.block] += p.end - p.begin
    firsts = {i for i, _ in brute.first_blocks(location)}
    for i, b in enumerate(location.blocks):
        if question.holds(b.begin):
            one[b.ep].update(blocks=1, calls=i in firsts, block_ns=exclusive[i])
            take(b.ep, exclusive[i], b.begin, location.ends[i])
    idle = 0
    for p in joined(location.pieces):
        begin, end = max(p.begin, question.begin), min(p.end, question.end)
        if p.begin >= question.count_end or (p.block is None and end <= begin):
            continue
        if p.block is not None:
            one[p.state]["waiting_ns"] += idle
            idle = 0
            continue
        idle += end - begin if p.state == "idle" else 0
        take(p.state, end - begin, begin, end)
    for ep, _, size, destinations, time in location.sends:
        if question.holds(time):
            one[ep].update(sent=destinations, sent_bytes=size * destinations)
    return one, longest


def explain(question, chosen):
    """By state: sums of the chosen and of all, times of each PE, the longest."""
    sums = collections.defaultdict(lambda: (collections.Counter(), collections.Counter()))
    times = collections.defaultdict(list)
    longest = {}
    for pe, location in zip(question.ids, question.locations):
        one, long = figures_of(location, question)
        for state, counter in one.items():
            sums[state][1].update(counter)
            times[state].append(counter["time"])
            if pe in chosen:
                sums[state][0].update(counter)
        for state, found in long.items():
            if pe in chosen and (state not in longest or found[0] > longest[state][1][0]):
                longest[state] = pe, found
    return sums, times, longest


def deviation(times, n):
    values = times + [0] * (n - len(times))
    mean = Fraction(sum(values), n)
    return math.sqrt(sum((v - mean) ** 2 for v in values) / n)


# -- checks ------------------------------------------------------------------

def state_of(reason):
    return reason["id"] if reason["kind"] == "entry" else reason["kind"]


def check_reason(c, got, figures, times, longest, n_chosen, n):
    state = state_of(got)
    chosen, every = figures[state]
    off = Fraction(chosen["time"], n_chosen) - Fraction(every["time"], n)
    c.equal(f"{state}: sums", (got["sum_ns"], got["sum_of_all_ns"]),
            (chosen["time"], every["time"]))
    c.equal(f"{state}: means", (got["mean_ns"], got["mean_of_all_ns"], got["difference_ns"]),
            (nearest(Fraction(chosen["time"], n_chosen)), nearest(Fraction(every["time"], n)),
             nearest(off)))
    sigma = deviation(times[state], n)
    if sigma and got["deviations"] is not None:
        c.near(f"{state}: deviations", got["deviations"], float(off) / sigma, 1e-6)
    c.equal(f"{state}: no deviation", got["deviations"] is None, sigma == 0)
    found = longest.get(state)
    c.equal(f"{state}: instance", (got["location"], got["begin_ns"], got["end_ns"]),
            (found[0], *found[1][1:]) if found else (None, None, None))
    if state in OTHERS:
        c.equal(f"{state}: no counts", {got[k] for k in ("blocks", "calls", "sent")}, {None})
        return
    for key in COUNTS:
        names = {"sent_bytes": ("sent_bytes", "sent_of_all_bytes"),
                 "waiting_ns": ("waiting_ns", "waiting_of_all_ns"),
                 "block_ns": ("mean_block_ns", "mean_block_of_all_ns")}.get(
                     key, (key, key + "_of_all"))
        for name, sums in zip(names, (chosen, every)):
            expected = sums[key] if key != "block_ns" else None if not sums["blocks"] \
                else nearest(Fraction(sums[key], sums["blocks"]))
            c.equal(f"{state}: {name}", got[name], expected)


def check_sentence(c, got, n_chosen):
    said, off = got["sentence"], got["difference_ns"]
    c.true(f"who: {said}", said.startswith("PE ") if n_chosen == 1
           else said.startswith(f"The {n_chosen} PEs "))
    if got["kind"] == "entry":
        c.true(f"what: {said}", got["name"] in said)
    if got["sum_ns"] == 0 and got["kind"] == "entry":
        c.true(f"none: {said}", "no time" in said)
    elif off == 0:
        c.true(f"as much: {said}", "as much" in said or "no other PE" in said)
    elif got["sum_ns"] != got["sum_of_all_ns"] or got["kind"] != "entry":
        c.true(f"direction: {said}", (" more" if off > 0 else " less") in said.split("(")[0])


def check_range(c, program, folder, run, begin, end, pes, chosen):
    question = brute.Question(run, begin, end, pes)
    figures, times, longest = explain(question, chosen)
    n = len(question.ids)
    got = harness.ask(program, "explain", folder, *question.arguments, "--of",
                      ",".join(map(str, chosen)), "--count", 1000)
    c.equal("PEs", (got["pes"], got["of"], got["left_out"]), (n, sorted(chosen), []))
    there = [s for s, (_, every) in figures.items()
             if every["time"] or every["blocks"] or every["sent"]]
    c.equal("states", sorted(map(str, map(state_of, got["reasons"]))), sorted(map(str, there)))

    def off(state):
        return abs(figures[state][0]["time"] * n - figures[state][1]["time"] * len(chosen))

    order = [off(state_of(r)) for r in got["reasons"]]
    c.equal("order", order, sorted(order, reverse=True))
    for reason in got["reasons"]:
        check_reason(c, reason, figures, times, longest, len(chosen), n)
        check_sentence(c, reason, len(chosen))
    few = harness.ask(program, "explain", folder, *question.arguments, "--of",
                      ",".join(map(str, chosen)), "--count", 2)
    c.equal("the first two", few["reasons"], got["reasons"][:2])


def check_run(program, folder, rng, n_ranges):
    c = harness.Compare()
    run = reference.read_run(folder)
    info = harness.ask(program, "info", folder)
    begin, end = info["begin_ns"], info["end_ns"]
    for i in range(n_ranges):
        pes = rng.sample(sorted(run), rng.randrange(2, len(run) + 1)) if i else sorted(run)
        chosen = rng.sample(pes, rng.randrange(1, len(pes)))
        a, b = sorted(rng.sample(range(begin, end + 1), 2)) if i else (begin, end)
        check_range(c, program, folder, run, a, b, pes, chosen)
    answers = {harness.run(program, "explain", folder, "--of", sorted(run)[0], "--threads", n,
                           "--format", "json", "--quiet").out for n in (1, 3)}
    c.equal("threads", len(answers), 1)
    return c.problems


# -- made runs ---------------------------------------------------------------

def write_run(folder, logs):
    lines = ["PROJECTIONS_ID ", "VERSION 11.0", 'MACHINE "test"', f"PROCESSORS {len(logs)}",
             "TOTAL_CHARES 1", f"TOTAL_EPS {N_ENTRIES}", "TOTAL_MSGS 1", "TOTAL_PSEUDOS 0",
             "TOTAL_EVENTS 0", 'CHARE 0 "Chare" -1']
    lines += [f'ENTRY CHARE {i} "method{i}()" 0 0' for i in range(N_ENTRIES)]
    (folder / "made.sts").write_text("\n".join(lines + ["MESSAGE 0 8", "TOTAL_STATS 0", "END"])
                                     + "\n")
    for pe, log in enumerate(logs):
        (folder / f"made.{pe}.log").write_text(
            f"PROJECTIONS-RECORD {len(log)}\n" + "\n".join(log) + "\n")


def random_log(rng, pe):
    time, event, log = rng.randrange(3), 0, []

    def block(depth):
        nonlocal time, event
        ep, source = rng.randrange(N_ENTRIES), rng.randrange(3)
        log.append(f"2 21 {ep} {time} {rng.choice((-1, event, rng.randrange(9)))} {source} 64 "
                   "0 0 0 0 0 0")
        time += rng.choice((0, 1, 9))
        for _ in range(rng.choice((0, 1, 2))):
            kind = rng.choice((1, 20))
            log.append(f"{kind} 21 {rng.randrange(N_ENTRIES)} {time} {event} {pe} "
                       f"{rng.randrange(200)} 0{' 3' if kind == 20 else ''}")
            event += 1
        if depth < 2 and rng.random() < 0.2:
            block(depth + 1)
        time += rng.choice((0, 1, 30))
        log.append(f"3 0 {ep} {time} 0 {source} 0 0")

    log.append(f"6 {time}")
    for _ in range(rng.choice((1, 3, 60))):
        time += rng.choice((0, 0, 2))
        if rng.random() < 0.5:
            log.append(f"14 {time} {pe}")
            time += rng.choice((0, 1, 20))
            log.append(f"15 {time} {pe}")
        time += rng.choice((0, 0, 1))
        block(0)
    return log + [f"7 {time + rng.randrange(4)}"]


def check_made(program, seed):
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        write_run(folder, [random_log(rng, pe) for pe in range(rng.randrange(2, 9))])
        return check_run(program, folder, rng, 4)


def check_words(program):
    """PE 2 has blocks twice as long, PE 3 alone runs method 1, PE 0 waits."""
    c = harness.Compare()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        logs = []
        for pe in range(4):
            long = 4000 if pe == 2 else 1000
            wait = 3000 if pe == 0 else 0
            log, time = ["6 0"], 0
            for i in range(4):
                log += [f"14 {time} {pe}", f"15 {time + wait} {pe}"] if wait else []
                time += wait
                log += [f"2 21 0 {time} {i} {pe} 8 0 0 0 0 0 0",
                        f"3 0 0 {time + long} 0 {pe} 0 0"]
                time += long
            if pe == 3:
                log += [f"2 21 1 {time} 9 {pe} 8 0 0 0 0 0 0", f"3 0 1 {time + 500} 0 {pe} 0 0"]
            logs.append(log + ["7 16000"])
        write_run(folder, logs)
        for of, word, place in (
                ("2", "PE 2 spends 9.00 ms more in Chare::method0 than the mean (16.0 ms against "
                 "7.00 ms): the same number of calls, blocks 2.3 times as long; 3.00 ms less "
                 "idle time before its blocks", 0),
                ("3", "PE 3 spends 500 µs in Chare::method1, in which no other PE spends any: "
                 "4.0 times as many calls, blocks as long", None),
                ("0", "PE 0 has 9.00 ms more idle time than the mean (12.0 ms against 3.00 ms); "
                 "9.00 ms more before Chare::method0", None),
                ("0,1", "The 2 PEs have 3.00 ms more idle time each than the mean (6.00 ms "
                 "against 3.00 ms); 3.00 ms more before Chare::method0", None),
                ("0-1", "The 2 PEs spend no time in Chare::method1; the mean is 125 µs", None)):
            got = [r["sentence"] for r in harness.ask(program, "explain", folder, "--of",
                                                      of)["reasons"]]
            c.true(f"{of}: {got}", word in (got if place is None else got[place:place + 1]))
    return c.problems


def check_refusals(program, root):
    c = harness.Compare()
    sample, data = root / "data" / "sample", root / "tests" / "data"
    for code, word, *args in (
            (2, "which PEs", sample), (2, "no list", sample, "--of", "luck"),
            (1, "None of the PEs", sample, "--of", 99), (1, "All PEs", sample, "--of", "0-7"),
            (1, "of one only", sample, "--of", 3, "--locations", 3),
            (1, "stream", data / "streams" / "leanmd-p6.kymostream", "--of", 0)):
        got = harness.run(program, "explain", *args, "--quiet")
        c.true(f"{args}: exit {got.code}, {got.err}", got.code == code and word in got.err
               and got.err.count("\n") == 1 and got.out == b"")
    return c.problems


def check_summary(program, folder):
    """Times alone are known; they are those of the profile."""
    c = harness.Compare()
    profile = harness.ask(program, "profile", folder, "--per-location")
    each = profile["per_location"]
    got = harness.ask(program, "explain", folder, "--of", each[1]["location"], "--count", 1000)
    for reason in got["reasons"]:
        if reason["kind"] in OTHERS:
            of = [p[reason["kind"] + "_ns"] for p in each]
        else:
            of = [sum(a["exclusive_ns"] for a in p["activities"]
                      if (a["kind"], a["id"]) == (reason["kind"], reason["id"])) for p in each]
        c.equal(f"{reason['name']}", (reason["sum_ns"], reason["sum_of_all_ns"]), (of[1], sum(of)))
        c.equal("no counts", (reason["blocks"], reason["sent"], reason["location"]),
                (None, None, None))
    return c.problems


def main():
    program, root = sys.argv[1], pathlib.Path(sys.argv[2])
    first, n = (int(a) for a in (sys.argv[3:] + ["1", "30"])[:2])
    tap = harness.Tap()
    tap.check("words", check_words, program)
    tap.check("refusals", check_refusals, program, root)
    tap.check("summary", check_summary, program, root / "tests" / "data" / "jacobi2d-sum-p8")
    for name, folder, _ in harness.cases(root):
        size = sum(p.stat().st_size for p in folder.rglob("*"))
        info = harness.run(program, "info", folder, "--format", "json", "--quiet")
        run = reference.read_run(folder) if size <= MAX_BYTES and info.code == 0 \
            and info.json["kind"] == "trace" and info.json["report"]["complete"] else None
        if run and not reference.comm_threads(folder, run) \
                and harness.run(program, "extrema", folder, "--quiet").code == 0:
            with harness.kept_runs():
                tap.check(name, check_run, program, folder, random.Random(1), 2)
    for seed in range(first, first + n):
        tap.check(f"made run {seed}", check_made, program, seed)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
