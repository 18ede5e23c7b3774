# SPDX-License-Identifier: GPL-3.0-or-later
"""A run that is larger than its memory limit is answered from a file, byte by
byte as one in memory is, wherever that file may lie and whatever fails.

Usage: spill.py KYMO-CLI KYMO-MAKE-RUN SOURCE-ROOT
"""
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import harness  # noqa: E402

QUESTIONS = (["info"], ["profile", "--per-location"], ["usage"],
             ["time-profile", "--bins", "30"], ["histogram"],
             ["histogram", "--unit", "call"],
             ["histogram", "--of", "message-size"], ["communication"],
             ["communication", "--of", "ways"],
             ["timeline", "--width", "80"], ["messages", "--limit", "50"],
             ["events", "--limit", "200"], ["critical-path"], ["explain", "--of", "0"],
             ["clusters", "--critical-path"])
# What tells times is asked with corrected clocks as well.
TIMED = ("info", "profile", "timeline", "events")
CLOCKS = ([], ["--correct-clocks"])
TINY = ["--memory-limit", "1"]
NOTE = "larger than the memory limit"
REFUSED = "needs more memory than the limit allows"
SMALL = "feat-p4-text"
CASES = ("sample", SMALL)
PES, RECORDS = 8, 1_500_000


class Desk:
    """A run, a cache folder and one for temporary files."""

    def __init__(self, program, run, kept="0"):
        self.program = program
        self.run = run
        self.scratch = tempfile.TemporaryDirectory()
        top = pathlib.Path(self.scratch.name)
        self.cache = top / "cache" / "kymo"
        self.temporary = top / "tmp"
        self.temporary.mkdir()
        self.env = {"XDG_CACHE_HOME": str(top / "cache"),
                    "KYMO_CACHE_MIN_BYTES": kept,
                    "TMPDIR": str(self.temporary)}

    def __enter__(self):
        return self

    def __exit__(self, *what):
        self.scratch.cleanup()

    def ask(self, *question, env=None, **options):
        return harness.run(self.program, *question, self.run, "--format",
                           "json", env={**self.env, **(env or {})}, **options)

    def truth(self, *question):
        return self.ask(*question, "--no-cache")

    def kept(self):
        return sorted(self.cache.glob("*")) if self.cache.is_dir() else []

    def left(self):
        return sorted(self.temporary.iterdir())


def without_note(err):
    return "".join(line for line in err.splitlines(keepends=True)
                   if NOTE not in line)


def same(c, what, got, expected):
    c.equal(f"{what}: exit", got.code, expected.code)
    c.true(f"{what}: answer differs", got.out == expected.out)
    c.equal(f"{what}: words", without_note(got.err), expected.err)


def check_answers(program, folder):
    """In a nameless file, in the cache's file when it is written, and when it
    is read again."""
    c = harness.Compare()
    with Desk(program, folder) as desk:
        if desk.truth("info").code != 0 or desk.truth("timeline").code != 0:
            return []
        for question in QUESTIONS:
            for clocks in CLOCKS if question[0] in TIMED else CLOCKS[:1]:
                asked = [*question, *clocks]
                expected = desk.truth(*asked)
                got = desk.ask(*asked, "--no-cache", *TINY)
                same(c, f"{asked}", got, expected)
                if asked == ["info"]:
                    c.equal("told", NOTE in got.err, True)
                    c.equal("nothing kept", desk.kept(), [])
                for turn in ("written", "read") if question[0] in TIMED else ():
                    same(c, f"{asked} {turn}", desk.ask(*asked, *TINY),
                         expected)
                if question == ["info"]:
                    c.equal(f"kept {clocks}", len(desk.kept()),
                            2 if clocks else 1)
        c.equal("files", len(desk.kept()), 2)
        for clocks in ([], ["--correct-clocks"]):
            same(c, "read with room", desk.ask("profile", *clocks),
                 desk.truth("profile", *clocks))
        c.equal("left over", desk.left(), [])
    return c.problems


def limit_files(n_bytes):
    def set_limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (n_bytes, n_bytes))
    return set_limit


def check_no_room(program, folder):
    """Where no file takes it, a small run stays in memory."""
    c = harness.Compare()
    with Desk(program, folder) as desk:
        for question in ("profile", "communication"):
            expected = desk.truth(question)
            for what, options in (
                    ("full", {"preexec_fn": limit_files(20000)}),
                    ("full at once", {"preexec_fn": limit_files(0)}),
                    ("nowhere", {"env": {"TMPDIR": "/nonexistent"}})):
                got = desk.ask(question, "--no-cache", *TINY, **options)
                same(c, f"{question} {what}", got, expected)
                got = desk.ask(question, "--quiet", *TINY, **options)
                c.true(f"{question} {what}, cache", got.out == expected.out)
        got = desk.ask("profile", *TINY, env={"XDG_CACHE_HOME": "/proc/no",
                                              "TMPDIR": "/nonexistent"})
        c.true("nowhere at all", got.out == desk.truth("profile").out)
        c.equal("left over", desk.left(), [])
    return c.problems


