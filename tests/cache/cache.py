# SPDX-License-Identifier: GPL-3.0-or-later
"""The cache never lies, never crashes and never gets in the way: an answer
from it equals one from the logs byte by byte, whatever was done to the file.

Usage: cache.py KYMO-CLI SOURCE-ROOT
"""
import hashlib
import json
import os
import pathlib
import resource
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import harness  # noqa: E402

# All questions of all recordings are asked in one process: test-same.c.
QUESTIONS = (["info"], ["profile", "--per-location"], ["communication"],
             ["timeline", "--width", "80"], ["events", "--limit", "200"])
CASES = ("sample", "feat-p4-text", "jacobi2d-sum-p8")
STEP = 9973 * harness.PART
HEADER = 384            # bytes, then the columns
ENTRIES = 80            # where the header tells what follows them
SETTLE = 0.06
SMALL = "feat-p4-text"


class Home:
    """A cache folder of its own and a copy of a run."""

    def __init__(self, program, folder):
        self.program = program
        self.scratch = tempfile.TemporaryDirectory()
        top = pathlib.Path(self.scratch.name)
        self.run = top / "run"
        shutil.copytree(folder, self.run)
        self.cache = top / "cache" / "kymo"
        self.env = {"XDG_CACHE_HOME": str(top / "cache"),
                    "XDG_CONFIG_HOME": str(top / "config"),
                    "KYMO_CACHE_MIN_BYTES": "0"}
        time.sleep(SETTLE)

    def __enter__(self):
        return self

    def __exit__(self, *what):
        self.scratch.cleanup()

    def ask(self, *question, **options):
        env = {**self.env, **options.pop("env", {})}
        return harness.run(self.program, *question, self.run, "--format",
                           "json", env=env, **options)

    def truth(self, *question):
        return self.ask(*question, "--no-cache")

    def files(self):
        return sorted(self.cache.glob("*")) if self.cache.is_dir() else []

    def same(self, c, what, *question):
        got, expected = self.ask(*question), self.truth(*question)
        c.equal(f"{what}: exit", got.code, expected.code)
        c.true(f"{what}: answer differs", got.out == expected.out)
        c.equal(f"{what}: words", got.err, expected.err)


def number(path):
    """What a file of the cache is: the same as long as it is not rewritten."""
    return path.stat().st_ino


def check_answers(program, folder):
    c = harness.Compare()
    with Home(program, folder) as home:
        if home.ask("info").code != 0 or not home.files():
            return []
        before = number(home.files()[0])
        for question in QUESTIONS:
            home.same(c, " ".join(question), *question)
            home.same(c, " ".join(question) + " of a part", *question,
                      "--from", "1ms", "--to", "9ms", "--locations", "0-1")
        c.equal("files", [number(f) for f in home.files()], [before])
    return c.problems


def check_private(program, folder):
    c = harness.Compare()
    with Home(program, folder) as home:
        home.ask("info", "--no-cache")
        c.equal("--no-cache writes", home.files(), [])
        home.ask("info", env={"KYMO_CACHE_MIN_BYTES": "99999999"})
        c.equal("a small run is kept", home.files(), [])
        home.ask("info")
        c.equal("files", len(home.files()), 1)
        c.equal("mode of the folder", home.cache.stat().st_mode & 0o777, 0o700)
        c.equal("mode of the file",
                home.files()[0].stat().st_mode & 0o777, 0o600)
    return c.problems


