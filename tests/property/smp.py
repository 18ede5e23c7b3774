# SPDX-License-Identifier: GPL-3.0-or-later
"""Random runs with communication threads: a message between processes goes
by way of the receiver's thread, sometimes of the sender's as well; some of
its records are missing, some threads send messages of their own.

Usage: smp.py KYMO-CLI [FIRST-SEED [N-SEEDS]]
"""
import pathlib
import random
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
sys.dont_write_bytecode = True
import harness  # noqa: E402
import reference  # noqa: E402
import ways  # noqa: E402

N_ENTRIES = 4


def write_sts(folder, workers, processes):
    lines = ["PROJECTIONS_ID ", "VERSION 11.0", 'MACHINE "test"',
             f"PROCESSORS {(workers + 1) * processes}",
             f"SMPMODE {workers} {processes}", "TOTAL_CHARES 1",
             f"TOTAL_EPS {N_ENTRIES}", "TOTAL_MSGS 1", "TOTAL_PSEUDOS 0",
             "TOTAL_EVENTS 0", 'CHARE 0 "Chare" -1']
    lines += [f'ENTRY CHARE {i} "method{i}()" 0 0' for i in range(N_ENTRIES)]
    lines += ["MESSAGE 0 8", "TOTAL_STATS 0", "END"]
    (folder / "random.sts").write_text("\n".join(lines) + "\n")


class Program:
    """One clock drives all; each PE has its lines and its event numbers."""

    def __init__(self, rng, workers, processes):
        self.rng, self.workers = rng, workers
        self.n_workers = workers * processes
        n = self.n_workers + processes
        self.time, self.events = 0, [0] * n
        self.lines = [["6 0"] for _ in range(n)]

    def comm_of(self, pe):
        return self.n_workers + pe // self.workers

    def create(self, pe, ep, kind=1):
        event = self.events[pe]
        self.events[pe] += 1
        tail = "0" if kind == 1 else f"0 {self.rng.randrange(1, 4)}"
        self.lines[pe].append(f"{kind} 21 {ep} {self.time} {event} {pe} 64 {tail}")
        return event

    def execute(self, pe, ep, source, event, inside):
        self.lines[pe].append(
            f"2 21 {ep} {self.time} {event} {source} 64 0 0 0 0 0 0")
        made = inside()
        self.time += self.rng.choice((0, 0, 0, 1, 5))
        self.lines[pe].append(f"3 0 {ep} {self.time} {event} {source} 0 0")
        return made

    def message(self):
        rng = self.rng
        source, to = rng.randrange(self.n_workers), rng.randrange(self.n_workers)
        ep, kind = rng.randrange(N_ENTRIES), rng.choice((1, 1, 1, 20))
        at, event = source, self.create(source, ep, kind)
        if rng.random() < 0.1:
            event += 1000              # its creation is not in the logs
        hops = [self.comm_of(pe) for pe in (source, to)][rng.randrange(3):]
        for hop in hops:
            self.time += rng.choice((0, 0, 1, 3))
            stale = rng.random() < 0.1
            event = self.execute(hop, ep, at, -1 if stale else event,
                                 lambda hop=hop: self.create(hop, ep))
            at = hop
        self.time += rng.choice((0, 1, 9))
        self.execute(to, rng.choice((ep, ep, 0)), at, event, lambda: None)


def write_run(folder, seed):
    rng = random.Random(seed)
    workers, processes = rng.randrange(1, 4), rng.randrange(1, 4)
    program = Program(rng, workers, processes)
    write_sts(folder, workers, processes)
    for _ in range(rng.choice((3, 30, 300))):
        program.message()
    for pe, lines in enumerate(program.lines):
        lines.append(f"7 {program.time + 1}")
        text = [f"PROJECTIONS-RECORD {len(lines)}"] + lines
        (folder / f"random.{pe}.log").write_text("\n".join(text) + "\n")


def check_seed(program, seed):
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        write_run(folder, seed)
        return ways.check_ways(program, folder, reference.read_run(folder))


def main():
    program = sys.argv[1]
    first, count = (int(a) for a in (sys.argv[2:] + ["1", "20"])[:2])
    tap = harness.Tap()
    for seed in range(first, first + count):
        tap.check(f"seed {seed}", check_seed, program, seed)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
