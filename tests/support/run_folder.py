# SPDX-License-Identifier: GPL-3.0-or-later
"""Folders of Projections users, whole or broken, and what the load report tells of them."""
import pathlib
import resource
import shutil
import tempfile

import harness

QUESTIONS = (["profile", "--per-location"], ["usage"], ["communication"],
             ["histogram"], ["timeline", "--width", "40"],
             ["events", "--limit", "100000"])
STS = ("VERSION 11.0\nPROCESSORS 2\nTOTAL_CHARES 1\nTOTAL_EPS 1\n"
       "CHARE 0 \"Main\" -1\nENTRY CHARE 0 \"run()\" 0 0\nMESSAGE 0 8\nEND\n")
LOG = ("PROJECTIONS-RECORD 4\n6 1\n2 4 0 10 -1 0 8 0 0 0 0 0 5\n"
       "3 0 0 20 -1 0 0 6\n7 90\n")


class Folder:
    """A run in a temporary folder."""

    def __init__(self, program, source=None):
        self.program = program
        self.scratch = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.scratch.name) / "run"
        if source is None:
            self.path.mkdir()
            self.put("app.sts", STS)
            self.put("app.0.log", LOG)
            self.put("app.1.log", LOG)
        else:
            shutil.copytree(source, self.path)
            for path in self.path.rglob("*"):
                path.chmod(0o755 if path.is_dir() else 0o644)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.scratch.cleanup()

    def put(self, name, data):
        path = self.path / name
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
        return path

    def one(self, pattern):
        return next(self.path.glob(pattern))

    def ask(self, *args):
        return harness.ask(self.program, *args, self.path, "--no-cache")

    def info(self):
        return self.ask("info")

    def refused(self):
        result = harness.run(self.program, "info", self.path, "--no-cache")
        return result.err if result.code == 1 else None


def issue(c, info, what, severity, file=None, count=None):
    """The one issue whose words hold `what`."""
    found = [i for i in info["report"]["issues"] if what in i["what"]]
    c.true(f"{len(found)} issues “{what}” in {info['report']['issues']}",
           len(found) == 1)
    for i in found[:1]:
        c.equal(f"{what}: severity", i["severity"], severity)
        if file is not None:
            c.equal(f"{what}: file", i["file"], file)
        if count is not None:
            c.equal(f"{what}: count", i["count"], count)
        return i
    return {}


def no_losses(c, info):
    c.equal("issues", [i for i in info["report"]["issues"]
                       if i["severity"] != "note"], [])


def same_answers(c, program, one, other):
    for question in QUESTIONS:
        a = harness.ask(program, *question, one, "--no-cache")
        b = harness.ask(program, *question, other, "--no-cache")
        c.true(f"{question[0]} differs", a == b)


def check_memory(program, data):
    """The largest of all children so far stays far below what hostile
    numbers would ask for."""
    c = harness.Compare()
    used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    c.true(f"{used} KiB", used < 1 << 20)
    return c.problems
