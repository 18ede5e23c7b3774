#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""foreign.py KYMO-CLI SOURCE-ROOT: files and folders that hold nothing that Kymo opens. The
sentence says what they are, by content before name, and what to do; folders one level below
that hold runs are named. Recordings of other tools beside the checkout are used where they are."""

import gzip
import io
import json
import os
import pathlib
import shutil
import struct
import sys
import tarfile
import tempfile
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))

import harness
import ppk

OPENS = ("Kymo opens traces of Projections, TAU, OTF2 and kymo-record, and profiles of TAU, gprof "
         "and mpiP.")
CHROME = [{"ph": "X", "ts": 1, "dur": 2, "pid": 1, "tid": 1, "name": "a"}]
SPEEDSCOPE = {"$schema": "https://www.speedscope.app/file-format-schema.json",
              "shared": {"frames": []}, "profiles": []}
PERF = b"app 12 [000] 1.234567: 1000 cycles:\n\t    4005d0 main (/bin/app)\n\n"
EXE, CORE, OBJECT = (b"\x7fELF\2\1\1" + bytes(9) + struct.pack("<H", kind) + bytes(46)
                     for kind in (2, 4, 1))


def tar(*names, mode="w"):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=mode) as archive:
        for name in names:
            archive.addfile(tarfile.TarInfo(name))
    return out.getvalue()


def zipped():
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("a", "b")
    return out.getvalue()


# Content, the file's name, what the sentence says.
FILES = [
    (tar("0.index", "0.data", "anchor.xml"), "profile.cubex", "a Cube profile"),
    (tar("0.index", "0.data", "anchor.xml"), "renamed.bin", "a Cube profile"),
    (b'<?xml version="1.0"?>\n<cube version="3.0">\n', "a.xml", "a Cube profile"),
    (b"", "profile.cubex", "an empty file"),
    (b"#Paraver (26/01/04 at 16:35):260199:4:1:4(1:1)\n", "a.prv", "a trace of Paraver"),
    (b"#Paraver (26/01/04 at 16:35):260199:4:1:4(1:1)\n", "a.txt", "a trace of Paraver"),
    (b"LEVEL CPU SIZE 64\n01\n", "a.row", "a trace of Paraver"),
    (b"__rec=node,id=12,attr=10,data=276,parent=3\n", "a.cali", "data of Caliper"),
    (json.dumps(CHROME).encode(), "a.json", "Chrome's trace event format"),
    (json.dumps({"traceEvents": CHROME}).encode(), "a", "Chrome's trace event format"),
    (gzip.compress(json.dumps(CHROME).encode()), "a.json.gz", "format, compressed by gzip"),
    (json.dumps(SPEEDSCOPE).encode(), "a.json", "a profile for speedscope"),
    (json.dumps({"a": [1]}).encode(), "a.json", "is a JSON file"),
    (b"\x0a\x04abcd" * 40, "a.bin", "a trace of Perfetto"),
    (gzip.compress(b"\x0a\x04\x08\x01\x10\x02\x12\x04\0\0\0\0"), "a", "a profile for pprof"),
    (b"PERFILE2" + bytes(100), "perf.data", "a recording of Linux perf"),
    (PERF * 3, "out.txt", "the output of perf script"),
    (b"main;solve;dot 12\nmain;io 3\n", "a.txt", "folded stacks"),
    (b"HPCTOOLKITmeta\4\0" + bytes(100), "meta.db", "HPCToolkit"),
    (b"<multihwpcprofilereport>", "a.xml", "a profile of PerfSuite"),
    (b"gmon\1\0\0\0" + bytes(20), "gmon.out", "raw data for gprof"),
    (b"gmon\1\0\0\0" + bytes(20), "other", "Run “gprof PROGRAM gmon.out > gprof.txt”"),
    (EXE, "app", "a program, not what was recorded"),
    (CORE, "core.12", "a core dump"),
    (OBJECT, "a.o", "an object file"),
    (tar("run/a.sts"), "run.tar", "“tar xf FILE”"),
    (tar("run/a.sts", mode="w:gz"), "run.tgz", "a tar archive, compressed by gzip"),
    (zipped(), "run.zip", "“unzip FILE”"),
    (b"\xfd7zXZ\0" + bytes(50), "run.tar.xz", "a compressed file"),
    (b"\x89PNG\r\n\x1a\n" + bytes(20), "a.png", "a picture"),
    (b"%PDF-1.7\n", "a.pdf", "a PDF document"),
    (b"SQLite format 3\0" + bytes(80), "a.sqlite", "an SQLite database"),
    (b"#!/bin/sh\nexit\n", "run.sh", "a script"),
    (b"<!DOCTYPE html><html>", "a.html", "a web page"),
    (b"<a/>", "a.xml", "an XML file"),
    (b"Dear reader,\n\xc3\xa4\n", "notes.txt", "is a text file"),
    (bytes(range(256)), "x.bin", "whose content Kymo does not know"),
    (bytes(range(256)), "x.slog2", "a log of MPE"),
    (b"[Kymo Desk]\nversion=1\n", "x.txt", "a desk of Kymo"),
]

# Of other tools' real files: folder and pattern, what the sentence says.
REAL = [
    ("caliper/*", "data of Caliper"), ("cube/*/*.cubex", "a Cube profile"),
    ("cube3/*.cube", "a Cube profile"), ("cube-made-here/*.cubex", "a Cube profile"),
    ("folded/*.txt", "folded stacks"), ("hpctoolkit4/*/*.db", "HPCToolkit"),
    ("hpctoolkit2/*/experiment.xml", "HPCToolkit"), ("hpctoolkit2/*/*.metric-db", "HPCToolkit"),
    ("paraver/*", "a trace of Paraver"), ("perf-script/*.txt", "the output of perf script"),
    ("perfetto-proto/*", "a trace of Perfetto"), ("perfsuite/*", "a profile of PerfSuite"),
    ("speedscope/*", "a profile for speedscope"),
    ("trace-event/*.json*", "Chrome's trace event format"),
]

# A folder of runs of all formats, as what it holds is listed: name, a file, what it is, format.
MIXED = ("feat-p4-text", "otf2-stencil-4", "tau/mpip-made", "tau/gprof-basic/gprof.txt",
         "tau/flat-stencil-4", "tau/trace-coll-4", "streams/leanmd-p6.kymostream")
CHOICES = [
    ("app.2.4711.1.mpiP", "app.2.4711.1.mpiP", "mpiP report", "mpip"),
    ("feat.proj", "feat.proj.0.log", "Projections run", "projections"),
    ("gprof.txt", "gprof.txt", "gprof profile", "gprof"),
    ("leanmd-p6.kymostream", "leanmd-p6.kymostream", "stream recording", "ccs"),
    ("profile.0.0.0", "profile.2.0.0", "TAU profile", "tau-profile"),
    ("tautrace", "tautrace.0.0.0.trc", "TAU trace", "tau-trace"),
    ("traces", "traces.otf2", "OTF2 archive", "otf2"),
]
# What opens at once together, and as what.
ONE_RUN = [
    (("feat-p4-text",), "projections"), (("jacobi2d-sum-p8",), "projections"),
    (("feat-p4-text", "streams/leanmd-p6.kymostream"), "projections"),
    (("tau/trace-stencil-4",), "tau-trace"), (("tau/trace-stencil-4/tau.trc",
     "tau/trace-stencil-4/tau.edf", "tau/flat-stencil-4"), "tau-trace"),
    (("otf2-stencil-4", "tau/merged-coll-8/tauprofile.xml"), "otf2"),
    (("otf2-stencil-4",), "otf2"), (("tau/multi-coll-8",), "tau-profile"),
    (("tau/mpip-made",), "mpip"), (("tau/gprof-basic/gprof.txt",), "gprof"),
    (("streams/leanmd-p6.kymostream",), "ccs"),
]


class Foreign:
    def __init__(self, program, root):
        self.program, self.data = program, pathlib.Path(root) / "tests" / "data"
        self.other = pathlib.Path(root).parent / "shared" / "traces" / "other"

    def says(self, c, path, *words, options=()):
        result = harness.run(self.program, "info", path, "--no-cache", *options)
        c.equal(f"{path}: exit", result.code, 1)
        c.equal(f"{path}: lines", result.err.count("\n"), 1)
        for word in words:
            c.true(f"“{word}” is not in {result.err}", word in result.err)
        return result.err

    def files(self):
        c = harness.Compare()
        with tempfile.TemporaryDirectory() as folder:
            for content, name, words in FILES:
                path = pathlib.Path(folder) / name
                path.write_bytes(content)
                self.says(c, path, words, OPENS, str(path))
                path.unlink()
        return c.problems

    def real(self):
        c = harness.Compare()
        for pattern, words in REAL:
            for path in sorted(self.other.glob(pattern)):
                self.says(c, path, words, OPENS)
        return c.problems

    def specials(self):
        """Nothing waits for a writer, and nothing is read without end."""
        c = harness.Compare()
        with tempfile.TemporaryDirectory() as folder:
            pipe = os.path.join(folder, "pipe")
            os.mkfifo(pipe)
            self.says(c, pipe, "is a FIFO (a named pipe)")
            self.says(c, "/dev/zero", "is a device")
            self.says(c, os.path.join(folder, "none"), "There is no “")
            if os.geteuid() != 0:
                closed = pathlib.Path(folder) / "closed"
                closed.write_text("a")
                closed.chmod(0)
                self.says(c, closed, "cannot be opened: ")
                inner = pathlib.Path(folder) / "shut"
                inner.mkdir(mode=0)
                self.says(c, inner, "The folder “", "cannot be opened: ")
        return c.problems

    def folders(self):
        c = harness.Compare()
        with tempfile.TemporaryDirectory() as folder:
            top = pathlib.Path(folder)
            self.says(c, top, "is an empty folder", OPENS)
            (top / "notes.txt").write_text("a")
            self.says(c, top, "holds no run. ", OPENS)
            (top / "gmon.out").write_bytes(b"gmon\1\0\0\0" + bytes(20))
            self.says(c, top, "its file gmon.out is raw data for gprof", "gprof.txt")
            for name, source in (("b-otf2", "otf2-stencil-4"), ("a logs", "feat-p4-text"),
                                 ("c", "tau/callpath-d3-coll-4"), ("d", "tau/mpip-made")):
                shutil.copytree(self.data / source, top / name)
            self.says(c, top, "but folders that do: a logs (Projections run), "
                      "b-otf2 (OTF2 archive), c (TAU profile), d (mpiP report); name one")
            for i in range(20):
                (top / f"e{i}").mkdir()
                (top / f"e{i}" / "profile.0.0.0").write_text("")
            self.says(c, top, "d (mpiP report), e0 (TAU profile), e1 (TAU profile), "
                      "e10 (TAU profile), e11 (TAU profile), …; name one")
        return c.problems

    def copy(self, top, *names):
        for name in names:
            path = self.data / name
            if path.is_dir():
                shutil.copytree(path, top, dirs_exist_ok=True)
            else:
                shutil.copy(path, top)

    def opens(self, c, path, form, *options):
        result = harness.run(self.program, "info", path, "--no-cache", "--format", "json", *options)
        told = json.loads(result.out)["format"] if result.code == 0 else result.err
        c.equal(f"{path} {options}", told, form)

    def mixed(self):
        """Runs of all formats in one folder: each is listed with what it is, and opens by that
        name and by its file. What was made of another run is not listed, and opens."""
        c = harness.Compare()
        with tempfile.TemporaryDirectory() as folder:
            top = pathlib.Path(folder)
            self.copy(top, *MIXED)
            (top / "build.1.log").write_text("cc -c a.c\n")
            (top / "other.trc").write_bytes(bytes(100))
            (top / "notes.mpiP").write_text("no report\n")
            shutil.copytree(self.data / "tau" / "flat-stencil-4", top / "below")
            listed = ", ".join(f"{name} ({what})" for name, _, what, _ in CHOICES)
            self.says(c, top, f"several runs: {listed}; name one with --base, or one of its files. "
                      "Folders in it hold runs, too: below (TAU profile)")
            for name, file, _, form in CHOICES:
                self.opens(c, top, form, "--base", name)
                self.opens(c, top / file, form)
            self.opens(c, top, "tau-trace", "--base", "tau")
            self.opens(c, top, "ccs", "--base", "leanmd-p6")
            self.says(c, top, "holds no run named “zz”; it holds ", listed,
                      options=("--base", "zz"))
        return c.problems

    def same_names(self):
        """Runs that are called the same have the names of their files."""
        c = harness.Compare()
        with tempfile.TemporaryDirectory() as folder:
            top = pathlib.Path(folder)
            self.copy(top, "hand-made-v3", "tau/mpip-made")
            shutil.copy(self.data / "streams" / "leanmd-p6.kymostream", top / "hello.kymostream")
            (top / "hello.ppk").write_bytes(ppk.pack(self.data / "tau" / "flat-stencil-4"))
            self.says(c, top, "hello.ppk (TAU profile), hello.sts (Projections run); name")
            for name, form in (("hello.ppk", "tau-profile"), ("hello.sts", "projections"),
                               ("hello", "projections"), ("hello.kymostream", "ccs")):
                self.opens(c, top, form, "--base", name)
        return c.problems

    def one_run(self):
        """What was recorded of one run in several ways, or is no run, needs no choice."""
        c = harness.Compare()
        for names, form in ONE_RUN:
            with tempfile.TemporaryDirectory() as folder:
                top = pathlib.Path(folder)
                self.copy(top, *names)
                for name in ("gprof-notes.txt", "build.1.log", "b.2.log", "a.txt"):
                    (top / name).write_text("Flat as this is, it is no profile.\n")
                if form != "mpip":
                    (top / "a.mpiP").write_text("no report")
                if not (top / "tau.edf").exists():
                    (top / "other.trc").write_text("A file of another program")
                (top / "c.otf2").mkdir()
                (top / "MULTI__NONE").mkdir()
                self.opens(c, top, form)
        return c.problems

    def other_archive(self):
        """An archive that neither TAU nor Kymo wrote has nothing to do with profiles of TAU."""
        c = harness.Compare()
        with tempfile.TemporaryDirectory() as folder:
            top = pathlib.Path(folder)
            self.copy(top, "otf2-stencil-4", "tau/multi-coll-8")
            self.opens(c, top, "otf2")
            anchor = top / "traces.otf2"
            anchor.write_bytes(anchor.read_bytes().replace(b"\0TAU\0", b"\0Score-P 8.4\0"))
            self.says(c, top, "runs: MULTI__TIME (TAU profile), traces (OTF2 archive); name one")
            self.opens(c, top, "otf2", "--base", "traces")
            for options in ((top, "--base", "MULTI__TIME"), (top / "MULTI__TIME",),
                            (top / "MULTI__TIME" / "profile.1.0.0",)):
                told = harness.ask(self.program, "info", *options)
                c.equal(f"{options}", len(told["metrics"]), 3)
        return c.problems

    def circle(self):
        """Links that lead back, and a folder of very many."""
        c = harness.Compare()
        with tempfile.TemporaryDirectory() as folder:
            top = pathlib.Path(folder)
            (top / "loop").symlink_to(top)
            for i in range(3000):
                (top / f"{i}").mkdir()
            self.says(c, top, "holds no run")
        return c.problems


def main(program, root):
    foreign, tap = Foreign(program, root), harness.Tap()
    for name in ("files", "real", "specials", "folders", "mixed", "same_names",
                 "one_run", "other_archive", "circle"):
        tap.check(name, getattr(foreign, name))
    return tap.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
