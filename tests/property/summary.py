# SPDX-License-Identifier: GPL-3.0-or-later
"""Summaries, recorded and random: the time profile of any range in any bins
is the slow spread of the reference; the parts add up to the span; threads
change nothing.

Usage: summary.py KYMO-CLI SOURCE-ROOT [FIRST-SEED [N-SEEDS]]
"""
import pathlib
import random
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import harness  # noqa: E402
import summary  # noqa: E402

N_ENTRIES = 7


def runs(values):
    """The run length form of the files."""
    words, i = [], 0
    while i < len(values):
        n = 1
        while i + n < len(values) and values[i + n] == values[i]:
            n += 1
        words.append(f"{values[i]}+{n}" if n > 1 else str(values[i]))
        i += n
    return " ".join(words)


def write_pe(rng, folder, pe, pes, detailed, n, us):
    utilization, idle, times = [], [], [[0] * n for _ in range(N_ENTRIES)]
    for i in range(n):
        busy = rng.choice((0, 0, 100, rng.randrange(101)))
        utilization.append(busy)
        # Now and then more than the bin holds, as merged bins do.
        idle.append(min(100, rng.randrange(101 - busy) + rng.choice((0, 0, 0, 30))))
        for _ in range(rng.randrange(4)):
            times[rng.randrange(N_ENTRIES)][i] = rng.randrange(us // 2 + 2)
    exe = [sum(t) + rng.randrange(3 * us) for t in times]
    flat = [value for row in times for value in row]
    head = f"interval:{us / 1e6:e} phases:0"
    lines = [f"ver:7.1 {pe}/{pes} count:{n} ep:{N_ENTRIES} {head}",
             runs(utilization), "EPExeTime: " + " ".join(map(str, exe)),
             "EPCallTime: " + " ".join(["3"] * N_ENTRIES),
             "MaxEPTime: " + " ".join(["1"] * N_ENTRIES), "NumMarks: 0 ",
             "IdlePercent: " + runs(idle)]
    (folder / f"r.{pe}.sum").write_text("\n".join(lines) + "\n")
    if detailed:
        lines = [f"ver:7.1 cpu:{pe}/{pes} numIntervals:{n} numEPs:{N_ENTRIES} "
                 f"intervalSize:{us / 1e6:e}",
                 "ExeTimePerEPperInterval " + runs(flat),
                 "EPCallTimePerInterval " + runs([int(v > 0) for v in flat])]
        (folder / f"r.{pe}.sumd").write_text("\n".join(lines) + "\n")


def write_run(folder, seed):
    rng = random.Random(seed)
    pes, detailed = rng.randrange(1, 5), rng.random() < 0.7
    us, joins = rng.choice((500, 1000, 2000, 7)), rng.random() < 0.5
    for pe in range(pes):
        # PEs end at about the same time where the bins of some are joined to longer ones.
        join = rng.choice((0, 0, 1, 2)) if joins else 0
        n = rng.randrange(80, 90) >> join if joins else rng.randrange(1, 90)
        write_pe(rng, folder, pe, pes, detailed, n, us << join)
    lines = [f"PROCESSORS {pes}", 'CHARE 0 "Chare" -1']
    lines += [f'ENTRY CHARE {i} "method{i}()" 0 0' for i in range(N_ENTRIES)]
    (folder / "r.sum.sts").write_text("\n".join([*lines, "END"]) + "\n")
    return rng


def check_time_profile(c, program, folder, run, begin, end, bins):
    answer = harness.ask(program, "time-profile", folder, "--bins", bins,
                         "--from", begin, "--to", end)
    edges = summary.edges(begin, end, bins)
    c.equal("edges", answer["edges_ns"], edges)
    series = {s["id"] if s["id"] >= 0 else "unknown": s["ns"]
              for s in answer["series"]}
    series["idle"], series["overhead"] = answer["idle_ns"], answer["overhead_ns"]
    for i in range(bins):
        expected = {}
        for pe in run.values():
            for state, ns in pe.sum(edges[i], edges[i + 1]).items():
                expected[state] = expected.get(state, 0) + ns
        got = {state: ns[i] for state, ns in series.items() if ns[i]}
        c.equal(f"bin {i} of {bins}, {begin}..{end}", got,
                {s: ns for s, ns in expected.items() if ns})
        c.true(f"bin {i}: negative", min(got.values(), default=0) >= 0)


def check_profile(c, program, folder, run, *span):
    answer = harness.ask(program, "profile", folder, "--per-location", *span)
    for table in (answer, *answer["per_location"]):
        parts = sum(table[k] for k in ("busy_ns", "idle_ns", "overhead_ns",
                                       "untraced_ns"))
        c.equal("parts and span", parts,
                table.get("span_ns", table.get("end_ns", 0) - table["begin_ns"]))
        entries = sum(a["exclusive_ns"] for a in table["activities"]
                      if a["kind"] == "entry")
        c.equal("entry methods and busy", entries, table["busy_ns"])
    c.true("no notes", len(answer["notes"]) >= 3)
    for location in answer["per_location"]:
        pe = run[location["location"]]
        parts = pe.sum(answer["begin_ns"], answer["end_ns"])
        c.equal("idle", location["idle_ns"], parts.get("idle", 0))
        c.equal("overhead", location["overhead_ns"], parts.get("overhead", 0))


def check_usage(c, program, folder, run, rng, begin, end):
    """Of some PEs in a range, every state of every one of them."""
    pes = sorted(rng.sample(sorted(run), rng.randrange(1, len(run) + 1)))
    answer = harness.ask(program, "usage", folder, "--from", begin, "--to", end,
                         "--locations", ",".join(map(str, pes)))
    c.equal("PEs", [u["location"] for u in answer["locations"]], pes)
    for got in answer["locations"]:
        expected = {s: ns for s, ns in
                    run[got["location"]].sum(begin, end).items() if ns}
        states = {a["id"] if a["id"] >= 0 else "unknown": a["ns"]
                  for a in got["activities"]}
        states.update({s: got[s + "_ns"] for s in ("idle", "overhead")
                       if got[s + "_ns"]})
        c.equal(f"usage {begin}..{end}", states, expected)
        c.equal("usage busy", got["busy_ns"],
                sum(a["ns"] for a in got["activities"]))


def check_run(c, program, folder, rng):
    run = summary.read_run(folder)
    end = max(pe.span for pe in run.values())
    check_profile(c, program, folder, run)
    for _ in range(4):
        a, b = sorted(rng.sample(range(end + 1), 2))
        check_time_profile(c, program, folder, run, a, b, rng.randrange(1, 40))
        check_profile(c, program, folder, run, "--from", a, "--to", b)
        check_usage(c, program, folder, run, rng, a, b)
    check_time_profile(c, program, folder, run, 0, end, 7)
    answers = {harness.run(program, "profile", "--per-location", folder, "--quiet",
                           "--format", "json", "--threads", n).out for n in (1, 3)}
    c.equal("by 1 and 3 threads", len(answers), 1)
    return c.problems


def check_seed(program, seed):
    with tempfile.TemporaryDirectory() as name:
        rng = write_run(pathlib.Path(name), seed)
        return check_run(harness.Compare(), program, pathlib.Path(name), rng)


def check_recorded(program, folder, name):
    return check_run(harness.Compare(), program, folder, random.Random(name))


def main():
    program, root = sys.argv[1:3]
    first = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    n = int(sys.argv[4]) if len(sys.argv) > 4 else 20
    tap = harness.Tap()
    for name, folder, truth in harness.cases(root):
        if "summary" in truth:
            tap.check(name, check_recorded, program, folder, name)
    for seed in range(first, first + n):
        tap.check(f"seed {seed}", check_seed, program, seed)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
