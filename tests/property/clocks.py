# SPDX-License-Identifier: GPL-3.0-or-later
"""Clocks of processes: random runs whose clocks are off by known offsets, and
the recorded ones. The offsets are found within what the latencies allow; once
they are corrected no message arrives before it was sent, latencies are those
that follow, and nothing but times has changed.

Usage: clocks.py KYMO-CLI SOURCE-ROOT [FIRST-SEED [N-SEEDS]]
"""
import math
import pathlib
import random
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
sys.dont_write_bytecode = True
import clocks  # noqa: E402
import harness  # noqa: E402
import reference  # noqa: E402

MAX_BYTES = 2 << 20
US = 1000
N_ENTRIES = 5
STALE = 4                              # this entry carries any old number


class Maker:
    """A run in true time: messages wait for a busy receiver."""

    def __init__(self, rng, drift):
        self.rng = rng
        self.n_processes = rng.randrange(1, 6)
        self.per = rng.choice((1, 1, 2))
        self.pes = self.n_processes * self.per
        self.offset = [0 if p == 0 or rng.random() < 0.4
                       else rng.choice((rng.randrange(-80, 80),
                                        rng.randrange(-9000, 9000)))
                       for p in range(self.n_processes)]
        self.drift = [rng.choice((0, rng.randrange(-300, 300))) if drift else 0
                      for _ in range(self.n_processes)]
        self.records = [[] for _ in range(self.pes)]
        self.free = [20000] * self.pes
        self.events = [0] * self.pes
        self.taken = set()             # no broadcasts: stale numbers name them
        self.broadcasts = set()
        self.run(rng.choice((3, 60, 400)))

    def clock(self, pe, time):
        """What the clock of the PE's process shows."""
        p = pe // self.per
        return time + self.offset[p] + self.drift[p] * time // 100000

    def add(self, pe, time, *fields):
        self.records[pe].append((time, len(self.records[pe]), fields))

    def send(self, time, source, target):
        rng, event = self.rng, self.events[source]
        self.events[source] += 1
        entry = rng.randrange(N_ENTRIES - 1)
        bcast = rng.random() < 0.1 and (source, event) not in self.taken
        if bcast:
            self.broadcasts.add((source, event))
        self.add(source, time, 20 if bcast else 1, 21, entry, None, event,
                 source, 64, 0, *((self.pes,) if bcast else ()))
        wire = rng.choice((5, 8, 30)) + int(rng.expovariate(0.05))
        begin = max(time + wire, self.free[target])
        self.execute(target, begin, rng.randrange(N_ENTRIES) if bcast
                     else entry, event, source)

    def execute(self, pe, begin, entry, event, source):
        end = begin + self.rng.randrange(0, 60)
        self.add(pe, begin, 2, 21, entry, None, event, source, 64, 0, 0, 0, 0,
                 0, 0)
        self.add(pe, end, 3, 0, entry, None, event, source, 0, 0)
        self.free[pe] = end + self.rng.randrange(1, 4)

    def run(self, n_messages):
        rng, time = self.rng, 20000
        one_way = rng.random() < 0.2
        for _ in range(n_messages):
            time += rng.randrange(0, 90)
            a, b = rng.randrange(self.pes), rng.randrange(self.pes)
            if one_way:
                a, b = min(a, b), max(a, b)
            self.send(time, a, b)
            if rng.random() < 0.05:
                self.stale(rng.randrange(self.pes))

    def stale(self, pe):
        """A block whose number belongs to another message, now and then to
        one that is still to be sent."""
        source = self.rng.randrange(self.pes)
        event = max(self.events[source] + self.rng.randrange(-20, 5), 0)
        if (source, event) not in self.broadcasts:
            self.taken.add((source, event))
            self.execute(pe, self.free[pe], STALE, event, source)

    def write(self, folder):
        smp = [f"SMPMODE {self.per} {self.n_processes}"] if self.per > 1 else []
        sts = ["VERSION 11.0", 'MACHINE "test"', f"PROCESSORS {self.pes}", *smp,
               "TOTAL_CHARES 1", f"TOTAL_EPS {N_ENTRIES}", "TOTAL_MSGS 1",
               "TOTAL_PSEUDOS 0", "TOTAL_EVENTS 0", 'CHARE 0 "A" -1']
        sts += [f'ENTRY CHARE {i} "m{i}()" 0 0' for i in range(N_ENTRIES)]
        sts += ["MESSAGE 0 8", "TOTAL_STATS 0", "END"]
        (folder / "clocks.sts").write_text("\n".join(sts) + "\n")
        for pe in range(self.pes):
            lines, last = [f"6 {self.clock(pe, 19000)}"], 19000
            for time, _, fields in sorted(self.records[pe]):
                shown = self.clock(pe, time)
                lines.append(" ".join(str(shown if f is None else f)
                                      for f in fields))
                last = max(last, time)
            lines.append(f"7 {self.clock(pe, last + 5)}")
            text = [f"PROJECTIONS-RECORD {len(lines)}", *lines]
            (folder / f"clocks.{pe}.log").write_text("\n".join(text) + "\n")


