# SPDX-License-Identifier: GPL-3.0-or-later
"""A file of a run that is no file: a FIFO, a link to /dev/zero, a folder, a
socket, or one that may not be read, in the place of each kind of file of each
format. Every command that opens the run ends soon, writes no more than the run
has, and names the file where it is missing from the answer.

Usage: special.py KYMO-CLI SOURCE-ROOT
"""
import json
import os
import pathlib
import resource
import shutil
import socket
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import harness  # noqa: E402

# More than any run here has, less than any disk.
MOST_BYTES = 64 << 20
COMMANDS = ("info", "extract", "reduce", "convert", "above")

# Folder in tests/data: files, each of which is replaced in turn.
RUNS = {
    "feat-notes-p3-text": ("featnote.proj.sts", "featnote.proj.projrc", "featnote.proj.1.log"),
    "ampi-jacobi-p4-gz": ("jacobi.proj.sts", "jacobi.proj.projrc", "jacobi.proj.2.log.gz"),
    "jacobi2d-sum-p8": ("jacobi2d.summ.sum.sts", "jacobi2d.summ.3.sum"),
    "jacobi2d-sumbins-p4": ("jacobi2d.summ.1.sum", "jacobi2d.summ.1.sumd"),
    "tau/trace-stencil-4": ("events.1.edf", "tautrace.2.0.0.trc"),
    "tau/trace-layouts": ("le24.trc", "tau.edf"),
    "tau/flat-stencil-4": ("profile.0.0.0", "profile.2.0.0"),
    "tau/multi-coll-8": ("MULTI__TIME/profile.0.0.0", "MULTI__CPU_TIME/profile.3.0.0",
                         "MULTI__CPU_TIME"),
    "tau/snapshot-stencil-4": ("snapshot.0.0.0", "snapshot.2.0.0"),
    "tau/merged-coll-8": ("tauprofile.xml",),
    "tau/gprof-basic": ("gprof.txt",),
    "tau/mpip-made": ("app.2.4711.1.mpiP",),
    "otf2-stencil-4": ("traces.otf2", "traces.def", "traces/2.evt", "traces/2.def"),
    "streams": ("leanmd-p6.kymostream",),
    "made/reduced": (".kymo", ".sts"),
    "made/extracted-tau": (".kymo",),
}
# What is opened, where the folder alone does not say it.
NAMED = {"tau/trace-layouts": "le24.trc", "tau/gprof-basic": "gprof.txt",
         "streams": "leanmd-p6.kymostream"}
# A run is as good without it, so that nobody can know that it should be there; and notes of
# a run, which only info tells. (A run is converted without looking at its .projrc.)
UNTOLD = {("MULTI__CPU_TIME", command) for command in COMMANDS}
UNTOLD |= {("featnote.proj.projrc", "convert"), ("jacobi.proj.projrc", "convert")}
UNTOLD |= {(name, command) for name in ("feat.proj.kymo", "tautrace.kymo")
           for command in COMMANDS if command != "info"}
# Left out of the copy, so that one run is in it.
IGNORED = shutil.ignore_patterns("paraprof", "*.out", "README*", "case.txt", "oracle*.json",
                                 "pprof*", "tau.trc", "merge.out", "gprof-*")


def put_fifo(path):
    os.mkfifo(path)


def put_zero(path):
    path.symlink_to("/dev/zero")


def put_folder(path):
    path.mkdir()


def put_socket(path):
    # The path of a socket may have 108 bytes.
    here = os.getcwd()
    os.chdir(path.parent)
    try:
        with socket.socket(socket.AF_UNIX) as one:
            one.bind(path.name)
    finally:
        os.chdir(here)


def put_unreadable(path):
    path.write_bytes(b"PROJECTIONS-RECORD")
    path.chmod(0)


KINDS = {"FIFO": put_fifo, "device": put_zero, "folder": put_folder, "socket": put_socket,
         "unreadable": put_unreadable}


