#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""attach.py KYMO-CLI SOURCE-ROOT: kymo-cli attach against a server that plays
the captured exchanges of real programs byte for byte, and against faults. TAP.

The cases wait for wall time (an end is told after three refusals), so they all
run beside each other."""
import concurrent.futures
import functools
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import ccs  # noqa: E402
import harness  # noqa: E402

CASES = {"load-p1": (ccs.DETAIL, 1), "load-p4": (ccs.DETAIL, 4), "leanmd-p6": (ccs.DETAIL, 6),
         "errors-p2": (ccs.DETAIL, 2), "summary-p4": (ccs.SHARES, 4)}


# Every line as an object, those beside the blocks too.
JSON = ("--format", "json", "--notes")


def attach(cli, where, *args, **options):
    where = f"127.0.0.1:{where.port}" if isinstance(where, ccs.Server) else where
    return harness.run(cli, "attach", where, *args, **options)


def lines(result):
    return [json.loads(line) for line in result.out.decode().splitlines()]


def blocks(result):
    return [line for line in lines(result) if "block" in line]


def compare_blocks(compare, got, replies, utilization, pes, detail):
    whole = [r for r in replies if len(r) > 8]
    compare.equal("number of blocks", len(got), len(whole))
    for i, (line, reply) in enumerate(zip(got, whole)):
        compare.equal(f"block {i} number", line["block"], i)
        compare.equal(f"block {i} bytes", line["bytes"], len(reply) - 4)
        compare.equal(f"block {i} bins", line["bins"], 1000)
        compare.equal(f"block {i} pes", line["pes"], pes)
        shares = sum(a["share"] for a in line["activities"])
        compare.near(f"block {i} shares", shares, line["utilization"], 1e-9)
        if detail:
            compare.near(f"block {i} utilization", 100 * line["utilization"],
                         utilization[i], 5e-4)


def test_capture(cli, root, name):
    """A whole session; its numbers are those that the program printed."""
    compare = harness.Compare()
    capture = ccs.Capture(root, name)
    handler, pes = CASES[name]
    replies = capture.replies(handler)
    short = [r for r in replies if len(r) <= 8]
    kept = [r for r in replies if len(r) > 8 or r in short[:1]]
    arch = capture.replies(ccs.ARCH)[0][4:]
    server = ccs.Server(ccs.play(replies, arch, pes, handler, most_nothing=1))
    with tempfile.TemporaryDirectory() as folder:
        record = os.path.join(folder, "run.kymostream")
        result = attach(cli, server, *JSON, "--record", record)
        replay = harness.run(cli, "replay", record, *JSON)
    compare.equal("exit", result.code, 0)
    compare_blocks(compare, blocks(result), kept, capture.utilization, pes,
                   handler == ccs.DETAIL)
    compare.true("an end is told", "end" in lines(result)[-1])
    compare.equal("replay of the recording", replay.out, result.out)
    for request in server.requests:
        asked = ccs.handler_of(request)
        captured = capture.request(asked)
        if captured is not None:
            compare.equal(f"request for {asked}", request, captured)
        else:
            compare.true(f"{asked} is a stream", asked in ccs.STREAMS)
    compare.equal("failure of the server", server.failure, None)
    return compare.problems


def test_auth(cli, root, level):
    """Login, signed calls, a salt that runs over, and the captured blocks."""
    compare = harness.Compare()
    capture = ccs.Capture(root, "auth-p2")
    replies = capture.sealed(ccs.DETAIL)
    key = bytes([11, 22, 33, 44, 55, 66, 77, 88, 99]).ljust(16, b"\0")
    server = ccs.Server(ccs.play(replies), key=key)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "keys")
        pathlib.Path(path).write_bytes(capture.key if level == 0
                                       else b"0 99887766\n3 112233445566778899\n")
        args = [] if level == 0 else ["--level", level]
        result = attach(cli, server, *JSON, "--key", path, *args)
    compare.equal("exit", result.code, 0)
    compare_blocks(compare, blocks(result), replies, capture.utilization, 2, True)
    compare.equal("clients", len(server.clients), 1)
    return compare.problems


def refused(result, *words):
    """One sentence, and exit status 1."""
    compare = harness.Compare()
    last = result.err.strip().splitlines()[-1] if result.err.strip() else ""
    compare.equal("exit", result.code, 1)
    compare.equal("blocks", len(blocks(result)), 0)
    compare.true(f"“{last}” tells what is done", "trying" not in last and "asking" not in last)
    for word in words:
        compare.true(f"“{word}” in “{last}”", word in last)
    return compare.problems


def test_wrong_key(cli, root):
    server = ccs.Server(ccs.play([ccs.reply(ccs.nothing(ccs.DETAIL))]), key=b"k" * 16)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "keys")
        pathlib.Path(path).write_text("0 112233\n")
        result = attach(cli, server, *JSON, "--key", path, "--quiet")
        problems = refused(result, f"127.0.0.1:{server.port} ended the login: it has no such key")
        pathlib.Path(path).write_text("0 112233\n2 OTPsecret\n3 zz\n")
        for level, words in ((2, ":2: with OTP"), (3, ":3: this is no key"),
                             (4, "no key for level 4")):
            result = attach(cli, server, "--key", path, "--level", level)
            problems += refused(result, "keys", words)
        result = attach(cli, server, "--key", path + "-not-there")
        problems += refused(result, "keys-not-there", "No such file")
    server.stop()
    return problems


def test_no_key(cli, root):
    server = ccs.Server(ccs.play([]), key=b"k" * 16)
    result = attach(cli, server, *JSON)
    server.stop()
    return refused(result, "reset the connection without an answer", "may want a key")


def test_nobody(cli, root):
    begin = time.monotonic()
    result = attach(cli, f"127.0.0.1:{ccs.free_port()}", "--wait", "1200ms", *JSON)
    problems = refused(result, "Nobody listens at 127.0.0.1:")
    if time.monotonic() - begin > 10:
        problems.append("it took too long")
    return problems


def test_no_host(cli, root):
    result = attach(cli, "no-such-host.invalid:7311", *JSON, "--wait", "8s")
    return refused(result, "cannot be found")


def test_no_stream(cli, root):
    server = ccs.Server(ccs.play([], handler="other"))
    result = attach(cli, server, "--wait", "1500ms", *JSON)
    server.stop()
    problems = refused(result, "offers no utilization stream", "-tracemode utilization",
                       "++server", "--with-production", "traceEnableCCS()")
    asked = [ccs.handler_of(r) for r in server.requests]
    problems += [f"{s} was asked for {asked.count(s)} times" for s in ccs.STREAMS
                 if not 3 <= asked.count(s) <= 9]
    return problems


def endless(pes=2, every=1.0, share=125):
    """A block a second from the first request on, queued, as a program has them; for ever."""
    begin = None
    given = [0]
    delays = []

    def answer(server, connection, request):
        nonlocal begin
        begin = begin or time.monotonic()
        asked = ccs.handler_of(request)
        if asked == ccs.ARCH:
            payload = ccs.ARCH_LITTLE
        elif asked == ccs.INFO:
            payload = ccs.getinfo(pes)
        elif given[0] < (time.monotonic() - begin) / every:
            delays.append(time.monotonic() - begin - every * given[0])
            given[0] += 1
            payload = ccs.block([(7, share)], pes)
        else:
            payload = ccs.nothing(ccs.DETAIL)
        connection.sendall(ccs.reply(payload))
    answer.delays = delays
    return answer


def best_of(n, test, *args):
    """For what a busy machine disturbs and never helps: one good try is enough."""
    for _ in range(n):
        problems = test(*args)
        if not problems:
            return []
    return problems


def test_for(cli, root):
    """The end of --for is no failure; and the pace: few requests."""
    compare = harness.Compare()
    answer = endless()
    server = ccs.Server(answer)
    begin = time.monotonic()
    result = attach(cli, server, "--for", "6s", *JSON)
    took = time.monotonic() - begin
    server.stop()
    n = len(blocks(result))
    compare.equal("exit", result.code, 0)
    compare.true(f"{n} blocks in 6 s", 6 <= n <= 7)
    compare.near("utilization", blocks(result)[0]["utilization"], 0.5)
    compare.near("seconds", took, 7.9, 2)
    # 0.15 s on a quiet machine
    compare.true(f"delays {answer.delays}", sorted(answer.delays[1:])[2] < 0.7)
    compare.true(f"{len(server.requests)} requests", len(server.requests) <= 6 * 4 + 2)
    return compare.problems


def test_interrupt(cli, root):
    """SIGINT: exit status 0, and the recording is whole."""
    compare = harness.Compare()
    server = ccs.Server(endless(every=0.2))
    with tempfile.TemporaryDirectory() as folder:
        record = os.path.join(folder, "run.kymostream")
        with subprocess.Popen([cli, "attach", f"127.0.0.1:{server.port}", *JSON,
                               "--record", record], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL) as process:
            first = [process.stdout.readline() for _ in range(3)]
            process.send_signal(signal.SIGINT)
            rest = process.stdout.read()
            process.wait(timeout=120)
        replay = harness.run(cli, "replay", record, *JSON, "--strict")
        again = attach(cli, server, "--record", record)
        resumed = attach(cli, server, "--record", record, "--resume", "--for", "1s")
        longer = harness.run(cli, "replay", record, *JSON, "--strict")
    server.stop()
    compare.equal("exit", process.returncode, 0)
    compare.equal("exit of the replay", replay.code, 0)
    compare.equal("replay", replay.out, b"".join(first) + rest)
    compare.equal("exit over a file that is there", again.code, 1)
    compare.equal("exit resumed", resumed.code, 0)
    compare.equal("exit of the longer replay", longer.code, 0)
    compare.true("it begins as before", longer.out.startswith(replay.out))
    numbers = [line["block"] for line in blocks(longer)]
    compare.equal("numbers of the longer", numbers, list(range(len(numbers))))
    compare.true("it is longer", len(numbers) > len(blocks(replay)))
    return compare.problems


def test_resume(cli, root):
    """A recording is gone on with where the program's time was."""
    compare = harness.Compare()
    block, nothing = ccs.reply(ccs.block([(1, 250)])), ccs.reply(ccs.nothing(ccs.DETAIL))
    with tempfile.TemporaryDirectory() as folder:
        record = os.path.join(folder, "run.kymostream")
        for replies in ([block, block, nothing], [nothing, block], [nothing], [block, nothing]):
            server = ccs.Server(ccs.play(replies))
            result = attach(cli, server, "--record", record, "--resume")
            compare.equal("exit", result.code, 0)
        replay = harness.run(cli, "replay", record, *JSON, "--strict")
    compare.equal("exit of the replay", replay.code, 0)
    compare.equal("numbers", [line["block"] for line in blocks(replay)], [0, 1, 2, 3])
    return compare.problems


