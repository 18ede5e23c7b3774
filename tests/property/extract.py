# SPDX-License-Identifier: GPL-3.0-or-later
"""Parts of runs: what an extracted run says is what the original says of the
same PEs and time, to the last nanosecond; its records are the original's,
byte for byte; and what cannot be cut is copied whole.

Usage: extract.py KYMO-CLI SOURCE-ROOT [FIRST-SEED [N-SEEDS]]
"""
import gzip
import os
import pathlib
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
sys.dont_write_bytecode = True
import harness  # noqa: E402
import property as traces  # noqa: E402

QUESTIONS = (["profile", "--per-location"], ["usage"], ["time-profile"],
             ["time-profile", "--bins", 7], ["histogram", "--preset", "grain"],
             ["histogram", "--unit", "call"], ["histogram", "--scale", "log", "--min", "1us"],
             ["histogram", "--of", "message-size"], ["timeline"],
             ["timeline", "--width", 33, "--rows", 2])
MAX_BYTES = 4 << 20


def files_of(folder):
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*")
            if p.is_file()}


def is_log(name):
    return name.endswith((".log", ".log.gz"))


def plain(data):
    return gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data


def ask_both(program, folder, out, question, limits, inner=()):
    """Phases, and the lanes in which brackets lie, are those of all records of
    the run, whatever is asked: they are left out."""
    one = harness.ask(program, question[0], folder, *question[1:], *limits)
    other = harness.ask(program, question[0], out, *question[1:], *inner)
    for got in (one, other):
        got.pop("phases", None)
    if question[0] == "timeline":
        for row, twin in zip(one["rows"], other["rows"]):
            if row.get("lanes") or twin.get("lanes"):
                for got in (row, twin):
                    got["lanes"] = got["events"] = None
    return other, one


def is_part(part, whole):
    """Whether lines are some of those lines, in their order."""
    rest = iter(whole)
    return all(any(line == other for other in rest) for line in part)


def times_of(line):
    """The time of a record of the kinds that do not depend on others."""
    words = line.split()
    at = {b"1": 3, b"20": 3, b"21": 3, b"2": 3, b"3": 3, b"13": 2, b"14": 1, b"15": 1,
          b"30": 2}.get(words[0])
    return int(words[at]) * 1000 if at else None


def check_log(c, name, before, after, begin, end):
    """Text logs that were cut: records of the original, with all of the range."""
    old, new = plain(before).split(b"\n"), plain(after).split(b"\n")
    c.equal(f"{name}: compressed", after[:2] == b"\x1f\x8b", before[:2] == b"\x1f\x8b")
    if old == new:
        return
    c.equal(f"{name}: header", new[0], b"PROJECTIONS-RECORD %d" % (len(new) - 2))
    c.equal(f"{name}: ends", (new[1].split()[0], new[-2].split()[0], new[-1]), (b"6", b"7", b""))
    c.true(f"{name}: records of the original", is_part(new[1:], old[1:]))
    inside = [line for line in old[1:-1]
              if (t := times_of(line)) is not None and begin <= t < end]
    c.true(f"{name}: all of the range", is_part(inside, new))


def check_part(c, program, folder, rng, locations, begin, end):
    limits = ["--from", f"{begin}ns", "--to", f"{end}ns",
              "--locations", ",".join(map(str, locations))]
    with tempfile.TemporaryDirectory() as name:
        out = pathlib.Path(name) / "out"
        got = harness.ask(program, "extract", folder, out, *limits)
        where = f"{folder.name} {limits}"
        c.equal(f"{where}: kept", got["kept"], sorted(locations))
        c.equal(f"{where}: beside", os.listdir(name), ["out"])
        before, after = files_of(folder), files_of(out)
        c.equal(f"{where}: bytes", got["bytes_after"], sum(map(len, after.values())))
        for one, data in after.items():
            if is_log(one):
                if plain(data)[:11] == b"PROJECTIONS":
                    check_log(c, f"{where} {one}", before[one], data, begin, end)
            elif not one.endswith(".kymo"):
                c.true(f"{where} {one}: the same", before[one] == data)
        for question in QUESTIONS:
            c.equal(f"{where} {question}", *ask_both(program, folder, out, question, limits))
        a = rng.randrange(begin, end)
        inner = ["--from", f"{a}ns", "--to", f"{rng.randrange(a, end) + 1}ns"]
        for question in QUESTIONS[:4]:
            c.equal(f"{where} {question} {inner}",
                    *ask_both(program, folder, out, question, inner + limits[-2:], inner))
    return got