def check_keys(program, folder):
    """Whatever happens to the run's files, the old answer is not given."""
    c = harness.Compare()
    with Home(program, folder) as home:
        logs = sorted(home.run.glob("*.log"))
        victim, spare = logs[-1], home.run.parent / "spare"

        def touch():
            victim.touch()

        def append():
            with open(victim, "ab") as file:
                file.write(b"14 3 99 0\n")

        def same_length():
            data = victim.read_bytes()
            times = victim.stat()
            victim.write_bytes(data[:-2] + b"9\n")
            os.utime(victim, ns=(times.st_atime_ns, times.st_mtime_ns))

        def same_head_length():
            data = victim.read_bytes()
            times = victim.stat()
            line = data.index(b"\n") + 1
            end = data.index(b"\n", line)
            digit = b"7" if data[end - 1:end] != b"7" else b"8"
            victim.write_bytes(data[:end - 1] + digit + data[end:])
            os.utime(victim, ns=(times.st_atime_ns, times.st_mtime_ns))

        def remove():
            victim.rename(spare)

        def put_back():
            spare.rename(victim)

        def own_roles():
            config = home.run.parent / "config" / "kymo"
            config.mkdir(parents=True)
            (config / "roles.conf").write_text("no rule at all\n")

        def other_names():
            sts = next(home.run.glob("*.sts"))
            sts.write_bytes(sts.read_bytes().replace(b"EVENT", b"EVENT", 1)
                            + b"\n")

        twin = home.run / (victim.name + ".gz")

        def twin_comes():
            twin.write_bytes(b"\x1f\x8b")

        def twin_goes():
            twin.unlink()

        def odd_names():
            sts = next(home.run.glob("*.sts"))
            sts.write_bytes(sts.read_bytes().replace(
                b"END\n", b"STAT \xff odd\xff\nEND\n"))

        for change in (touch, append, same_length,
                       same_head_length, remove, put_back,
                       own_roles, other_names, odd_names, twin_comes,
                       twin_goes):
            home.ask("info")
            before = number(home.files()[0])
            time.sleep(SETTLE)
            change()
            home.same(c, change.__name__, "info")
            time.sleep(SETTLE)
            home.same(c, change.__name__, "profile")
            c.true(f"{change.__name__}: the file was not written anew",
                   number(home.files()[0]) != before)
            c.equal(f"{change.__name__}: files", len(home.files()), 1)
    return c.problems


def check_columns(program, folder):
    """Sums of the whole run read no column: they may be anything. Who reads
    them finds out, and the logs are read again."""
    c = harness.Compare()
    with Home(program, folder) as home:
        if home.ask("info").code != 0 or not home.files():
            return []
        path = home.files()[0]
        data = path.read_bytes()
        end = struct.unpack_from("=Q", data, ENTRIES)[0]
        path.write_bytes(data[:HEADER] + (end - HEADER) * b"\x5a"
                         + data[end:])
        before = number(path)
        home.same(c, "usage", "usage")
        c.equal("the file", number(path), before)
        home.same(c, "histogram", "histogram")
        c.true("the columns were read and not looked at",
               number(home.files()[0]) != before)
    return c.problems


def check_unsettled(program, folder):
    """A file that was changed just now may change again unseen."""
    c = harness.Compare()
    with Home(program, folder) as home:
        ahead = time.time() + 60
        for log in home.run.glob("*.log"):
            os.utime(log, (ahead, ahead))
        home.same(c, "from the future", "info")
        c.equal("files", home.files(), [])
    return c.problems


def damage(c, home, question, path, what, data):
    path.write_bytes(data)
    path.chmod(0o600)
    got = home.ask(*question)
    c.equal(f"{what}: exit", got.code, 0)
    c.true(f"{what}: {got.err[-300:]}", got.err == home.expected.err)
    c.true(f"{what}: {question[0]} differs", got.out == home.expected.out)


