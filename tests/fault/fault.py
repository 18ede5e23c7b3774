# SPDX-License-Identifier: GPL-3.0-or-later
"""Damaged inputs: logs and tables cut anywhere, bits turned at random, files
missing. Never a crash, never a hang; an answer is valid JSON and its parts
still add up; where there is none there is a sentence. Logs and tables of
Projections are damaged thousands of times in one process by test-damage.c; here
some of it goes through the program.

Usage: fault.py KYMO-CLI SOURCE-ROOT [SEED]
"""
import pathlib
import random
import shutil
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import harness  # noqa: E402

QUESTIONS = (["info"], ["profile", "--per-location"], ["usage"],
             ["time-profile", "--bins", "20"], ["histogram"],
             ["communication"], ["timeline", "--width", "50"],
             ["messages", "--limit", "20"], ["events", "--limit", "20"],
             ["critical-path"], ["explain", "--of", "0"],
             ["clusters", "--union", "idle,messages", "--critical-path"])
STEP = 997
MAX_CUTS = 16 // harness.PART
N_FLIPS = 16 // harness.PART
SMALL = 1 << 20


def try_question(c, program, folder, question, what):
    result = harness.run(program, *question, folder, "--format", "json",
                         "--quiet", "--threads", 2)
    what = f"{what}: {question[0]}"
    c.true(f"{what}: exit {result.code}: {result.err[-300:]}",
           result.code in (0, 1))
    if result.code == 1:
        c.equal(f"{what}: output", result.out, b"")
        c.true(f"{what}: no sentence", result.err.startswith("kymo-cli: "))
        return
    answer = result.json
    if question[0] == "profile":
        parts = sum(answer[k] for k in ("busy_ns", "idle_ns", "overhead_ns",
                                        "untraced_ns"))
        c.equal(f"{what}: parts and span", parts, answer["span_ns"])
    if question[0] == "critical-path":
        c.equal(f"{what}: steps and path", answer["path_ns"],
                sum(a["path_ns"] for a in answer["activities"]))


class Damage:
    """A copy of a case whose victim is damaged again and again."""

    def __init__(self, program, folder, scratch, rng):
        self.program, self.rng, self.turn = program, rng, rng.randrange(9)
        self.folder = pathlib.Path(scratch) / "run"
        shutil.copytree(folder, self.folder)
        self.victims = sorted(p for p in self.folder.rglob("*")
                              if p.name.endswith((".log", ".log.gz", ".sts", ".sum", ".sumd",
                                                   ".trc", ".edf")))
        self.c = harness.Compare()

    def ask(self, what, n=1):
        for _ in range(n):
            self.turn += 1
            try_question(self.c, self.program, self.folder,
                         QUESTIONS[self.turn % len(QUESTIONS)], what)

    def cut(self, victim):
        whole = victim.read_bytes()
        places = list(range(0, len(whole), STEP))
        if len(places) > MAX_CUTS:
            places = self.rng.sample(places, MAX_CUTS)
        for place in places:
            victim.write_bytes(whole[:place])
            self.ask(f"{victim.name} cut at {place}")
        victim.write_bytes(whole)

    def flip(self, victim):
        whole = victim.read_bytes()
        for i in range(N_FLIPS if whole else 0):
            damaged = bytearray(whole)
            for _ in range(1 + i % 5):
                damaged[self.rng.randrange(len(damaged))] ^= \
                    1 << self.rng.randrange(8)
            victim.write_bytes(damaged)
            self.ask(f"{victim.name} with turned bits, try {i}")
        victim.write_bytes(whole)

    def replace_numbers(self, victim):
        """Numbers at the edge of every integer, in text logs and tables."""
        whole = victim.read_bytes()
        if victim.name.endswith((".gz", ".trc")):
            return
        extremes = (b"-1", b"99999999999999999999", b"9223372036854775807",
                    b"-9223372036854775808", b"4294967296", b"65536", b"",
                    b"nan", b"1e308", b"2147483647")
        lines = whole.split(b"\n")
        for i in range(N_FLIPS):
            changed = list(lines)
            for _ in range(3):
                at = self.rng.randrange(len(changed))
                words = changed[at].split(b" ")
                words[self.rng.randrange(len(words))] = \
                    self.rng.choice(extremes)
                changed[at] = b" ".join(words)
            victim.write_bytes(b"\n".join(changed))
            self.ask(f"{victim.name} with odd numbers, try {i}")
        victim.write_bytes(whole)

    def remove(self, victim):
        whole = victim.read_bytes()
        victim.unlink()
        self.ask(f"without {victim.name}", 3)
        victim.write_bytes(whole)


def check_case(program, folder, seed):
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory() as scratch:
        damage = Damage(program, folder, scratch, rng)
        logs = [v for v in damage.victims if v.suffix not in (".sts", ".edf")]
        tables = [v for v in damage.victims if v.suffix in (".sts", ".edf")]
        for victim in tables[:1] + rng.sample(logs, min(2, len(logs))):
            damage.cut(victim)
            damage.flip(victim)
            damage.replace_numbers(victim)
            damage.remove(victim)
        return damage.c.problems


def check_nothing(program):
    """No run at all: one sentence, exit 1."""
    c = harness.Compare()
    with tempfile.TemporaryDirectory() as name:
        empty = pathlib.Path(name)
        (empty / "empty.sts").write_bytes(b"")
        (empty / "odd.log").write_bytes(bytes(range(256)) * 40)
        for path in (empty, empty / "empty.sts", empty / "odd.log",
                     empty / "missing", pathlib.Path("/dev/null")):
            result = harness.run(program, "info", path)
            c.true(f"{path.name}: exit {result.code}", result.code in (0, 1))
            c.true(f"{path.name}: {result.err}",
                   result.code == 0 or result.err.count("\n") == 1)
    return c.problems


def main():
    program, root = sys.argv[1:3]
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    tap = harness.Tap()
    tap.check("nothing", check_nothing, program)
    for folder in sorted((pathlib.Path(root) / "tests" / "data").iterdir()):
        size = sum(p.stat().st_size for p in folder.rglob("*") if p.is_file())
        if folder.is_dir() and size < SMALL:
            tap.check(folder.name, check_case, program, folder, seed)
    # Of TAU also the merged traces, which stand aside where there are others.
    traces = pathlib.Path(root) / "tests" / "data" / "tau"
    for name in ("trace-stencil-4", "trace-aborted-3"):
        for pattern in ("*[0-9].*", "tau.*"):
            with tempfile.TemporaryDirectory() as place:
                for path in (traces / name).glob(pattern):
                    if path.suffix in (".trc", ".edf"):
                        shutil.copy(path, place)
                tap.check(f"{name} {pattern}", check_case, program, pathlib.Path(place), seed)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