def check_cap(program, folder):
    """A run larger than what the cache may hold is answered, but not kept."""
    c = harness.Compare()
    with Desk(program, folder) as desk:
        got = desk.ask("profile", *TINY, env={"KYMO_CACHE_MAX_BYTES": "1000"})
        c.true("answer", got.out == desk.truth("profile").out)
        c.equal("told", got.err.count("Not enough room"), 1)
        c.equal("kept", desk.kept(), [])
    return c.problems


def check_large(program, run):
    """Far more than the limit, with logs that are larger than it alone."""
    c = harness.Compare()
    with Desk(program, run) as desk:
        for i, question in enumerate(QUESTIONS[::harness.PART]):
            limit = ("6M", "1M")[i % 2]
            got = desk.ask(*question, "--no-cache", "--memory-limit", limit)
            same(c, f"{question} {limit}", got, desk.truth(*question))
        c.equal("left over", desk.left(), [])
    return c.problems


def check_refused(program, run):
    """Where the disk has no room the limit is one."""
    c = harness.Compare()
    with Desk(program, run) as desk:
        for what, more in (("cache", []), ("no cache", ["--no-cache"])):
            got = desk.ask("profile", "--memory-limit", "6M", *more,
                           preexec_fn=limit_files(2_000_000))
            c.equal(f"{what}: exit", got.code, 1)
            c.equal(f"{what}: told", got.err.count(REFUSED), 1)
            c.equal(f"{what}: kept", desk.kept(), [])
        got = desk.ask("profile", preexec_fn=limit_files(2_000_000))
        c.true("with room", got.out == desk.truth("profile").out)
    return c.problems


def check_moved(program, run):
    """The file goes on where there is room. A limit on its length stands for
    a full disk; it is the same for both places, so what is written before it
    is met has to be readable after."""
    c = harness.Compare()
    with Desk(program, run) as desk:
        expected = desk.truth("profile")
        got = desk.ask("profile", "--quiet", "--memory-limit", "30M",
                       preexec_fn=limit_files(15_000_000))
        c.equal("exit", got.code, 0)
        c.true("answer", got.out == expected.out)
        c.equal("kept", desk.kept(), [])
    return c.problems


def check_stopped(program, run):
    """Stopped at any moment it ends soon and leaves nothing behind."""
    c = harness.Compare()
    with Desk(program, run) as desk:
        for wait in (0.02, 0.05, 0.08, 0.1, 0.15, 0.2):
            one = subprocess.Popen(
                [program, "profile", str(run), "--memory-limit", "2M"],
                env={**os.environ, **desk.env}, stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE)
            time.sleep(wait)
            one.send_signal(signal.SIGINT)
            begin = time.monotonic()
            one.communicate(timeout=harness.TIMEOUT)
            c.true("slow", time.monotonic() - begin < 10)
            c.equal("left over", desk.left(), [])
            c.equal("half a file", [f for f in desk.kept()
                                    if f.suffix != ".run"], [])
    return c.problems


def check_together(program, run):
    """Two that spill at once, and what they leave serves a third."""
    c = harness.Compare()
    with Desk(program, run) as desk:
        expected = desk.truth("profile")
        many = [subprocess.Popen(
            [program, "profile", str(run), "--format", "json",
             "--memory-limit", "4M"],
            env={**os.environ, **desk.env}, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE) for _ in range(2)]
        for one in many:
            out, err = one.communicate(timeout=harness.TIMEOUT)
            c.equal("exit", one.returncode, 0)
            c.true("answer", out == expected.out)
            c.equal("words", err.decode(), expected.err)
        c.equal("files", len(desk.kept()), 1)
        same(c, "third", desk.ask("profile", "--memory-limit", "4M"),
             expected)
    return c.problems


def main():
    program, make_run, root = sys.argv[1:4]
    tap = harness.Tap()
    # The other recordings are asked in one process: test-same.c.
    for name, folder, _ in harness.cases(root):
        if folder.name in CASES:
            tap.check(name, check_answers, program, folder)
    small = pathlib.Path(root) / "tests" / "data" / SMALL
    for check in (check_no_room, check_cap):
        tap.check(check.__name__[6:], check, program, small)
    with tempfile.TemporaryDirectory() as made:
        run = pathlib.Path(made) / "run"
        subprocess.run([make_run, "--pes", str(PES), "--records",
                        str(RECORDS), str(run)], check=True,
                       stdout=subprocess.DEVNULL, timeout=harness.TIMEOUT)
        time.sleep(0.1)
        for check in (check_large, check_refused, check_moved, check_stopped,
                      check_together):
            tap.check(check.__name__[6:], check, program, run)
        shutil.rmtree(run)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