def test_range(cli, root):
    """--from and --to: lines of that time alone; the recording has all."""
    compare = harness.Compare()
    block = ccs.reply(ccs.block([(1, 250)]))
    server = ccs.Server(ccs.play([block] * 5))
    with tempfile.TemporaryDirectory() as folder:
        record = os.path.join(folder, "run.kymostream")
        result = attach(cli, server, "--format", "json", "--from", "1500ms", "--to", "4s",
                        "--record", record)
        part = harness.run(cli, "replay", record, "--format", "json", "--from", "1500ms",
                           "--to", "4s")
        whole = harness.run(cli, "replay", record, "--format", "json")
    compare.equal("exit", result.code, 0)
    compare.equal("numbers", [line["block"] for line in lines(result)], [1, 2, 3])
    compare.equal("replay of the range", part.out, result.out)
    compare.equal("replay", len(blocks(whole)), 5)
    return compare.problems


def restarted(n_of, tells):
    """A block at every request; PEs of block i are n_of[i], and the program says
    tells(i) where it is asked after i blocks. With the last block it has ended."""
    given = [0]

    def answer(server, connection, request):
        asked, i = ccs.handler_of(request), given[0]
        if asked == ccs.ARCH:
            payload = ccs.ARCH_LITTLE
        elif asked == ccs.INFO:
            payload = ccs.getinfo(tells(i))
        elif i < len(n_of):
            given[0] += 1
            payload = ccs.block([(i, 250)], n_of[i])
        else:
            payload = ccs.nothing(ccs.DETAIL)
        connection.sendall(ccs.reply(payload))
        return asked in (ccs.ARCH, ccs.INFO) or i < len(n_of)
    return answer


