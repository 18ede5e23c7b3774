#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What kymo-cli replay --serve says, read by a client that is not Kymo's."""
import os
import pathlib
import pty
import random
import struct
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))

import ccs_client as ccs
import recording
from harness import Compare, Tap, run
from serving import MEMORY_FACTOR, Serving

# What PE 0 of a real program answers on a machine of 64 bits, little endian.
ARCH = bytes.fromhex("0a0b020104080801")
KEY = "0 112233445566778899\n"
KEY_BYTES = bytes([11, 22, 33, 44, 55, 66, 77, 88, 99])


def told(port, handler=ccs.DETAIL, n=1 << 30, timeout=30, every_s=0.0):
    """Blocks up to the end of the program, or n of them. Who asks when the port
    is being closed is reset, or gets nothing."""
    blocks = []
    until = time.monotonic() + timeout
    while len(blocks) < n and time.monotonic() < until:
        try:
            payload = ccs.ask(port, handler)
        except (ConnectionRefusedError, ConnectionResetError, ccs.Closed):
            break
        if payload not in (b"", ccs.NOTHING[handler]):
            blocks.append(payload)
        else:
            time.sleep(max(every_s, 0.005))
    return blocks


def wait_for(function, what, seconds=60):
    """Until it is true: a busy machine is late with all."""
    limit = time.monotonic() + seconds
    while not function():
        if time.monotonic() > limit:
            raise AssertionError(f"waited {seconds} s for {what}")
        time.sleep(0.02)


def is_open(port):
    """Asks for nothing that is gone then."""
    try:
        ccs.ask(port, "debug/converse/arch")
        return True
    except (ConnectionRefusedError, ConnectionResetError):
        return False


