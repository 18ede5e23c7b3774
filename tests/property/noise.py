# SPDX-License-Identifier: GPL-3.0-or-later
"""One file of a run is damaged, in every format that has a file for each PE, rank or
thread: noise in the middle or at the begin, bytes inserted or deleted, turned bits,
changed digits, absurd times, a cut, a stretch that stands twice. Whatever the damage,
the run's axis is not stretched, its phases and points do not multiply, all other
locations keep their figures to the nanosecond, and the load report names the file.

Usage: noise.py KYMO-CLI SOURCE-ROOT [SEEDS]
"""
import gzip
import os
import pathlib
import random
import re
import shutil
import struct
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import binary_log  # noqa: E402
import harness  # noqa: E402

NOISE_BYTES = 2000
STEP_NS = 10 ** 6          # what a time may be off without being absurd
TAU_RECORD = 24
MOST_LOST = 20             # records in and beside so many bytes as are inserted or deleted


# Kinds of damage: (random numbers, bytes) -> bytes, or None where it does not fit ---------

def size_of_noise(data):
    return min(NOISE_BYTES, len(data) // 3)


def noise_over(rng, data):
    n = size_of_noise(data)
    at = rng.randrange(len(data) // 4, 3 * len(data) // 4 - n // 2)
    return data[:at] + rng.randbytes(n) + data[at + n:]


def noise_between(rng, data):
    at = rng.randrange(len(data) // 4, 3 * len(data) // 4)
    return data[:at] + rng.randbytes(size_of_noise(data)) + data[at:]


def noise_at_begin(rng, data):
    n = rng.randrange(1, 400)
    return rng.randbytes(n) + data[n:]


def noise_at_end(rng, data):
    n = rng.randrange(1, min(400, len(data) // 4))
    return data[:-n] + rng.randbytes(n)


def turned_bits(rng, data):
    damaged = bytearray(data)
    for _ in range(rng.randrange(1, 30)):
        damaged[rng.randrange(len(damaged))] ^= 1 << rng.randrange(8)
    return bytes(damaged)


def scattered_bits(rng, data):
    """So many that times far away stand in long rows."""
    damaged = bytearray(data)
    for _ in range(rng.choice((20, 50, 200))):
        damaged[rng.randrange(len(damaged))] ^= 1 << rng.randrange(8)
    return bytes(damaged)


def scattered_digits(rng, data):
    """Digits of a text log, or bytes that happen to look like digits."""
    damaged = bytearray(data)
    places = [at for at, byte in enumerate(data) if 48 <= byte < 58 and at > 100]
    for at in rng.sample(places, min(len(places), rng.choice((20, 50, 200)))):
        damaged[at] = rng.choice(b"0123456789")
    return bytes(damaged)


def cut(rng, data):
    return data[:rng.randrange(len(data) // 4, len(data))]


def twice(rng, data):
    """A stretch of whole lines stands twice."""
    at = data.find(b"\n", rng.randrange(len(data) // 4, len(data) // 2)) + 1
    end = data.find(b"\n", at + rng.randrange(1, len(data) // 8)) + 1
    return data[:end] + data[at:end] + data[end:] if at > 0 and end > at else None


# A state, an end, or a begin of a text log: what stands before the time, and the time.
TIMED = re.compile(rb"^((?:6|7|1[4-9]|[12] \d+ \d+|3 \d+ \d+) )(\d+)(?=[ \n])", re.M)


def absurd_time(rng, data):
    """Digits of one time of a text log become others, so that it lies far off."""
    found = rng.choice(list(TIMED.finditer(data)))
    return (data[:found.start(2)] + rng.choice((b"9", b"77", b"123456")) + found.group(2)
            + data[found.end(2):])


def note_time(rng, data):
    """A digit of the time of a note becomes another one."""
    found = list(re.finditer(rb"^28 (\d+)(?= )", data, re.M))
    if not found:
        return None
    at = rng.choice(found).start(1)
    return data[:at] + rng.choice((b"8", b"9")) + data[at + 1:]


def last_time(rng, data):
    """That of END_COMPUTATION, behind which nothing tells that it is wrong."""
    found = list(TIMED.finditer(data))[-1]
    return data[:found.start(2)] + b"9" + found.group(2) + data[found.end(2):]


def late_end(rng, data):
    """END_COMPUTATION becomes somewhat later, as by one changed digit."""
    found = list(TIMED.finditer(data))[-1]
    time = int(found.group(2))
    return (data[:found.start(2)] + b"%d" % int(time * rng.uniform(1.4, 2.5))
            + data[found.end(2):])


def first_time(_rng, data):
    found = next(TIMED.finditer(data))
    return data[:found.start(2)] + b"88" + found.group(2) + data[found.end(2):]


def absurd_record(rng, data):
    """A record of a trace of TAU gets a time far off."""
    at = rng.randrange(len(data) // TAU_RECORD) * TAU_RECORD + 16
    time = struct.unpack_from("<Q", data, at)[0]
    return (data[:at] + struct.pack("<Q", time + rng.choice((10 ** 8, 10 ** 10, 10 ** 12)))
            + data[at + 8:])


def digit_of(field):
    """One digit of a field in the header of a summary becomes another one."""
    pattern = re.compile(rb"^[^\n]*?" + field + rb"([0-9.e+-]+)")

    def digit(rng, data):
        found = pattern.match(data)
        if found is None:
            return None
        at = rng.choice([i for i in range(*found.span(1)) if data[i:i + 1].isdigit()])
        other = rng.choice([d for d in b"0123456789" if d != data[at]])
        return data[:at] + bytes([other]) + data[at + 1:]

    digit.__name__ = "digit of " + field.decode()
    return digit


def any_digit(rng, data):
    """One digit behind the header of a summary becomes another one."""
    at = rng.choice([m.start() for m in re.finditer(rb"\d", data)
                     if m.start() > data.find(b"\n")])
    return data[:at] + bytes([rng.choice(b"0123456789")]) + data[at + 1:]


def marks(rng, data):
    """A summary tells of marks of the program, one of them at an absurd time."""
    return data.replace(b"NumMarks: 0 ",
                        b"NumMarks: 2 7 0.010000 9 %d.5 " % rng.randrange(1, 10 ** 7))


def header_number(rng, data):
    """The number of records in the header of a log."""
    end = data.find(b"\n")
    number = int(data[:end].split()[1]) + rng.randrange(1, 9000)
    return b"PROJECTIONS-RECORD %d" % number + data[end:]


def lines_missing(rng, data):
    """A stretch of whole lines is missing."""
    at = data.find(b"\n", rng.randrange(len(data) // 4, len(data) // 2)) + 1
    end = data.find(b"\n", at + rng.randrange(1, len(data) // 4)) + 1
    return data[:at] + data[end:]


def bytes_inserted(rng, data):
    """So many that the records behind them are shifted."""
    at = rng.randrange(len(data) // 8, 7 * len(data) // 8)
    return data[:at] + rng.randbytes(rng.randrange(1, 200)) + data[at:]


def bytes_deleted(rng, data):
    at = rng.randrange(len(data) // 8, 7 * len(data) // 8)
    n = rng.randrange(1, 200)
    return data[:at] + data[at + n:] if n % TAU_RECORD > 0 else None


ANYWHERE = (noise_over, noise_between, noise_at_begin, noise_at_end, turned_bits, cut)
SCATTERED = (scattered_bits, scattered_digits)
SHIFTS = (bytes_inserted, bytes_deleted)
OVER = (noise_over, noise_at_begin, noise_at_end, turned_bits, cut)
LINES = (twice, absurd_time, last_time, late_end, first_time, header_number, lines_missing)
# What the lists of the file or the other files contradict, and what nothing depends on.
HEADERS = tuple(map(digit_of, (b"interval:", b"intervalSize:", b"count:", b"ep:", b"numEPs:")))
TITLES = tuple(map(digit_of, (b"phases:", b"ver:", b"ver:7.1 ", b"ver:7.1 \\d/", b"ver:7.1 cpu:",
                              b"ver:7.1 cpu:\\d/")))
N_BINS = digit_of(b"numIntervals:")
SUMMARY = ANYWHERE + HEADERS + TITLES + (N_BINS, any_digit, marks)
# A damaged log may end so much later than the others: a tenth, or 50 ms.
LATE_PART, LATE_NS = 10, 50_000_000
# Where the damage may hit what nothing depends on, so that the report need not tell.
MAY_BE_SILENT = SCATTERED + (turned_bits, noise_at_begin, noise_at_end, any_digit) + TITLES


# Runs -------------------------------------------------------------------------------------

def copy(source, place, pattern="*"):
    for path in source.glob(pattern):
        if path.is_file() and path.name != "oracle.json":
            shutil.copy(path, place)


def of_ranks(source, place):
    copy(source, place, "*[0-9].trc")
    copy(source, place, "*[0-9].edf")


def merged(source, place):
    copy(source, place, "tau.*")


def folders(source, place):
    shutil.copytree(source, place, dirs_exist_ok=True)


def compress(source, place):
    copy(source, place)
    for path in list(place.glob("*.log")):
        (place / f"{path.name}.gz").write_bytes(gzip.compress(path.read_bytes(), 6, mtime=0))
        path.unlink()


def encode(order):
    def fill(source, place):
        copy(source, place)
        binary_log.encode_run(place, order)
    return fill


def figures(program, folder):
    info = harness.run(program, "info", folder, "--format", "json", "--quiet")
    if info.code == 1:
        return info.err, None
    rows = harness.ask(program, "profile", "--per-location", folder)["per_location"]
    return info.json, {row["location"]: row for row in rows}


def moved(row, ns):
    return {**row, "begin_ns": row["begin_ns"] + ns, "end_ns": row["end_ns"] + ns}


class Runs:
    """One run, and what is true of it."""

    def __init__(self, program, folder, pattern):
        self.program, self.folder = program, folder
        self.info, self.rows = figures(program, folder)
        self.victims = sorted(folder.glob(pattern))
        self.zero_is_first = pattern.endswith((".evt", ".trc"))

    def check(self, kind, seed):
        rng = random.Random(f"{kind.__name__} {seed}")
        victim = rng.choice(self.victims)
        whole = victim.read_bytes()
        damaged = kind(rng, whole)
        if damaged is None or damaged == whole:
            return []
        victim.write_bytes(damaged)
        try:
            victims = self.locations_of(victim.name, whole, damaged)
            return [f"{kind.__name__} {seed} of {victim.name}: {problem}"
                    for problem in self.compare(kind, victim.name, victims)]
        finally:
            victim.write_bytes(whole)

    @staticmethod
    def ranks_hit(whole, damaged):
        """Of a merged trace of TAU those whose records are damaged."""
        offsets = range(0, len(whole) - TAU_RECORD + 1, TAU_RECORD)
        if len(whole) == len(damaged):
            hit = [at for at in offsets if whole[at:at + TAU_RECORD] != damaged[at:at + TAU_RECORD]]
        else:
            begin = len(os.path.commonprefix((whole, damaged)))
            end = len(whole) - len(os.path.commonprefix((whole[:begin:-1], damaged[:begin:-1])))
            hit = [at for at in offsets if at + TAU_RECORD > begin and at < end]
        return {struct.unpack_from("<H", whole, at + 4)[0] for at in hit}

    def locations_of(self, name, whole, damaged):
        """The locations that the damage is about."""
        if name == "tau.trc":
            return self.ranks_hit(whole, damaged)
        if name.endswith(".evt"):       # named by what the archive calls its locations
            return {sorted(int(path.stem) for path in self.victims).index(int(name[:-4]))}
        return {int(re.findall(r"\.(\d+)", name)[0])}

    def shift_of(self, rows, others):
        """Where time zero is that of the first record, damage to it moves all others alike."""
        if not self.zero_is_first or not others or others[0] not in rows:
            return 0
        return rows[others[0]]["begin_ns"] - self.rows[others[0]]["begin_ns"]

    def compare(self, kind, name, victims):
        c = harness.Compare()
        info, rows = figures(self.program, self.folder)
        if rows is None:
            return [f"no run: {info}"]
        span = self.info["end_ns"] - self.info["begin_ns"]
        most = STEP_NS + (max(span // LATE_PART, LATE_NS) if kind in SCATTERED else 0)
        c.true(f"begin {info['begin_ns']}, was {self.info['begin_ns']}",
               info["begin_ns"] >= self.info["begin_ns"] - most)
        c.true(f"end {info['end_ns']}, was {self.info['end_ns']}",
               info["end_ns"] <= self.info["end_ns"] + most)
        c.equal("kind", info["kind"], self.info["kind"])
        for what, more in (("phases", 1), ("location_list", 0)):
            c.true(f"{len(info[what])} {what}, {len(self.info[what])} before",
                   len(info[what]) <= len(self.info[what]) + more)
        c.true(f"{info['points']} points, {self.info['points']} before",
               info["points"] <= self.info["points"] * 2 + 2)
        others = [location for location in self.rows if location not in victims]
        shift = self.shift_of(rows, others)
        for location in others:
            c.equal(f"location {location}", rows.get(location), moved(self.rows[location], shift))
        issues = [i for i in info["report"]["issues"] if i["file"].endswith(name)
                  and i["severity"] != "note"]
        if kind in SHIFTS:
            for what in ("intervals", "points"):
                c.true(f"{info[what]} {what}, {self.info[what]} before",
                       info[what] >= self.info[what] - MOST_LOST)
        if kind in HEADERS and not any(i["what"].endswith("left out") for i in issues):
            for location in victims & set(rows):
                c.equal(f"damaged location {location}", rows[location], self.rows[location])
        if kind not in MAY_BE_SILENT or not victims & set(rows):
            c.true(f"the report does not name it: {info['report']['issues']}", issues)
        return c.problems


def check_run(program, fill, source, pattern, kinds, seeds):
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        fill(source, folder)
        runs = Runs(program, folder, pattern)
        if runs.rows is None:
            return [f"the whole run: {runs.info}"]
        return [problem for kind in kinds for seed in range(seeds)
                for problem in runs.check(kind, seed)]


def main():
    program, root = sys.argv[1], pathlib.Path(sys.argv[2]) / "tests" / "data"
    seeds = int(sys.argv[3]) if len(sys.argv) > 3 else 6
    has_otf2 = harness.run(program, "info", root / "otf2-stencil-4").code == 0
    tap = harness.Tap()

    def check(name, fill, source, pattern, kinds):
        tap.check(name, check_run, program, fill, root / source, pattern, kinds, seeds)

    for source in ("feat-p4-text", "v10-feat-p3-text", "feat-notes-p3-text"):
        check(f"text {source}", copy, source, "*.log", ANYWHERE + LINES + SCATTERED)
        check(f"gzip {source}", compress, source, "*.log.gz", ANYWHERE)
    check("gzip ampi-jacobi-p4-gz", copy, "ampi-jacobi-p4-gz", "*.log.gz", ANYWHERE)
    check("notes", copy, "feat-notes-p3-text", "*.0.log", (note_time,))
    for order in "<>":
        check(f"binary {order}", encode(order), "feat-p4-text", "*.log", ANYWHERE + SCATTERED)
    check("tau", of_ranks, "tau/trace-stencil-4", "*.trc",
          OVER + SHIFTS + SCATTERED + (absurd_record, noise_between))
    check("tau merged", merged, "tau/trace-stencil-4", "tau.trc",
          SHIFTS + (noise_over, turned_bits, absurd_record))
    for source, pattern in (("jacobi2d-sum-p8", "*.sum"), ("jacobi2d-sumbins-p4", "*.sum"),
                            ("jacobi2d-sumbins-p4", "*.sumd")):
        check(f"summaries {source} {pattern}", copy, source, pattern, SUMMARY)
    if has_otf2:
        check("otf2", folders, "otf2-stencil-4", "traces/*.evt", OVER + SCATTERED)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