def test_restarted(cli, root):
    """Another program at the same port, quicker than the next request: it is
    asked who it is, and no block of it is lost."""
    compare = harness.Compare()
    n_of = [2, 2, 6, 6, 3, 2]
    server = ccs.Server(restarted(n_of, lambda i: n_of[max(i - 1, 0)]))
    result = attach(cli, server, *JSON, "--strict")
    compare.equal("exit", result.code, 0)
    compare.equal("PEs", [line["pes"] for line in blocks(result)], n_of)
    compare.equal("entries", [line["activities"][0]["id"] for line in blocks(result)],
                  list(range(len(n_of))))
    states = [line["state"].split(":")[0] for line in lines(result) if "state" in line]
    compare.equal("others", states.count("Another program answers here now"), 3)
    return compare.problems


def test_wrong_pes(cli, root):
    """Blocks of more PEs than the program says that it has: it is asked once."""
    compare = harness.Compare()
    server = ccs.Server(restarted([2, 9, 9, 2, 9, 2], lambda i: 2))
    result = attach(cli, server, *JSON, "--strict")
    compare.equal("exit", result.code, 3)
    compare.equal("blocks", [line["block"] for line in blocks(result)], [0, 3, 5])
    compare.equal("lost", [line["lost"] for line in lines(result) if "lost" in line],
                  ["the reply claims 9 PEs (byte 4); the program has 2"] * 3)
    asked = [ccs.handler_of(request) for request in server.requests]
    compare.equal("asked who it is", asked.count(ccs.INFO), 2)
    return compare.problems


