# SPDX-License-Identifier: GPL-3.0-or-later
"""Messages over time, by location and between entry methods by brute force: every message
of the second reader's lists, one by one.
"""
import bisect
import collections
import itertools

import brute
import reference

Message = collections.namedtuple("Message", "source to begin ep bytes sent_by sent")
FIGURES = ("sent_messages", "sent_bytes", "received_messages", "received_bytes",
           "in_flight_ns", "in_flight_bytes")
OUTSIDE, UNKNOWN = "(outside)", "(unknown)"


class Blocks:
    """Finds the entries that may have created something at a time: of the innermost block
    that began before, of what lies around it where it ends just then, and of those that
    begin then."""

    def __init__(self, location):
        self.blocks, self.ends = location.blocks, location.ends
        self.begins = [b.begin for b in location.blocks]
        self.latest = list(itertools.accumulate(location.ends, max))

    def at(self, time):
        found = []
        first, last = bisect.bisect_left(self.begins, time), bisect.bisect(self.begins, time)
        for i in range(first - 1, -1, -1):
            if self.latest[i] < time:
                break
            if self.ends[i] >= time:
                found.append(self.blocks[i].ep)
            if self.ends[i] > time:
                break
        return found + [b.ep for b in self.blocks[first:last]]


def senders(location):
    """Of each send what created it: where the time leaves a doubt, the candidate that
    surely sent most to the same entry."""
    blocks = Blocks(location)
    each = [blocks.at(s[4]) for s in location.sends]
    sure = collections.Counter((c[0], s[0]) for c, s in zip(each, location.sends)
                               if len(set(c)) == 1)
    return [max(c, key=lambda e: sure[e, s[0]]) if c else OUTSIDE
            for c, s in zip(each, location.sends)]


def received(run, comm):
    """All messages; sent_by and sent (the time) are None where nobody knows."""
    found = []
    for way in reference.ways(run, comm, True):
        source, to, time, begin, ep, _, certain, ev = way
        found.append((source, to, begin, ep, time if certain else None, ev))
    sizes, first = [], {}
    for pe, location in run.items():
        for index, (_, ev, _, _, _) in enumerate(location.sends):
            first.setdefault((pe, ev), index)
    by = {pe: senders(location) for pe, location in run.items()}
    passed_on = {pe: {c[3] for c in run[pe].creations.values()} for pe in comm}
    for to, location in run.items():
        sizes += [b.bytes for index, b in brute.first_blocks(location)
                  if b.ev >= 0 and not (to in comm and index in passed_on[to])]
    return [Message(source, to, begin, ep, size,
                    None if time is None else by[source][first[source, ev]], time)
            for (source, to, begin, ep, time, ev), size in zip(found, sizes)]


def asked(question, comm):
    return [m for m in received(question.run, comm) if m.to in question.ids]


def sends(question):
    """(who sent, entry, bytes, destinations, time) of the range."""
    for location in question.locations:
        for by, (ep, _, size, n, time) in zip(senders(location), location.sends):
            if question.holds(time):
                yield by, ep, size, n, time


def totals(question, comm):
    inside = [m for m in asked(question, comm) if question.holds(m.begin)]
    made = list(sends(question))
    return {"messages": len(inside), "bytes": sum(m.bytes for m in inside),
            "matched": sum(m.sent is not None for m in inside),
            "unmatched": sum(m.sent is None for m in inside),
            "sent_records": len(made), "sent_messages": sum(s[3] for s in made),
            "sent_bytes": sum(s[2] * s[3] for s in made)}


def over_time(question, comm, n):
    """By entry and figure a list."""
    at = brute.edges(question.begin, question.end, n)
    rows = collections.defaultdict(lambda: [0] * n)

    def column(time):
        return min(bisect.bisect_right(at, time) - 1, n - 1)

    for _, ep, size, many, time in sends(question):
        rows[ep, "sent_messages"][column(time)] += many
        rows[ep, "sent_bytes"][column(time)] += size * many
    for m in asked(question, comm):
        if question.holds(m.begin):
            rows[m.ep, "received_messages"][column(m.begin)] += 1
            rows[m.ep, "received_bytes"][column(m.begin)] += m.bytes
        for i in range(n if m.sent is not None else 0):
            ns = min(m.begin, at[i + 1]) - max(m.sent, at[i])
            if ns > 0:
                rows[m.ep, "in_flight_ns"][i] += ns
                rows[m.ep, "in_flight_bytes"][i] += int(m.bytes * (ns / (at[i + 1] - at[i])))
    return at, {key: row for key, row in rows.items() if any(row)}


def table(question, comm):
    """By (from, to): messages, bytes, sent messages, sent bytes."""
    rows = collections.defaultdict(lambda: [0, 0, 0, 0])
    for m in asked(question, comm):
        if question.holds(m.begin):
            row = rows[UNKNOWN if m.sent is None else m.sent_by, m.ep]
            row[0] += 1
            row[1] += m.bytes
    for by, ep, size, many, _ in sends(question):
        row = rows[by, ep]
        row[2] += many
        row[3] += size * many
    return dict(rows)


def check(c, answer, expected):
    for key, value in expected.items():
        c.equal(key, answer[key], value)


def check_time(c, answer, question, comm, n):
    check(c, answer, totals(question, comm))
    at, rows = over_time(question, comm, n)
    c.equal("edges", answer["edges_ns"], at)
    c.equal("series", {(s["id"], key): s[key] for s in answer["series"] for key in FIGURES
                       if any(s[key])}, rows)
    for key in FIGURES[:4]:
        total = key.replace("received_", "")
        c.equal(f"sum of {key}", sum(sum(s[key]) for s in answer["series"]), answer[total])
    c.equal("unmatched", sum(answer["unmatched_messages"]), answer["unmatched"])


def check_locations(c, answer, question, comm):
    check(c, answer, totals(question, comm))
    by_pe = collections.Counter(m.to for m in asked(question, comm)
                                if question.holds(m.begin))
    own = collections.Counter(m.to for m in asked(question, comm)
                              if question.holds(m.begin) and m.source == m.to)
    rows = answer["rows"]
    c.equal("received", {r["location"]: r["received_messages"] for r in rows},
            {pe: by_pe[pe] for pe in question.ids})
    c.equal("from itself", {r["location"]: r["self_messages"] for r in rows},
            {pe: own[pe] for pe in question.ids})
    c.equal("sent", {r["location"]: (r["sent_records"], r["sent_messages"], r["sent_bytes"])
                     for r in rows}, brute.sent(question))
    for what in ("messages", "bytes"):
        for row in rows:
            c.equal(f"parts of {what}", row[f"received_{what}"], sum(
                row[f"{d}_{what}"] for d in ("self", "process", "node", "others", "unknown")))
        c.equal(f"sum of {what}", sum(r[f"received_{what}"] for r in rows), answer[what])


def check_table(c, answer, question, comm):
    check(c, answer, totals(question, comm))
    calls = {(r["from"] if r["from_id"] is None else r["from_id"], r["to_id"]):
             [r["messages"], r["bytes"], r["sent_messages"], r["sent_bytes"]]
             for r in answer["calls"]}
    c.equal("rows", len(calls), len(answer["calls"]))
    c.equal("calls", calls, table(question, comm))
    for key in ("messages", "bytes", "sent_messages", "sent_bytes"):
        c.equal(f"sum of {key}", sum(r[key] for r in answer["calls"]), answer[key])
