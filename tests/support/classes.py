# SPDX-License-Identifier: GPL-3.0-or-later
"""The published method of clusters, written down once more and slowly, over
the per-location profile: k-means in exact fractions, the PE closest to each
mean, and outliers by quota. Knows nothing of the program's own code."""
import math
from fractions import Fraction

TIE = 1e-9
FIXED = 10 ** 15                       # scaled components are whole numbers, too


def vectors_of(profile, pes, extras=(), sent=None):
    """What is compared, (kind, id), and a list of whole numbers a PE: exclusive
    time by entry method, and the extras."""
    each = {p["location"]: p for p in profile["per_location"]}
    keys = sorted({(a["kind"], a["id"]) for pe in pes for a in each[pe]["activities"]
                   if a["exclusive_ns"] > 0}, key=str)
    rows = []
    for pe in pes:
        times = {(a["kind"], a["id"]): a["exclusive_ns"] for a in each[pe]["activities"]}
        row = [times.get(key, 0) for key in keys]
        for extra in extras:
            if extra in ("idle", "overhead"):
                row.append(each[pe][extra + "_ns"])
            else:
                row.append(sent[pe]["destinations" if extra == "messages" else "bytes"])
        rows.append(row)
    return keys + [(extra, None) for extra in extras], rows


def scaled(rows, scale):
    if scale == "none" or not rows[0]:
        return rows
    columns = []
    for column in zip(*rows):
        low, mean = min(column), Fraction(sum(column), len(column))
        by = max(column) - low
        if scale == "stddev":
            by = Fraction(math.sqrt(sum((x - mean) ** 2 for x in column) / len(column)))
        columns.append([round((x - low) * FIXED / by) if by else 0 for x in column])
    return [list(row) for row in zip(*columns)]


class Centre:
    """A point of fractions with one denominator."""

    def __init__(self, numbers, below):
        self.numbers, self.below = numbers, below

    def square(self, row):
        return Fraction(sum((self.below * x - n) ** 2 for x, n in zip(row, self.numbers)),
                        self.below ** 2)


def diagonal(rows, k):
    columns = list(zip(*rows))
    return [Centre([2 * k * min(c) + (max(c) - min(c)) * (2 * i + 1) for c in columns], 2 * k)
            for i in range(k)]


def cluster(rows, centres):
    """Lists of indices, without those that are empty, and their means."""
    where = None
    while True:
        now = []
        for row in rows:
            squares = [c.square(row) for c in centres]
            now.append(squares.index(min(squares)))
        if now == where:
            break
        where = now
        for k in range(len(centres)):
            members = [rows[i] for i in range(len(rows)) if where[i] == k]
            if members:
                centres[k] = Centre([sum(c) for c in zip(*members)], len(members))
    groups = [[i for i in range(len(rows)) if where[i] == k] for k in range(len(centres))]
    return [(group, centres[k]) for k, group in enumerate(groups) if group]


def same(a, b):
    return abs(a - b) <= TIE * max(a, b)


def quotas(sizes, n, weights=None):
    """n shared out by the weights (size less one), each at most its size less
    one: what a cluster cannot take is shared among the others. Exact, one by
    one, the largest remainder first."""
    room = [s - 1 for s in sizes]
    weights, quota = list(weights or room), [0] * len(sizes)
    open_ones = set(range(len(sizes)))
    n = min(n, sum(room))
    while n:
        if not sum(weights[k] for k in open_ones):
            weights = room
        total = sum(weights[k] for k in open_ones)
        shares = {k: Fraction(n * weights[k], total) for k in open_ones}
        full = {k for k in open_ones if shares[k] >= room[k]}
        for k in full:
            quota[k] = room[k]
        open_ones -= full
        n -= sum(quota[k] for k in full)
        if any(room[k] for k in full):
            continue
        for k in open_ones:
            quota[k] = math.floor(shares[k])
        order = sorted(open_ones, key=lambda k: (quota[k] - shares[k], k))
        for k in order[:n - sum(quota[k] for k in open_ones)]:
            quota[k] += 1
        break
    return quota


def spreads(rows, groups):
    """(S - 1) x mean distance, a whole number."""
    return [(len(group) - 1) * round(sum(math.sqrt(centre.square(rows[i])) for i in group)
                                     / len(group)) for group, centre in groups]


def choose(rows, groups, n_outliers, by_spread=False):
    """(representative, outliers, members) of each cluster, as indices."""
    quota = quotas([len(g) for g, _ in groups], n_outliers,
                   spreads(rows, groups) if by_spread else None)
    answer = []
    for (group, centre), n in zip(groups, quota):
        far = {i: math.sqrt(centre.square(rows[i])) for i in group}
        nearest = min(far.values())
        stands = next(i for i in group if same(far[i], nearest))
        left, outliers = [i for i in group if i != stands], []
        while len(outliers) < n:
            farthest = max(far[i] for i in left)
            outliers.append(next(i for i in left if same(far[i], farthest)))
            left.remove(outliers[-1])
        answer.append((stands, outliers, group))
    return answer


def outliers_of(text, n_pes):
    return (-(-Fraction(text[:-1]) * n_pes // 100) if text.endswith("%") else int(text))


def kept_of(text, n_pes):
    return (Fraction(text[:-1]) * n_pes // 100 if text.endswith("%") else int(text))


def silhouette(rows, groups):
    """Simplified: by distances to means; None of one cluster."""
    if len(groups) == 1:
        return None
    total = 0
    for own, (group, centre) in enumerate(groups):
        for i in group:
            a = math.sqrt(centre.square(rows[i]))
            b = math.sqrt(min(c.square(rows[i]) for k, (_, c) in enumerate(groups) if k != own))
            total += (b - a) / max(a, b) if len(group) > 1 and max(a, b) > 0 else 0
    return total / len(rows)
