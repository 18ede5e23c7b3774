# SPDX-License-Identifier: GPL-3.0-or-later
"""Traces with messages between functions: out of a cache file, out of one that was
written because memory was short, and with little memory, every answer is what the
traces themselves tell.

Usage: exchanges.py KYMO-CLI SOURCE-ROOT
"""
import pathlib
import shutil
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import harness  # noqa: E402

# A file that changed just now may change again unseen, and is not kept.
SETTLE = 0.06
LITTLE = ["--memory-limit", "1000"]
QUESTIONS = [["info"], ["communication"], ["messages", "--limit", "100000"], ["waiting"],
             ["critical-path"], ["profile", "--per-location"], ["events", "--limit", "100000"],
             ["extrema", "--by", "received"], ["timeline", "--width", "300"]]


def text(cli, question, run, cache, *options):
    result = harness.run(cli, *question, run, *options, "--format", "json", "--quiet",
                         env={"XDG_CACHE_HOME": str(cache), "KYMO_CACHE_MIN_BYTES": "0"})
    if result.code != 0:
        raise AssertionError(f"{question[0]} exit {result.code}: {result.err[:300]}")
    return result.out


def check(cli, run, scratch):
    c = harness.Compare()
    cache, spilled = scratch / "cache", scratch / "spilled"
    for number, question in enumerate(QUESTIONS):
        truth = text(cli, question, run, cache, "--no-cache")
        c.equal(f"{question[0]}: first", text(cli, question, run, cache), truth)
        c.equal(f"{question[0]}: kept", text(cli, question, run, cache), truth)
        c.equal(f"{question[0]}: little memory",
                text(cli, question, run, cache, "--no-cache", *LITTLE), truth)
        if number == 0:
            text(cli, question, run, spilled, *LITTLE)
        c.equal(f"{question[0]}: kept where memory was short",
                text(cli, question, run, spilled), truth)
    for home in (cache, spilled):
        c.equal(f"files in {home.name}", len(list(home.rglob("*.run"))), 1)
    return c.problems


def main(cli, source_root):
    tap = harness.Tap()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        names = [(name, path) for name, path in harness.tau_cases(source_root)
                 if (path / "tautrace.0.0.0.trc").is_file()]
        for name, path in names:
            shutil.copytree(path, folder / name / "run")
        time.sleep(SETTLE)
        for name, _ in names:
            tap.check(name, check, cli, folder / name / "run", folder / name)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
