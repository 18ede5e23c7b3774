# SPDX-License-Identifier: GPL-3.0-or-later
"""Every answer by brute force, over the second reader's lists.

A Question is a range, some locations and a resolution; each function loops
over all pieces, blocks or sends and keeps what the question is about. Nothing
here knows of trees, sums kept, threads or caches.
"""
import bisect
import collections

import reference

STATES = ("idle", "overhead", "untraced")


class Question:
    """Of which locations, when; end is None for: to the run's end."""

    def __init__(self, run, begin, end, ids):
        self.run, self.begin, self.end = run, begin, end
        self.ids = [pe for pe in sorted(run) if pe in ids]
        self.locations = [run[pe] for pe in self.ids]
        run_end = max(l.end for l in run.values())
        # What begins on the last nanosecond of the run is inside as well.
        self.count_end = end if end < run_end else float("inf")

    def holds(self, time):
        return self.begin <= time < self.count_end

    @property
    def arguments(self):
        ids = ",".join(map(str, self.ids))
        return ["--from", self.begin, "--to", self.end, "--locations", ids]


def edges(begin, end, n):
    return [begin + (end - begin) * i // n for i in range(n + 1)]


def column_times(location, at):
    """ns by state in each column between the times in `at`."""
    columns = [collections.Counter() for _ in at[1:]]
    for piece in location.pieces:
        i = max(bisect.bisect_right(at, piece.begin) - 1, 0)
        while i < len(columns) and at[i] < piece.end:
            ns = min(piece.end, at[i + 1]) - max(piece.begin, at[i])
            if ns > 0:
                columns[i][piece.state] += ns
            i += 1
    return columns


def time_profile(question, bins):
    """Edges, and by state a list of ns."""
    at = edges(question.begin, question.end, bins)
    rows = collections.defaultdict(lambda: [0] * bins)
    for location in question.locations:
        for i, column in enumerate(column_times(location, at)):
            for state, ns in column.items():
                rows[state][i] += ns
    return at, dict(rows)


def usage(question):
    """By location: ns by state."""
    return {pe: +l.time(question.begin, question.end)
            for pe, l in zip(question.ids, question.locations)}


def first_blocks(location):
    """Of each call the first block; those without an event are calls."""
    seen = set()
    for index, b in enumerate(location.blocks):
        key = (b.src, b.ev, b.ep, b.ids) if b.ev >= 0 else index
        if key not in seen:
            seen.add(key)
            yield index, b


def profile(question):
    """By entry: (blocks, calls, exclusive)."""
    blocks, calls, ns = (collections.Counter() for _ in range(3))
    for location in question.locations:
        blocks.update(b.ep for b in location.blocks if question.holds(b.begin))
        calls.update(b.ep for _, b in first_blocks(location)
                     if question.holds(b.begin))
        ns.update(location.time(question.begin, question.end))
    return {ep: (blocks[ep], calls[ep], ns[ep]) for ep in blocks | ns
            if ep not in STATES and (blocks[ep] or calls[ep] or ns[ep])}


def lengths(question):
    """By entry: (mean, shortest, longest) own time of the blocks that begin in the range."""
    found = collections.defaultdict(list)
    for location in question.locations:
        own = collections.Counter()
        for piece in location.pieces:
            if piece.block is not None:
                own[piece.block] += piece.end - piece.begin
        for index, b in enumerate(location.blocks):
            if question.holds(b.begin):
                found[b.ep].append(own[index])
    return {ep: (sum(own) // len(own), min(own), max(own)) for ep, own in found.items()}


def inclusive(question):
    """By entry: ns from begin to end of blocks, inside the range."""
    sums = collections.Counter()
    for location in question.locations:
        for b, end in zip(location.blocks, location.ends):
            sums[b.ep] += max(min(end, question.end)
                              - max(b.begin, question.begin), 0)
    return +sums


def durations(question, unit):
    """(entry, ns) of what is counted in the range."""
    found = []
    for location in question.locations:
        if unit == "block":
            found += [(p.state, p.end - p.begin) for p in location.pieces
                      if p.block is not None and question.holds(p.begin)]
            continue
        exclusive = collections.Counter()
        for piece in location.pieces:
            if piece.block is not None:
                b = location.blocks[piece.block]
                key = (b.src, b.ev, b.ep, b.ids) if b.ev >= 0 else piece.block
                exclusive[key] += piece.end - piece.begin
        for index, b in first_blocks(location):
            if question.holds(b.begin):
                key = (b.src, b.ev, b.ep, b.ids) if b.ev >= 0 else index
                found.append((b.ep, exclusive[key]))
    return found


def sizes(question):
    """(entry, bytes) of every creation in the range."""
    return [(ep, size) for location in question.locations
            for ep, _, size, _, time in location.sends if question.holds(time)]


def histogram(values, at, by_value):
    """By entry a list, and what is below and above; at: the edges."""
    rows = collections.defaultdict(lambda: [0] * (len(at) - 1))
    below = above = 0
    for entry, value in values:
        weight = value if by_value else 1
        if value < at[0]:
            below += weight
        elif value >= at[-1]:
            above += weight
        else:
            rows[entry][bisect.bisect_right(at, value) - 1] += weight
    return {e: row for e, row in rows.items() if any(row)}, below, above


def sent(question):
    """By location: records, destinations, bytes."""
    return {pe: (len(made := [s for s in l.sends if question.holds(s[4])]),
                 sum(s[3] for s in made), sum(s[2] * s[3] for s in made))
            for pe, l in zip(question.ids, question.locations)}


def matrix(question):
    """By pair: messages and bytes, each counted where its call begins."""
    pairs = {}
    for pe, location in zip(question.ids, question.locations):
        for _, b in first_blocks(location):
            if b.ev >= 0 and question.holds(b.begin):
                count, size = pairs.get((b.src, pe), (0, 0))
                pairs[b.src, pe] = (count + 1, size + b.bytes)
    return pairs


def messages(question, comm):
    """(from, to, sent or None, begin, via, certain)."""
    return [(source, to, time, begin, via, certain)
            for source, to, time, begin, _, via, certain
            in reference.ways(question.run, comm)
            if to in question.ids and question.holds(begin)]


def timeline_rows(question, n_rows):
    """Which locations are which row."""
    n = len(question.ids)
    n_rows = min(n_rows or n, n)
    rows = [[] for _ in range(n_rows)]
    for place, pe in enumerate(question.ids):
        rows[place * n_rows // n].append(pe)
    return rows


def timeline_columns(question, ids, width):
    """Of some locations together: edges, and ns by state in each column."""
    at = edges(question.begin, question.end, width)
    sums = [collections.Counter() for _ in range(width)]
    for pe in ids:
        for total, column in zip(sums, column_times(question.run[pe], at)):
            total.update(column)
    return at, sums