def test_ipv6(cli, root):
    try:
        server = ccs.Server(ccs.play([ccs.reply(ccs.block([(1, 250)]))]), socket.AF_INET6)
    except OSError:
        return []
    result = attach(cli, f"[::1]:{server.port}", *JSON)
    return [] if result.code == 0 and len(blocks(result)) == 1 else [result.err]


def test_names(cli, root):
    """--names names the ids, in the recording too; it may be a recording."""
    compare = harness.Compare()
    server = ccs.Server(ccs.play([ccs.reply(ccs.block([(0, 100), (10000, 25)]))]))
    later = ccs.Server(ccs.play([ccs.reply(ccs.block([(0, 100), (10000, 25)]))]))
    with tempfile.TemporaryDirectory() as folder:
        record = os.path.join(folder, "run.kymostream")
        sts = os.path.join(folder, "run.util.sts")
        pathlib.Path(sts).write_text(
            "MACHINE linux\nPROCESSORS 2\nTOTAL_CHARES 1\nTOTAL_EPS 1\nTOTAL_MSGS 0\n"
            "CHARE 0 \"Cell\" 0\nENTRY CHARE 0 \"run()\" 0 -1\nEND\n")
        result = attach(cli, server, *JSON, "--names", sts, "--record", record)
        replay = harness.run(cli, "replay", record, *JSON)
        again = os.path.join(folder, "again.kymostream")
        attach(cli, later, *JSON, "--names", record, "--record", again)
        named = blocks(harness.run(cli, "replay", again, *JSON))[0]["activities"]
    compare.equal("names of a recording", [a["name"] for a in named], ["Cell::run", "other"])
    compare.equal("exit", result.code, 0)
    compare.equal("names", [a["name"] for a in blocks(result)[0]["activities"]],
                  ["Cell::run", "other"])
    compare.equal("replay", replay.out, result.out)
    return compare.problems


