# SPDX-License-Identifier: GPL-3.0-or-later
"""The critical path through threads: OTF2 archives whose path is known because they
were made so. Each step is (location, name, begin, end); times are from the first event.

Usage: threads-path.py KYMO-CLI WRITE-OTF2
"""
import pathlib
import random
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import harness  # noqa: E402
import otf2  # noqa: E402

SETTLE = 0.1            # files as young as a clock's tick are not kept
MAIN, REGION, WORK, MPI_SEND, MPI_RECV, WAITING, BARRIER = range(7)
NAMES = ("main", "region", "work", "MPI_Send", "MPI_Recv", "pthread_join",
         "!$omp implicit barrier")


class Made(otf2.Archive):
    """Some processes of as many threads; communicator 9 + i is team i."""

    def __init__(self, n_processes, threads):
        super().__init__()
        self.processes(n_processes, threads=threads)
        self.comm(0, range(n_processes))
        for team in range(1, 9):
            self.comm(team, [0], "team")
        for number, name in enumerate(NAMES):
            self.region(number, name, otf2.USER)

    def block(self, location, region, begin, end):
        self.event(location, begin, "enter", region)
        self.event(location, end, "leave", region)


def path(program, folder, *options):
    return harness.ask(program, "critical-path", folder, *options)


def steps(answer):
    return [(s["location"], s["name"], s["begin_ns"], s["end_ns"]) for s in answer["steps"]]


def check(c, what, program, writer, archive, expected):
    with tempfile.TemporaryDirectory() as scratch:
        archive.write(writer, scratch)
        answer = path(program, scratch)
        c.equal(f"{what}: steps", steps(answer), expected)
        c.equal(f"{what}: length", sum(e - b for _, _, b, e in expected), answer["path_ns"])
        c.equal(f"{what}: untraced", answer["untraced_ns"], 0)
        info = harness.ask(program, "info", scratch)
        c.equal(f"{what}: report", info["report"]["issues"], [])


def check_team(program, writer):
    """Serial, parallel, serial: the last of the team is on the path, then the master."""
    c = harness.Compare()
    a = Made(1, 3)
    a.event(0, 0, "enter", MAIN)
    a.event(0, 100, "fork", 3)
    for thread, begin, end in ((0, 100, 300), (1, 110, 500), (2, 105, 400)):
        a.event(thread, begin, "team-begin", 1)
        a.block(thread, WORK, begin, end)
        a.event(thread, end, "team-end", 1)
    a.event(0, 510, "join")
    a.event(0, 600, "leave", MAIN)
    # A worker that is still open when the master has ended is at no work.
    check(c, "team", program, writer, a,
          [(0, "main", 0, 100), (0, "work", 100, 110), (1, "work", 110, 500),
           (0, "main", 500, 600)])
    return c.problems


def check_master_last(program, writer):
    """A master that ends last itself has waited for nobody; the next team may have the
    same communicator."""
    c = harness.Compare()
    a = Made(1, 2)
    a.event(0, 0, "enter", MAIN)
    for at, master, worker in ((100, 400, 300), (1000, 1100, 1400)):
        a.event(0, at, "fork", 2)
        for thread, end in ((0, master), (1, worker)):
            a.event(thread, at, "team-begin", 1)
            a.block(thread, WORK, at, end)
            a.event(thread, end, "team-end", 1)
        a.event(0, max(master, worker), "join")
    a.event(0, 2000, "leave", MAIN)
    check(c, "master last", program, writer, a,
          [(0, "main", 0, 100), (0, "work", 100, 400), (0, "main", 400, 1000),
           (1, "work", 1000, 1400), (0, "main", 1400, 2000)])
    return c.problems


def check_late_record(program, writer):
    """A member that records its end after the join was in the team until the join."""
    c = harness.Compare()
    a = Made(1, 2)
    a.event(0, 0, "enter", MAIN)
    a.event(0, 100, "fork", 2)
    for thread, end in ((0, 200), (1, 350)):
        a.event(thread, 100, "team-begin", 1)
        a.block(thread, WORK, 100, end)
        a.event(thread, end, "team-end", 1)
    a.event(0, 300, "join")
    a.event(0, 400, "leave", MAIN)
    check(c, "late", program, writer, a,
          [(0, "main", 0, 100), (1, "work", 100, 300), (0, "main", 300, 400)])
    return c.problems


