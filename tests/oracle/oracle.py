# SPDX-License-Identifier: GPL-3.0-or-later
"""Every recorded case against its oracle.json (recorded), or against the reference
reader where the oracle's rule is another one than ours (reader: nested blocks,
distinct calls).

Usage: oracle.py KYMO-CLI SOURCE-ROOT recorded|reader
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import harness  # noqa: E402
import reference  # noqa: E402
import summary  # noqa: E402
import ways  # noqa: E402

# Larger runs are left to the benchmarks: the reference reader is slow.
MAX_BYTES = 4 << 20


def ns_by_id(entries, kind="entry"):
    return {e["id"]: e["exclusive_ns"] for e in entries
            if e["kind"] == kind and e["exclusive_ns"]}


def nonzero(counts):
    return {int(k): v for k, v in counts.items() if v}


def stack_busy(pe):
    stack = pe.get("busy_by_ep_stack", "same")
    return pe["busy_by_ep"] if stack == "same" else stack


def check_info(program, folder, truth):
    c = harness.Compare()
    info = harness.ask(program, "info", folder)
    total, pes = truth["total"], truth["pes"]
    c.equal("records", info["records"], sum(p["records"] for p in pes.values()))
    c.equal("begin", info["begin_ns"], total["begin"] * 1000)
    c.equal("end", info["end_ns"], total["end"] * 1000)
    c.true("no kind", info["kind"] in ("trace", "reduced"))
    return c.problems


def check_sums(c, what, table):
    parts = sum(table[k] for k in ("busy_ns", "idle_ns", "overhead_ns",
                                   "untraced_ns"))
    span = table.get("span_ns", table.get("end_ns", 0) - table.get("begin_ns", 0))
    c.equal(f"{what}: parts and span", parts, span)
    for key in ("busy_ns", "idle_ns", "overhead_ns", "untraced_ns"):
        c.true(f"{what}: {key} is negative", table[key] >= 0)


def check_profile(program, folder, truth):
    c = harness.Compare()
    profile = harness.ask(program, "profile", folder, "--per-location")
    each = {p["location"]: p for p in profile["per_location"]}
    check_sums(c, "total", profile)
    for key in ("pack", "unpack", "flush"):
        c.equal(key, profile[key + "_ns"],
                1000 * sum(p[key] for p in truth["pes"].values()))
    for name, pe in truth["pes"].items():
        got, busy = each[int(name)], stack_busy(pe)
        check_sums(c, f"PE {name}", got)
        c.equal(f"PE {name} begin", got["begin_ns"], pe["begin"] * 1000)
        c.equal(f"PE {name} end", got["end_ns"], pe["end"] * 1000)
        c.equal(f"PE {name} busy", got["busy_ns"], 1000 * sum(busy.values()))
        c.equal(f"PE {name} idle", got["idle_ns"], pe["idle"] * 1000)
        c.equal(f"PE {name} by entry", ns_by_id(got["activities"]),
                nonzero({k: v * 1000 for k, v in busy.items()}))
        blocks = {a["id"]: a["blocks"] for a in got["activities"]
                  if a["kind"] == "entry"}
        c.equal(f"PE {name} blocks", nonzero(blocks), nonzero(pe["calls_by_ep"]))
    return c.problems


def check_user_events(program, folder, truth):
    c = harness.Compare()
    profile = harness.ask(program, "profile", folder)
    events = {a["id"]: a for a in profile["activities"] if a["kind"] == "event"}
    expected = {}
    for pe in truth["pes"].values():
        for key, value in pe.get("user_events", {}).items():
            count, us = expected.get(int(key), (0, 0))
            expected[int(key)] = (count + value["count"], us + value["us"])
    for key, (count, us) in expected.items():
        got = events.get(key, {"blocks": 0, "inclusive_ns": 0})
        c.equal(f"event {key} count", got["blocks"], count)
        c.equal(f"event {key} time", got["inclusive_ns"], us * 1000)
    return c.problems


def check_communication(program, folder, truth):
    c = harness.Compare()
    answer = harness.ask(program, "communication", folder)
    sent = {s["location"]: s for s in answer["sent"]}
    for name, pe in truth["pes"].items():
        got = sent.get(int(name), {"records": 0, "destinations": 0, "bytes": 0})
        c.equal(f"PE {name} sends",
                (got["records"], got["destinations"], got["bytes"]),
                (pe["sends"]["records"], pe["sends"]["dests"],
                 pe["sends"]["bytes_dest"]))
    c.equal("matched and unmatched", answer["matched"] + answer["unmatched"],
            answer["messages"])
    c.equal("matrix", sum(m["messages"] for m in answer["matrix"]),
            answer["messages"])
    match = truth["total"].get("match")
    if match:
        c.equal("creations of begin records",
                (answer["blocks"]["same_entry"], answer["blocks"]["other_entry"],
                 answer["blocks"]["none"]),
                (match["same_entry"], match["other_entry"], match["none"]))
    return c.problems


def check_histogram(program, folder, truth):
    c = harness.Compare()
    if any(p["anomalies"].get("begin_while_open") for p in truth["pes"].values()):
        return []                      # the reference reader looks after these
    answer = harness.ask(program, "histogram", folder, "--of", "duration",
                         "--unit", "block", "--min", "0", "--max", "10ms",
                         "--bins", "100")
    expected = [sum(p["hist_100us"][i] for p in truth["pes"].values())
                for i in range(100)]
    c.equal("bins", answer["total"], expected)
    c.equal("above", answer["above"],
            sum(p["hist_over"] for p in truth["pes"].values()))
    c.equal("below", answer["below"], 0)
    return c.problems


def check_reference(program, folder, run):
    """Calls, messages and the histogram, from the second reader."""
    c = harness.Compare()
    profile = harness.ask(program, "profile", folder)
    calls, blocks, busy = {}, {}, {}
    for location in run.values():
        for into, counts in ((calls, location.calls()),
                             (blocks, location.blocks_by_entry()),
                             (busy, location.time())):
            for key, value in counts.items():
                into[key] = into.get(key, 0) + value
    got = {a["id"]: a for a in profile["activities"] if a["kind"] == "entry"}
    for ep, count in calls.items():
        c.equal(f"calls of {ep}", got.get(ep, {}).get("calls"), count)
        c.equal(f"blocks of {ep}", got.get(ep, {}).get("blocks"), blocks[ep])
        c.equal(f"time of {ep}", got.get(ep, {}).get("exclusive_ns"),
                busy.get(ep, 0))
    matrix = {}
    for pe, location in run.items():
        for src, count in location.received().items():
            matrix[src, pe] = count
    answer = harness.ask(program, "communication", folder)
    c.equal("matrix", {(m["from"], m["to"]): m["messages"]
                       for m in answer["matrix"]}, matrix)
    durations = [d for l in run.values() for _, d in l.durations()]
    check_bins(c, program, folder, "block", durations)
    durations = [d for l in run.values() for _, d in l.call_durations()]
    check_bins(c, program, folder, "call", durations)
    return c.problems


def check_bins(c, program, folder, unit, durations):
    answer = harness.ask(program, "histogram", folder, "--min", "10us", "--max",
                         "2ms", "--bins", "50", "--unit", unit)
    total, below, above = reference.histogram(durations, 10000, 2000000, 50)
    c.equal(f"bins by {unit}", answer["total"], total)
    c.equal(f"below and above by {unit}", (answer["below"], answer["above"]),
            (below, above))


def check_refused(program, folder):
    """What cannot be read yet is one clear sentence."""
    c = harness.Compare()
    result = harness.run(program, "info", folder, "--format", "json")
    c.equal("exit", result.code, 1)
    c.equal("output", result.out, b"")
    c.true(f"no sentence: {result.err}", len(result.err.strip()) > 10)
    return c.problems


def check_summary_lists(c, name, pe, oracle):
    """The second reader's lists against the oracle's figures."""
    c.equal(f"PE {name} bins", (pe.n, len(pe.utilization)), (oracle["bins"],) * 2)
    c.equal(f"PE {name} utilization", sum(pe.utilization), oracle["util_sum"])
    c.equal(f"PE {name} idle", (sum(pe.idle), len(pe.idle)),
            (oracle["idle_sum"], oracle["idle_bins"]))
    for key, values in (("EPExeTime", pe.exe_us), ("EPCallTime", pe.calls),
                        ("MaxEPTime", pe.max_us)):
        c.equal(f"PE {name} {key}",
                (len(values), sum(values), {str(i): v for i, v in enumerate(values) if v}),
                (oracle[key]["n"], oracle[key]["sum"], oracle[key]["nonzero"]))
    for key, values in (("ExeTimePerEPperInterval", pe.times),
                        ("EPCallTimePerInterval", pe.counts)):
        if values is not None:
            c.equal(f"PE {name} {key}", {"values": len(values), "sum": sum(values)},
                    oracle["sumd_" + key])


def check_summary_totals(c, program, folder, name, oracle):
    """What the files tell of the whole run."""
    answer = harness.ask(program, "profile", folder, "--locations", name)
    told = {a["id"]: a for a in answer["activities"]
            if a["kind"] == "entry" and a["id"] >= 0}
    for key, column, unit in (("EPExeTime", "exclusive_ns", 1000),
                              ("EPCallTime", "calls", 1), ("EPCallTime", "blocks", 1),
                              ("MaxEPTime", "max_ns", 1000)):
        expected = {int(i): v * unit for i, v in oracle[key]["nonzero"].items()
                    if int(i) not in (summary.PACK, summary.UNPACK)}
        got = {i: a[column] for i, a in told.items() if a[column]}
        c.equal(f"PE {name} {key} as {column}", got, expected)
    c.equal(f"PE {name}: no file tells the shortest", {a["min_ns"] for a in told.values()}
            - {None}, set())
    packing = oracle["EPExeTime"]["nonzero"]
    c.equal(f"PE {name} packing", (answer["pack_ns"], answer["unpack_ns"]),
            (packing.get("1", 0) * 1000, packing.get("2", 0) * 1000))
    check_sums(c, f"PE {name}", answer)


def check_summary_bins(c, program, folder, name, pe, oracle):
    """Each bin is one of the time profile."""
    answer = harness.ask(program, "time-profile", folder, "--locations", name,
                         "--from", "0", "--to", pe.span, "--bins", pe.n)
    busy = sum(sum(s["ns"]) for s in answer["series"])
    if pe.n_repaired == 0:
        told = oracle["util_sum"] * pe.bin // 100
        # Entry methods may tell more than the percent that were rounded down.
        most = told if pe.times is None else told + pe.n * pe.bin // 100
        c.true(f"PE {name} busy: {busy} is not in {told} to {most}",
               told <= busy <= most)
        c.equal(f"PE {name} idle", sum(answer["idle_ns"]),
                oracle["idle_sum"] * pe.bin // 100)
    if pe.times is None:
        return
    us = {s["id"]: sum(s["ns"]) // 1000 for s in answer["series"] if s["id"] >= 0}
    packing = sum(sum(pe.times[e * pe.n:(e + 1) * pe.n])
                  for e in (summary.PACK, summary.UNPACK))
    c.equal(f"PE {name} time by entry and bin", sum(us.values()) + packing,
            oracle["sumd_ExeTimePerEPperInterval"]["sum"])


def check_summary(program, folder, truth):
    c = harness.Compare()
    run = summary.read_run(folder)
    info = harness.ask(program, "info", folder)
    c.equal("kind", (info["kind"], info["format_version"]), ("summary", "7.1"))
    c.equal("capabilities", info["capabilities"], ["binned-time", "profile"])
    ends = {str(e["location"]): e["end_ns"] for e in info["location_list"]}
    c.equal("ends", ends, {name: run[int(name)].span for name in truth["summary"]})
    for name, oracle in truth["summary"].items():
        pe = run[int(name)]
        check_summary_lists(c, name, pe, oracle)
        check_summary_totals(c, program, folder, name, oracle)
        check_summary_bins(c, program, folder, name, pe, oracle)
    return c.problems


def check_unanswerable(program, folder, truth):
    """What a summary cannot tell is refused in one sentence that says why."""
    c = harness.Compare()
    for question in (["timeline"], ["histogram"], ["messages"], ["communication"],
                     ["events"]):
        result = harness.run(program, *question, folder, "--format", "json", "--quiet")
        c.equal(f"{question[0]}: exit and output", (result.code, result.out), (1, b""))
        for word in ("summary", "+tracemode projections"):
            c.true(f"{question[0]}: no {word} in {result.err}", word in result.err)
    return c.problems


def check_recorded(tap, program, name, folder, truth):
    """Against the figures that were recorded with the case."""
    checks = (check_info, check_profile, check_user_events, check_communication,
              check_histogram)
    if "summary" in truth:
        checks = check_summary, check_unanswerable
    elif "pes" not in truth:
        # What is large may be a format of its own.
        if harness.size_of(folder) <= MAX_BYTES:
            tap.check(f"{name} refused", check_refused, program, folder)
        return
    for check in checks:
        what = check.__name__[len("check_"):]
        tap.check(f"{name} {what}", check, program, folder, truth)


def check_read(tap, program, name, folder, truth):
    """Against the second reader, which is too slow for large cases."""
    if "summary" in truth or "pes" not in truth or harness.size_of(folder) > MAX_BYTES:
        return
    run = reference.read_run(folder)
    if run:
        tap.check(f"{name} reference", check_reference, program, folder, run)
        tap.check(f"{name} ways", ways.check_ways, program, folder, run)


def main():
    program, root, part = sys.argv[1:4]
    tap = harness.Tap()
    for name, folder, truth in harness.cases(root):
        (check_read if part == "reader" else check_recorded) (tap, program, name, folder, truth)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
