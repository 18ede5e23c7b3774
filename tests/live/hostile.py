#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""kymo-cli attach to servers that do what no program should. Of each: a clear
word, bounded memory and time, and every block that was told whole comes out
once and in its order, as kymo-cli replay prints it.

The cases run beside each other, for some of them have to be waited out."""
import concurrent.futures
import json
import os
import pathlib
import random
import re
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))

import ccs_client as ccs
import recording
from harness import NO_CACHE, Compare, Tap, run
from serving import MEMORY_FACTOR, Serving

N_BLOCKS = 8
# So much longer may all take beside a dozen busy programs; who hangs takes longer still.
BUSY = 5
MAX_RSS = 64 << 20
ARCH = bytes.fromhex("0a0b020104080801")
INFO = struct.pack(">5i", 4, 1, 1, 1, 1)


def most_memory(pid):
    """So far. What wait4() tells begins with the size of who forked."""
    try:
        status = pathlib.Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    except OSError:
        return 0
    found = re.search(r"VmHWM:\s+(\d+) kB", status)
    return int(found.group(1)) << 10 if found else 0


def count_files(pid):
    try:
        return len(os.listdir(f"/proc/{pid}/fd"))
    except OSError:
        return 0


# Every line as an object, those beside the blocks too.
JSON = ("--format", "json", "--notes")


class Attached:
    """What kymo-cli attach said, how long it took, and how large it was."""

    def __init__(self, program, port, *args):
        begin = time.monotonic()
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            process = subprocess.Popen(
                [program, "attach", f"127.0.0.1:{port}", *JSON, *map(str, args)],
                stdout=out, stderr=err, stdin=subprocess.DEVNULL,
                env={**os.environ, **NO_CACHE})
            self.rss_bytes = self.n_files = 0
            while process.poll() is None:
                self.rss_bytes = max(self.rss_bytes, most_memory(process.pid))
                self.n_files = max(self.n_files, count_files(process.pid))
                time.sleep(0.05)
            out.seek(0)
            err.seek(0)
            self.lines = [json.loads(line) for line in out.read().splitlines()]
            self.err = err.read().decode()
        self.code = process.returncode
        self.seconds = time.monotonic() - begin

    def blocks(self):
        return [line for line in self.lines if "block" in line]

    def lost(self):
        return [line["lost"] for line in self.lines if "lost" in line]

    def states(self):
        return [line["state"] for line in self.lines if "state" in line]


def content(lines, keys=("bins", "pes", "bytes", "utilization", "activities")):
    return [{key: line[key] for key in keys} for line in lines]


class Peer:
    """A server of our own: `speak` gets each connection and its request."""

    def __init__(self, speak, backlog=16, accepts=True, n_request=40):
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=backlog)
        self.port = self.listener.getsockname()[1]
        self.speak, self.asked, self.open = speak, [], True
        self.n_request = n_request
        if accepts:
            threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while self.open:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(client,), daemon=True).start()

    def serve(self, client):
        with client:
            try:
                client.settimeout(60)
                request = ccs.Login.read(client, self.n_request)
                handler = request[8:].rstrip(b"\0").decode("latin-1")
                self.asked.append(handler)
                self.speak(client, handler, self.asked.count(handler))
            except OSError:
                pass

    def end(self):
        """Nobody listens any more, as where a program has ended."""
        self.open = False
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.open = False
        self.listener.close()


def say(client, payload):
    client.sendall(struct.pack(">I", len(payload)) + payload)


def program_like(stream):
    """A peer that is as a program but for its stream."""
    def speak(client, handler, n):
        if handler == "debug/converse/arch":
            say(client, ARCH)
        elif handler == "ccs_getinfo":
            say(client, INFO)
        elif handler == ccs.DETAIL:
            stream(client, n)
        else:
            say(client, b"")
    return speak


class Hostile:
    def __init__(self, program, source):
        self.program = program
        self.source = pathlib.Path(source)
        self.folder = tempfile.TemporaryDirectory(prefix="kymo-hostile-")
        self.tmp = pathlib.Path(self.folder.name)
        self.made = recording.numbered(N_BLOCKS)
        self.path = recording.write(self.tmp / "made.kymostream", ccs.DETAIL, self.made,
                                    apart_us=20_000)
        result = run(program, "replay", self.path, *JSON)
        self.told = [json.loads(line) for line in result.out.splitlines()]
        self.told = [line for line in self.told if "block" in line]

    def usual(self, c, got, seconds, rss=MAX_RSS):
        c.true(f"{got.seconds:.1f} s of {seconds}", got.seconds < BUSY * seconds)
        c.true(f"{got.rss_bytes >> 20} MiB", 1 << 20 < got.rss_bytes < rss * MEMORY_FACTOR)
        c.true(f"{got.n_files} files", got.n_files < 20)
        c.true(f"an internal word: {got.err[-300:]}", "CRITICAL" not in got.err
               and "WARNING" not in got.err)

    # -- faults of the served recording ---------------------------------------
    def fault(self, fault, gone, words, seconds=20):
        """`gone`: indices of blocks that never come out; of each there is a
        word, on standard error too."""
        c = Compare()
        with Serving(self.program, self.path, "--speed", 0, "--misbehave", fault) as peer:
            got = Attached(self.program, peer.port)
        c.equal("exit", got.code, 0)
        self.usual(c, got, seconds)
        kept = [line for i, line in enumerate(self.told) if i not in gone]
        c.equal("blocks", content(got.blocks()), content(kept))
        c.equal("their times", [line["begin_ns"] for line in got.blocks()],
                [line["begin_ns"] for line in kept])
        c.equal("losses", len(got.lost()), len(gone))
        c.true("the end is told", any("end" in line for line in got.lines))
        for sentence in got.lost():
            c.true(f"{words} in {sentence}", re.search(words, sentence))
            c.true(f"{sentence} on standard error", sentence in got.err)
        if not gone:
            all_words = got.err + "\n".join(got.states())
            c.true(f"{words} in {all_words}", re.search(words, all_words))
        return c.problems

    def stolen(self):
        """Nobody can know of it: what comes is told, as it comes."""
        c = Compare()
        with Serving(self.program, self.path, "--speed", 0, "--misbehave", "steal=3") as peer:
            got = Attached(self.program, peer.port)
        self.usual(c, got, 20)
        c.equal("blocks", content(got.blocks()),
                content([line for i, line in enumerate(self.told) if i not in (2, 5)]))
        return c.problems

    def no_stream(self):
        c = Compare()
        with Serving(self.program, self.path, "--misbehave", "no-stream") as peer:
            got = Attached(self.program, peer.port, "--wait", "3s")
        self.usual(c, got, 10)
        c.equal("exit", got.code, 1)
        c.true(f"what to do: {got.err}", "-tracemode utilization" in got.err)
        return c.problems

    def everything_at_once(self):
        """Several faults together: whatever comes out is in order, once."""
        c = Compare()
        faults = "start=2,late=20,reset=4,close=6,half=5,garbage=3,negative=7,refuse=1"
        with Serving(self.program, self.path, "--speed", 0, "--misbehave", faults) as peer:
            got = Attached(self.program, peer.port)
        self.usual(c, got, 30)
        kept = [line for i, line in enumerate(self.told) if i + 1 not in (3, 5, 6, 7)]
        c.equal("blocks", content(got.blocks()), content(kept))
        c.equal("losses", len(got.lost()), 4)
        return c.problems

    # -- peers that no server of ours could be ---------------------------------
    def endless(self):
        """Length 8 MiB is possible; what comes after is not read. A length
        that is right, and bytes without end after it."""
        c = Compare()

        def stream(client, n):
            if n <= 3:
                client.sendall(struct.pack(">I", len(self.made[n])) + self.made[n])
                while True:
                    client.sendall(bytes(1 << 20))
            say(client, bytes(4))

        with Peer(program_like(stream)) as peer:
            got = Attached(self.program, peer.port, "--for", "4s")
        self.usual(c, got, 10)
        c.equal("blocks", content(got.blocks()), content(self.told[1:4]))
        return c.problems

    def large(self):
        """The largest reply that is believed, of zeros: bins without records,
        more than there can be."""
        c = Compare()

        def stream(client, n):
            if n == 1:
                say(client, struct.pack("<ii", 1000, 4) + bytes(8 << 20)[8:])
            elif n == 2:
                say(client, self.made[0])
            else:
                say(client, bytes(4))

        with Peer(program_like(stream)) as peer:
            got = Attached(self.program, peer.port, "--for", "3s")
        self.usual(c, got, 10)
        c.equal("one is lost", len(got.lost()), 1)
        c.equal("the next", content(got.blocks()), content(self.told[:1]))
        return c.problems

    def dense(self):
        """As many records as 8 MiB can hold, all of other entries: they are a
        block, and take bounded memory. However long that takes, the peer ends after them."""
        c = Compare()
        bins = 84
        records = b"".join(struct.pack("<hB", entry, 1) for entry in range(32767))
        block = struct.pack("<ii", bins, 4) + (struct.pack("<h", 32767) + records) * bins

        def stream(client, n):
            say(client, block if n <= 6 else self.made[0] if n == 7 else bytes(4))
            if n == 8:
                peer.end()

        with Peer(program_like(stream)) as peer:
            got = Attached(self.program, peer.port)
        self.usual(c, got, 25, rss=256 << 20)
        c.true(f"{len(block)} bytes", 7 << 20 < len(block) < 8 << 20)
        c.equal("blocks", len(got.blocks()), 7)
        return c.problems

    def salad(self):
        """Random bytes as the first reply, and as any other."""
        c = Compare()
        rand = random.Random(5)

        def speak(client, _handler, _n):
            client.sendall(rand.randbytes(rand.choice((0, 1, 3, 4, 5, 8, 12, 100, 5000))))

        for _ in range(3):
            with Peer(speak) as peer:
                got = Attached(self.program, peer.port, "--for", "4s")
            self.usual(c, got, 10)
            c.equal("exit", got.code, 1)
            c.equal("blocks", got.blocks(), [])
            c.true("a word", got.err.count("\n") > 1)
            c.true(f"{len(peer.asked)} requests in 4 s", len(peer.asked) < 60)
        return c.problems

    def arch_salad(self):
        """Replies of the right form and senseless content."""
        c = Compare()
        rand = random.Random(6)

        def speak(client, handler, n):
            if handler in ("debug/converse/arch", "ccs_getinfo"):
                say(client, rand.randbytes(rand.choice((1, 4, 8, 12, 4000))))
            elif handler == ccs.DETAIL:
                say(client, self.made[n] if n <= 3 else bytes(4))
            else:
                say(client, b"")

        with Peer(speak) as peer:
            got = Attached(self.program, peer.port, "--for", "6s")
        self.usual(c, got, 12)
        c.true(f"something is told: {got.err}", got.err != "")
        if got.code == 0:
            c.true("blocks in order", [b["activities"][0]["id"] for b in got.blocks()]
                   == sorted(b["activities"][0]["id"] for b in got.blocks()))
        return c.problems

    def garbage_flood(self):
        """Replies that are none, as fast as they are asked for."""
        c = Compare()
        garbage = random.Random(7).randbytes(3000)
        garbage = struct.pack("<i", 77) + garbage

        def stream(client, n):
            say(client, self.made[0] if n == 1 else garbage)

        with Peer(program_like(stream)) as peer:
            got = Attached(self.program, peer.port, "--for", "5s")
        self.usual(c, got, 10)
        c.equal("exit", got.code, 0)
        # After 0.25, 0.5, 1, 2 and 4 s, however slow or fast the machine is.
        n_asked = peer.asked.count(ccs.DETAIL)
        c.true(f"{n_asked} requests in 5 s", n_asked <= 6)
        c.true(f"a pause is told: {got.err}",
               "cannot be read" in got.err and "trying again in" in got.err)
        c.equal("the good one", content(got.blocks()), content(self.told[:1]))
        c.true("losses are told", len(got.lost()) > 3)
        c.true(f"{got.err.count('a block is lost')} words", got.err.count("a block is lost") <= 20)
        return c.problems

    def never_accepting(self):
        """The system takes connections for a program that never does."""
        c = Compare()
        with Peer(None, accepts=False) as peer:
            got = Attached(self.program, peer.port, "--wait", "5s")
        self.usual(c, got, 8)
        c.equal("exit", got.code, 1)
        c.true(f"a word: {got.err}", "not answered" in got.err or "no answer" in got.err)
        return c.problems

    def full_backlog(self):
        """Not even the system takes a connection."""
        c = Compare()
        with Peer(None, backlog=0, accepts=False) as peer:
            stuck = [socket.socket() for _ in range(3)]
            for one in stuck:
                one.setblocking(False)
                one.connect_ex(("127.0.0.1", peer.port))
            time.sleep(0.1)
            got = Attached(self.program, peer.port, "--for", "13s")
            for one in stuck:
                one.close()
        self.usual(c, got, 20)
        c.equal("exit", got.code, 1)
        c.true(f"a word: {got.err}", "127.0.0.1" in got.err)
        return c.problems

    def silent_forever(self):
        """A program that stands still after some blocks is waited for, and
        that is said."""
        c = Compare()

        def stream(client, n):
            if n <= 2:
                say(client, self.made[n])
            else:
                time.sleep(60)

        with Peer(program_like(stream)) as peer:
            got = Attached(self.program, peer.port, "--for", "6s")
        self.usual(c, got, 9)
        c.equal("exit", got.code, 0)
        c.equal("blocks", content(got.blocks()), content(self.told[1:3]))
        c.true(f"a word: {got.err}", "has not answered for a while" in got.err)
        return c.problems

    def one_answer_then_gone(self):
        """Each request of the stream is answered with a header alone."""
        c = Compare()

        def stream(client, n):
            client.sendall(struct.pack(">I", 5000)[:n % 5])

        with Peer(program_like(stream)) as peer:
            got = Attached(self.program, peer.port, "--for", "6s")
        self.usual(c, got, 9)
        c.equal("blocks", got.blocks(), [])
        c.true("a word", "bytes" in got.err or "without an answer" in got.err)
        return c.problems

    def keyed(self):
        """Faults of a server that wants a key."""
        c = Compare()
        key = self.tmp / "key.txt"
        key.write_text("0 112233\n")
        faults = "half=3,reset=4,negative=7,late=20"
        with Serving(self.program, self.path, "--speed", 0, "--key", key, "--misbehave",
                     faults) as peer:
            got = Attached(self.program, peer.port, "--key", key)
        self.usual(c, got, 20)
        c.equal("exit", got.code, 0)
        c.equal("blocks", content(got.blocks()),
                content([line for i, line in enumerate(self.told) if i not in (2, 5, 6)]))
        with Serving(self.program, self.path, "--key", key) as peer:
            got = Attached(self.program, peer.port)
        c.equal("without the key", got.code, 1)
        c.true(f"a word: {got.err}", "may want a key" in got.err)
        return c.problems

    def wrong_logins(self):
        """Servers that do not have the key: each is left at once, with a word."""
        c = Compare()
        key = self.tmp / "other.txt"
        key.write_text("0 112233\n")
        rand = random.Random(8)

        def liar(client):
            client.sendall(b"abcd")
            client.recv(20)
            client.sendall(rand.randbytes(28))

        def quitter(client):
            client.sendall(b"abcd")
            client.recv(20)

        def endless(client):
            liar(client)
            while True:
                client.sendall(bytes(1 << 16))

        for login in (liar, quitter, endless,
                      lambda client: client.sendall(rand.randbytes(3000)),
                      lambda client: client.sendall(struct.pack(">I", 8) + ARCH)):
            with Peer(lambda client, _handler, _n, login=login: login(client),
                      n_request=8) as peer:
                got = Attached(self.program, peer.port, "--key", key, "--for", "10s")
            c.equal("exit", got.code, 1)
            c.true(f"{got.seconds} s", got.seconds < 5)
            c.true(f"a word: {got.err}", "key" in got.err)
        return c.problems

    def recorded(self):
        """What is recorded of a hostile peer is read again: the same lines."""
        c = Compare()
        path = self.tmp / "hostile.kymostream"
        faults = "half=3,garbage=4,records=5"
        with Serving(self.program, self.path, "--speed", 0, "--misbehave", faults) as peer:
            got = Attached(self.program, peer.port, "--record", path)
        again = run(self.program, "replay", path, *JSON)
        c.equal("exit", again.code, 0)
        c.equal("lines", [json.loads(line) for line in again.out.splitlines()], got.lines)
        c.true("no internal word", "CRITICAL" not in again.err)
        return c.problems


def main():
    program, source = sys.argv[1:3]
    hostile, tap = Hostile(program, source), Tap()
    cases = {
        "a good server": lambda: hostile.fault("swap", (), "has ended"),
        "length 0 at the start": lambda: hostile.fault("start=3", (), "utilization stream"),
        "late replies": lambda: hostile.fault("late=400", (), "has ended"),
        "very late replies": lambda: hostile.fault("late=3500", (), "not answered for a", 60),
        "resets": lambda: hostile.fault("reset=4", (), "reset the connection"),
        "closed connections": lambda: hostile.fault("close=4", (), "closed the connection"),
        "half replies": lambda: hostile.fault("half=3", (2, 5), "broke off after 3252 of 6508 "),
        "a byte a second": lambda: hostile.fault("drip=5", (4,), "no more within 30", 60),
        "never closing": lambda: hostile.fault("hang=5", (4,), "no more within 30", 60),
        "2 GB": lambda: hostile.fault("huge=3", (2, 5), "2147483647 bytes"),
        "negative length": lambda: hostile.fault("negative=3", (2, 5), "which no program sends"),
        "random payload": lambda: hostile.fault("garbage=3", (2, 5), "bins|records|bytes"),
        "wrong count of bins": lambda: hostile.fault("bins=3", (2, 5), "bins? "),
        "60,000 records": lambda: hostile.fault("records=3", (2, 5), "records"),
        "port closed for a while": lambda: hostile.fault("refuse=1", (), "refuses connections"),
        "no machine": lambda: hostile.fault("no-arch", (), "byte order"),
        "stolen blocks": hostile.stolen,
        "no stream": hostile.no_stream,
        "everything at once": hostile.everything_at_once,
        "endless bytes after a reply": hostile.endless,
        "the largest reply": hostile.large,
        "as many records as can be": hostile.dense,
        "random bytes": hostile.salad,
        "senseless machine": hostile.arch_salad,
        "a flood of garbage": hostile.garbage_flood,
        "never accepting": hostile.never_accepting,
        "a full queue of connections": hostile.full_backlog,
        "silent for ever": hostile.silent_forever,
        "headers alone": hostile.one_answer_then_gone,
        "faults behind a key": hostile.keyed,
        "servers without the key": hostile.wrong_logins,
        "recorded": hostile.recorded,
    }
    wanted = sys.argv[3:] or cases
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        running = {name: pool.submit(cases[name]) for name in wanted}
        for name, future in running.items():
            tap.check(name, lambda one: one.result(120), future)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
