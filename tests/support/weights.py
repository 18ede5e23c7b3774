# SPDX-License-Identifier: GPL-3.0-or-later
"""Weights of kept PEs by the formula of docs/formats/kymo.md, and how far a time
profile is off that is summed up with weights; slowly, over lists."""
import collections
import configparser
import decimal
import math

import brute

BARS = 100


def distance(a, b):
    return math.sqrt(sum((x - y) ** 2 for x, y in zip(a, b)))


def weights_of(locations, before=None):
    """Of `locations` of clusters, told with their vectors: PE -> how many it stands
    for, of what each stood for before."""
    own = before or {p["location"]: 1 for p in locations}
    weights = {p["location"]: own[p["location"]] for p in locations if p["kept_as"]}
    for p in locations:
        if p["kept_as"]:
            continue
        kept = [(distance(p["vector"], q["vector"]), q["location"]) for q in locations
                if q["kept_as"] and q["cluster"] == p["cluster"]]
        near = min(kept)[0] * (1 + 1e-9)
        weights[min(pe for d, pe in kept if d <= near)] += own[p["location"]]
    return weights


def read_note(folder):
    note = configparser.ConfigParser()
    note.read(next(folder.glob("*.kymo")))
    return note


def noted_weights(folder):
    """PE -> millionths."""
    return {int(pe): int(decimal.Decimal(w) * 1000000)
            for pe, w in read_note(folder)["Weights"].items()}


class Profiles:
    """Of each PE of a run (reference.py): ns by state and bar."""

    def __init__(self, run, pes, begin, end):
        self.at = brute.edges(begin, end, BARS)
        self.pes = list(pes)
        self.of = {pe: brute.column_times(run[pe], self.at) for pe in self.pes}

    def error(self, weights):
        """Of all PEs, when PE -> weight are kept; None without any time."""
        worst = None
        for bar in range(BARS):
            length = self.at[bar + 1] - self.at[bar]
            if length == 0:
                continue
            off = collections.Counter()
            for pe in self.pes:
                for state, ns in self.of[pe][bar].items():
                    off[state] += (weights.get(pe, 0) - 1) * ns
            del off["untraced"]
            most = max(map(abs, off.values()), default=0)
            worst = max(worst or 0, most / (len(self.pes) * length))
        return worst

    def rounding(self):
        """What the error may be off because times are whole nanoseconds."""
        lengths = [b - a for a, b in zip(self.at, self.at[1:]) if b > a]
        return 1e-9 + 1 / min(lengths) if lengths else 0
