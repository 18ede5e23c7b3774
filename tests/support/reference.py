# SPDX-License-Identifier: GPL-3.0-or-later
"""A second reader of Projections logs, written to be obvious, not fast.

It shares no code and no idea with the engine: records become one list of
pieces a location (begin, end, state, block), and every question is a loop
over them. Times are nanoseconds.
"""
import collections
import gc
import gzip
import hashlib
import os
import pathlib
import pickle
import re
import tempfile

Piece = collections.namedtuple("Piece", "begin end state block")
Block = collections.namedtuple("Block", "begin ep ev src ids bytes")
IDLE, OVERHEAD, UNTRACED = "idle", "overhead", "untraced"


def read_sts(path):
    """version, dimensions by entry id, number of counters."""
    version, chares, entries, counters = 11.0, {}, {}, 0
    for line in path.read_bytes().decode("utf-8", "replace").splitlines():
        words = line.split()
        if not words:
            continue
        if words[0] == "VERSION":
            version = float(words[1])
        elif words[0] == "TOTAL_PAPI_EVENTS":
            counters = int(words[1])
        elif words[0] == "CHARE" and version >= 9:
            chares[int(words[1])] = int(words[-1])
        elif words[0] == "ENTRY":
            entries[int(words[2])] = int(words[-2])
    return version, {e: chares.get(c, -1) for e, c in entries.items()}, counters


class Location:
    """One log: its records, its pieces, and what it sent."""

    def __init__(self, lines, version, dims):
        self.records = 0
        self.times = []
        self.blocks, self.ends = [], []
        self.sends = []                # (ep, ev, bytes, destinations, time)
        self.creations = {}            # ev: the first (time, ep, kind, block)
        self.points = collections.Counter()
        self.pieces = []
        self.only_ends = True          # nothing but records 6 and 7
        self._stack, self._idle, self._off = [], False, False
        self._at = None
        for line in lines:
            self._record(line, version, dims)
        self._move(max(self.times) if self.times else 0, closing=True)
        if self.only_ends:             # tracing was off from the start
            self.pieces = [p._replace(state=UNTRACED) for p in self.pieces]

    def _state(self):
        if self._stack:
            return self.blocks[self._stack[-1]].ep, self._stack[-1]
        if self._off:
            return UNTRACED, None
        return (IDLE if self._idle else OVERHEAD), None

    def _move(self, time, closing=False):
        """Ends the current piece; an empty one stays where a block was."""
        if self._at is not None:
            state, block = self._state()
            if time > self._at or block is not None:
                self.pieces.append(Piece(self._at, max(time, self._at), state,
                                         block))
        self._at = time if self._at is None else max(time, self._at)
        if closing:
            self._close()

    def _close(self, n=None):
        """The innermost n open blocks end here; None: all."""
        for _ in range(len(self._stack) if n is None else n):
            self.ends[self._stack.pop()] = self._at

    def _record(self, line, version, dims):
        words = line.split(b" ", 12)
        try:
            kind = int(words[0])
        except ValueError:
            return
        self.records += 1
        fields = line.split()
        if kind in (1, 2, 3, 20, 21):
            self._message(kind, [int(float(w)) for w in fields], version, dims)
            self.only_ends = False
        elif kind in (6, 7, 11, 12, 14, 15):
            time = int(fields[1]) * 1000
            self.times.append(time)
            if self._at is None or kind in (7, 11, 12, 14, 15):
                self._move(time)
            if kind in (7, 12):
                self._close()
                self._idle = False
            if kind in (14, 15):
                self._idle = kind == 14
            if kind in (11, 12):
                self._off = kind == 12
            self.only_ends &= kind in (6, 7)
        else:
            self.only_ends = False
            place = {26: 2, 27: 2, 28: 1, 29: 1, 30: None, 32: 1, 13: 2, 98: 2,
                     99: 2, 100: 2}.get(kind, 1)
            if place is not None:
                self.times.append(int(float(fields[place])) * 1000)
            if kind == 13:
                self.points[int(fields[1])] += 1

    def _message(self, kind, f, version, dims):
        ep, time, ev = f[2], f[3] * 1000, f[4]
        self.times.append(time)
        if kind == 3:
            self._move(time)
            if self._stack:
                self._close(1)
        elif kind == 2:
            self._move(time)
            n = dims.get(ep, -1) if version >= 9 else -1
            n = 4 if n < 1 else n
            self._stack.append(len(self.blocks))
            self.ends.append(time)
            self.blocks.append(Block(time, ep, ev, f[5], tuple(f[8:8 + n]),
                                     f[6]))
        else:
            destinations = 1 if kind == 1 else f[8]
            self.sends.append((ep, ev, f[6], destinations, time))
            block = self._stack[-1] if self._stack else None
            self.creations.setdefault(ev, (time, ep, kind, block))

    @property
    def begin(self):
        return min(self.times)

    @property
    def end(self):
        return max(self.times)

    def calls(self):
        """Per entry: distinct (source, event, entry, ids), others each."""
        distinct = {(b.src, b.ev, b.ep, b.ids) for b in self.blocks if b.ev >= 0}
        count = collections.Counter(ep for _, _, ep, _ in distinct)
        count.update(b.ep for b in self.blocks if b.ev < 0)
        return count

    def received(self):
        distinct = {(b.src, b.ev, b.ep, b.ids) for b in self.blocks if b.ev >= 0}
        return collections.Counter(src for src, _, _, _ in distinct)

    def blocks_by_entry(self):
        return collections.Counter(b.ep for b in self.blocks)

    def time(self, begin=None, end=None):
        """ns per state inside [begin, end)."""
        sums = collections.Counter()
        for p in self.pieces:
            b = p.begin if begin is None else max(p.begin, begin)
            e = p.end if end is None else min(p.end, end)
            if e > b:
                sums[p.state] += e - b
        return sums

    def durations(self):
        """Exclusive time of every piece of every block."""
        return [(p.state, p.end - p.begin) for p in self.pieces
                if p.block is not None]

    def call_durations(self):
        """Exclusive time of every call, all its blocks and pieces joined."""
        sums = collections.Counter()
        for p in self.pieces:
            if p.block is not None:
                b = self.blocks[p.block]
                key = (b.src, b.ev, b.ep, b.ids)
                sums[key if b.ev >= 0 else p.block, b.ep] += p.end - p.begin
        return [(ep, ns) for (_, ep), ns in sums.items()]