class Server:
    def __init__(self, program, source):
        self.program = program
        self.source = pathlib.Path(source)
        self.folder = tempfile.TemporaryDirectory(prefix="kymo-live-")
        self.tmp = pathlib.Path(self.folder.name)

    def made(self, name="made", n=6, **options):
        path = self.tmp / f"{name}.kymostream"
        if not path.exists():
            recording.write(path, ccs.DETAIL, recording.numbered(n), **options)
        return path

    def replies(self):
        folder = self.source / "tests" / "data" / "ccs-replies"
        return {path.name: path.read_bytes() for path in sorted(folder.glob("*.rep"))}

    # -- a good server ------------------------------------------------------
    def captured_replies(self):
        """What was recorded of a program comes out byte for byte."""
        c = Compare()
        for case, handler, pes in (("ccs-stream-load-p4", ccs.DETAIL, 4),
                                   ("ccs-stream-leanmd-p6", ccs.DETAIL, 6),
                                   ("ccs-stream-load-p1", ccs.DETAIL, 1),
                                   ("ccs-summary-uchar-load-p4", ccs.SHARES, 4)):
            replies = [reply for name, reply in self.replies().items() if name.startswith(case)]
            blocks = [reply[4:] for reply in replies if reply[4:] != ccs.NOTHING[handler]]
            nothing = [reply for reply in replies if reply[4:] == ccs.NOTHING[handler]]
            c.true(f"{case} is in the repository", blocks and nothing)
            path = recording.write(self.tmp / f"{case}.kymostream", handler, blocks, pes=pes,
                                   first_us=300_000, more="word-bits: 64\n")
            with Serving(self.program, path) as peer:
                c.equal(f"{case} nothing", ccs.exchange(peer.port, ccs.header(handler))[0],
                        nothing[0])
                c.equal(f"{case} arch", ccs.ask(peer.port, "debug/converse/arch"), ARCH)
                c.equal(f"{case} info", ccs.ask(peer.port, "ccs_getinfo"),
                        struct.pack(f">{pes + 1}i", pes, *[1] * pes))
                c.equal(f"{case} blocks", told(peer.port, handler), blocks)
        return c.problems

    def captured_exchanges(self, folder):
        """Every request of a captured session gets its reply; blocks come in
        their order, and a request that came too early for one gets nothing."""
        c = Compare()
        exchanges = list(recording.captured(folder))
        handlers = [entry["handler"] for _, _, entry in exchanges if entry.get("handler")]
        handler = handlers[-1]
        info = next(rep for _, rep, entry in exchanges if entry.get("handler") == "ccs_getinfo")
        blocks = [rep[4:] for _, rep, entry in exchanges
                  if entry.get("handler") == handler and rep[4:] != ccs.NOTHING[handler]]
        path = recording.write(self.tmp / f"{folder.name}-all.kymostream", handler, blocks,
                               pes=struct.unpack(">i", info[4:8])[0])
        got = []
        with Serving(self.program, path, "--speed", 0) as peer:
            for request, reply, entry in exchanges:
                if entry.get("handler") == handler and reply[4:] == ccs.NOTHING[handler]:
                    continue
                name = f"{folder.name} {entry['file']}"
                c.equal(name, ccs.exchange(peer.port, request)[0], reply)
                got.append(reply)
            c.equal("ended", peer.wait(), 0)
        c.true(f"{folder.name} was looked at", len(got) > 3)
        return c.problems

    def byte_orders(self):
        c = Compare()
        little, big = recording.numbered(3), recording.numbered(3, order=">")
        path = recording.write(self.tmp / "big.kymostream", ccs.DETAIL, big, order="big",
                               more="word-bits: 32\nprocesses: 2\n", pes=5)
        with Serving(self.program, path, "--speed", 0) as peer:
            c.equal("arch of 32 bits", ccs.ask(peer.port, "debug/converse/arch"),
                    bytes.fromhex("0a0b010204040801"))
            c.equal("info", ccs.ask(peer.port, "ccs_getinfo"), struct.pack(">3i", 2, 3, 2))
            c.equal("big", told(peer.port), big)
        with Serving(self.program, path, "--speed", 0, "--misbehave", "swap") as peer:
            c.equal("arch swapped", ccs.ask(peer.port, "debug/converse/arch")[3], 1)
            c.equal("big swapped", told(peer.port), [b[:4] + struct.pack("<i", 4) + b[8:]
                                                     for b in little])
        path = recording.write(self.tmp / "unknown.kymostream", ccs.DETAIL, little, pes=0)
        with Serving(self.program, path, "--speed", 0) as peer:
            c.equal("PEs of the blocks", ccs.ask(peer.port, "ccs_getinfo"),
                    struct.pack(">5i", 4, 1, 1, 1, 1))
        seconds = [struct.pack("<3d", 1.5, 0.25, i) for i in range(3)]
        path = recording.write(self.tmp / "doubles.kymostream", ccs.DOUBLES, seconds,
                               first_us=300_000)
        with Serving(self.program, path) as peer:
            c.equal("no double", ccs.ask(peer.port, ccs.DOUBLES), ccs.NOTHING[ccs.DOUBLES])
            c.equal("doubles", told(peer.port, ccs.DOUBLES), seconds)
        with Serving(self.program, path, "--misbehave", "swap") as peer:
            c.equal("no double swapped", ccs.ask(peer.port, ccs.DOUBLES),
                    ccs.NOTHING[ccs.DOUBLES][::-1])
        return c.problems

    def pace(self):
        """Blocks come at their distance, and wait where nobody asks."""
        c = Compare()
        path = self.made("pace", 5, apart_us=400_000)
        blocks = recording.numbered(5)
        for speed in (1, 4):
            # Late ones may be the machine's fault: the best of some tries counts.
            for last in (False, False, False, True):
                late = self.keeps_pace(c, path, blocks, speed)
                if not late:
                    break
                for words in late if last else ():
                    c.true(words, False)
        with Serving(self.program, path, "--speed", 4) as peer:
            time.sleep(0.5)
            c.equal("waiting blocks", [ccs.ask(peer.port, ccs.DETAIL) for _ in range(4)],
                    blocks[:4])
        return c.problems

    def keeps_pace(self, c, path, blocks, speed):
        """Words of blocks that came late; none may come early."""
        late = []
        with Serving(self.program, path, "--speed", speed) as peer:
            begin = time.monotonic()
            first = ccs.ask(peer.port, ccs.DETAIL)
            if time.monotonic() < begin + 0.4 / speed - 0.05:
                c.equal("too early", first, bytes(4))
            got, at = [], []
            while len(got) < 5 and time.monotonic() < begin + 120:
                payload = first or ccs.ask(peer.port, ccs.DETAIL)
                first = None
                if payload != bytes(4):
                    got.append(payload)
                    at.append(time.monotonic() - begin)
                time.sleep(0.005)
            c.equal(f"blocks at speed {speed}", got, blocks)
            for i, when in enumerate(at):
                due = 0.4 * (i + 1) / speed
                words = f"block {i} at {when:.3f} s, due at {due:.3f}"
                c.true(words, due - 0.15 < when)
                late += [words] if when >= due + 1 else []
        return late

    def ends(self):
        c = Compare()
        path = self.made()
        blocks = recording.numbered(6)
        with Serving(self.program, path, "--speed", 0) as peer:
            c.equal("blocks", told(peer.port), blocks)
            c.equal("exit", peer.wait(), 0)
            c.true("told how to attach", b"kymo-cli attach localhost:%d" % peer.port in peer.err)
        with Serving(self.program, path, "--speed", 0, "--quiet") as peer:
            ccs.ask(peer.port, ccs.DETAIL)
            c.equal("stopped", peer.stop(), 0)
            c.equal("quiet", peer.err, b"")
        outer, inner = pty.openpty()
        with Serving(self.program, path, stderr=inner) as peer:
            shown = os.read(outer, 1000)
            while b"\n" not in shown:
                shown += os.read(outer, 1000)
            time.sleep(0.6)                 # longer than progress needs to be shown
            os.close(inner)
            os.set_blocking(outer, False)
            try:
                shown += os.read(outer, 1000)
            except BlockingIOError:
                pass
            c.true(f"a terminal shows no progress: {shown}", b"%" not in shown)
            c.equal("it told how to attach", shown.count(b"\n"), 1)
        os.close(outer)
        with Serving(self.program, path, "--speed", 0, "--repeat") as peer:
            c.equal("repeated", told(peer.port, n=14), (blocks * 3)[:14])
            c.equal("still there", peer.process.poll(), None)
        return c.problems

    def damaged(self):
        """What is whole is served, and what is not is told."""
        c = Compare()
        data = bytearray(self.made().read_bytes())
        blocks = recording.numbered(6)
        at = data.index(blocks[2])
        data[at + 100] ^= 0xff
        path = self.tmp / "damaged.kymostream"
        path.write_bytes(data)
        with Serving(self.program, path, "--speed", 0, "--strict") as peer:
            c.equal("blocks", told(peer.port), blocks[:2] + blocks[3:])
            c.equal("exit", peer.wait(), 3)
            c.true(f"told: {peer.err}", b"lost: " in peer.err)
        return c.problems

    def programs(self):
        """A recording of two programs, as attach makes it of a job that was
        started again: the port closes between them."""
        c = Compare()
        forms = [f"handler: {ccs.DETAIL}\nbyte-order: {order}\npes: {pes}\n".encode()
                 for order, pes in (("little", 4), ("little", 9), ("big", 6))]
        blocks = recording.numbered(2), recording.numbered(2, pes=6, order=">")
        at = recording.BEGIN_US
        frames = [(recording.FORM, at, -1, forms[0])]
        frames += [(recording.REPLY, at, -1, block) for block in blocks[0]]
        frames += [(recording.FORM, at, -1, form) for form in forms[1:]]
        frames += [(recording.REPLY, at, -1, block) for block in blocks[1]]
        path = recording.write_frames(self.tmp / "programs.kymostream", frames)
        with Serving(self.program, path, "--speed", 0, "--repeat") as peer:
            for index in (0, 1, 0):
                c.equal(f"arch of program {index}", ccs.ask(peer.port, "debug/converse/arch")[3],
                        index + 1)
                c.equal(f"blocks of program {index}", told(peer.port), list(blocks[index]))
                try:
                    ccs.ask(peer.port, ccs.DETAIL)
                    c.true("the port is open between", False)
                except (ConnectionRefusedError, ConnectionResetError):
                    pass
                wait_for(lambda: is_open(peer.port), "the next program")
        with Serving(self.program, path, "--speed", 0) as peer:
            got = told(peer.port)
            wait_for(lambda: is_open(peer.port), "the next program")
            c.equal("both", got + told(peer.port), blocks[0] + blocks[1])
            c.equal("exit", peer.wait(), 0)
        return c.problems

    def keys(self):
        c = Compare()
        key = self.tmp / "keys.txt"
        key.write_text(KEY + "3 0102\n")
        blocks = recording.numbered(6)
        with Serving(self.program, self.made(), "--speed", 0, "--key", key) as peer:
            c.equal("no key", ccs.exchange(peer.port, ccs.header("ccs_getinfo")), (b"", True))
            client, other = ccs.Login(peer.port, KEY_BYTES), ccs.Login(peer.port, bytes([1, 2]), 3)
            for who in (client, other, client):
                reply, right = who.call("ccs_getinfo")
                c.equal("info", reply, struct.pack(">6i", 20, 4, 1, 1, 1, 1))
                c.true("reply is signed", right)
            for index in range(3):
                reply, right = client.call(ccs.DETAIL)
                c.equal(f"block {index}", reply[4:], blocks[index])
            client.salt -= 1
            c.equal("a call again", client.call(ccs.DETAIL), (b"", False))
            c.equal("it did not count", client.call(ccs.DETAIL)[0][4:], blocks[3])
            other.level = 0
            c.equal("another level", other.call("ccs_getinfo"), (b"", False))
            for name, key_bytes, level in (("wrong key", b"wrong", 0), ("no level", KEY_BYTES, 7),
                                           ("not even one", KEY_BYTES, 255)):
                try:
                    ccs.Login(peer.port, key_bytes, level)
                    c.true(name, False)
                except (AssertionError, ConnectionResetError):
                    pass
            for _ in range(300):
                newest = ccs.Login(peer.port, KEY_BYTES)
            c.equal("the newest of many", newest.call("ccs_getinfo")[1], True)
            c.equal("the oldest of many", client.call("ccs_getinfo"), (b"", False))
        with Serving(self.program, self.made()) as peer:
            try:
                ccs.Login(peer.port, KEY_BYTES)
                c.true("login without keys", False)
            except (AssertionError, ConnectionResetError):
                pass
            c.equal("server without keys", ccs.ask(peer.port, "ccs_getinfo")[:4],
                    struct.pack(">i", 4))
        return c.problems

    def loopback(self):
        """Nothing of it is to be seen from another machine."""
        c = Compare()
        with Serving(self.program, self.made()) as peer:
            c.equal("IPv4", self.listening("tcp", peer.port), {"0100007F"})
            own = self.listening("tcp6", peer.port)
            c.true(f"IPv6 {own}", own in (set(), {"00000000000000000000000001000000"}))
            if own:
                c.equal("asked by IPv6", ccs.ask(peer.port, "debug/converse/arch", host="::1"),
                        ARCH)
            result = run(self.program, "replay", self.made(), "--serve", peer.port)
            c.equal("port twice", result.code, 1)
            c.true(result.err, f"port {peer.port} of this machine cannot be opened" in result.err)
        return c.problems

    @staticmethod
    def listening(kind, port):
        path = pathlib.Path("/proc/net") / kind
        lines = path.read_text().splitlines()[1:] if path.exists() else []
        places = [line.split()[1] for line in lines if line.split()[3] == "0A"]
        return {place.split(":")[0] for place in places if int(place.split(":")[1], 16) == port}

    # -- bad clients --------------------------------------------------------
    def requests(self):
        c = Compare()
        head = ccs.header
        with Serving(self.program, self.made()) as peer:
            for pe, good in ((0, True), (3, True), (-1, True), (4, False), (99999, False)):
                got = ccs.exchange(peer.port, head("ccs_getinfo", pe))[0]
                c.equal(f"PE {pe}", len(got), 24 if good else 0)
            for pes in ((0, 3), (1, 4), tuple(range(4)) * 4000):
                got = ccs.exchange(peer.port, head("ccs_getinfo", -len(pes))
                                   + struct.pack(f">{len(pes)}i", *pes))[0]
                c.equal(f"{len(pes)} PEs", len(got), 24 if max(pes) < 4 else 0)
            c.equal("data", len(ccs.ask(peer.port, "ccs_getinfo", data=bytes(65536))), 20)
            c.equal("unknown", ccs.ask(peer.port, "no such handler"), b"")
            c.equal("a full name", ccs.ask(peer.port, "x" * 32), b"")
            for name, request in (("too much data", head("ccs_getinfo", 0, 65537)),
                                  ("a negative list", head("ccs_getinfo", -0x80000000)),
                                  ("a long list", head("ccs_getinfo", -20000)),
                                  ("text", b"GET / HTTP/1.1\r\n\r\n"), ("0xff", b"\xff" * 40),
                                  ("a login of another kind", bytes([0x80, 7, 1, 0]) + bytes(4)),
                                  ("no kind", bytes([0x80, 0, 9, 0]) + bytes(4))):
                c.equal(name, ccs.exchange(peer.port, request)[0], b"")
            with ccs.connect(peer.port) as slow:
                for byte in head("debug/converse/arch"):
                    slow.sendall(bytes([byte]))
                c.equal("byte by byte", ccs.read_all(slow)[0][4:], ARCH)
            with ccs.connect(peer.port, timeout=20) as silent:
                silent.sendall(b"\0\0\0\0")
                begin = time.monotonic()
                c.equal("half a request", ccs.read_all(silent)[0], b"")
                c.true("it waits ten seconds", 8 < time.monotonic() - begin < 15)
        return c.problems

    def salad(self):
        """Random bytes, some of them almost requests."""
        c = Compare()
        rand = random.Random(20261121)
        with Serving(self.program, self.made()) as peer:
            ccs.ask(peer.port, "ccs_getinfo")
            files, begin = peer.n_files(), peer.rss_bytes()
            for i in range(600):
                size = rand.choice((0, 1, 3, 4, 8, 31, 39, 40, 41, 72, 200, 70000))
                salad = rand.randbytes(size)
                if i % 3 == 0:
                    salad = bytes([rand.choice((0x80, 0)), 0, rand.randrange(3), 0]) + salad[4:]
                with ccs.connect(peer.port) as client:
                    try:
                        client.sendall(salad)
                        if i % 5 == 0:
                            client.shutdown(1)
                            client.recv(100)
                    except OSError:
                        pass
            c.equal("it still serves", ccs.ask(peer.port, "debug/converse/arch"), ARCH)
            wait_for(lambda: peer.n_files() <= files + 1, "connections to be closed")
            c.true(f"{peer.n_files()} of {files} files", peer.n_files() <= files + 1)
            c.true("memory", peer.rss_bytes() < begin + (8 << 20) * MEMORY_FACTOR)
            c.equal("stopped", peer.stop(), 0)
            c.true("nothing was said", peer.err.count(b"\n") == 1)
        return c.problems

    def crowd(self):
        """Two hundred clients at once, most of which say nothing; and
        thousands one after the other."""
        c = Compare()
        with Serving(self.program, self.made(), "--repeat", "--speed", 0) as peer:
            ccs.ask(peer.port, "ccs_getinfo")
            files = peer.n_files()
            silent = [ccs.connect(peer.port) for _ in range(100)]
            answers = []
            threads = [threading.Thread(target=lambda: answers.append(
                ccs.ask(peer.port, "debug/converse/arch", timeout=30))) for _ in range(100)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            c.equal("answers", answers, [ARCH] * 100)
            for client in silent:
                client.close()
            for _ in range(3000):
                ccs.ask(peer.port, ccs.DETAIL)
            wait_for(lambda: peer.n_files() <= files + 1, "connections to be closed")
            c.true(f"{peer.n_files()} of {files} files", peer.n_files() <= files + 1)
            c.true(f"{peer.rss_bytes()} bytes", peer.rss_bytes() < (60 << 20) * MEMORY_FACTOR)
        return c.problems

    # -- faults -------------------------------------------------------------
    def faults(self):
        c = Compare()
        blocks = recording.numbered(6)
        whole = [struct.pack(">i", len(block)) + block for block in blocks]

        def second(fault):
            """The second of three replies, the blocks beside it being good."""
            with Serving(self.program, self.made(), "--speed", 0, "--misbehave", fault) as peer:
                got = []
                for _ in range(3):
                    with ccs.connect(peer.port, timeout=1.5) as client:
                        client.sendall(ccs.header(ccs.DETAIL))
                        try:
                            got.append(ccs.read_all(client, 1.5))
                        except TimeoutError:
                            got.append("hangs")
                after = 1 if fault in ("reset=2", "close=2") else 2
                c.equal(f"{fault}: before", got[0], (whole[0], False))
                c.equal(f"{fault}: after", got[2], (whole[after], False))
                return got[1]

        c.equal("reset", second("reset=2"), (b"", True))
        c.equal("close", second("close=2"), (b"", False))
        c.equal("half", second("half=2")[0], whole[1][:len(whole[1]) // 2])
        for fault in ("drip=2", "hang=2", "huge=2"):
            c.equal(fault, second(fault), "hangs")
        c.equal("negative", second("negative=2")[0], b"\xff" * 4 + blocks[1])
        garbage = second("garbage=2")[0]
        c.true("garbage", len(garbage) == len(whole[1]) and garbage[4:] != blocks[1])
        c.equal("garbage is the same each time", second("garbage=2")[0], garbage)
        c.equal("bins", second("bins=2")[0][4:], struct.pack("<i", 1007) + blocks[1][4:])
        records = second("records=2")[0]
        c.equal("records", struct.unpack("<iiH", records[4:14]), (1, 4, 60000))
        c.equal("records are there", len(records), 14 + 3 * 60000)
        return c.problems

    def faults_of_time(self):
        c = Compare()
        blocks = recording.numbered(6)

        def serve(fault, *args):
            return Serving(self.program, self.made(), "--speed", 0, "--misbehave", fault, *args)

        with serve("start=2") as peer:
            c.equal("start", [ccs.ask(peer.port, ccs.DETAIL) for _ in range(3)],
                    [b"", b"", blocks[0]])
        with serve("late=700") as peer:
            begin = time.monotonic()
            c.equal("late", ccs.ask(peer.port, ccs.DETAIL), blocks[0])
            c.true("when", 0.6 < time.monotonic() - begin < 3)
        with serve("steal=3") as peer:
            c.equal("steal", told(peer.port), [blocks[i] for i in (0, 1, 3, 4)])
            c.equal("steal ends", peer.wait(), 0)
        with serve("refuse=1") as peer:
            got = [ccs.ask(peer.port, ccs.DETAIL) for _ in range(3)]
            wait_for(lambda: not is_open(peer.port), "the port to be closed")
            wait_for(lambda: is_open(peer.port), "the port to be open")
            c.equal("refuse", got + told(peer.port), blocks)
        with serve("no-arch,no-stream") as peer:
            c.equal("no arch", ccs.ask(peer.port, "debug/converse/arch"), b"")
            c.equal("no stream", ccs.ask(peer.port, ccs.DETAIL), b"")
        with serve("drip=1") as peer:
            with ccs.connect(peer.port, timeout=10) as client:
                client.sendall(ccs.header(ccs.DETAIL))
                begin = time.monotonic()
                c.equal("drops", ccs.Login.read(client, 3), struct.pack(">i", len(blocks[0]))[:3])
                c.true("a second each", 1.8 < time.monotonic() - begin < 5)
        return c.problems

    def wrong_words(self):
        c = Compare()
        text = self.tmp / "no recording"
        text.write_text("hello\n")
        empty = recording.write(self.tmp / "empty.kymostream", ccs.DETAIL, [])
        formless = recording.write_frames(
            self.tmp / "formless.kymostream",
            [(recording.REPLY, recording.BEGIN_US, 0, recording.numbered(1)[0])])
        good = self.made()
        for path, args, code, words in (
                (good, ["--misbehave", "cheat"], 2, "“cheat” is nothing that can go wrong here"),
                (good, ["--misbehave", "half=0"], 2, "“0” is no number for “half”"),
                (good, ["--misbehave", "half=x"], 2, "“x” is no number for “half”"),
                (good, ["--key", text], 1, "no key"),
                (good, ["--serve", "65536"], 2, "“65536” is no port"),
                (text, [], 1, ""), (self.tmp / "none", [], 1, ""),
                (empty, [], 1, "holds no block"),
                (formless, [], 1, "does not say what stream it is of")):
            result = run(self.program, "replay", path, "--serve", "0", *args)
            c.equal(f"{path.name} {args}", result.code, code)
            c.true(f"{words}: {result.err}", words in result.err and result.err.count("\n") == 1)
        text = run(self.program, "replay", "--help").out.decode()
        for name in ("start=3", "half=3", "no-stream"):
            c.true(f"--help tells {name}", name in text)
        return c.problems


def main():
    program, source = sys.argv[1:3]
    server, tap = Server(program, source), Tap()
    traces = pathlib.Path(os.environ.get("KYMO_TRACES")
                          or server.source / ".." / "shared" / "traces" / "projections")
    tap.check("captured replies come out byte for byte", server.captured_replies)
    for folder in sorted(traces.glob("ccs-*")) if traces.is_dir() else []:
        if "auth" not in folder.name:
            tap.check(f"captured session {folder.name}", server.captured_exchanges, folder)
    tap.check("both byte orders, all streams", server.byte_orders)
    tap.check("blocks at their pace", server.pace)
    tap.check("the end, and none", server.ends)
    tap.check("a damaged recording", server.damaged)
    tap.check("two programs in a recording", server.programs)
    tap.check("keys", server.keys)
    tap.check("loopback only", server.loopback)
    tap.check("requests of all kinds", server.requests)
    tap.check("random bytes", server.salad)
    tap.check("many clients", server.crowd)
    tap.check("faults", server.faults)
    tap.check("faults of time", server.faults_of_time)
    tap.check("wrong words", server.wrong_words)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
