# SPDX-License-Identifier: GPL-3.0-or-later
"""Start-up, main part and iterations of a run of Charm++, by brute force: executions of each
activity are counted by element of an array, over all locations, else by location."""
import collections
import re

import brute

RUNTIME = re.compile(
    r"(SDAG|null|Chare|Group|FutureBOC|FutureMain|ArrayElement|\w*Map|LBMgrInit|LBManager|"
    r"MetaLBInit|MetaBalancer|MetaBalancerRedn|KMeansBOC|waitqd_QDChare|TCharm|ampi|ampiParent|"
    r"\w*LB|[Cc]k\w*|dummy_\w*|TraceProjections\w*)::")


def turns(locations, dims):
    """By entry: by actor the (begin, end) of its executions, in the order of their begins."""
    found = collections.defaultdict(lambda: collections.defaultdict(list))
    elements = set()
    for pe, location in locations:
        for index, b in brute.first_blocks(location):
            ids = b.ids if b.ep in dims else ()
            if ids:
                elements.add(b.ep)
            found[b.ep][ids or pe].append((b.begin, location.ends[index]))
    for ep in elements:
        found[ep] = {key: calls for key, calls in found[ep].items() if isinstance(key, tuple)}
    return found, elements


def marks(actors):
    """The first, the latest begin of every k-th execution."""
    ordered = [sorted(calls) for calls in actors.values()]
    return [(min(c[k][0] for c in ordered), max(c[k][0] for c in ordered))
            for k in range(len(ordered[0]))]


def check(c, ask, question, about):
    answer = ask("regions")
    rows = answer["regions"]
    told = {e["kind"]: e for e in answer["evidence"]}
    name_of = {i: name for name, ids in about.ids_of.items() for i in ids}
    locations = [(pe, l) for pe, l in zip(question.ids, question.locations)
                 if pe not in about.comm]
    begin = min(l.begin for l in question.run.values())
    end = max(l.end for l in question.run.values())
    own = [(b.begin, l.ends[i]) for _, l in locations for i, b in enumerate(l.blocks)
           if not RUNTIME.match(name_of.get(b.ep, ""))]
    wanted = {}
    if own and "MPI" not in told["main"]["how"]:
        first, last = min(b for b, _ in own), max(e for _, e in own)
        if last > first:
            wanted = {"startup": (begin, first), "main": (first, last), "shutdown": (last, end)}
            c.equal("how main was found", "entry method" in told["main"]["how"], True)
    if "MPI" not in told["main"]["how"] or not told["main"]["count"]:
        c.equal("parts", {r["kind"]: (r["begin_ns"], r["end_ns"]) for r in rows
                          if r["kind"] in ("startup", "main", "shutdown")},
                {k: (b, e) for k, (b, e) in wanted.items()
                 if b < min(e, question.end) and e > question.begin})
    check_iterations(c, question, about, rows, told["iteration"], locations, name_of)


def check_iterations(c, question, about, rows, told, locations, name_of):
    name = re.search("begin of “(.*)” to", told["how"])
    got = [r for r in rows if r["kind"] == "iteration"]
    c.true("rows of iterations", len(got) <= told["count"] and (name or not got or
                                                               "note" in told["how"]))
    if name is None or name.group(1) not in about.ids_of:
        return
    # A name may be of several entry methods.
    fits = []
    for ep in about.ids_of[name.group(1)]:
        found, _ = turns(locations, about.dims)
        lengths = {len(calls) for calls in found[ep].values()}
        if lengths == {told["count"]}:
            fits.append(found[ep])
    c.true("the mark is executed equally often by all", fits)
    expected = []
    for actors in fits:
        at = marks(actors)
        spans = [(k + 1, first, at[k + 1][0] if k + 1 < len(at) else None, latest - first)
                 for k, (first, latest) in enumerate(at)]
        expected.append(spans)
    c.true("iterations", any(matches(got, spans, question) for spans in expected))


def matches(got, spans, question):
    by_number = {r["number"]: r for r in got}
    for number, begin, end, spread in spans:
        r = by_number.pop(number, None)
        inside = begin < question.end and (end is None or end > question.begin) and begin != end
        if r is None:
            if inside and end is not None:
                return False
        elif (r["begin_ns"], r["spread_ns"]) != (begin, spread) or \
                (end is not None and r["end_ns"] != end):
            return False
    return not by_number
