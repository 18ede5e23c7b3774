#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""remote-recorded.py KYMO-CLI KYMO-SERVER ROOT: servers of other versions and machines, which are
recordings, are understood as far as they go; what is no server's is refused in a sentence. The
forms for people: --text and KYMO_FRAMES."""
import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile

CLI, SERVER, ROOT = (pathlib.Path(word).resolve() for word in sys.argv[1:4])
sys.path.insert(0, str(ROOT / "tests" / "support"))
import frames  # noqa: E402

RUN = ROOT / "tests" / "data" / "feat-p4-text"
RECORDED = ROOT / "tests" / "data" / "frames"
QUESTION = ["time-profile", "--bins", "20"]


def run(*words, **more):
    return subprocess.run(words, capture_output=True, timeout=60, **more)


def replay(path):
    return shlex.join([sys.executable, str(ROOT / "tests" / "support" / "frames.py"), "replay",
                       str(path)])


def ask(server, question, **more):
    return run(CLI, question[0], "ssh://far/~/run", *question[1:], "--format", "json", "--server",
               server, **more)


def near():
    return run(CLI, QUESTION[0], RUN, *QUESTION[1:], "--format", "json").stdout


def check_words(folder, data, words):
    """The client fails with these words where a server sends the bytes."""
    path = folder / "damaged.bin"
    path.write_bytes(data)
    far = ask(shlex.join(["cat", str(path)]), QUESTION)
    assert far.returncode == 1 and words in far.stderr, (words, far.stderr)


def test_other_versions(folder):
    for name in ("first", "swapped", "limits"):
        far = ask(replay(RECORDED / f"{name}-server.bin"), QUESTION)
        assert far.returncode == 0, (name, far.stderr)
        assert far.stdout == near(), name


def test_keyword_unknown(folder):
    """A server that does not know a keyword would give another answer."""
    data = (RECORDED / "first-server.bin").read_bytes()
    kept = data.replace(b"bar-ns\0", b"bar-xx\0").replace(b"time-profile\0", b"time-profilx\0", 1)
    older = folder / "older.bin"
    older.write_bytes(kept)
    far = ask(replay(older), QUESTION)
    assert far.returncode == 1, far.stdout
    assert b"does not answer \xe2\x80\x9ctime-profile\xe2\x80\x9d" in far.stderr, far.stderr
    older.write_bytes(data.replace(b"per-location\0", b"per-locatiox\0"))
    far = ask(replay(older), ["profile", "--per-location"])
    assert far.returncode == 1, far.stdout
    assert b"does not know \xe2\x80\x9cper-location" in far.stderr, far.stderr


def test_damaged(folder):
    data = (RECORDED / "first-server.bin").read_bytes()
    check_words(folder, b"\x89KYM\x02" + data[5:6] + b"\x09\0" + data[8:], b"messages of version 9")
    check_words(folder, data[:24] + (1 << 40).to_bytes(8, "little") + data[32:],
                b"longer than 256 MiB")
    check_words(folder, data[:16] + b"\xff\xff\x07\0" + data[20:], b"does not answer as a server")
    # The last byte of the first message, which places its last member.
    end = 32 + int.from_bytes(data[16:20], "little")
    check_words(folder, data[:end - 1] + b"\xff" + data[end:], b"A message (WELCOME) is damaged")
    check_words(folder, data[:100], b"No server of Kymo")


def test_noise(folder):
    """A login shell may say 64 KiB before the server does."""
    for size, is_fine in ((65000, True), (66000, False)):
        noise = folder / "noise"
        noise.write_bytes(b"Welcome to node7\n" * (size // 17))
        quoted = shlex.quote(str(noise))
        server = replay(RECORDED / "first-server.bin")
        far = ask("sh -c " + shlex.quote(f"cat {quoted}; exec {server}"), QUESTION)
        assert (far.returncode == 0) == is_fine, far.stderr
        assert is_fine or b"it said: Welcome to node7" in far.stderr, far.stderr


def test_text(folder):
    lines = ("time-profile bins=20 from=0 to=1000000\n\nprofile per-location=1\nno-such-kind\n"
             "time-profile bins=none\n")
    there = run(SERVER, "--text", RUN, input=lines.encode())
    assert there.returncode == 0 and not there.stderr, there.stderr
    answers = there.stdout.splitlines()
    assert len(answers) == 4
    here = [run(CLI, *words, "--format", "json").stdout.strip() for words in (
        ["time-profile", RUN, "--bins", "20", "--from", "0", "--to", "1000000"],
        ["profile", RUN, "--per-location"])]
    assert answers[:2] == here
    assert "no-such-kind" in json.loads(answers[2])["error"]
    assert "none" in json.loads(answers[3])["error"]
    missing = run(SERVER, "--text", folder / "no-run", input=b"")
    assert missing.returncode == 1 and b"no-run" in missing.stderr


def test_traced(folder):
    """Each message is a line: time, direction, type, request, body."""
    trace = folder / "messages.txt"
    far = ask(f"{SERVER} --stdio", QUESTION,
              env={**os.environ, "KYMO_FRAMES": str(trace), "HOME": str(folder)})
    assert far.returncode == 0 and far.stdout == near(), far.stderr
    told = [line.split(" ", 4) for line in trace.read_text().splitlines()]
    assert all(float(line[0]) > 0 and line[1] in "<>" for line in told)
    of_client = [(line[1], line[2]) for line in told]
    for wanted in ((">", "HELLO"), ("<", "WELCOME"), (">", "OPEN"), ("<", "OPENED"), (">", "ASK"),
                   ("<", "ANSWER")):
        assert wanted in of_client, wanted


def main():
    tests = [test_other_versions, test_keyword_unknown, test_damaged, test_noise, test_text,
             test_traced]
    failed = 0
    print(f"1..{len(tests)}", flush=True)
    with tempfile.TemporaryDirectory(prefix="kymo-recorded-") as name:
        folder = pathlib.Path(name)
        (folder / "run").symlink_to(RUN)
        assert frames.order_of((RECORDED / "swapped-client.bin").read_bytes()) == ">"
        for number, test in enumerate(tests, 1):
            try:
                test(folder)
                print(f"ok {number} {test.__name__}", flush=True)
            except (AssertionError, subprocess.TimeoutExpired) as why:
                failed += 1
                print(f"not ok {number} {test.__name__}\n# {repr(why)[:600]}", flush=True)
    return 1 if failed else 0


sys.exit(main())
