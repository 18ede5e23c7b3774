# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs written as OTF2 archives and read again: every answer is that of the original, to the
nanosecond, of the whole run and of parts of it; and otf2-print accepts the archives.

Usage: otf2-write.py KYMO-CLI WRITE-OTF2 SOURCE-ROOT
"""
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import harness  # noqa: E402
import otf2  # noqa: E402

QUESTIONS = (("profile", "--per-location"), ("usage",), ("time-profile", "--bins", "37"),
             ("histogram",), ("timeline", "--width", "200"), ("communication",),
             ("messages", "--limit", "100000"), ("waiting",), ("collectives",),
             ("critical-path",), ("calltree",), ("user-events",), ("counters",),
             ("events", "--limit", "100000"))
# Of a part they are not the same: the timeline has outer functions where any nest; paths of
# functions, the critical path's rest and what others did reach beyond the range.
OF_PARTS = ("profile", "usage", "time-profile", "histogram", "communication", "messages",
            "waiting", "collectives")
# What is of the whole run, or of its files.
NOT_COMPARED = {"collectives_inferred", "inferred", "left_out", "outer", "groups",
                "by_did", "collectives_without_root", "may_be_several",
                "collectives_may_be_several", "functions", "span"}


def ask(program, folder, question, *args):
    """The answer, or in words why there is none."""
    result = harness.run(program, question[0], folder, *question[1:], *args,
                         "--format", "json", "--quiet")
    if result.code == 0:
        return result.json
    return result.err.replace(str(folder), "RUN")


def without(value, names):
    if isinstance(value, dict):
        return {k: without(v, names) for k, v in value.items() if k not in names}
    if isinstance(value, list):
        return [without(v, names) for v in value]
    return value


def difference(left, right, path=""):
    """Where two answers differ first."""
    if isinstance(left, dict) and isinstance(right, dict):
        for key in sorted(left.keys() | right.keys()):
            found = difference(left.get(key, "absent"), right.get(key, "absent"), f"{path}/{key}")
            if found:
                return found
        return None
    if isinstance(left, list) and isinstance(right, list) and len(left) == len(right):
        for i, (a, b) in enumerate(zip(left, right)):
            found = difference(a, b, f"{path}[{i}]")
            if found:
                return found
        return None
    return None if left == right else f"{path}: {harness.short(left)} != {harness.short(right)}"


def compare(program, one, other, questions, skip, *args):
    problems = []
    for question in questions:
        found = difference(without(ask(program, one, question, *args), skip),
                           without(ask(program, other, question, *args), skip))
        if found:
            problems.append(f"{' '.join(question)} {' '.join(args)}: {found}")
    return problems


def check_print(folder):
    """The program of the library reads events and definitions without a word of warning."""
    if shutil.which("otf2-print") is None:
        return []
    problems = []
    for option in ([], ["-G"]):
        done = subprocess.run(["otf2-print", *option, folder / "traces.otf2"], timeout=120,
                              check=False, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        if done.returncode != 0 or done.stderr:
            problems.append(f"otf2-print {option}: exit {done.returncode}, {done.stderr[:200]}")
    return problems


def written(program, *args):
    result = harness.run(program, *args, "--format", "json", "--quiet")
    if result.code != 0:
        raise AssertionError(f"{args[0]}: exit {result.code}, {result.err[:300]}")
    return result.json


class Maker:
    """A random archive: ranks with threads that call functions, exchange messages on several
    communicators, put and get, make collectives, count, sample and pause."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        rng = self.rng
        self.n, self.threads = rng.randrange(2, 6), rng.choice((1, 1, 3))
        self.resolution = rng.choice((10 ** 9, 10 ** 9, 10 ** 6, 2_599_999_813))
        self.archive = a = otf2.Archive(self.resolution, offset=1000)
        a.processes(self.n, threads=self.threads)
        order = list(range(self.n))
        rng.shuffle(order)
        self.comms = [list(range(self.n)), order, sorted(order[:self.n // 2 + 1])]
        for number, ranks in enumerate(self.comms):
            a.comm(number, ranks)
        a.add("window", 0, "window", 0)
        self.names = ("main", "compute", "MPI_Send", "MPI_Recv", "MPI_Barrier", "MPI_Allreduce",
                      "MPI_Bcast", "MPI_Reduce", "MPI_Wait", "a name with “quotes”\t| $ and \x07")
        for number, name in enumerate(self.names):
            a.region(number, name, otf2.MPI if name.startswith("MPI") else otf2.USER)
        self.counts = rng.random() < 0.5
        if self.counts:
            a.add("member", 0, "PAPI_TOT_INS", otf2.ACCUMULATED_START, otf2.UINT64, "#")
            a.add("member", 1, "power", otf2.ABSOLUTE_POINT, otf2.DOUBLE, "W")
            a.add("class", 0, otf2.STRICT, "0")
            a.add("class", 1, otf2.ASYNCHRONOUS, "1")
        self.time = [1000 + rng.randrange(500) for _ in range(self.n * self.threads)]
        self.total = [0] * (self.n * self.threads)
        for location in range(self.n * self.threads):
            self.call(location, "enter", 0)

    def tick(self, location, most=300):
        self.time[location] += self.rng.randrange(most)
        return self.time[location]

    def call(self, location, event, region):
        self.tick(location, 30)
        if self.counts and self.rng.random() < 0.9:
            self.total[location] += self.rng.randrange(1000)
            self.archive.event(location, self.time[location], "metric", 0,
                               f"u:{self.total[location]}")
        self.archive.event(location, self.time[location], event, region)

    def compute(self, location, depth=0):
        region = self.rng.choice((1, 9))
        self.call(location, "enter", region)
        for _ in range(self.rng.randrange(3) if depth < 3 else 0):
            self.compute(location, depth + 1)
        if self.counts and self.rng.random() < 0.3:
            self.archive.event(location, self.tick(location), "metric", 1,
                               f"d:{self.rng.random() * 100}")
        self.tick(location)
        self.call(location, "leave", region)

    def message(self):
        number = self.rng.randrange(3)
        ranks = self.comms[number]
        if len(ranks) < 2:
            return
        here, there = self.rng.sample(range(len(ranks)), 2)
        a, b = (ranks[i] * self.threads + self.rng.randrange(self.threads)
                for i in (here, there))
        size, tag = self.rng.randrange(100000), self.rng.randrange(3)
        self.call(a, "enter", 2)
        self.archive.event(a, self.tick(a), "send", there, number, tag, size)
        sent = self.time[a]
        self.call(a, "leave", 2)
        self.call(b, "enter", 3)
        if self.rng.random() < 0.95:
            self.time[b] = max(self.time[b], sent) + self.rng.randrange(50)
            self.archive.event(b, self.time[b], "recv", here, number, tag, size)
        self.call(b, "leave", 3)

    def collective(self):
        number = self.rng.randrange(3)
        ranks = self.comms[number]
        region, op = self.rng.choice(((4, "barrier"), (5, "allreduce"), (6, "bcast"),
                                      (7, "reduce")))
        root = self.rng.randrange(len(ranks)) if region > 5 else otf2.NO_ROOT
        for rank in ranks:
            self.call(rank * self.threads, "enter", region)
            self.archive.event(rank * self.threads, self.tick(rank * self.threads, 3), "begin")
        last = max(self.time[rank * self.threads] for rank in ranks)
        for rank in ranks:
            location = rank * self.threads
            self.time[location] = last + self.rng.randrange(40)
            self.archive.event(location, self.time[location], "end", otf2.OPS.index(op), number,
                               root, self.rng.randrange(999), self.rng.randrange(999))
            self.call(location, "leave", region)

    def asynchronous(self, request):
        number = self.rng.randrange(3)
        for rank in self.comms[number]:
            location = rank * self.threads
            self.archive.event(location, self.tick(location), "request", request)
        for rank in self.comms[number]:
            location = rank * self.threads
            self.compute(location)
            self.call(location, "enter", 8)
            self.archive.event(location, self.tick(location), "done",
                               otf2.OPS.index("allreduce"), number, otf2.NO_ROOT, 8, 8, request)
            self.call(location, "leave", 8)

    def one_sided(self, operation):
        rank, to = self.rng.randrange(self.n), self.rng.randrange(self.n)
        location = rank * self.threads
        kind = self.rng.choice(("put", "get"))
        self.archive.event(location, self.tick(location), kind, 0, to, 64, operation)
        self.archive.event(location, self.tick(location), "complete", 0, operation)

    def pause(self):
        location = self.rng.randrange(self.n * self.threads)
        if self.rng.random() < 0.5:
            begin = self.tick(location)
            self.archive.event(location, begin, "flush", begin + self.rng.randrange(100))
            return
        self.archive.event(location, self.tick(location), "measurement", 0)
        self.archive.event(location, self.tick(location) + 1, "measurement", 1)
        self.time[location] += 1

    def write(self, writer, folder, n_steps=60):
        for step in range(n_steps):
            self.rng.choice((lambda: self.compute(self.rng.randrange(self.n * self.threads)),
                             self.message, self.message, self.collective, self.pause,
                             lambda: self.asynchronous(step),
                             lambda: self.one_sided(step)))()
        for location in range(self.n * self.threads):
            self.call(location, "leave", 0)
        return self.archive.write(writer, folder)


def check_whole(program, folder, out):
    """The run as an archive: the same answers."""
    answer = written(program, "convert", folder, out, "--to", "otf2")
    info = harness.ask(program, "info", out)
    problems = compare(program, folder, out, QUESTIONS, set()) + check_print(out)
    if not info["report"]["complete"]:
        problems.append(f"report: {info['report']['issues']}")
    left_out = [line["what"] for line in answer["left_out"]
                if not line["what"].startswith("Names of communicators")]
    return problems, left_out


def check_part(program, folder, out, begin, end):
    """A range of time that is cut out answers as the whole run does for that range."""
    span = ("--from", str(begin), "--to", str(end))
    written(program, "extract", folder, out, *span)
    questions = [q for q in QUESTIONS if q[0] in OF_PARTS]
    return compare(program, folder, out, questions, NOT_COMPARED, *span) + check_print(out)


def check_parts(program, folder, place, seed, n_parts):
    rng = random.Random(seed)
    info = harness.ask(program, "info", folder)
    problems = []
    for part in range(n_parts):
        begin = rng.randrange(info["begin_ns"], info["end_ns"])
        end = rng.randrange(begin + 1, info["end_ns"] + 1)
        problems += check_part(program, folder, place / f"part{part}", begin, end)
    return problems


def check_made(program, writer, place, seed):
    folder = place / "run"
    Maker(seed).write(writer, folder)
    problems, left_out = check_whole(program, folder, place / "out")
    if left_out:
        problems.append(f"left out: {left_out}")
    return problems + check_parts(program, folder, place, seed, 3)


def check_recording(program, folder, place):
    problems, left_out = check_whole(program, folder, place / "out")
    if left_out:
        problems.append(f"left out: {left_out}")
    return problems + check_parts(program, place / "out", place, 1, 2)


def check_reduced(program, folder, place):
    """Some ranks: the others keep their numbers, and the kept ones have the weights."""
    c = harness.Compare()
    done = written(program, "reduce", folder, place / "out", "--clusters", "2", "--outliers", "0")
    whole, part = (harness.ask(program, "profile", run, "--per-location")
                   for run in (folder, place / "out"))
    kept = {p["location"]: p for p in part["per_location"]}
    c.true("kept", 0 < len(kept) < len(whole["per_location"]) and done is not None)
    c.equal("figures", [p for p in whole["per_location"] if p["location"] in kept],
            list(kept.values()))
    info = harness.ask(program, "info", place / "out")
    c.equal("kind, format", (info["kind"], info["format"], info["locations_original"]),
            ("reduced", "otf2", len(whole["per_location"])))
    return c.problems + check_print(place / "out")


def check_refused(program, folder, place):
    """Nothing takes the place of anything."""
    c = harness.Compare()
    (place / "there").mkdir()
    (place / "there" / "file").write_text("mine")
    result = harness.run(program, "convert", folder, place / "there", "--to", "otf2")
    c.equal("exit", result.code, 1)
    c.equal("files", [p.name for p in place.rglob("*")], ["there", "file"])
    return c.problems


def main():
    program, writer, root = sys.argv[1:4]
    tap = harness.Tap()
    data = pathlib.Path(root) / "tests" / "data"
    if shutil.which("otf2-print") is None:
        tap.skip("otf2-print", "it is not installed")

    def check(name, function, *args):
        with tempfile.TemporaryDirectory() as folder:
            tap.check(name, function, program, *args, pathlib.Path(folder))

    for seed in range(1, 9)[::harness.PART]:
        with tempfile.TemporaryDirectory() as folder:
            tap.check(f"made {seed}", check_made, program, writer, pathlib.Path(folder), seed)
    check("otf2-stencil-4", check_recording, data / "otf2-stencil-4")
    for name, folder in list(harness.tau_cases(root))[::harness.PART]:
        if (folder / "tautrace.0.0.0.trc").is_file() or list(folder.glob("*.otf2")):
            check(name, check_recording, folder)
    check("reduced", check_reduced, data / "otf2-stencil-4")
    check("refused", check_refused, data / "otf2-stencil-4")
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
