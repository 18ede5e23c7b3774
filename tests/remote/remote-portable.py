#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""remote-portable.py KYMO-CLI ROOT BUILD: makes the tarball of build-aux/portable in BUILD and uses
its programs in a root folder that holds nothing but them and a run. They need no library and answer
as those of this machine do."""
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
import tempfile

CLI, ROOT, BUILD = (pathlib.Path(word).resolve() for word in sys.argv[1:4])
RUNS = {"sample": ROOT / "data" / "sample",
        "otf2-stencil-4": ROOT / "tests" / "data" / "otf2-stencil-4"}
QUESTIONS = [["info"], ["profile"], ["time-profile", "--bins", "20"], ["timeline", "--width", "80"],
             ["usage"], ["communication"], ["clusters", "-k", "2-5"]]
CHROOT = shutil.which("chroot", path="/usr/sbin:" + os.environ["PATH"])


def run(*words, **more):
    return subprocess.run(words, capture_output=True, timeout=600, **more)


class Empty:
    """A root folder with the programs, runs, and no file of a C library."""

    def __init__(self, folder, tarball):
        self.root = pathlib.Path(folder) / "root"
        self.tarball = tarball
        for name in ("tmp", "dev", "runs"):
            (self.root / name).mkdir(parents=True)
        with tarfile.open(tarball) as archive:
            archive.extractall(self.root)
        for name, path in RUNS.items():
            shutil.copytree(path, self.root / "runs" / name)
        os.mknod(self.root / "dev" / "null", 0o020666, os.makedev(1, 3))
        self.env = {"HOME": "/tmp", "PATH": "/kymo/bin", "LANG": "C"}
        self.server = shlex.join([CHROOT, str(self.root), "/kymo/bin/kymo-server", "--stdio"])

    def inside(self, program, *words, **more):
        return run(CHROOT, self.root, f"/kymo/bin/{program}", *words, env=self.env, **more)

    def far(self, *words):
        return run(CLI, *words, "--server", self.server, env=self.env)


def test_tarball(empty):
    """One file, whose name tells version and processor, with programs that are alone."""
    version = empty.inside("kymo-server", "--version").stdout.decode().split()[1]
    assert empty.tarball.name == f"kymo-server-{version}-{os.uname().machine}.tar.gz"
    for name in ("kymo-server", "kymo-cli"):
        path = empty.root / "kymo" / "bin" / name
        said = run("readelf", "--wide", "--segments", "--dynamic", "--version-info", path)
        assert said.returncode == 0
        for word in (b"INTERP", b"NEEDED", b"GLIBC_2"):
            assert word not in said.stdout, (name, word)


def test_text(empty):
    """Each recording, in the form for people."""
    for name, path in RUNS.items():
        there = empty.inside("kymo-server", "--text", f"/runs/{name}", input=b"profile\nusage\n")
        assert there.returncode == 0 and not there.stderr, there.stderr
        here = [run(CLI, kind, path, "--format", "json").stdout.strip()
                for kind in ("profile", "usage")]
        assert there.stdout.splitlines() == here, name


def test_same(empty):
    """Answers through the server there are those of the run here, but for its path."""
    for name, path in RUNS.items():
        for question in QUESTIONS:
            here = run(CLI, question[0], path, *question[1:], "--format", "json")
            there = empty.far(question[0], f"ssh://far/runs/{name}", *question[1:], "--format",
                              "json")
            assert here.returncode == there.returncode, there.stderr
            wanted = here.stdout.replace(str(path).encode(), f"/runs/{name}".encode())
            assert there.stdout == wanted, (name, question)


def test_written(empty):
    """Commands that write, and never over what is there."""
    far = "ssh://far/runs/sample"
    for words in (["reduce", far, "/tmp/small", "--keep", "3"],
                  ["extract", far, "/tmp/part", "--locations", "0-1"],
                  ["convert", far, "/tmp/other", "--to", "otf2"]):
        done = empty.far(*words)
        assert done.returncode == 0, (words, done.stderr)
        assert empty.inside("kymo-cli", "info", words[2]).returncode == 0, words
        again = empty.far(*words)
        assert again.returncode != 0 and b"exists" in again.stderr, (words, again.stderr)
    for words in (["quality", far, "ssh://far/tmp/small"],
                  ["filter", "ssh://far/runs/otf2-stencil-4"]):
        done = empty.far(*words)
        assert done.returncode == 0 and done.stdout, (words, done.stderr)


def test_daemon(empty):
    """A shared server; its place is found through the folder of processes."""
    (empty.root / "proc").mkdir()
    mounted = run("unshare", "--mount", "sh", "-ec", f"""
        mount -t proc proc {shlex.quote(str(empty.root / "proc"))}
        exec {shlex.quote(str(CLI))} info ssh://far/runs/sample --format json \
          --server {shlex.quote(empty.server.replace("--stdio", "--connect"))}
        """, env={**empty.env, "PATH": os.environ["PATH"], "XDG_RUNTIME_DIR": ""})
    stopped = run("unshare", "--mount", "sh", "-ec", f"""
        mount -t proc proc {shlex.quote(str(empty.root / "proc"))}
        exec {shlex.join([CHROOT, str(empty.root), "/kymo/bin/kymo-server", "--stop"])}
        """, env={**empty.env, "PATH": os.environ["PATH"], "XDG_RUNTIME_DIR": ""})
    assert mounted.returncode == 0, mounted.stderr
    assert stopped.stdout == b"The server has ended.\n", stopped
    here = run(CLI, "info", RUNS["sample"], "--format", "json").stdout
    assert mounted.stdout == here.replace(str(RUNS["sample"]).encode(), b"/runs/sample")


def test_pictures(empty):
    """What it cannot do it says."""
    done = empty.inside("kymo-cli", "export", "timeline", "/runs/sample", "-o", "/tmp/a.png")
    assert done.returncode == 1
    assert re.search(b"draws no pictures", done.stderr), done.stderr


def main():
    tests = [test_tarball, test_text, test_same, test_written, test_daemon, test_pictures]
    if os.geteuid() != 0 or CHROOT is None:
        print("1..0 # SKIP only root can change the root folder")
        return 0
    failed = 0
    print(f"1..{len(tests)}", flush=True)
    with tempfile.TemporaryDirectory(prefix="kymo-portable-") as folder:
        made = subprocess.run([ROOT / "build-aux" / "portable", "-o", folder, BUILD],
                              stdout=subprocess.PIPE, text=True)
        if made.returncode != 0:
            print("Bail out! build-aux/portable fails")
            return 1
        empty = Empty(folder, pathlib.Path(made.stdout.splitlines()[-1]))
        for number, test in enumerate(tests, 1):
            try:
                test(empty)
                print(f"ok {number} {test.__name__}", flush=True)
            except (AssertionError, subprocess.TimeoutExpired) as why:
                failed += 1
                print(f"not ok {number} {test.__name__}\n# {why!r}", flush=True)
    return 1 if failed else 0


sys.exit(main())
