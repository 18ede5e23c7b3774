#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test-unsafe-names.py KYMO-CLI SOURCE-ROOT: names and paths that hold escape sequences,
C1 controls, bidirectional overrides, line breaks and bytes that are no UTF-8. Whatever a
command writes, in any format, must be safe for the terminal that shows it."""

import csv
import io
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ET

CLI = os.path.abspath(sys.argv.pop(1))
SOURCE = pathlib.Path(sys.argv.pop(1))
DATA = SOURCE / "tests" / "data"

sys.path.insert(0, str(SOURCE / "tests" / "support"))
sys.dont_write_bytecode = True
import many  # noqa: E402

# ESC, a C1 control, a bidirectional override, a line separator, DEL, a stray byte.
EVIL = b"\x1b[31m" + "\u009b2J\u202eabc\u2028\u2066\x7f".encode() + b"\x9b"
# What a name becomes that is read: its stray byte is no character.
READ = EVIL[:-1].decode() + "\ufffd"
UNSAFE = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
PART = int(os.environ.get("KYMO_TEST_PART", "1"))
FOLDER = b"run\n" + EVIL

# All that are asked about a run; filter has formats of its own.
LISTED = re.findall(r"^  ([a-z][a-z-]*) ", subprocess.run(
    [CLI, "--help"], capture_output=True, text=True, check=True).stdout, re.M)
COMMANDS = {command: [] for command in LISTED if command != "filter" and re.match(
    r"Usage: \S+ \S+ (\[RUN\]|RUN( TEXT)?) \[", subprocess.run(
        [CLI, command, "--help"], capture_output=True, text=True, check=True).stdout)}
del COMMANDS["cache"]
COMMANDS.update({
    "search": ["e"], "messages": ["--limit", "50"], "events": ["--limit", "200"],
    "explain": ["--locations", "1"], "chain": ["--location", "1"],
    "function-bars": ["--of", EVIL], "counter-map": ["--name", EVIL],
    "check": ["--max-idle", "1%"], "user-events-time": ["--names", EVIL],
})


def ask(*words):
    env = {**os.environ, "KYMO_CACHE_MAX": "0", "XDG_CACHE_HOME": "/dev/null"}
    if "KYMO_CLI_MANY" in os.environ:
        done = many.run([CLI, *words], env, 120)
    else:
        done = subprocess.run([CLI, *words], timeout=120, capture_output=True, env=env,
                              stdin=subprocess.DEVNULL, check=False)
    assert done.returncode >= 0, f"signal {-done.returncode}: {done.stderr}"
    return done


def projections(parent):
    """Every name of a run in logs, the files and the folder."""
    folder = os.path.join(os.fsencode(parent), FOLDER)
    base = b"=b" + EVIL
    os.mkdir(folder)
    for file in sorted((DATA / "feat-notes-p3-text").glob("featnote.proj.*")):
        content = file.read_bytes()
        if file.suffix == ".sts":
            content = re.sub(rb'"([^"]*)"', lambda m: b'"=' + EVIL + m[1] + b'"', content)
            content = re.sub(rb"(?m)^((?:EVENT|STAT) \d+ )", lambda m: m[1] + b"@" + EVIL, content)
        else:
            content = re.sub(rb"(?m)^28 (\d+) (\d+)", lambda m: b"28 %s %d%s" % (
                m[1], int(m[2]) + len(EVIL), EVIL), content)
        end = os.fsencode(file.name)[len("featnote.proj"):]
        with open(os.path.join(folder, base + end), "wb") as out:
            out.write(content + (b"2 nonsense\n" * 3 if end == b".1.log" else b""))
    return folder


def tau(parent, case, pattern, edit):
    folder = os.path.join(os.fsencode(parent), os.fsencode(case) + FOLDER)
    os.mkdir(folder)
    for file in sorted((DATA / "tau" / case).glob(pattern)):
        with open(os.path.join(folder, os.fsencode(file.name)), "wb") as out:
            out.write(edit(file.read_bytes()))
    return folder


def in_quotes(content):
    return re.sub(rb'"([^"\n]*)"', lambda m: b'"-' + EVIL + m[1] + b'"', content)


def in_edf(content):
    return re.sub(rb'"([^"\n]*)"', lambda m: b'"' + EVIL + m[1] + b'"', content) \
        if content.split(b"\n", 1)[0].endswith(b"dynamic_trace_events") else content


def in_xml(content):
    broken = b"=a&#10;b\t" + "\u009b\u202e\u2029".encode()
    return re.sub(rb"<name>([^<]*)</name>", lambda m: b"<name>" + broken + m[1] + b"</name>",
                  re.sub(rb"(?<=<value>)(?=[A-Z])", broken, content))


class Safe(unittest.TestCase):
    def check(self, done, words):
        for stream, raw in (("standard output", done.stdout), ("standard error", done.stderr)):
            text = raw.decode("utf-8")       # fails where it is no UTF-8
            found = UNSAFE.search(text)
            if found:
                around = text[max(found.start() - 60, 0):found.end() + 20]
                self.fail(f"{words} writes {found[0]!r} to {stream}: {around!r}")

    def every_command(self, folder, name, answered):
        """`answered`: how many commands must have an answer in each format. With sanitizers each
        command is asked in one format: what is written is the same."""
        for turn, form in enumerate(("text", "json", "csv")):
            n = 0
            for i, (command, more) in enumerate(COMMANDS.items()):
                if (i + turn) % PART != 0:
                    continue
                with self.subTest(f"{command} {form}"):
                    position = [folder] + (more if command == "search" else [])
                    done = ask(command, *position, *(more if command != "search" else []),
                               "--format", form)
                    self.check(done, f"{command} {form}")
                    n += done.returncode == 0
                    self.assertNotEqual(done.returncode, 2, done.stderr)
                    if done.returncode == 0 and form == "json":
                        json.loads(done.stdout)
            self.assertGreaterEqual(n, answered if PART == 1 else 1, form)
        if name is not None:
            profile = ask("profile", folder, "--format", "json").stdout
            self.assertIn(name, [a["name"] for a in json.loads(profile)["activities"]])

    def test_projections(self):
        with tempfile.TemporaryDirectory() as parent:
            folder = projections(parent)
            self.every_command(folder, "=" + READ + "A6::=" + READ + "work", 24)
            report = ask("info", folder)
            self.assertIn("\u241b[31m".encode(), report.stdout)
            self.assertIn("\u241b[31m".encode(), report.stderr)     # the damaged log
            for form in ("tau", "scorep"):
                self.check(ask("filter", folder, "--format", form), "filter")
            self.out_of(parent, folder)

    def out_of(self, parent, folder):
        """What is written beside a run."""
        parent = os.fsencode(parent)
        for view in ("timeline", "profile", "usage", "time-profile"):
            for end in ("svg", "csv", "json", "pdf"):
                path = os.path.join(parent, b"\x1b[1m." + end.encode())
                done = ask("export", view, folder, "-o", path)
                self.check(done, f"export {view} {end}")
                self.assertEqual(done.returncode, 0, done.stderr)
                if end == "svg":
                    ET.parse(os.fsdecode(path))
        out = os.path.join(parent, b"out\n\x1b")
        for words in (["convert", folder, out + b".json", "--to-form", "chrome-json"],
                      ["convert", folder, out + b".csv", "--to-form", "csv"],
                      ["convert", folder, out + b"t", "--to-form", "tau-profile"],
                      ["extract", folder, out + b"e", "--locations", "0"],
                      ["reduce", folder, out + b"r", "--count", "2"],
                      ["compare", folder, folder], ["quality", folder, folder]):
            for form in ("text", "json", "csv"):
                self.check(ask(*words, "--format", form), words[0])
        chrome = out + b".json"
        with open(chrome, encoding="utf-8") as made:
            self.assertIsNone(UNSAFE.search(made.read()))
        with open(chrome, encoding="utf-8") as made:
            self.assertTrue(any(READ in event["name"] for event in json.load(made)["traceEvents"]))

    def test_tau_profile(self):
        with tempfile.TemporaryDirectory() as parent:
            folder = tau(parent, "callpath-d3-coll-4", "profile.*", in_quotes)
            self.every_command(folder, None, 10)

    def test_tau_xml(self):
        with tempfile.TemporaryDirectory() as parent:
            folder = tau(parent, "snapshot-stencil-4", "snapshot.*", in_xml)
            self.every_command(folder, None, 8)

    def test_tau_trace(self):
        with tempfile.TemporaryDirectory() as parent:
            folder = tau(parent, "trace-stencil-4", "*.[0-9]*", in_edf)
            self.every_command(folder, None, 20)

    def test_stream(self):
        with tempfile.TemporaryDirectory() as parent:
            path = os.path.join(os.fsencode(parent), EVIL + b".kymostream")
            shutil.copy(DATA / "streams" / "errors-p2.kymostream", path)
            for form in ("text", "json", "csv"):
                for command in ("replay", "info", "busiest", "replies"):
                    done = ask(command, path, "--format", form)
                    self.check(done, f"{command} {form}")
                    self.assertEqual(done.returncode, 0, done.stderr)

    def test_desk(self):
        with tempfile.TemporaryDirectory() as parent:
            path = os.path.join(os.fsencode(parent), EVIL + b".kymodesk")
            desk = SOURCE / "tests" / "data" / "desks" / "whole.kymodesk"
            with open(path, "wb") as out:
                out.write(re.sub(rb"(?m)^(Name|Note|Title)=",
                                 lambda m: m[0] + "=\u009b\u202e\x1b\\n".encode(),
                                 desk.read_bytes()))
            for form in ("text", "json", "csv"):
                self.check(ask("desk", path, "--format", form), f"desk {form}")

    def test_errors(self):
        """Whatever was named, wherever it stands."""
        with tempfile.TemporaryDirectory() as parent:
            empty = os.path.join(os.fsencode(parent), b"empty\n" + EVIL)
            os.mkdir(empty)
            two = projections(parent)
            for name in sorted(os.listdir(two)):
                shutil.copy(os.path.join(two, name), os.path.join(two, b"a" + name))
            evil = EVIL + b"\n"
            for words in (["info", empty], ["info", empty + b"/none"], ["info", two],
                          ["info", two, "--base", evil], ["info", two, b"--" + evil], [evil],
                          ["info", two, "--from", evil], ["info", two, "--format", evil],
                          ["info", two, "--locations", evil], ["attach", evil],
                          ["attach", b"ssh://" + evil + b"@host:7"],
                          ["attach", "localhost:1", "--through", evil],
                          ["attach", "localhost:1", "--names", evil],
                          ["replay", evil], ["desk", evil], ["export", evil, two],
                          ["export", "timeline", two, "-o", evil], ["metrics", "--set", evil],
                          ["info", two, "--base", b"=b" + EVIL, "-o", b"none\x1b/" + evil],
                          ["profile", two, "--metric", evil, "--base", b"=b" + EVIL]):
                done = ask(*words)
                self.check(done, words)
                self.assertNotEqual(done.returncode, 0, words)
                for line in done.stderr.splitlines():
                    self.assertTrue(line.startswith(b"kymo-cli: "), done.stderr)


class Tables(unittest.TestCase):
    def test_csv_has_no_formulas(self):
        """As spreadsheets take them; numbers are numbers."""
        with tempfile.TemporaryDirectory() as parent:
            folder = projections(parent)
            for command in ("profile", "usage", "events"):
                rows = list(csv.reader(io.StringIO(
                    ask(command, folder, "--format", "csv").stdout.decode())))
                cells = [cell for row in rows for cell in row]
                self.assertTrue(any(cell.startswith("'=") or cell.startswith("'@")
                                    for cell in cells) or command != "profile", command)
                for cell in cells:
                    if cell[:1] in ("=", "+", "@") or re.match(r"-(?![\d.])", cell):
                        self.fail(f"{command}: {cell!r}")


if __name__ == "__main__":
    unittest.main()