def check_nested(program, writer):
    """A worker forks a team of its own."""
    c = harness.Compare()
    a = Made(1, 4)
    a.event(0, 0, "enter", MAIN)
    a.event(0, 100, "fork", 2)
    a.event(0, 100, "team-begin", 1)
    a.block(0, WORK, 100, 200)
    a.event(0, 200, "team-end", 1)
    a.event(1, 120, "team-begin", 1)
    a.event(1, 120, "enter", REGION)
    a.event(1, 300, "fork", 3)
    for thread, begin, end in ((1, 300, 350), (2, 310, 700), (3, 320, 500)):
        a.event(thread, begin, "team-begin", 2)
        a.block(thread, WORK, begin, end)
        a.event(thread, end, "team-end", 2)
    a.event(1, 720, "join")
    a.event(1, 800, "leave", REGION)
    a.event(1, 800, "team-end", 1)
    a.event(0, 820, "join")
    a.event(0, 1000, "leave", MAIN)
    check(c, "nested", program, writer, a,
          [(0, "main", 0, 100), (0, "work", 100, 120), (1, "region", 120, 300),
           (1, "work", 300, 310), (2, "work", 310, 700), (1, "region", 700, 800),
           (0, "main", 800, 1000)])
    return c.problems


def check_barrier(program, writer):
    """Everybody waits at the barrier that ends a region for the last one."""
    c = harness.Compare()
    a = Made(1, 3)
    a.event(0, 0, "enter", MAIN)
    a.event(0, 100, "fork", 3)
    for thread, end in ((0, 200), (1, 900), (2, 400)):
        a.event(thread, 100, "team-begin", 1)
        a.event(thread, 100, "enter", REGION)
        a.block(thread, WORK, 100, end)
        a.block(thread, BARRIER, end, 905 + thread)
        a.event(thread, 905 + thread, "leave", REGION)
        a.event(thread, 905 + thread, "team-end", 1)
    a.event(0, 910, "join")
    a.event(0, 1000, "leave", MAIN)
    check(c, "barrier", program, writer, a,
          [(0, "main", 0, 100), (1, "work", 100, 900), (2, NAMES[BARRIER], 900, 907),
           (0, "main", 907, 1000)])
    return c.problems


def check_single(program, writer):
    """Threads that are created and waited for; one had ended before anybody waited."""
    c = harness.Compare()
    a = Made(1, 3)
    a.event(0, 0, "enter", MAIN)
    for thread, create, begin, end in ((1, 100, 130, 600), (2, 150, 160, 300)):
        a.event(0, create, "thread-create", 1, thread)
        a.event(thread, begin, "thread-begin", 1, thread)
        a.block(thread, WORK, begin, end)
        a.event(thread, end, "thread-end", 1, thread)
    a.event(0, 400, "enter", WAITING)
    a.event(0, 610, "thread-wait", 1, 1)
    a.event(0, 620, "leave", WAITING)
    a.event(0, 700, "enter", WAITING)
    a.event(0, 710, "thread-wait", 1, 2)
    a.event(0, 720, "leave", WAITING)
    a.event(0, 900, "leave", MAIN)
    check(c, "single", program, writer, a,
          [(0, "main", 0, 100), (0, "main", 100, 130), (1, "work", 130, 600),
           (0, "pthread_join", 600, 620), (0, "main", 620, 700), (0, "pthread_join", 700, 720),
           (0, "main", 720, 900)])
    return c.problems


def check_wait_first(program, writer):
    """A ThreadWait may be recorded when the waiting begins."""
    c = harness.Compare()
    a = Made(1, 2)
    a.event(0, 0, "enter", MAIN)
    a.event(0, 50, "thread-create", 1, 7)
    a.event(1, 50, "thread-begin", 1, 7)
    a.block(1, WORK, 50, 500)
    a.event(1, 500, "thread-end", 1, 7)
    a.event(0, 100, "enter", WAITING)
    a.event(0, 100, "thread-wait", 1, 7)
    a.event(0, 510, "leave", WAITING)
    a.event(0, 600, "leave", MAIN)
    check(c, "wait first", program, writer, a,
          [(0, "main", 0, 50), (1, "work", 50, 500), (0, "pthread_join", 500, 510),
           (0, "main", 510, 600)])
    return c.problems


def check_messages(program, writer):
    """A rank waits in MPI for another one, whose team was late."""
    c = harness.Compare()
    a = Made(2, 2)                      # locations 0, 1 of rank 0; 2, 3 of rank 1
    for master in (0, 2):
        a.event(master, 0, "enter", MAIN)
    for master, ends in ((0, (300, 800)), (2, (200, 250))):
        a.event(master, 100, "fork", 2)
        for thread, end in enumerate(ends):
            a.event(master + thread, 100, "team-begin", 1)
            a.block(master + thread, WORK, 100, end)
            a.event(master + thread, end, "team-end", 1)
        a.event(master, max(ends), "join")
    a.event(0, 900, "enter", MPI_SEND)
    a.event(0, 901, "send", 1, 0, 0, 8)
    a.event(0, 910, "leave", MPI_SEND)
    a.event(2, 400, "enter", MPI_RECV)
    a.event(2, 950, "recv", 0, 0, 0, 8)
    a.event(2, 960, "leave", MPI_RECV)
    a.event(0, 950, "leave", MAIN)
    a.event(2, 1500, "leave", MAIN)
    check(c, "messages", program, writer, a,
          [(0, "main", 0, 100), (1, "work", 100, 800), (0, "main", 800, 900),
           (2, "MPI_Recv", 900, 960), (2, "main", 960, 1500)])
    return c.problems


