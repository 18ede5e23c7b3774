#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""remote-fetch.py KYMO-CLI KYMO-SERVER ROOT: bringing runs of another machine here. What comes is
what lies there, byte by byte; a break is gone on from; nothing here is overwritten, and nothing
beside the run is read there."""
import filecmp
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

CLI, SERVER, ROOT = (pathlib.Path(word).resolve() for word in sys.argv[1:4])
SAMPLE = ROOT / "data" / "sample"
OTF2 = ROOT / "tests" / "data" / "otf2-stencil-4"
PATIENCE_S = 60
# A line to a server that breaks after some bytes.
SHORT = """
import os, subprocess, sys
with open(sys.argv[2], "a") as count:
    print("x", file=count)
server = subprocess.Popen([sys.argv[1], "--stdio"], stdout=subprocess.PIPE)
left = 600000
while left > 0 and (piece := os.read(server.stdout.fileno(), min(left, 65536))):
    left -= os.write(1, piece)
server.kill()
"""


def words(run, folder, server):
    return [CLI, "fetch", f"ssh://far{run}", folder, "--format", "json", "--server", server]


def fetch(run, folder, server=f"{SERVER} --stdio", **more):
    return subprocess.run(words(run, folder, server), capture_output=True, text=True,
                          timeout=PATIENCE_S, **more)


def answer(done):
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def names(folder):
    """All files beneath, hidden ones too."""
    return sorted(str(path.relative_to(folder)) for path in pathlib.Path(folder).rglob("*")
                  if path.is_file())


def check_same(here, there, which=None):
    which = which or names(there)
    assert names(here) == sorted(which), (names(here), which)
    match, mismatch, errors = filecmp.cmpfiles(here, there, which, shallow=False)
    assert not mismatch and not errors, (mismatch, errors)
    for name in which:
        assert (here / name).stat().st_mtime_ns == (there / name).stat().st_mtime_ns, name


def test_folder(folder):
    done = answer(fetch(SAMPLE, folder / "deep" / "run"))
    check_same(folder / "deep" / "run", SAMPLE)
    total = sum(path.stat().st_size for path in SAMPLE.iterdir())
    assert done["bytes"] == total and done["kept_bytes"] == 0, done
    again = answer(fetch(SAMPLE, folder / "deep" / "run"))
    assert again["kept_bytes"] == total, again


def test_one_of_folder(folder):
    """A file names its run: an archive with its folder, one of several profiles alone."""
    answer(fetch(OTF2 / "traces.otf2", folder / "otf2"))
    check_same(folder / "otf2", OTF2,
               [name for name in names(OTF2) if name.startswith("traces")])
    answer(fetch(SAMPLE / "leanmd.proj.sts", folder / "logs"))
    wanted = [name for name in names(SAMPLE) if name.startswith("leanmd.proj.")]
    assert set(wanted) <= set(names(folder / "logs"))
    assert "load.kymostream" not in names(folder / "logs")


def test_killed(folder):
    """The next one goes on where a killed one was."""
    run, frames = folder / "run", folder / "frames"
    client = subprocess.Popen(words(SAMPLE, run, f"{SERVER} --stdio"), stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL,
                              env={**os.environ, "KYMO_FRAMES": str(frames)})
    end = time.monotonic() + PATIENCE_S
    while not frames.exists() or frames.read_text().count(" BYTES ") < 3:
        assert time.monotonic() < end and client.poll() in (None, 0)
        if client.poll() == 0:
            break
    client.send_signal(signal.SIGKILL)
    client.wait(PATIENCE_S)
    done = answer(fetch(SAMPLE, run))
    assert done["kept_bytes"] > 0, done
    check_same(run, SAMPLE)


def test_part(folder):
    """A part that is of this file is kept, one of another file is not."""
    log = sorted(SAMPLE.glob("*.log*"))[0]
    for begin, kept in ((log.read_bytes()[:1000], 1000), (bytes(1000), 0)):
        run = folder / f"run-{kept}"
        run.mkdir()
        (run / f".{log.name}.part").write_bytes(begin)
        assert answer(fetch(SAMPLE, run))["kept_bytes"] == kept
        check_same(run, SAMPLE)


def test_broken(folder):
    """A line that breaks again and again is made again, and the rest asked for."""
    count = folder / "count"
    short = folder / "short.py"
    short.write_text(SHORT)
    answer(fetch(SAMPLE, folder / "run", f"{sys.executable} {short} {SERVER} {count}"))
    assert len(count.read_text().split()) > 2
    check_same(folder / "run", SAMPLE)


def test_not_overwritten(folder):
    for name, content in (("leanmd.proj.sts", "mine"), ("leanmd.proj.0.log.gz", None)):
        run = folder / name
        run.mkdir()
        if content is None:
            (run / name).symlink_to("/dev/null")
        else:
            (run / name).write_text(content)
        done = fetch(SAMPLE, run)
        assert done.returncode == 1, done
        assert "nothing is overwritten" in done.stderr, done.stderr
        assert content is None or (run / name).read_text() == content


def test_beneath(folder):
    """Links are not followed, and a folder that holds nothing is told."""
    there, secret = folder / "there", folder / "secret"
    secret.mkdir()
    (secret / "key").write_text("secret")
    shutil.copytree(SAMPLE, there)
    (there / "link").symlink_to(secret / "key")
    (there / "folder").symlink_to(secret)
    (there / ".hidden").write_text("x")
    os.mkfifo(there / "fifo")
    answer(fetch(there, folder / "run"))
    assert names(folder / "run") == names(SAMPLE)
    missing = fetch(folder / "nothing", folder / "none")
    assert missing.returncode == 1 and "nothing" in missing.stderr, missing
    (folder / "empty").mkdir()
    empty = fetch(folder / "empty", folder / "none")
    assert empty.returncode == 1 and "no files" in empty.stderr, empty


def test_full(folder):
    """A place that cannot be written to is named."""
    (folder / "file").write_text("")
    done = fetch(SAMPLE, folder / "file")
    assert done.returncode == 1 and "cannot be written" in done.stderr, done


def run_test(number, test):
    with tempfile.TemporaryDirectory(prefix="kymo-fetch-") as folder:
        try:
            test(pathlib.Path(folder))
            print(f"ok {number} {test.__name__}", flush=True)
        except (AssertionError, OSError, subprocess.TimeoutExpired) as why:
            print(f"not ok {number} {test.__name__}\n# {why!r}", flush=True)
            return 1
    return 0


def main():
    tests = [test_folder, test_one_of_folder, test_killed, test_part, test_broken,
             test_not_overwritten, test_beneath, test_full]
    print(f"1..{len(tests)}", flush=True)
    return 1 if sum(run_test(number, test) for number, test in enumerate(tests, 1)) else 0


sys.exit(main())