def pick(rng, info):
    begin, end = info["begin_ns"], info["end_ns"]
    ids = [p["location"] for p in info["location_list"]]
    some = sorted(rng.sample(ids, rng.randrange(1, min(len(ids), 6) + 1)))
    way = rng.random()
    if way < 0.2 or end - begin < 2:
        return some, begin, max(end, begin + 1)
    a = rng.randrange(begin, end)
    if way < 0.6:                      # often just on records
        a = max(a // 1000 * 1000, begin)
    b = min(a + rng.choice((1, 1000, 7000, end - begin)), end) if way < 0.4 else \
        rng.randrange(a, end) + 1
    return some, a, max(b, a + 1)


def check_recording(program, folder, steps):
    c, rng = harness.Compare(), random.Random(folder.name)
    info = harness.ask(program, "info", folder)
    with harness.kept_runs():
        for _ in range(steps):
            check_part(c, program, folder, rng, *pick(rng, info))
    return c.problems


class Writer(traces.Writer):
    """More kinds of records: brackets, packing, notes and phases."""

    phase = 0

    def __init__(self, *args):
        self.open_pairs = []
        super().__init__(*args)

    def step(self):
        super().step()
        if self.off or self.rng.random() > 0.2:
            return
        t, pe, move = self.time, self.pe, self.rng.randrange(8)
        if move == 0:                  # written after the fact
            back = max(0, t - self.rng.randrange(2000))
            self.add(100, 4, back, 0, pe, 0)
            self.add(100, 4, t, 0, pe, 0)
        elif move == 1:
            self.open_pairs.append(self.rng.randrange(3))
            self.add(98, 4, t, 0, pe, self.open_pairs[-1])
        elif move == 2 and self.open_pairs:
            self.add(99, 4, t, 0, pe, self.open_pairs.pop(self.rng.randrange(
                len(self.open_pairs))))
        elif move == 3:                # begun twice, now and then
            for kind in self.rng.choice(((16, 17), (16, 16, 17, 17), (16, 17, 17))):
                self.add(kind, self.time, pe)
                self.tick()
        elif move == 4:
            self.lines.append(f"28 {t} 4note")
        elif move == 5:
            self.lines.append(f"29 {max(0, t - 900)} {t} 3 4both")
        elif move == 6:
            self.add(30, self.phase, t)
            self.phase += 1
        else:
            self.add(32, t, -1, 0.5, pe, 1)


def write_run(folder, rng, spoil):
    pes = rng.randrange(1, 6)
    traces.write_sts(folder, pes)
    for pe in range(pes):
        lines = Writer(rng, pe, pes, rng.choice((3, 40, 600))).lines
        if spoil:
            for _ in range(rng.randrange(3)):
                spoil_line(rng, lines)
        text = "\n".join([f"PROJECTIONS-RECORD {len(lines)}"] + lines) + "\n"
        packed = rng.random() < 0.5
        (folder / f"random.{pe}.log{'.gz' * packed}").write_bytes(
            gzip.compress(text.encode()) if packed else text.encode())


def spoil_line(rng, lines):
    """What a disk or a runtime with faults does to a log."""
    i = rng.randrange(len(lines))
    way = rng.randrange(6)
    if way == 0:
        lines.insert(i, "2 21 damaged")
    elif way == 1:
        j = rng.randrange(len(lines))
        lines[i], lines[j] = lines[j], lines[i]
    elif way == 2:
        del lines[i]
    elif way == 3:
        lines.insert(i, f"77 {i}")
    elif way == 4:
        lines.append(f"13 3 {i} 0 0")
    else:
        lines.insert(i, "14 5 0")


def check_made(program, seed, spoil):
    c, rng = harness.Compare(), random.Random(seed + 100 * spoil)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name) / f"made-{seed}"
        folder.mkdir()
        write_run(folder, rng, spoil)
        info = harness.run(program, "info", folder, "--format", "json", "--quiet")
        if info.code == 1:
            return []                  # nothing of it can be read
        for _ in range(3):
            check_part(c, program, folder, rng, *pick(rng, info.json))
    return c.problems


# -- what else `extract` is held to ------------------------------------------

def check_refusals(program, root):
    c = harness.Compare()
    data, sample = root / "tests" / "data", root / "data" / "sample"
    with tempfile.TemporaryDirectory() as name:
        top = pathlib.Path(name)
        (top / "folder").mkdir()
        (top / "link").symlink_to(top / "nowhere")
        for code, word, *args in (
                (1, "records", data / "jacobi2d-sum-p8", top / "out"),
                (1, "stream", data / "streams" / "leanmd-p6.kymostream", top / "out"),
                (1, "None of the locations", sample, top / "out", "--locations", "99"),
                (1, "not in the run", sample, top / "out", "--from", "99s"),
                (2, "before", sample, top / "out", "--from", "2ms", "--to", "1ms"),
                (1, "exists", sample, top / "folder"), (1, "exists", sample, top / "link"),
                (1, "No such", sample, top / "no" / "where"), (2, "RUN OUT", sample)):
            got = harness.run(program, "extract", *args, "--quiet")
            c.true(f"{args}: exit {got.code}, {got.err}", got.code == code
                   and word in got.err and got.err.count("\n") == 1 and got.out == b"")
        c.equal("left", sorted(os.listdir(name)), ["folder", "link"])
        c.equal("folder", os.listdir(top / "folder"), [])
    return c.problems