def limit():
    """A file that grows beyond the bound ends the program that writes it by a signal: what is
    started from here on inherits the bound."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (MOST_BYTES, MOST_BYTES))


def remove(path):
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink()


def size_of(folder):
    return sum(path.lstat().st_size for path in folder.rglob("*"))


def words_of(command, run, above, out):
    return {"info": ["info", run, "--format", "json"], "above": ["info", above],
            "extract": ["extract", run, out], "reduce": ["reduce", run, out],
            "convert": ["convert", run, out, "--to-form", "csv"]}[command]


def told_of(result, name, folder):
    """What was said of the file, on either way out; or of its folder, where no file of a
    run is left in it."""
    said = result.err
    if result.out.startswith(b"{"):
        issues = json.loads(result.out).get("report", {}).get("issues", [])
        said += "\n".join(f'{issue["file"]}: {issue["what"]}' for issue in issues)
    return [line for line in said.split("\n")
            if name in line or (f"{folder}” holds no" in line)]


def is_said(lines):
    return any(words in line for line in lines
               for words in ("no ordinary file", "an empty folder", "Permission denied",
                             "cannot be", "missing", "holds no", "no .sts",
                             "note of a reduction", "list of events"))


def check_command(c, program, command, run, folder, out, name, kind):
    begin = size_of(out.parent)
    result = harness.run(program, *words_of(command, run, folder.parent, out))
    what = f"{command}: exit {result.code}: {result.err[-300:]}"
    c.true(what, result.code in (0, 1))
    c.true(f"{command}: no sentence", result.code == 0 or result.err.startswith("kymo-cli: "))
    c.true(f"{command}: wrote {size_of(out.parent) - begin} bytes",
           size_of(out.parent) - begin < MOST_BYTES)
    if command != "above" and (name, command) not in UNTOLD:
        lines = told_of(result, pathlib.Path(name).name, out.parent / "above" / "run")
        c.true(f"{command}: nothing told of {name}: {what}", is_said(lines))
    if out.exists():
        remove(out)


def check(program, source, case, name, kind):
    c = harness.Compare()
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch) / "above" / "run"
        shutil.copytree(source, folder, ignore=IGNORED)
        victim = folder / name
        remove(victim)
        KINDS[kind](victim)
        run = folder / NAMED[case] if case in NAMED else folder
        for command in COMMANDS:
            check_command(c, program, command, run, folder, pathlib.Path(scratch) / "out", name,
                          kind)
        if kind == "unreadable":
            victim.chmod(0o600)
    return c.problems


def make_runs(program, data, scratch):
    """Runs with the files that Kymo itself writes beside theirs."""
    for name, words in (("reduced", ["reduce", data / "feat-p4-text"]),
                        ("extracted-tau", ["extract", data / "tau" / "trace-stencil-4"])):
        folder = pathlib.Path(scratch) / name
        result = harness.run(program, *words, folder)
        assert result.code == 0, result.err
    return pathlib.Path(scratch)


def names_of(folder, names):
    """A suffix stands for the file of the run that ends in it."""
    return [next(p.name for p in sorted(folder.iterdir()) if p.name.endswith(name))
            if name.startswith(".") else name for name in names]


def main():
    program = os.path.abspath(sys.argv[1])
    data = pathlib.Path(sys.argv[2]) / "tests" / "data"
    tap = harness.Tap()
    limit()
    with tempfile.TemporaryDirectory() as scratch:
        made = make_runs(program, data, scratch)
        for case, names in RUNS.items():
            source = (made / case.split("/")[1] if case.startswith("made/") else data / case)
            for name in names_of(source, names)[::harness.PART]:
                for kind in KINDS:
                    title = f"{case}: {kind} for {name}"
                    if kind == "unreadable" and os.geteuid() == 0:
                        tap.skip(title, "root may read any file")
                    else:
                        tap.check(title, check, program, source, case, name, kind)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