def read_run(folder):
    """All logs of the one run in a folder, by PE; None where binary. What one test has read of a
    recording is kept for the others: KYMO_TEST_KEPT in the environment is the folder for it."""
    kept = os.environ.get("KYMO_TEST_KEPT")
    folder = pathlib.Path(folder).resolve()
    root = pathlib.Path(__file__).resolve().parents[2]
    if not kept or not any(map(folder.is_relative_to, (root, root.parent / "shared"))):
        return read_logs(folder)
    stamp = hashlib.sha256(pathlib.Path(__file__).read_bytes() + str(folder).encode())
    for path in sorted(folder.rglob("*")):
        state = path.stat()
        stamp.update(f"{path} {state.st_size} {state.st_mtime_ns}".encode())
    store = pathlib.Path(kept) / f"{stamp.hexdigest()}.pickle"
    # Nothing of it is garbage, and looking for that takes as long as the rest.
    gc.disable()
    try:
        return pickle.loads(store.read_bytes())
    except OSError:
        pass
    finally:
        gc.enable()
    run = read_logs(folder)
    store.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=store.parent, delete=False) as file:
        pickle.dump(run, file, -1)
    os.replace(file.name, store)
    return run


def read_logs(folder):
    sts = [p for p in folder.glob("*.sts")
           if not p.name.endswith((".sum.sts", ".util.sts"))]
    if len(sts) != 1:
        return None
    version, dims, _ = read_sts(sts[0])
    base = sts[0].name[:-len(".sts")]
    run = {}
    files = list(folder.glob(base + ".*.log*"))
    files += folder.glob("*.projdir.*/*.log*")
    for path in files:
        match = re.search(r"\.(\d+)\.log(\.gz)?$", path.name)
        if not match:
            continue
        data = (gzip.open if match.group(2) else open)(path, "rb").read()
        if not data.startswith(b"PROJECTIONS-RECORD"):
            return None
        run[int(match.group(1))] = Location(data.split(b"\n")[1:], version, dims)
    return run


def comm_threads(folder, run):
    """PEs of the communication threads: those after the workers."""
    sts = next(p for p in pathlib.Path(folder).glob("*.sts")
               if not p.name.endswith((".sum.sts", ".util.sts")))
    for line in sts.read_text(errors="replace").splitlines():
        words = line.split()
        if words[:1] == ["SMPMODE"]:
            return {pe for pe in run if pe >= int(words[1]) * int(words[2])}
    return set()


def ways(run, comm, with_event=False):
    """Every message from its first creation to where it arrives: (from, to,
    sent or None, begin, entry, via, certain), a way being one message; and, by
    choice, its number where it was created."""
    found = []
    passed_on = {pe: {c[3] for c in run[pe].creations.values()}
                 for pe in comm}
    for to, location in run.items():
        seen = set()
        for index, b in enumerate(location.blocks):
            key = (b.src, b.ev, b.ep, b.ids)
            if b.ev < 0 or key in seen:
                continue
            seen.add(key)
            if to in comm and index in passed_on[to]:
                continue
            way = way_of(run, comm, to, b)
            found.append(way if with_event else way[:-1])
    return found


def way_of(run, comm, to, first):
    via, certain, block = [], True, first
    while True:
        sender = run.get(block.src)
        creation = sender.creations.get(block.ev) if sender else None
        if creation is None:
            return block.src, to, None, first.begin, first.ep, via, False, block.ev
        time, ep, kind, inside = creation
        certain = certain and (kind != 1 or ep == block.ep)
        if block.src not in comm or inside is None \
                or sender.blocks[inside].ev < 0 or len(via) == 4:
            return (block.src, to, time, first.begin, first.ep, via, certain,
                    block.ev)
        via.insert(0, block.src)
        block = sender.blocks[inside]


def histogram(durations, low, high, bins):
    """total, below and above, with even edges."""
    total, below, above = [0] * bins, 0, 0
    for duration in durations:
        if duration < low:
            below += 1
        elif duration >= high:
            above += 1
        else:
            total[(duration - low) * bins // (high - low)] += 1
    return total, below, above
