# SPDX-License-Identifier: GPL-3.0-or-later
"""An independent, slow reader of .sum and .sumd with Kymo's written rules:
utilization or the entry methods, whichever is more; the rest of it unknown;
entry methods cut in proportion where they exceed the bin; idle gets what is
left; overhead the rest; and a bin's time spread evenly, shared out in the
order idle, unknown, entry methods by id.
"""
import pathlib
import re

PACK, UNPACK = 1, 2


def expand(words):
    values = []
    for word in words:
        value, _, count = word.partition("+")
        values += [int(value)] * (int(count) if count else 1)
    return values


def line_of(lines, keyword):
    for line in lines:
        if line.startswith(keyword):
            return expand(line[len(keyword):].split())
    return None


class Pe:
    """What the files of one PE tell, and its bins by the rules."""

    def __init__(self, sum_path, sumd_path):
        self.lists, self.exe_us, self.calls, self.max_us = [], [], [], []
        self.times = self.counts = None
        utilization = idle = []
        if sum_path:
            lines = pathlib.Path(sum_path).read_text().split("\n")
            self.n = int(re.search(r"count:(\d+)", lines[0])[1])
            self.set_bin(re.search(r"interval:(\S+)", lines[0])[1])
            utilization = expand(lines[1].split())
            idle = line_of(lines, "IdlePercent:") or []
            self.exe_us = line_of(lines, "EPExeTime:")
            self.calls = line_of(lines, "EPCallTime:")
            self.max_us = line_of(lines, "MaxEPTime:")
        if sumd_path:
            lines = pathlib.Path(sumd_path).read_text().split("\n")
            self.n_entries = int(re.search(r"numEPs:(\d+)", lines[0])[1])
            if not sum_path:
                self.n = int(re.search(r"numIntervals:(\d+)", lines[0])[1])
                self.set_bin(re.search(r"intervalSize:(\S+)", lines[0])[1])
            self.times = line_of(lines, "ExeTimePerEPperInterval")
            self.counts = line_of(lines, "EPCallTimePerInterval")
        self.utilization = utilization + [0] * (self.n - len(utilization))
        self.idle = idle + [0] * (self.n - len(idle))
        self.n_repaired = 0
        self.bins = [self.share_out(i) for i in range(self.n)]
        self.span = self.n * self.bin

    def set_bin(self, seconds):
        self.bin = round(float(seconds) * 1e9)

    def entries(self, i):
        if self.times is None:
            return []
        return [(e, us * 1000) for e, us in enumerate(self.times[i:self.n_entries * self.n:self.n])
                if us and e not in (PACK, UNPACK)]

    def share_out(self, i):
        """[(state, ns)] of a bin, without overhead."""
        told = self.entries(i)
        claimed = sum(ns for _, ns in told)
        cut = told if claimed <= self.bin else \
            [(e, ns * self.bin // claimed) for e, ns in told]
        busy = self.bin * self.utilization[i] // 100
        entries = sum(ns for _, ns in cut)
        busy = max(busy, entries)
        idle = min(self.bin * self.idle[i] // 100, self.bin - busy)
        if claimed > self.bin or idle < self.bin * self.idle[i] // 100:
            self.n_repaired += 1
        return [(s, ns) for s, ns in
                [("idle", idle), ("unknown", busy - entries), *cut] if ns]

    def spread_totals(self):
        """The exact totals may tell of time that the percent hid."""
        busy = sum(ns for b in self.bins for s, ns in b if s != "idle")
        totals = sum(us * 1000 for e, us in enumerate(self.exe_us)
                     if e not in (PACK, UNPACK))
        rests = [self.bin - sum(ns for _, ns in b) for b in self.bins]
        missing, rest = min(totals - busy, sum(rests)), sum(rests)
        seen = 0
        for i, here in enumerate(rests if missing > 0 else []):
            more = (missing * (seen + here) // rest) - missing * seen // rest
            seen += here
            parts = dict(self.bins[i])
            parts["unknown"] = parts.get("unknown", 0) + more
            order = ["idle", "unknown", *sorted(s for s in parts
                                                if isinstance(s, int))]
            self.bins[i] = [(s, parts[s]) for s in order if parts.get(s)]
        return missing

    def until(self, i, x):
        """Time by state of the first x ns of bin i."""
        parts, left = {}, self.bin
        for state, ns in self.bins[i]:
            part = x * ns // left
            parts[state] = part
            x, left = x - part, left - ns
        parts["overhead"] = x
        return parts

    def sum(self, begin, end):
        begin, end = max(begin, 0), min(end, self.span)
        total = {}
        at = begin
        while at < end:
            i = at // self.bin
            stop = min(end, (i + 1) * self.bin)
            before = self.until(i, at - i * self.bin)
            for state, ns in self.until(i, stop - i * self.bin).items():
                total[state] = total.get(state, 0) + ns - before[state]
            at = stop
        return total


def read_run(folder):
    """{pe: Pe} of a folder."""
    pes = {}
    for path in pathlib.Path(folder).iterdir():
        found = re.fullmatch(r"(.*)\.(\d+)\.(sumd?)", path.name)
        if found:
            pes.setdefault(int(found[2]), {})[found[3]] = path
    run = {pe: Pe(files.get("sum"), files.get("sumd"))
           for pe, files in sorted(pes.items())}
    for pe in run.values():
        pe.spread_totals()
    return run


def edges(begin, end, n):
    return [begin + (end - begin) * i // n for i in range(n + 1)]