def middle_of(program, folder):
    info = harness.ask(program, "info", folder)
    length = info["end_ns"] - info["begin_ns"]
    return ["--from", f"{info['begin_ns'] + length // 3}ns",
            "--to", f"{info['end_ns'] - length // 3}ns"]


def check_disk_full(program, sample):
    """In the midst of a log that is cut, of one that is copied, at the names."""
    c, limits = harness.Compare(), middle_of(program, sample)
    for bytes_, options in ((100, limits), (5000, limits), (5000, []), (20000, limits)):
        with tempfile.TemporaryDirectory() as name:
            def small():
                resource.setrlimit(resource.RLIMIT_FSIZE, (bytes_, bytes_))
            got = harness.run(program, "extract", sample, pathlib.Path(name) / "out", *options,
                              preexec_fn=small)
            c.true(f"{bytes_}: {got.code} {got.err}",
                   got.code == 1 and "Cannot write" in got.err and got.err.count("\n") == 1)
            c.equal(f"{bytes_}: left", os.listdir(name), [])
    return c.problems


def check_stopped(program, sample):
    """SIGINT at several moments leaves a whole run, or nothing."""
    c, limits = harness.Compare(), middle_of(program, sample)
    with tempfile.TemporaryDirectory() as name:
        for i, wait in enumerate((0.0, 0.01, 0.02, 0.03, 0.05, 0.08, 0.12)):
            out = pathlib.Path(name) / str(i) / "out"
            out.parent.mkdir()
            one = subprocess.Popen([program, "extract", sample, out, *limits, "--quiet"],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                   env={**os.environ, **harness.NO_CACHE})
            time.sleep(wait)
            one.send_signal(signal.SIGINT)
            one.communicate(timeout=harness.TIMEOUT)
            left = os.listdir(out.parent)
            c.true(f"after {wait} s: exit {one.returncode}, {left}", left in ([], ["out"]))
            if left:
                c.equal("whole", harness.run(program, "info", out, "--quiet").code, 0)
                c.true("note", any(n.endswith(".kymo") for n in os.listdir(out)))
    return c.problems


def check_whole(program, sample):
    """All time: the logs themselves; any number of threads; a part of a part;
    and the same from a cache file."""
    c = harness.Compare()
    limits = middle_of(program, sample)
    with tempfile.TemporaryDirectory() as name:
        top = pathlib.Path(name)
        got = harness.ask(program, "extract", sample, top / "all", "--locations", "1,3")
        before, after = files_of(sample), files_of(top / "all")
        c.equal("none had to be", got["copied_whole"], [])
        for one, data in after.items():
            c.true(one, one.endswith(".kymo") or before[one] == data)
        for n in (1, 5):
            harness.ask(program, "extract", sample, top / str(n), *limits, "--threads", n)
        c.equal("threads", files_of(top / "1"), files_of(top / "5"))
        harness.ask(program, "extract", top / "1", top / "part", "--locations", "1-2")
        info = harness.ask(program, "info", top / "part")
        c.equal("part of a part", (info["locations"], info["locations_original"],
                                   [f"{info['begin_ns']}ns", f"{info['end_ns']}ns"]),
                (2, 8, limits[1::2]))
        cache = {"KYMO_CACHE_MIN_BYTES": "0", "XDG_CACHE_HOME": str(top / "cache")}
        for question in ("profile", "info"):
            told = [harness.run(program, question, top / "1", "--format", "json", env=cache).out
                    for _ in range(2)]
            c.true(f"cached {question}", told[0] == told[1] == harness.run(
                program, question, top / "1", "--format", "json").out)
        c.true("there is a cache file", any((top / "cache").rglob("*")))
    return c.problems


def check_corrected(program, root):
    """Times that are not those of the files are refused; without need they
    are not corrected."""
    c = harness.Compare()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name) / "run"
        shutil.copytree(root / "data" / "sample", folder)
        for path in folder.glob("*.3.log.gz"):
            move_times(path, 20000)
        got = harness.run(program, "extract", folder, pathlib.Path(name) / "out",
                          "--correct-clocks", "--quiet")
        c.true(f"{got.code} {got.err}", got.code == 1 and "corrected clocks" in got.err)
        c.equal("left", os.listdir(name), ["run"])
    return c.problems