def check_no_records(program, writer):
    """Where nothing tells why a thread began, the first thread of its process is on the path
    while the other one is outside all functions."""
    c = harness.Compare()
    a = Made(1, 2)
    a.event(0, 0, "enter", MAIN)
    a.block(1, WORK, 200, 500)
    a.block(1, WORK, 800, 1200)
    a.event(0, 1000, "leave", MAIN)
    check(c, "no records", program, writer, a,
          [(0, "main", 0, 800), (1, "work", 800, 1200)])
    return c.problems


def make_random(rng):
    """Serial and parallel phases by turns, and the path that follows from them."""
    n = rng.randrange(2, 6)
    a = Made(1, n)
    a.event(0, 0, "enter", MAIN)
    now, serial, expected = 0, 0, []
    for _ in range(rng.randrange(1, 30)):
        fork = now + rng.randrange(1, 100)
        begins = [fork] + [fork + rng.randrange(9) for _ in range(n - 1)]
        ends = [b + rng.randrange(20, 300) for b in begins]
        a.event(0, fork, "fork", n)
        for thread in range(n):
            a.event(thread, begins[thread], "team-begin", 1)
            a.block(thread, WORK, begins[thread], ends[thread])
            a.event(thread, ends[thread], "team-end", 1)
        now = max(ends) + rng.randrange(5)
        a.event(0, now, "join")
        last = ends.index(max(ends))
        expected += [(0, "main", serial, fork)]
        if begins[last] > fork:
            expected += [(0, "work", fork, begins[last])]
        expected += [(last, "work", begins[last], ends[last])]
        serial = ends[last]
    a.event(0, now + 50, "leave", MAIN)
    return a, expected + [(0, "main", serial, now + 50)]


def check_random(program, writer, seed):
    c = harness.Compare()
    archive, expected = make_random(random.Random(seed))
    check(c, f"seed {seed}", program, writer, archive, expected)
    return c.problems


def check_mixed(program, writer, seed):
    """Records in any order and number: the path adds up, and nothing breaks."""
    c = harness.Compare()
    rng = random.Random(seed)
    a = Made(2, 3)
    for location in range(6):
        now = rng.randrange(5)
        for _ in range(rng.randrange(5, 60)):
            what = rng.choice(("enter", "leave", "fork", "join", "team-begin", "team-end",
                               "thread-create", "thread-begin", "thread-end", "thread-wait"))
            now += rng.randrange(0, 9)
            if what in ("enter", "leave"):
                a.event(location, now, what, rng.choice((MAIN, REGION, WORK)))
            elif what == "join":
                a.event(location, now, what)
            elif what.startswith("thread"):
                a.event(location, now, what, rng.randrange(1, 3), rng.randrange(3))
            else:
                a.event(location, now, what, rng.randrange(1, 3))
        a.event(location, now + 1, "enter", MAIN)
        a.event(location, now + 2, "leave", MAIN)
    with tempfile.TemporaryDirectory() as scratch:
        a.write(writer, scratch)
        answer = path(program, scratch, "--limit", "100000")
        at = [s["begin_ns"] for s in answer["steps"]] + [answer["path_end_ns"]]
        c.equal("begins", at[0], answer["begin_ns"])
        c.equal("touch", [s["end_ns"] for s in answer["steps"]], at[1:])
        c.equal("sum", sum(s["path_ns"] for s in answer["activities"]), answer["path_ns"])
    return c.problems


def check_cache(program, writer):
    """What the cache keeps gives the same path."""
    c = harness.Compare()
    archive, expected = make_random(random.Random(5))
    with tempfile.TemporaryDirectory() as scratch, tempfile.TemporaryDirectory() as home:
        archive.write(writer, scratch)
        time.sleep(SETTLE)
        env = {"XDG_CACHE_HOME": home, "KYMO_CACHE_MIN_BYTES": "0"}
        for _ in range(2):
            done = harness.run(program, "critical-path", scratch, "--format", "json", env=env)
            c.equal("steps", steps(done.json), expected)
        c.true("kept", any(pathlib.Path(home).rglob("*")))
    return c.problems


def main():
    program, writer = sys.argv[1:3]
    tap = harness.Tap()
    for name, test in (("a team", check_team), ("a master that ends last", check_master_last),
                       ("an end recorded after the join", check_late_record),
                       ("teams in teams", check_nested), ("a barrier at the end", check_barrier),
                       ("single threads", check_single),
                       ("a wait recorded as it begins", check_wait_first),
                       ("messages between", check_messages), ("no records", check_no_records),
                       ("a run that was kept", check_cache)):
        tap.check(name, test, program, writer)
    for seed in range(1, 9):
        tap.check(f"phases {seed}", check_random, program, writer, seed)
    for seed in range(1, 13):
        tap.check(f"any records {seed}", check_mixed, program, writer, seed)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
