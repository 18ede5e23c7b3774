# SPDX-License-Identifier: GPL-3.0-or-later
"""Extrapolated figures against exact fractions: every location asked for by
itself, times its weight. Counts are rounded once, times once a location, and
what adds up still does. Random runs with weights of any kind, and runs that
`reduce` wrote against the runs they are of.

Usage: extrapolate.py KYMO-CLI SOURCE-ROOT
"""
import configparser
import fractions
import pathlib
import random
import shutil
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
sys.path.insert(0, str(pathlib.Path(__file__).parent))
sys.dont_write_bytecode = True
import harness  # noqa: E402
import property as traces  # noqa: E402
import smp as threads  # noqa: E402

MILLION = 1_000_000
PARTS = ("busy_ns", "idle_ns", "overhead_ns", "untraced_ns")
TOLD = ("extrapolated", "weighed_by", "extrapolated_from", "stands_for", "time_profile_error")


def weigh(value, weight):
    """Of millionths, rounded to the nearest, halves up."""
    return (value * weight + MILLION // 2) // MILLION


def write_note(folder, base, weights, processors, more=""):
    """weights: by PE, in millionths."""
    pes = sum(weights.values()) // MILLION
    lines = ["[Reduction]", "version=1", f"processors={processors}", f"pes={pes}",
             "kept=" + "".join(f"{pe};" for pe in weights), "[Weights]"]
    lines += [f"{pe}={w // MILLION}.{w % MILLION:06}" for pe, w in weights.items()]
    (folder / f"{base}.kymo").write_text("\n".join(lines) + "\n" + more)


def choose_weights(rng, pes, kind, total):
    """Millionths that sum up to `total` PEs; of most kinds some are 0."""
    if kind == "ones":
        return dict.fromkeys(pes, MILLION)
    shares = {pe: 0 if kind == "zeros" and rng.random() < 0.4 else rng.expovariate(1) + 1e-3
              for pe in pes}
    shares[pes[0]] = shares[pes[0]] or 1.0
    sum_of = sum(shares.values())
    weights = {pe: int(s / sum_of * total * MILLION) for pe, s in shares.items()}
    weights[pes[0]] += total * MILLION - sum(weights.values())
    return weights


class Run:
    """A run with a note; `ask` as of one location gives its own figures."""

    def __init__(self, program, folder, weights):
        self.program, self.folder, self.weights = program, folder, weights
        self.cache = {}

    def whole(self, *words, threads=None):
        more = ("--threads", threads) if threads else ()
        return harness.ask(self.program, words[0], self.folder, *words[1:], "--extrapolate",
                           *more)

    def alone(self, pe, *words):
        key = (pe, *words)
        if key not in self.cache:
            self.cache[key] = harness.ask(self.program, words[0], self.folder, *words[1:],
                                          "--locations", pe)
        return self.cache[key]

    def each(self, *words):
        return [(w, self.alone(pe, *words)) for pe, w in self.weights.items()]


def check_told(c, run, answer):
    c.equal("extrapolated", answer["extrapolated"], True)
    c.equal("from", answer["extrapolated_from"], sum(w > 0 for w in run.weights.values()))
    c.near("stands for", answer["stands_for"], sum(run.weights.values()) / MILLION)


def by_name(answer):
    return {(a["kind"], a["id"], a["name"]): a for a in answer["activities"]}


def check_profile(c, run, *limits):
    words = ("profile", *limits)
    got, n = run.whole(*words), len(run.weights)
    each = run.each(*words)
    check_told(c, run, got)
    c.equal("parts", sum(got[k] for k in PARTS), got["span_ns"])
    c.equal("span", got["span_ns"], sum(weigh(a["span_ns"], w) for w, a in each))
    for key in (*PARTS, "useful_ns", "pack_ns", "unpack_ns"):
        c.near(key, got[key] * MILLION, sum(a[key] * w for w, a in each), n * MILLION)
    entries = by_name(got)
    c.equal("entries that add up", sum(a["exclusive_ns"] for a in got["activities"]
                                       if a["kind"] not in ("event", "function")),
            got["span_ns"])
    for key in {k for _, a in each for k in by_name(a)}:
        own = [(w, by_name(a)[key]) for w, a in each if key in by_name(a)]
        if key not in entries:
            c.equal(f"{key} is nothing", [a for w, a in own if w > 0 and
                                          (a["blocks"] * w >= MILLION // 2)], [])
            continue
        one = entries[key]
        for count in ("blocks", "calls"):
            c.equal(f"{key} {count}", one[count], weigh(1, sum(a[count] * w for w, a in own)))
        for time in ("exclusive_ns", "inclusive_ns"):
            c.near(f"{key} {time}", one[time] * MILLION, sum(a[time] * w for w, a in own),
                   2 * n * MILLION)
        longest = [a["max_ns"] for w, a in own if a["max_ns"] is not None and w > 0]
        c.equal(f"{key} longest", one["max_ns"], max(longest, default=None))
        shortest = [a["min_ns"] for w, a in own if a["min_ns"] is not None and w > 0]
        c.equal(f"{key} shortest", one["min_ns"], min(shortest, default=None))
        if one["mean_ns"] is not None:
            c.true(f"{key} mean", one["min_ns"] - 1 <= one["mean_ns"] <= one["max_ns"] + 1)
    traced = [(w, a) for w, a in each if a["untraced_ns"] < a["span_ns"] and w > 0]
    useful = sum(w * a["useful_ns"] for w, a in traced)
    if useful > 0 and got["imbalance"] is not None:
        mean = fractions.Fraction(useful, sum(w for w, a in traced))
        c.near("imbalance", got["imbalance"],
               float(max(a["useful_ns"] for w, a in traced) / mean), 1e-3)


def check_time_profile(c, run, bins):
    words = ("time-profile", "--bins", bins)
    got, n = run.whole(*words), len(run.weights)
    each = run.each(*words)
    check_told(c, run, got)
    others = ("idle_ns", "overhead_ns", "untraced_ns")

    def column(answer, i):
        return sum(s["ns"][i] for s in answer["series"]) + sum(answer[k][i] for k in others)
    for i in range(bins):
        c.equal(f"bin {i}", column(got, i), sum(weigh(column(a, i), w) for w, a in each))
        for key in others:
            c.near(f"bin {i} {key}", got[key][i] * MILLION,
                   sum(a[key][i] * w for w, a in each), n * MILLION)
        for s in got["series"]:
            expected = sum(w * t["ns"][i] for w, a in each for t in a["series"]
                           if (t["id"], t["name"]) == (s["id"], s["name"]))
            c.near(f"bin {i} {s['name']}", s["ns"][i] * MILLION, expected, n * MILLION)


def check_histogram(c, run, *options):
    words = ("histogram", *options)
    got, n = run.whole(*words), len(run.weights)
    each = run.each(*words)
    check_told(c, run, got)
    by_time = got["weight"] == "time"
    for key in ("below", "above"):
        c.near(key, got[key] * MILLION, sum(w * a[key] for w, a in each),
               n * MILLION if by_time else MILLION // 2)
    for i in range(len(got["total"])):
        expected = sum(w * a["total"][i] for w, a in each)
        c.equal(f"sum of bar {i}", sum(s["values"][i] for s in got["series"]), got["total"][i])
        if by_time:
            c.near(f"bar {i}", got["total"][i] * MILLION, expected, n * MILLION)
        else:
            c.equal(f"bar {i}", got["total"][i], weigh(1, expected))
        for s in got["series"]:
            expected = sum(w * t["values"][i] for w, a in each for t in a["series"]
                           if (t["id"], t["name"]) == (s["id"], s["name"]))
            c.near(f"bar {i} {s['name']}", s["values"][i] * MILLION, expected,
                   (n if by_time else 1) * MILLION)


def check_usage(c, run):
    got, n = run.whole("usage"), len(run.weights)
    each = run.each("usage")
    plain = harness.ask(run.program, "usage", run.folder)
    check_told(c, run, got)
    for one, own in zip(got["locations"], plain["locations"]):
        weight = run.weights.get(one["location"], 0) / MILLION
        c.near("weight", one.pop("weight"), weight)
        c.equal("own figures", one, own)
    average = got["average"]
    spans = [(w, a["locations"][0]) for w, a in each]
    workers = [(w, p) for w, p in spans if p["kind"] == "worker"]
    spans = workers or spans
    traced = sum(w * (a["span_ns"] - a["untraced_ns"]) for w, a in spans)
    c.near("traced", average["span_ns"] * MILLION, traced, n * MILLION)
    c.equal("activities", sum(a["ns"] for a in average["activities"]), average["busy_ns"])
    for a in average["activities"]:
        expected = sum(w * b["ns"] for w, p in spans for b in p["activities"]
                       if b["id"] == a["id"])
        c.near(a["name"], a["ns"] * MILLION, expected, n * MILLION)
        c.near(f"share of {a['name']}", a["share"], expected / traced, 1e-4)
    for key in ("busy", "idle", "overhead"):
        if traced > 1e4 * MILLION:
            c.near(key, average[key], sum(w * a[key + "_ns"] for w, a in spans) / traced, 1e-3)


def check_busiest(c, run):
    """Whole seconds are few in such short runs: sums of the range alone."""
    got, n = run.whole("busiest"), len(run.weights)
    each = run.each("busiest")
    check_told(c, run, got)
    for a in got["activities"]:
        expected = sum(w * b["ns"] for w, o in each for b in o["activities"]
                       if b["id"] == a["id"])
        c.near(a["name"], a["ns"] * MILLION, expected, n * MILLION)
    c.equal("busy", got["busy"]["ns"], sum(a["ns"] for a in got["activities"]))
    c.near("traced", got["traced_ns"] * MILLION, sum(w * o["traced_ns"] for w, o in each),
           n * MILLION)
    if got["traced_ns"] > 10 ** 6:
        c.near("mean", got["busy"]["mean"], got["busy"]["ns"] / got["traced_ns"], 1e-3)


def check_smp(program, seed):
    """Communication threads weigh in sums, and enter no average."""
    c = harness.Compare()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        threads.write_run(folder, seed)
        rng = random.Random(seed)
        pes = sorted(int(p.name.split(".")[1]) for p in folder.glob("*.log"))
        weights = choose_weights(rng, pes, "zeros", len(pes))
        write_note(folder, "random", weights, len(pes))
        run = Run(program, folder, weights)
        check_usage(c, run)
        check_communication(c, run)
        got = run.whole("profile")
        workers = run.whole("profile", "--workers-only")
        kinds = {p["location"]: p["kind"] for p in
                 harness.ask(program, "usage", folder)["locations"]}
        c.true("both kinds", set(kinds.values()) == {"worker", "communication"})
        c.near("stands for", workers["stands_for"],
               sum(w for pe, w in weights.items() if kinds[pe] == "worker") / MILLION)
        c.equal("averages", (got["utilization"], got["imbalance"]),
                (workers["utilization"], workers["imbalance"]))
        c.equal("all spans", got["span_ns"], sum(weigh(a["span_ns"], w)
                                                 for w, a in run.each("profile")))
    return c.problems


def check_communication(c, run):
    got = run.whole("communication")
    each = run.each("communication")
    check_told(c, run, got)
    for key in ("messages", "matched", "unknown_source"):
        c.equal(key, got[key], weigh(1, sum(w * a[key] for w, a in each)))
    c.equal("weighed by", got["weighed_by"], "receiver")
    c.equal("bytes", got["bytes"], sum(weigh(a["bytes"], w) for w, a in each))
    c.equal("cells", sum(p["messages"] for p in got["matrix"]), got["messages"])
    c.near("bytes of cells", sum(p["bytes"] for p in got["matrix"]), got["bytes"],
           len(got["matrix"]) + 1)
    cells = {(p["from"], p["to"]): (p["messages"], p["bytes"]) for p in got["matrix"]}
    expected = {(p["from"], p["to"]): (w, p) for w, a in each for p in a["matrix"] if w > 0}
    c.equal("which cells", set(cells), set(expected))
    for key, (w, p) in expected.items():
        c.near(f"{key}", cells[key][0] * MILLION, w * p["messages"], MILLION)
        c.equal(f"{key} bytes", cells[key][1], weigh(p["bytes"], w))
    for one in got["sent"]:
        w = run.weights[one["location"]]
        own = run.alone(one["location"], "communication")["sent"][0]
        c.equal("sent", one, {"location": one["location"], "records": weigh(own["records"], w),
                              "destinations": weigh(own["destinations"], w),
                              "bytes": weigh(own["bytes"], w), "weight": w / MILLION})


def check_traffic(c, run):
    """Over time and by entry methods: as many PEs as each stands for, by the receiver."""
    for words in (("communication-time", "--bins", 5), ("call-table",)):
        got, each = run.whole(*words), run.each(*words)
        check_told(c, run, got)
        c.equal("weighed by", got["weighed_by"], "receiver")
        for key in ("messages", "matched", "sent_records", "sent_messages"):
            c.equal(key, got[key], weigh(1, sum(w * a[key] for w, a in each)))
        for key in ("bytes", "sent_bytes"):
            c.equal(key, got[key], sum(weigh(a[key], w) for w, a in each))
    for one in got["calls"]:
        own = [(w, a) for w, of in each for a in of["calls"] if w > 0
               and all(a[k] == one[k] for k in ("from", "to", "from_id", "to_id"))]
        for key in ("messages", "sent_messages"):
            c.equal(f"call {key}", one[key], weigh(1, sum(w * a[key] for w, a in own)))
        c.equal("call bytes", one["bytes"], sum(weigh(a["bytes"], w) for w, a in own))
        c.equal("call most", one["max_bytes"], max((a["max_bytes"] for w, a in own
                                                    if a["max_bytes"] is not None), default=None))
    got, each = run.whole("communication-time", "--bins", 5), run.each(
        "communication-time", "--bins", 5)
    for one in got["series"]:
        own = [(w, a) for w, of in each for a in of["series"] if w > 0
               and (a["id"], a["name"]) == (one["id"], one["name"])]
        for i in range(5):
            for key in ("sent_messages", "received_messages"):
                c.equal(f"column {key}", one[key][i], weigh(1, sum(w * a[key][i] for w, a in own)))
            for key in ("sent_bytes", "received_bytes", "in_flight_ns", "in_flight_bytes"):
                c.equal(f"column {key}", one[key][i], sum(weigh(a[key][i], w) for w, a in own))
    for i in range(5):
        c.equal("unmatched", got["unmatched_messages"][i],
                weigh(1, sum(w * a["unmatched_messages"][i] for w, a in each)))


def check_user_events(c, run):
    """Events in counts, brackets in time, by column and in all."""
    words = ("user-events-time", "--bins", 5)
    got, each = run.whole(*words), run.each(*words)
    check_told(c, run, got)
    c.equal("events", got["events"], weigh(1, sum(w * a["events"] for w, a in each)))
    c.equal("names", {s["name"] for s in got["series"]},
            {s["name"] for w, a in each for s in a["series"] if w > 0})
    for one in got["series"]:
        own = [(w, a) for w, of in each for a in of["series"] if w > 0
               and (a["id"], a["name"]) == (one["id"], one["name"])]
        for key in ("events", "run_events"):
            c.equal(key, one[key], weigh(1, sum(w * a[key] for w, a in own)))
        for key in ("time_ns", "run_time_ns"):
            c.equal(key, one[key], sum(weigh(a[key], w) for w, a in own))
        c.equal("longest", one["longest_ns"], max(a["longest_ns"] for w, a in own))
        for i in range(5):
            c.equal("column events", one["column_events"][i],
                    weigh(1, sum(w * a["column_events"][i] for w, a in own)))
            c.equal("column time", one["column_ns"][i],
                    sum(weigh(a["column_ns"][i], w) for w, a in own))
    c.equal("time", got["time_ns"], sum(s["time_ns"] for s in got["series"]))


def check_rest(c, run, kind):
    """As it is without weights where all weigh 1; the same for any threads;
    kinds about single PEs do not change."""
    for words in (("profile", "--per-location"), ("usage",), ("time-profile", "--bins", 7),
                  ("histogram", "--preset", "grain"), ("communication",),
                  ("communication-time", "--bins", 6), ("call-table",),
                  ("user-events-time", "--bins", 6)):
        got = run.whole(*words)
        c.equal(f"{words} threads", run.whole(*words, threads=1), got)
        c.equal(f"{words} threads", run.whole(*words, threads=5), got)
        if kind != "ones":
            continue
        for key in TOLD:
            got.pop(key, None)
        for part in (got.get("per_location", []), got.get("sent", []),
                     [got.get("average", {})], got.get("locations", [])):
            for one in part if isinstance(part, list) else []:
                one.pop("weight", None)
        c.equal(f"{words} of ones", got, harness.ask(run.program, words[0], run.folder,
                                                     *words[1:]))


def check_random(program, seed):
    c = harness.Compare()
    kind = ("ones", "any", "zeros", "any")[seed % 4]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        rng = traces.write_run(folder, seed)
        pes = sorted(int(p.name.split(".")[1]) for p in folder.glob("*.log"))
        total = len(pes) if kind == "ones" else rng.randrange(len(pes), 200)
        sts = folder / "random.sts"
        sts.write_text(sts.read_text().replace(f"PROCESSORS {len(pes)}\n", f"PROCESSORS {total}\n"))
        weights = choose_weights(rng, pes, kind, total)
        write_note(folder, "random", weights, total)
        info = harness.ask(program, "info", folder)
        c.equal("reduction", (info["reduction"]["pes"], info["reduction"]["kept"]),
                (total, len(pes)))
        c.true("capability", "weights" in info["capabilities"])
        run = Run(program, folder, weights)
        span = info["end_ns"] - info["begin_ns"]
        check_profile(c, run)
        check_profile(c, run, "--from", info["begin_ns"] + span // 3, "--to",
                      info["begin_ns"] + span // 2 + 1)
        check_time_profile(c, run, 9)
        for options in (["--preset", "grain"], ["--min", 100, "--max", 3000, "--bins", 7],
                        ["--weight", "time", "--max", 4000, "--bins", 5],
                        ["--unit", "call", "--scale", "log", "--max", 5000, "--bins", 6],
                        ["--of", "message-size", "--max", 3000, "--bins", 5]):
            check_histogram(c, run, *options)
        check_usage(c, run)
        check_busiest(c, run)
        check_communication(c, run)
        check_traffic(c, run)
        check_user_events(c, run)
        check_rest(c, run, kind)
    return c.problems


def check_brackets(program, source):
    """User events of a real run that last, and go over columns."""
    c = harness.Compare()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name) / "run"
        shutil.copytree(source, folder)
        base = next(folder.glob("*.sts")).stem
        weights = dict(enumerate((2_500_000, 0, 1_000_001, 7_499_999)))
        sts = folder / f"{base}.sts"
        sts.write_text(sts.read_text().replace("PROCESSORS 4\n", "PROCESSORS 11\n"))
        write_note(folder, base, weights, 11)
        run = Run(program, folder, weights)
        check_user_events(c, run)
        c.true("brackets", run.whole("user-events-time")["time_ns"] > 0)
        c.equal("threads", run.whole("user-events-time", threads=1),
                run.whole("user-events-time", threads=4))
    return c.problems


def check_large(program):
    """Enough pieces for several threads."""
    c = harness.Compare()
    with tempfile.TemporaryDirectory() as name:
        folder, rng = pathlib.Path(name), random.Random(77)
        traces.write_sts(folder, 300)
        pes = list(range(7))
        for pe in pes:
            lines = traces.Writer(rng, pe, len(pes), 20000).lines
            text = [f"PROJECTIONS-RECORD {len(lines)}"] + lines
            (folder / f"random.{pe}.log").write_text("\n".join(text) + "\n")
        weights = choose_weights(rng, pes, "any", 300)
        write_note(folder, "random", weights, 300)
        run = Run(program, folder, weights)
        check_profile(c, run)
        check_rest(c, run, "any")
    return c.problems


def check_reduced(program, source, options):
    """The reduced run, extrapolated, is the weighed sum of the original's PEs."""
    c = harness.Compare()
    with tempfile.TemporaryDirectory() as name:
        out = pathlib.Path(name) / "out"
        told = harness.ask(program, "reduce", source, out, *options)
        weights = {w["location"]: round(w["weight"] * MILLION) for w in told["weights"]}
        c.equal("sum of weights", sum(weights.values()), told["pes"] * MILLION)
        got = harness.ask(program, "profile", out, "--extrapolate", "--per-location")
        c.near("stands for", got["stands_for"], told["pes"])
        full = harness.ask(program, "profile", source, "--per-location")
        of_pe = {p["location"]: p for p in full["per_location"]}
        n = len(weights)
        c.equal("span", got["span_ns"], sum(
            weigh(sum(of_pe[pe][k] for k in PARTS), w) for pe, w in weights.items()))
        for key in PARTS:
            c.near(key, got[key] * MILLION, sum(of_pe[pe][key] * w for pe, w in weights.items()),
                   n * MILLION)
        for a in got["activities"]:
            if a["kind"] not in ("entry", "function"):
                continue
            own = [(w, b) for pe, w in weights.items() for b in of_pe[pe]["activities"]
                   if (b["id"], b["kind"]) == (a["id"], a["kind"])]
            if a["kind"] == "entry":
                c.near(a["name"], a["exclusive_ns"] * MILLION,
                       sum(b["exclusive_ns"] * w for w, b in own), n * MILLION)
            c.equal(f"blocks of {a['name']}", a["blocks"],
                    weigh(1, sum(b["blocks"] * w for w, b in own)))
        for one in got["per_location"]:
            c.near("weight", one.pop("weight"), weights[one["location"]] / MILLION)
            c.equal("own figures", one, of_pe[one["location"]])
        check_measured(c, program, source, out, told)
    return c.problems


def check_measured(c, program, source, out, told):
    """What the note says of errors is what the two runs say."""
    note = configparser.ConfigParser()
    note.read(next(out.glob("*.kymo")))
    limits = ("--from", note["Error"]["begin_ns"], "--to", note["Error"]["end_ns"])
    full = by_name(harness.ask(program, "profile", source, *limits))
    got = by_name(harness.ask(program, "profile", out, "--extrapolate", *limits))
    kinds = ("idle", "overhead", "untraced")
    entries = {k: tuple(map(int, v.strip(";").split(";")))
               for k, v in note["Error of entries"].items()}
    c.true("measured", len(entries) > len(kinds))
    for key, one in got.items():
        name = key[0] if key[0] in kinds else str(key[1])
        if key[0] not in (*kinds, "entry") or name not in entries:
            c.equal(f"{key} was not measured", one["error"], None)
            continue
        true, estimated = entries[name]
        c.equal(f"{key} true", full[key]["exclusive_ns"] if key in full else 0, true)
        c.near(f"{key} estimated", one["exclusive_ns"], estimated, len(told["kept"]))
        if true == 0:
            c.equal(f"{key} error", one["error"], None)
        else:
            c.near(f"{key} error", one["error"], estimated / true - 1, 1e-9)


def main():
    program, root = sys.argv[1], pathlib.Path(sys.argv[2])
    tap = harness.Tap()
    for seed in range(8)[::harness.PART]:
        tap.check(f"seed {seed}", check_random, program, seed)
    for seed in range(20, 24)[::harness.PART]:
        tap.check(f"communication threads {seed}", check_smp, program, seed)
    tap.check("threads", check_large, program)
    tap.check("brackets", check_brackets, program, root / "tests" / "data" / "feat-p4-text")
    for name in ("sample", "ampi-jacobi-p4-gz", "jacobi2d-traceprocs-p6"):
        source = root / "data" / name if name == "sample" else root / "tests" / "data" / name
        for options in (["-k", 2, "--keep", "50%"], ["--keep", 1, "-k", 1]):
            tap.check(f"{name} {options}", check_reduced, program, source, options)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
