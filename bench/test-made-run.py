# SPDX-License-Identifier: GPL-3.0-or-later
"""A made run is complete, every message has its creation, none is early, and
the same seed gives the same bytes.

Usage: test-made-run.py KYMO-MAKE-RUN KYMO-BENCH KYMO-CLI SOURCE-ROOT
"""
import json
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(sys.argv[4]) / "tests" / "support"))
import harness  # noqa: E402


def make(maker, folder, *options):
    subprocess.run([maker, "--pes", "6", "--records", "20000", *options, folder],
                   check=True)
    return folder


def check_answers(program, folder):
    c = harness.Compare()
    info = harness.ask(program, "info", folder)
    told = harness.ask(program, "communication", folder)
    c.true("complete", info["report"]["complete"])
    c.equal("issues", info["report"]["issues"], [])
    c.true(f"{info['records']} records", 15000 < info["records"] < 25000)
    c.equal("messages", told["messages"], info["intervals"])
    c.equal("unmatched", told["unmatched"], 0)
    return c.problems


def check_same(maker, scratch):
    c = harness.Compare()
    one, two, other = (scratch / name for name in ("one", "two", "other"))
    make(maker, one), make(maker, two), make(maker, other, "--seed", "2")
    for path in one.iterdir():
        same = path.read_bytes() == (two / path.name).read_bytes()
        c.true(f"{path.name}: same seed", same)
        if path.suffix == ".log":
            c.true(f"{path.name}: other seed",
                   path.read_bytes() != (other / path.name).read_bytes())
    return c.problems


def check_bench(bench, program, folder):
    """A smoke run: its figures are there, whatever they are."""
    c = harness.Compare()
    done = subprocess.run([bench, "--times", "1", "--cli", program, folder],
                          capture_output=True, check=True)
    told = json.loads(done.stdout)
    names = {figure["name"] for figure in told["figures"]}
    c.equal("records", told["records"],
            harness.ask(program, "info", folder)["records"])
    for name in ("load", "limit: line ends", "second open: profile", "timeline",
                 "paint timeline", "communication"):
        c.true(f"no {name}", name in names)
    c.true("a time is not positive",
           all(figure["seconds"] >= 0 for figure in told["figures"]))
    return c.problems


def main():
    maker, bench, program = sys.argv[1:4]
    tap = harness.Tap()
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        text = make(maker, scratch / "text")
        packed = make(maker, scratch / "packed", "--gzip")
        tap.check("text", check_answers, program, text)
        tap.check("gzip", check_answers, program, packed)
        tap.check("bench", check_bench, bench, program, text)
        tap.check("seeds", check_same, maker, scratch)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
