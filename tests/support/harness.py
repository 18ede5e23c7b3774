# SPDX-License-Identifier: GPL-3.0-or-later
"""What the Python tests share: calling kymo-cli, and TAP."""
import contextlib
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile

import many

TIMEOUT = 60

# One part in so many is tried: a sanitized program is several times slower and
# not asked whether figures are right, see tests/meson.build. It reads no
# recording beyond so many bytes, for large ones have nothing that small ones
# have not.
PART = int(os.environ.get("KYMO_TEST_PART", "1"))
MOST_BYTES = 2 ** 62 if PART == 1 else 600_000


def refuse(word):
    raise ValueError(f"{word} is no JSON")


class Result:
    def __init__(self, done):
        self.code = done.returncode
        self.out = done.stdout
        self.err = done.stderr.decode("utf-8", "replace")

    @property
    def json(self):
        return json.loads(self.out.decode("utf-8"), parse_constant=refuse)


# Tests read the files they are about: nothing is kept between two runs, and
# nothing in the person's own cache, but where a test is about the cache.
NO_CACHE = {"KYMO_CACHE_MIN_BYTES": str(2 ** 63 - 1),
            "XDG_CACHE_HOME": "/nonexistent"}


@contextlib.contextmanager
def kept_runs():
    """Within it runs are kept, in a folder of its own: for many questions about
    the same recordings, of which the first is answered from the logs."""
    before = dict(NO_CACHE)
    with tempfile.TemporaryDirectory() as folder:
        NO_CACHE.update(KYMO_CACHE_MIN_BYTES="0", XDG_CACHE_HOME=folder)
        try:
            yield
        finally:
            NO_CACHE.update(before)


# Suites that are about the program as it is started. That of the command line starts it in the
# build without sanitizers alone: with them a start takes longer than most answers.
STARTED = (pathlib.Path(sys.argv[0]).resolve().parent.name
           in (("cli", "live") if PART == 1 else ("live",)))


def run(program, *args, env=None, **options):
    """Runs kymo-cli; a hang is an exception. Variables of env are set."""
    words = [os.fspath(program), *map(str, args)]
    variables = {**os.environ, **NO_CACHE, **(env or {})}
    if "KYMO_CLI_MANY" in os.environ and not STARTED and not options.keys() - {"cwd", "check"}:
        check = options.pop("check", False)
        done = many.run(words, variables, TIMEOUT, **options)
        if check:
            done.check_returncode()
        return Result(done)
    done = subprocess.run(words, timeout=TIMEOUT,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          stdin=subprocess.DEVNULL, env=variables, **options)
    return Result(done)


def ask(program, *args):
    """The answer as JSON; anything but an answer is an exception."""
    result = run(program, *args, "--format", "json", "--quiet")
    if result.code != 0:
        raise AssertionError(f"{args[0]} exit {result.code}: {result.err[:300]}")
    return result.json


def size_of(folder):
    return sum(path.stat().st_size for path in folder.rglob("*")
               if path.is_file())


def cases(source_root):
    """Folders of recorded cases with an oracle, each name once."""
    source_root = pathlib.Path(source_root)
    extra = os.environ.get("KYMO_TRACES")
    extra = (pathlib.Path(extra) if extra
             else source_root / ".." / "shared" / "traces" / "projections")
    folders = sorted((source_root / "tests" / "data").glob("*"))
    if extra.is_dir():
        folders += sorted(extra.glob("*"))
    folders = [source_root / "data" / "sample",
               *(folder for folder in folders if size_of(folder) <= MOST_BYTES)]
    seen = set()
    for folder in folders:
        oracle = folder / "oracle.json"
        if not oracle.is_file():
            continue
        truth = json.loads(oracle.read_text())
        name = truth.get("case", folder.name)
        if name not in seen:
            seen.add(name)
            yield name, folder, truth


def tau_cases(source_root):
    """Folders of recorded cases of TAU, each name once: (name, folder)."""
    source_root = pathlib.Path(source_root)
    extra = os.environ.get("KYMO_TRACES")
    extra = (pathlib.Path(extra).parent / "tau" if extra
             else source_root / ".." / "shared" / "traces" / "tau")
    folders = sorted((source_root / "tests" / "data" / "tau").iterdir())
    if extra.is_dir():
        folders += sorted(extra.iterdir())
    seen = set()
    for folder in folders:
        if folder.is_dir() and folder.name not in seen:
            seen.add(folder.name)
            yield folder.name, folder


def cpu_seconds():
    """What this process and those it waited for have used."""
    parts = [resource.getrusage(who) for who in
             (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return (sum(part.ru_utime + part.ru_stime for part in parts)
            + many.Many.cpu_us / 1e6)


class Tap:
    """A plan of unknown length, as TAP allows: it stands at the end. What takes
    long says how long, so that a suite that grows too long can be cut."""

    def __init__(self):
        self.count = 0
        self.failed = 0

    def check(self, name, function, *args):
        self.count += 1
        begin = cpu_seconds()
        try:
            problems = function(*args) or []
        except (AssertionError, KeyError, TypeError, ValueError, OSError,
                subprocess.TimeoutExpired) as error:
            problems = [f"{type(error).__name__}: {error}"]
        if problems:
            self.failed += 1
        print(f"{'not ok' if problems else 'ok'} {self.count} {name}")
        for problem in problems[:12]:
            print(f"# {problem}")
        if cpu_seconds() - begin >= 1:
            print(f"# {cpu_seconds() - begin:.1f} s of CPU")
        sys.stdout.flush()

    def skip(self, name, why):
        self.count += 1
        print(f"ok {self.count} {name} # SKIP {why}")

    def end(self):
        print(f"1..{self.count}")
        return 1 if self.failed else 0


class Compare:
    """Collects differences instead of stopping at the first."""

    def __init__(self):
        self.problems = []

    def equal(self, what, got, expected):
        if got != expected:
            self.problems.append(f"{what}: got {short(got)}, "
                                 f"expected {short(expected)}")

    def near(self, what, got, expected, tolerance=1e-6):
        if abs(got - expected) > tolerance:
            self.problems.append(f"{what}: got {got}, expected {expected}")

    def true(self, what, fact):
        if not fact:
            self.problems.append(what)


def short(value):
    text = repr(value)
    return text if len(text) < 160 else text[:157] + "..."
