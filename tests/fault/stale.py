# SPDX-License-Identifier: GPL-3.0-or-later
"""Folders that killed writers leave behind. Writing a run to the same place again removes
them; but never the folder of a writer that lives, one of another machine that was written to
not long ago, and nothing that is not surely ours.

Usage: stale.py KYMO-CLI SOURCE-ROOT
"""
import fcntl
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import harness  # noqa: E402

MARK = ".kymo-writing"
WORDS = "Kymo writes a run in this folder, on the machine:\n"
HOUR = 3600
TURNS = 200


def make_old(folder, seconds):
    for path in [*folder.rglob("*"), folder]:
        if not path.is_symlink():
            then = path.stat().st_mtime - seconds
            os.utime(path, (then, then))


def make_folder(out, suffix, host, seconds, words=WORDS):
    folder = out.with_name(f"{out.name}.{suffix}")
    (folder / "app.projdir.0").mkdir(parents=True)
    (folder / "app.sts").write_text("half")
    (folder / "app.projdir.0" / "app.0.log").write_text("half")
    if words is not None:
        (folder / MARK).write_text(f"{words}{host}\n")
    make_old(folder, seconds)
    return folder


def write(program, source, out):
    """Writes the run, and takes it away again."""
    result = harness.run(program, "extract", source, out)
    assert result.code == 0, result.err
    assert not (out / MARK).exists(), "the mark stays in the run"
    shutil.rmtree(out)


def check_kinds(program, source):
    c = harness.Compare()
    here = socket.gethostname()
    cases = {"AAAAAA": (True, here, HOUR, WORDS), "BBBBBB": (False, here, 0, WORDS),
             "CCCCCC": (False, "elsewhere", HOUR, WORDS),
             "DDDDDD": (True, "elsewhere", 72 * HOUR, WORDS),
             "EEEEEE": (False, here, 72 * HOUR, None),
             "FFFFFF": (False, here, 72 * HOUR, "Something else\n"),
             "toolong": (False, here, HOUR, WORDS), "GG-GGG": (False, here, HOUR, WORDS)}
    with tempfile.TemporaryDirectory() as scratch:
        out = pathlib.Path(scratch) / "out"
        for suffix, (_, host, seconds, words) in cases.items():
            make_folder(out, suffix, host, seconds, words)
        other = make_folder(out.with_name("other"), "AAAAAA", here, HOUR)
        write(program, source, out)
        for suffix, (goes, *_) in cases.items():
            c.equal(f"{suffix} is gone", not out.with_name(f"out.{suffix}").exists(), goes)
        c.true("the folder of another run is gone", other.exists())
    return c.problems


def check_living(program, source):
    c = harness.Compare()
    with tempfile.TemporaryDirectory() as scratch:
        out = pathlib.Path(scratch) / "out"
        folder = make_folder(out, "LIVING", socket.gethostname(), 72 * HOUR)
        with (folder / MARK).open("r+") as mark:
            fcntl.flock(mark, fcntl.LOCK_EX)
            write(program, source, out)
            c.true("the folder of a writer that lives is gone", (folder / "app.sts").exists())
        write(program, source, out)
        c.true("it stays when the writer is gone", not folder.exists())
    return c.problems


def check_link(program, source):
    """What a link leads to is nobody's folder."""
    c = harness.Compare()
    with tempfile.TemporaryDirectory() as scratch:
        out = pathlib.Path(scratch) / "out"
        kept = make_folder(pathlib.Path(scratch) / "kept", "AAAAAA", socket.gethostname(), HOUR)
        out.with_name("out.LINKED").symlink_to(kept)
        inner = make_folder(out, "INSIDE", socket.gethostname(), HOUR)
        shutil.rmtree(inner / "app.projdir.0")
        (inner / "app.projdir.0").symlink_to(kept)
        write(program, source, out)
        c.true("what a link leads to is gone", (kept / "app.projdir.0" / "app.0.log").exists())
    return c.problems


def kill_writer(program, source, out):
    """Kills it as soon as its folder is there; returns the folders that are left when it is
    gone: none, if it had ended before."""
    with subprocess.Popen([program, "extract", source, out], stdout=subprocess.DEVNULL,
                          env={**os.environ, **harness.NO_CACHE}) as writer:
        while writer.poll() is None and len(os.listdir(out.parent)) == 0:
            pass
        writer.kill()
    return list(out.parent.glob("out.??????"))


def check_killed(program, source):
    c = harness.Compare()
    with tempfile.TemporaryDirectory() as scratch:
        out = pathlib.Path(scratch) / "out"
        for _ in range(TURNS):
            left = kill_writer(program, source, out)
            if left and len(os.listdir(left[0])) > 1:
                break    # with its mark written, and a file begun
            shutil.rmtree(left[0] if left else out)
        c.equal("folders that are left", len(left), 1)
        for folder in left:
            make_old(folder, HOUR)
        write(program, source, out)
        c.equal("what is left after the next one", list(pathlib.Path(scratch).iterdir()), [])
    return c.problems


def is_writing(pid, folder):
    """Whether the process has a file of the folder open, with a name or without."""
    try:
        links = [os.readlink(entry.path) for entry in os.scandir(f"/proc/{pid}/fd")]
    except OSError:
        return False
    return any(link.startswith(str(folder)) for link in links)


def has_unnamed_files():
    try:
        os.close(os.open(tempfile.gettempdir(), os.O_TMPFILE | os.O_WRONLY))
    except OSError:
        return False
    return True


def check_killed_file(program, source):
    """A file in the making has no name, so it goes with its writer."""
    c = harness.Compare()
    with tempfile.TemporaryDirectory() as scratch:
        killed = 0
        for _ in range(TURNS):
            command = [program, "convert", source, os.path.join(scratch, "out.csv"), "--to", "csv"]
            with subprocess.Popen(command, stdout=subprocess.DEVNULL,
                                  env={**os.environ, **harness.NO_CACHE}) as writer:
                while writer.poll() is None and not is_writing(writer.pid, scratch):
                    pass
                writer.kill()
            killed += writer.returncode == -signal.SIGKILL
            if killed:
                break
            os.unlink(os.path.join(scratch, "out.csv"))
        c.equal("writers that were killed", killed, 1)
        c.equal("what is left", os.listdir(scratch), [])
    return c.problems


def main():
    program = os.path.abspath(sys.argv[1])
    source = pathlib.Path(sys.argv[2]) / "data" / "sample"
    tap = harness.Tap()
    for check in (check_kinds, check_living, check_link, check_killed):
        tap.check(check.__name__[len("check_"):], check, program, source)
    if has_unnamed_files():
        tap.check("killed file", check_killed_file, program, source)
    else:
        tap.skip("killed file", "the file system knows no files without a name")
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