def ask(program, question, folder, *options):
    return harness.ask(program, question, folder, "--no-cache", *options)


def check_pairs(c, answer, table):
    got = {(p["from"], p["to"]): (p["messages"], p["negative"],
                                  p["min_latency_ns"])
           for p in answer["pairs"]}
    c.equal("pairs", got, table)
    c.equal("messages", answer["messages"], sum(v[0] for v in table.values()))
    c.equal("negative", answer["negative"], sum(v[1] for v in table.values()))


def check_estimate(c, answer, table, ids):
    """Every offset lies between the bounds; where there is no way to meet
    them the worst that stays is as small as can be."""
    offsets = {o["process"]: o["offset_ns"] for o in answer["offsets"]}
    c.equal("processes", sorted(offsets), ids)
    mean = clocks.least_mean_cycle(table, ids)
    c.equal("consistent", answer["consistent"], mean is None or mean >= 0)
    c.true("whole ticks", all(o % US == 0 for o in offsets.values()))
    worst = min([v[2] + offsets[q] - offsets[p]
                 for (p, q), v in table.items()], default=0)
    c.equal("residual", answer["residual_ns"], max(-worst, 0))
    if not answer["consistent"]:
        c.true(f"residual {answer['residual_ns']} of a mean of {mean}",
               answer["residual_ns"] <= -math.floor(mean / US) * US)
        return offsets
    d = clocks.bounds(table, ids)
    for p in ids:
        for q in ids:
            c.true(f"offsets of {p} and {q} are {d[p][q]} apart at most",
                   offsets[p] - offsets[q] <= d[p][q])
    return offsets


def check_midpoint(c, table, ids, offsets):
    both = len(ids) == 2 and all(k in table for k in (tuple(ids),
                                                      tuple(ids[::-1])))
    if both:
        p, q = ids
        middle = (table[q, p][2] - table[p, q][2]) / 2
        c.near("the midpoint", offsets[q] - offsets[p], middle, US)


def without_times(answer):
    """An answer with all that a shift may change left out."""
    if isinstance(answer, dict):
        return {k: without_times(v) for k, v in answer.items()
                if k not in ("begin_ns", "end_ns", "report",
                             "clock_correction", "phases", "elapsed_ns",
                             "communication_efficiency", "parallel_efficiency")
                and not k.startswith("longest_")}
    if isinstance(answer, list):
        return [without_times(v) for v in answer]
    return answer


def check_same(c, program, folder):
    for question in (["info"], ["profile", "--per-location"], ["usage"],
                     ["histogram", "--min", "0", "--max", "1ms", "--bins", "9"],
                     ["communication"]):
        plain = ask(program, *question[:1], folder, *question[1:])
        moved = ask(program, *question[:1], folder, *question[1:],
                    "--correct-clocks")
        c.true(f"{question[0]} differs by more than times",
               without_times(plain) == without_times(moved))


def issues(info, severity, words):
    return [i["count"] for i in info["report"]["issues"]
            if i["severity"] == severity and words in i["what"]]