def move_times(path, by_us):
    lines = gzip.decompress(path.read_bytes()).split(b"\n")
    at = {b"1": 3, b"20": 3, b"21": 3, b"2": 3, b"3": 3, b"13": 2}
    for i, line in enumerate(lines[1:-1], 1):
        words = line.split(b" ")
        place = at.get(words[0], 1)
        words[place] = str(max(0, int(words[place]) - by_us)).encode()
        lines[i] = b" ".join(words)
    path.chmod(0o644)
    path.write_bytes(gzip.compress(b"\n".join(lines)))


def stand_for_many(out, note, text):
    """The first PE stands for 2^30; and more time is selected than they can have."""
    sts = next(out.glob("*.sts"))
    pes = next(line.split()[1] for line in sts.read_text().splitlines()
               if line.startswith("PROCESSORS "))
    many = str(2 ** 30)
    sts.chmod(0o644)
    sts.write_text(sts.read_text().replace(f"PROCESSORS {pes}", f"PROCESSORS {many}"))
    note.write_text(text.replace(f"processors={pes}", f"processors={many}")
                    .replace(f"pes={pes}", f"pes={many}") + f"\n[Weights]\n0={many}\n")


def check_notes(program, sample):
    """A selection that cannot be is a note, and all records are shown."""
    c = harness.Compare()
    with tempfile.TemporaryDirectory() as name:
        out = pathlib.Path(name) / "out"
        harness.ask(program, "extract", sample, out, *middle_of(program, sample))
        note = next(out.glob("*.kymo"))
        good = note.read_text()
        begin = good.split("begin_ns=")[1].split()[0]
        for bad in ("x", "-5", str(2 ** 63 - 1), str(2 ** 64), "99999999999999999", ""):
            note.write_text(good.replace(f"begin_ns={begin}", f"begin_ns={bad}"))
            info = harness.ask(program, "info", out)
            c.true(f"{bad}: {info['report']}", any(
                "selected cannot be read" in i["what"] for i in info["report"]["issues"]))
            c.true(f"{bad}: span", info["begin_ns"] < int(begin))
        # Far from all records, or so long that times of all PEs would be no numbers.
        end = good.split("end_ns=")[1].split()[0]
        note.write_text(good.replace(f"begin_ns={begin}", f"begin_ns={2 ** 61}")
                        .replace(f"end_ns={end}", f"end_ns={2 ** 61 + 9}"))
        info = harness.ask(program, "info", out)
        c.true("far away: span", info["end_ns"] < 2 ** 60)
        note.write_text(good.replace("processors=", "processors=1"))
        info = harness.ask(program, "info", out)
        c.true(f"another run: {info['report']}", any(
            "another run" in i["what"] for i in info["report"]["issues"]))
        c.true("another run: span", info["begin_ns"] < int(begin))
        stand_for_many(out, note, good.replace(f"begin_ns={begin}", "begin_ns=0").replace(
            f"end_ns={end}", f"end_ns={2 ** 53}"))
        info = harness.ask(program, "info", out)
        c.true("too long: span", info["end_ns"] < 2 ** 50)
        profile = harness.ask(program, "profile", "--extrapolate", out)
        c.true(f"too long: {profile['stands_for']}", profile["stands_for"] == 2 ** 30)
        c.true("too long: times", all(
            i["exclusive_ns"] >= 0 for i in profile["activities"]))
    return c.problems


def main():
    program, root = sys.argv[1], pathlib.Path(sys.argv[2])
    first = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    n_seeds = int(sys.argv[4]) if len(sys.argv) > 4 else 12
    sample = root / "data" / "sample"
    tap = harness.Tap()
    tap.check("refusals", check_refusals, program, root)
    tap.check("disk full", check_disk_full, program, sample)
    tap.check("stopped", check_stopped, program, sample)
    tap.check("whole", check_whole, program, sample)
    tap.check("corrected clocks", check_corrected, program, root)
    tap.check("notes", check_notes, program, sample)
    for seed in range(first, first + n_seeds):
        tap.check(f"made {seed}", check_made, program, seed, False)
        tap.check(f"spoilt {seed}", check_made, program, seed, True)
    for name, folder, _ in list(harness.cases(root))[::harness.PART]:
        size = sum(p.stat().st_size for p in folder.rglob("*"))
        info = harness.run(program, "info", folder, "--format", "json", "--quiet")
        if info.code == 0 and info.json["kind"] in ("trace", "reduced") and size <= MAX_BYTES:
            with harness.kept_runs():
                tap.check(name, check_recording, program, folder, 2)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