def test_disk_full(cli, root):
    """The lines go on, the exit status tells of it."""
    server = ccs.Server(ccs.play([ccs.reply(ccs.block([(1, 9)] * 9)) for _ in range(6)]))
    with tempfile.TemporaryDirectory() as folder:
        record = os.path.join(folder, "run.kymostream")
        command = f'ulimit -f 60; exec "$@"'
        done = subprocess.run(["bash", "-c", command, "-", cli, "attach",
                               f"127.0.0.1:{server.port}", "--record", record, "--format",
                               "json"], capture_output=True, timeout=120)
        replay = harness.run(cli, "replay", record, *JSON, "--strict")
    result = harness.Result(done)
    compare = harness.Compare()
    compare.equal("exit", result.code, 1)
    compare.equal("blocks", len(blocks(result)), 6)
    compare.true(result.err, "run.kymostream" in result.err.splitlines()[-1])
    compare.equal("exit of the replay", replay.code, 0)
    compare.true("some is recorded", 0 < len(blocks(replay)) < 6)
    return compare.problems


def test_usage(cli, root):
    problems = []
    for args in (["7311"], ["host:0"], ["host:7311", "--level", "255"],
                 ["host:7311", "--resume"], ["ssh://a:1", "--through", "b"],
                 ["host:7311", "--for", "-1s"], ["host:7311", "--wait", "-2s"]):
        result = harness.run(cli, "attach", *args)
        if result.code != 2 or len(result.err.splitlines()) != 1:
            problems.append(f"{args}: {result.code} {result.err}")
    return problems


class FakeSsh:
    """An ssh on the path that forwards by itself."""

    def __init__(self, mode=""):
        self.folder = tempfile.TemporaryDirectory()
        self.log = os.path.join(self.folder.name, "log")
        support = pathlib.Path(__file__).resolve().parent.parent / "support"
        ssh = pathlib.Path(self.folder.name) / "ssh"
        ssh.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{support}/fake_ssh.py" "$@"\n')
        ssh.chmod(0o755)
        self.env = {"PATH": f"{self.folder.name}:{os.environ['PATH']}",
                    "FAKE_SSH": mode, "FAKE_SSH_LOG": self.log}

    def starts(self):
        with open(self.log, encoding="utf-8") as log:
            return [json.loads(line) for line in log]

    def left_over(self):
        """Those that run still, a moment after."""
        end = time.monotonic() + 60
        while time.monotonic() < end:
            left = [s["pid"] for s in self.starts() if is_running(s["pid"])]
            if not left:
                return []
            time.sleep(0.05)
        return left