def check_damage(program, folder, question):
    """Bytes turned and lengths cut, every 9973rd (the others are tried in one process): the
    answer is that of the logs, and the file is written anew."""
    c = harness.Compare()
    with Home(program, folder) as home:
        home.expected = home.truth(*question)
        home.ask("info")
        path = home.files()[0]
        whole = path.read_bytes()
        for place in range(0, len(whole), STEP):
            turned = bytearray(whole)
            turned[place] ^= 1 << (place % 8)
            damage(c, home, question, path, f"byte {place}", bytes(turned))
        for length in range(0, len(whole), STEP):
            damage(c, home, question, path, f"length {length}",
                   whole[:length])
        for what, data in (("empty", b""), ("zeros", bytes(len(whole))),
                           ("foreign", b"not a cache\n" * 99),
                           ("longer", whole + bytes(64))):
            damage(c, home, question, path, what, data)
        damage(c, home, question, path, "whole", whole)
        c.equal("files", home.files(), [path])
    return c.problems


def check_repair(program, folder):
    """A damaged column is found when it is used, and the file goes."""
    c = harness.Compare()
    with Home(program, folder) as home:
        home.ask("info")
        path = home.files()[0]
        whole = path.read_bytes()
        path.write_bytes(whole[:-64] + bytes(64))
        home.same(c, "damaged", "communication")
        time.sleep(SETTLE)
        c.true("the file is not whole again", path.read_bytes() == whole)
    return c.problems


def check_no_way(program, folder):
    """Where nothing can be kept the answer is given, and the reason told."""
    c = harness.Compare()
    with Home(program, folder) as home:
        expected = home.truth("info")

        def told(what, words, quiet=False, **options):
            extra = ["--quiet"] if quiet else []
            got = home.ask("info", *extra, **options)
            c.equal(f"{what}: exit", got.code, 0)
            c.true(f"{what}: answer", got.out == expected.out)
            c.equal(f"{what}: sentences", got.err.count("could not be written"),
                    0 if quiet else 1)
            c.true(f"{what}: {got.err}", words in got.err or quiet)
            c.equal(f"{what}: left over", home.files(), [])

        def full():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (50000, 50000))

        def full_unprepared():
            resource.setrlimit(resource.RLIMIT_FSIZE, (50000, 50000))

        told("full", "File too large", preexec_fn=full)
        told("full, quiet", "", quiet=True, preexec_fn=full)
        told("full, with the signal", "File too large",
             preexec_fn=full_unprepared)
        told("no room", "Not enough room",
             env={"KYMO_CACHE_MAX_BYTES": "1000"})
        told("nowhere", "", env={"XDG_CACHE_HOME": "/proc/nowhere"})
        shutil.rmtree(home.cache)
        elsewhere = home.cache.parent / "elsewhere"
        elsewhere.mkdir()
        home.cache.symlink_to(elsewhere)
        told("a link", "")
        c.equal("behind the link", list(elsewhere.iterdir()), [])
        home.cache.unlink()
        home.cache.mkdir(0o777)
        home.cache.chmod(0o777)
        told("open to all", "")
        if os.geteuid() != 0:
            home.cache.chmod(0o500)
            told("read only", "Permission denied")
            home.cache.chmod(0o700)
    return c.problems


def check_link(program, folder):
    """A link in the place of the file is neither read nor written through."""
    c = harness.Compare()
    with Home(program, folder) as home:
        home.ask("info")
        path = home.files()[0]
        precious = home.cache.parent / "precious"
        path.rename(precious)
        before = precious.read_bytes()
        path.symlink_to(precious)
        home.same(c, "a link", "info")
        c.true("not replaced", path.is_file() and not path.is_symlink())
        c.true("written through", precious.read_bytes() == before)
    return c.problems


def check_room(program, folder):
    """What was not used for long makes room; foreign files stay."""
    c = harness.Compare()
    with Home(program, folder) as home:
        home.ask("info")
        size = home.files()[0].stat().st_size
        first = home.files()[0]
        foreign = home.cache / "notes.txt"
        foreign.write_text("mine")
        old = home.cache / (32 * "0" + ".run")
        old.write_bytes(bytes(size))
        os.utime(old, (1, 1))
        stale = home.cache / ".new-0000"
        stale.write_bytes(b"half")
        os.utime(stale, (1, 1))
        second = home.run.parent / "second"
        shutil.copytree(home.run, second)
        time.sleep(SETTLE)
        harness.run(program, "info", second, env={
            **home.env, "KYMO_CACHE_MAX_BYTES": str(int(size * 2.5))})
        c.true("the oldest stayed", not old.exists())
        c.true("the stale stayed", not stale.exists())
        c.true("the newer went", first.exists())
        c.true("the foreign went", foreign.exists())
        c.equal("files", len(list(home.cache.glob("*.run"))), 2)
    return c.problems


