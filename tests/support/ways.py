# SPDX-License-Identifier: GPL-3.0-or-later
"""The ways of messages, as the second reader finds them, against kymo-cli."""
import collections

import harness
import reference


def check_ways(program, folder, run):
    """Messages through communication threads, and who is in averages."""
    c = harness.Compare()
    comm = reference.comm_threads(folder, run)
    answer = harness.ask(program, "messages", folder, "--limit", "1000000")
    usage = harness.ask(program, "usage", folder)
    expected = reference.ways(run, comm)
    c.equal("ways", sorted(
        (m["from"], m["to"], m["sent_ns"] or -1, m["begin_ns"], m["via"],
         m["certain"]) for m in answer["messages"]), sorted(
        (f, t, sent or -1, begin, via, certain)
        for f, t, sent, begin, _, via, certain in expected))
    pairs = collections.Counter((f, t) for f, t, *_ in expected)
    joined = harness.ask(program, "communication", folder, "--join")
    c.equal("joined", {(m["from"], m["to"]): m["messages"]
                       for m in joined["matrix"]}, dict(pairs))
    c.equal("joined messages", joined["messages"], len(expected))
    c.equal("kinds", {u["location"] for u in usage["locations"]
                      if u["kind"] == "communication"}, comm)
    workers = [u for u in usage["locations"] if u["kind"] == "worker"]
    for part in ("busy", "idle", "overhead"):
        c.equal(f"average {part}", usage["average"][f"{part}_ns"],
                sum(u[f"{part}_ns"] for u in workers))
    info = harness.ask(program, "info", folder)
    profile = harness.ask(program, "profile", folder, "--workers-only")
    for key in ("busy_ns", "span_ns", "utilization", "imbalance"):
        c.equal(key, info[key], profile[key])
    return c.problems
