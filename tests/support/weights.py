# SPDX-License-Identifier: GPL-3.0-or-later
"""Weights of kept PEs by the formula of docs/formats/kymo.md, and how far a time
profile is off that is summed up with weights; slowly, over lists."""
import collections
import configparser
import decimal

import brute

BARS = 100


def weights_of(locations):
    """Of `locations` of clusters: PE -> how many it stands for."""
    weights = {p["location"]: 1.0 for p in locations if p["kept_as"]}
    for p in locations:
        if p["kept_as"]:
            continue
        kept = sorted((q["distance"], q["location"]) for q in locations
                      if q["kept_as"] and q["cluster"] == p["cluster"])
        below = [q for q in kept if q[0] < p["distance"]]
        above = [q for q in kept if q[0] >= p["distance"]]
        if below and above:
            (a, nearer), (b, farther) = below[-1], above[0]
            weights[nearer] += (b - p["distance"]) / (b - a)
            weights[farther] += (p["distance"] - a) / (b - a)
        else:
            weights[above[0][1] if above else below[-1][1]] += 1
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