def check_together(program, folder):
    """Many writers and readers at once."""
    c = harness.Compare()
    with Home(program, folder) as home:
        expected = home.truth("profile")
        env = {**os.environ, **home.env}
        for _ in range(4):
            if home.files():
                home.files()[0].unlink()
            many = [subprocess.Popen(
                [program, "profile", str(home.run), "--format", "json"],
                env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                for _ in range(6)]
            for one in many:
                out, err = one.communicate(timeout=harness.TIMEOUT)
                c.equal("exit", one.returncode, 0)
                c.true("answer", out == expected.out)
                c.equal("words", err.decode(), expected.err)
            c.equal("files", len(home.files()), 1)
    return c.problems


def check_spelling(program, folder):
    """The path in the answer is the one that was given."""
    c = harness.Compare()
    with Home(program, folder) as home:
        home.ask("info")
        other = home.run.parent / "cache" / ".." / "run"
        sts = next(home.run.glob("*.sts"))
        for path in (other, sts):
            got = harness.run(program, "info", path, "--format", "json",
                              env=home.env)
            expected = harness.run(program, "info", path, "--format", "json",
                                   "--no-cache", env=home.env)
            c.true(f"{path.name}", got.out == expected.out)
        c.equal("files", len(home.files()), 1)
    return c.problems


def cache(home, *words, env=None):
    """What `kymo-cli cache` says, as an object."""
    got = harness.run(home.program, "cache", *words, "--format", "json",
                      env={**home.env, **(env or {})})
    return json.loads(got.out) if got.code == 0 else {"code": got.code}


def put_pictures(home, *runs):
    """As the window makes them, one a run, named by its path."""
    pictures = [home.cache / (hashlib.sha256(str(run).encode()).hexdigest()[:32] + ".png")
                for run in runs]
    for picture in pictures:
        picture.write_bytes(b"picture")
    return pictures


def check_list(program, folder):
    """The list names runs by their folder; clearing takes what is listed."""
    c = harness.Compare()
    with Home(program, folder) as home:
        c.equal("no cache", cache(home)["runs"], [])
        c.equal("nothing to clear", cache(home, "--clear")["cleared_files"], 0)
        second = home.run.parent / "second run"
        shutil.copytree(home.run, second)
        time.sleep(SETTLE)
        home.ask("info")
        os.utime(home.files()[0], (10 ** 9, 10 ** 9))
        harness.run(program, "info", second, env=home.env)
        both = cache(home)
        c.equal("runs", [r["run"] for r in both["runs"]],
                [str(second.resolve()), str(home.run.resolve())])
        c.equal("last used", both["runs"][1]["last_used"],
                "2001-09-09T01:46:40Z")
        c.equal("sizes", sum(r["size_bytes"] for r in both["runs"]),
                sum(f.stat().st_size for f in home.files()))
        c.equal("total", both["total_bytes"],
                sum(r["size_bytes"] for r in both["runs"]))
        c.equal("files", sorted(r["file"] for r in both["runs"]),
                [f.name for f in home.files()])
        log = sorted(second.glob("*.log"))[0]
        for words in ([second], [log], ["--base", both["runs"][0]["name"],
                                        second]):
            c.equal(f"{words}", [r["run"] for r in cache(home, *words)["runs"]],
                    [str(second.resolve())])
        c.equal("foreign name", cache(home, "--base", "none")["runs"], [])
        shutil.rmtree(second)
        pictures = put_pictures(home, second, home.run)
        c.equal("gone", cache(home, second, "--clear")["cleared_files"], 1)
        c.equal("left", [r["run"] for r in cache(home)["runs"]],
                [str(home.run.resolve())])
        c.equal("pictures left", [f.exists() for f in pictures], [False, True])
        pictures[1].unlink()
        data = bytearray(home.files()[0].read_bytes())
        data[12] ^= 1
        home.files()[0].write_bytes(data)
        c.equal("damaged", [r["run"] for r in cache(home)["runs"]], [None])
        put_pictures(home, second)
        c.equal("cleared", cache(home, "--clear")["total_bytes"], 0)
        c.equal("nothing is left", home.files(), [])
        c.equal("two runs are too many",
                cache(home, home.run, home.run), {"code": 2})
    return c.problems


def check_limit(program, folder):
    """The person's limit is kept, and honoured at once and later."""
    c = harness.Compare()
    with Home(program, folder) as home:
        conf = home.run.parent / "config" / "kymo" / "cache.conf"
        default = cache(home)["limit_bytes"]
        c.equal("default", default, 10 << 30)
        home.ask("info")
        c.equal("kept", len(home.files()), 1)
        c.equal("set", cache(home, "--max-size", "1K")["limit_bytes"], 1024)
        c.equal("trimmed", home.files(), [])
        home.ask("info")
        c.equal("kept beyond the limit", home.files(), [])
        c.equal("the environment stands before it", cache(
            home, env={"KYMO_CACHE_MAX_BYTES": "77"})["limit_bytes"], 77)
        conf.write_text("# mine\n[cache]\nmax-size=2G\nother=1\n")
        c.equal("by hand", cache(home)["limit_bytes"], 2 << 30)
        cache(home, "--max-size", "3G")
        c.true("words of the person are kept", "# mine" in conf.read_text()
               and "other=1" in conf.read_text())
        for odd in ("max-size=many", "", "[[", "\xff\0", "max-size=-1"):
            conf.write_bytes(b"[cache]\n" + odd.encode("latin-1"))
            c.equal(f"odd file {odd!r}", cache(home)["limit_bytes"], default)
        home.ask("info")
        c.equal("kept again", len(home.files()), 1)
    return c.problems


def check_clearing(program, folder):
    """Clearing while others read and write takes nobody's answer away."""
    c = harness.Compare()
    with Home(program, folder) as home:
        expected = home.truth("timeline", "--width", "80")
        env = {**os.environ, **home.env}
        for _ in range(6):
            many = [subprocess.Popen(
                [program, "timeline", str(home.run), "--width", "80",
                 "--format", "json"],
                env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                for _ in range(4)]
            while any(one.poll() is None for one in many):
                c.true("clear", "runs" in cache(home, "--clear"))
            for one in many:
                out, err = one.communicate(timeout=harness.TIMEOUT)
                c.equal("exit", one.returncode, 0)
                c.true("answer", out == expected.out)
                c.equal("words", err.decode(), expected.err)
        home.same(c, "after", "timeline", "--width", "80")
        c.equal("files", len(home.files()), 1)
    return c.problems


def main():
    program, root = sys.argv[1:3]
    tap = harness.Tap()
    for name, folder, _ in harness.cases(root):
        if folder.name in CASES:
            tap.check(name, check_answers, program, folder)
    small = pathlib.Path(root) / "tests" / "data" / SMALL
    tap.check("columns", check_columns, program, small)
    for check in (check_private, check_keys, check_unsettled, check_repair,
                  check_no_way, check_link, check_room, check_together,
                  check_spelling, check_list, check_limit, check_clearing):
        tap.check(check.__name__[6:], check, program, small)
    for question in (["profile"], ["communication"]):
        tap.check(f"damage and {question[0]}", check_damage, program, small,
                  question)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