def is_running(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_tunnel(cli, root, mode):
    """All comes through ssh, which ends with it; the far end's refusal is the
    end of the program."""
    compare = harness.Compare()
    capture = ccs.Capture(root, "load-p1")
    replies = capture.replies(ccs.DETAIL)
    ssh = FakeSsh(mode)
    server = ccs.Server(ccs.play(replies, pes=1, most_nothing=1))
    result = attach(cli, f"127.0.0.1:{server.port}", "--through", "me@login:2222",
                    *JSON, env=ssh.env)
    compare.equal("exit", result.code, 0)
    compare.equal("blocks", len(blocks(result)), len([r for r in replies if len(r) > 8]))
    compare.true(result.err, "has ended" in result.err)
    starts = ssh.starts()
    compare.equal("starts of ssh", len(starts), 2 if mode.startswith("dies") else 1)
    args = starts[0]["args"]
    compare.equal("destination", args[-2:], ["--", "me@login"])
    compare.equal("port", args[args.index("-p") + 1], "2222")
    compare.true("forward", args[args.index("-L") + 1].endswith(f":127.0.0.1:{server.port}"))
    compare.true("nobody is asked", "BatchMode=yes" in args)
    compare.equal("ssh left over", ssh.left_over(), [])
    return compare.problems


def test_tunnel_scheme(cli, root):
    """ssh://HOST:PORT is a port of that host."""
    compare = harness.Compare()
    ssh = FakeSsh()
    server = ccs.Server(ccs.play([ccs.reply(ccs.block([(1, 250)]))]))
    result = attach(cli, f"ssh://me@login:{server.port}", *JSON, env=ssh.env)
    compare.equal("exit", result.code, 0)
    compare.equal("blocks", len(blocks(result)), 1)
    args = ssh.starts()[0]["args"]
    compare.true("forward", args[args.index("-L") + 1].endswith(f":localhost:{server.port}"))
    compare.true("no port", "-p" not in args)
    return compare.problems


def test_tunnel_options(cli, root):
    """Neither user nor host reaches ssh's command line where ssh could take it for an
    option, or a shell behind it for more than a word."""
    problems = []
    ssh = FakeSsh()
    pathlib.Path(ssh.log).touch()
    wheres = ("-oProxyCommand=x", "u@-oProxyCommand=x", "-u@host", "-l@host", "u@", "@host",
              "@", "", "u@-h:22", "u@[-h]:22", "-", "u@host;x", "u@`x`", "u$x@host", "u@a b",
              "u@host\x1b", "u@\u202ehost", "u'@host", "u@host\n-oX", "u@host/x", "u,@host=x")
    for where in wheres:
        for args in ((f"ssh://{where}:7311",), ("node7:7311", "--through", where or "-")):
            result = attach(cli, *args, "--wait", "5s", env=ssh.env)
            if result.code != 2 or len(result.err.splitlines()) != 1:
                problems.append(f"{args}: {result.code} {result.err}")
    if ssh.starts():
        problems.append(f"ssh was started: {ssh.starts()}")
    for where in ("jane_x.y+z@login-1.lab_2", "jane@lab@login", "[fe80::1%eth0]", "größe@host"):
        ssh = FakeSsh()
        server = ccs.Server(ccs.play([ccs.reply(ccs.block([(1, 250)]))]))
        attach(cli, f"127.0.0.1:{server.port}", "--through", where, env=ssh.env)
        wanted = ["--", where.strip("[]")]
        if [start["args"][-2:] for start in ssh.starts()] != [wanted]:
            problems.append(f"{where}: {ssh.starts()}")
    return problems


def test_tunnel_faults(cli, root):
    ssh = FakeSsh("denied")
    result = attach(cli, "node7:7311", "--through", "login", *JSON, env=ssh.env)
    problems = refused(result, "ssh to login has ended: login: Permission denied")
    if len(ssh.starts()) != 1:
        problems.append("ssh was not let in and tried again")
    ssh = FakeSsh()
    result = attach(cli, f"127.0.0.1:{ccs.free_port()}", "--through", "login", *JSON,
                    "--wait", "3s", env=ssh.env)
    problems += refused(result, "Nobody listens at 127.0.0.1:")
    problems += [f"{pid} is left over" for pid in ssh.left_over()]
    result = attach(cli, "node7:7311", "--through", "login", *JSON,
                    env={"PATH": ssh.folder.name + "/none"})
    return problems + refused(result, "ssh cannot be run")


def main(cli, root):
    tests = {f"captured exchange {name}": functools.partial(test_capture, cli, root, name)
             for name in CASES}
    tests["signed, level 0"] = functools.partial(test_auth, cli, root, 0)
    tests["signed, level 3"] = functools.partial(test_auth, cli, root, 3)
    for function in (test_wrong_key, test_no_key, test_nobody, test_no_host, test_no_stream,
                     test_for, test_interrupt, test_resume, test_ipv6, test_names, test_disk_full,
                     test_usage, test_tunnel_scheme, test_tunnel_options, test_tunnel_faults,
                     test_range,
                     test_restarted, test_wrong_pes):
        tests[function.__name__[5:].replace("_", " ")] = functools.partial(function, cli, root)
    # Its own pace is measured.
    tests["for"] = functools.partial(best_of, 4, test_for, cli, root)
    for mode in ("", "slow", "dies:4"):
        tests[f"tunnel {mode}".strip()] = functools.partial(test_tunnel, cli, root, mode)
    tap = harness.Tap()
    with concurrent.futures.ThreadPoolExecutor(len(tests)) as pool:
        results = {name: pool.submit(test) for name, test in tests.items()}
        for name, result in results.items():
            tap.check(name, result.result)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