def check_spans(c, plain, info, process, offsets):
    before = {l["location"]: l for l in plain["location_list"]}
    for location in info["location_list"]:
        pe = location["location"]
        shift = offsets[process[pe]] if info["clock_correction"] else 0
        for key in ("begin_ns", "end_ns"):
            c.equal(f"{key} of PE {pe}", location[key],
                    before[pe][key] + shift)


def check_correction(c, program, folder, table, process, offsets, consistent):
    plain = ask(program, "info", folder)
    info = ask(program, "info", folder, "--correct-clocks")
    negative = sum(v[1] for v in table.values())
    c.equal("note", issues(plain, "note", "before they were sent"),
            [negative] if negative else [])
    c.equal("correction of nothing", plain["clock_correction"], None)
    applied = offsets if negative and any(offsets.values()) else None
    got = info["clock_correction"]
    c.equal("correction", got and {o["process"]: o["offset_ns"] for o in got},
            applied)
    c.equal("by choice", issues(info, "repaired", "by choice"),
            [sum(o != 0 for o in applied.values())] if applied else [])
    check_spans(c, plain, info, process, offsets)
    after = ask(program, "clocks", folder, "--correct-clocks")
    shift = applied or dict.fromkeys(offsets, 0)
    c.equal("latencies after", {(p["from"], p["to"]): p["min_latency_ns"]
                                for p in after["pairs"]},
            {(p, q): v[2] + shift[q] - shift[p]
             for (p, q), v in table.items()})
    if consistent:
        c.equal("negative after", after["negative"], 0)
    else:
        c.equal("those that stay", issues(info, "note", "still arrive"),
                [after["negative"]] if after["negative"] else [])
    if applied:
        check_same(c, program, folder)


def check_run(program, folder):
    c = harness.Compare()
    run = reference.read_run(folder)
    process = clocks.processes(folder, run)
    ids = sorted(set(process.values()))
    table = clocks.pairs(run, process)
    answer = ask(program, "clocks", folder)
    check_pairs(c, answer, table)
    offsets = check_estimate(c, answer, table, ids)
    check_midpoint(c, table, ids, offsets)
    check_correction(c, program, folder, table, process, offsets,
                     answer["consistent"])
    return c, table, offsets


def check_truth(c, maker, table, offsets):
    """The truth is among what the latencies allow, and so is the estimate:
    they differ by no more than the room between."""
    ids = sorted(offsets)
    d = clocks.bounds(table, ids)
    for p in ids:
        for q in ids:
            room = d[p][q] + d[q][p]
            wrong = (offsets[p] + maker.offset[p] * US) \
                - (offsets[q] + maker.offset[q] * US)
            c.true(f"{p} and {q} are off by {wrong} in a room of {room}",
                   abs(wrong) <= room)


def check_seed(program, seed):
    maker = Maker(random.Random(seed), drift=seed % 4 == 0)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        maker.write(folder)
        c, table, offsets = check_run(program, folder)
        if not any(maker.drift):
            check_truth(c, maker, table, offsets)
        if maker.n_processes == 1:
            c.equal("one process", table, {})
        if seed % 5 == 0:
            answers = {harness.run(program, "clocks", folder, "--format",
                                   "json", "--no-cache", "--threads", n).out
                       for n in (1, 2, 7)}
            c.equal("by 1, 2 and 7 threads", len(answers), 1)
    return c.problems


def check_case(program, folder):
    return check_run(program, folder)[0].problems


def main():
    program, root = sys.argv[1:3]
    first = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    n = int(sys.argv[4]) if len(sys.argv) > 4 else 40
    tap = harness.Tap()
    for seed in range(first, first + n):
        tap.check(f"seed {seed}", check_seed, program, seed)
    for name, folder, _ in harness.cases(root):
        size = sum(p.stat().st_size for p in folder.rglob("*"))
        if size < MAX_BYTES and list(folder.rglob("*.log*")) \
                and reference.read_run(folder):
            tap.check(name, check_case, program, folder)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
