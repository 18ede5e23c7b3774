#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""make-seeds.py SOURCE-ROOT OUT: first inputs of the fuzz targets, cut from the
recordings to a few kilobytes, as OUT/TARGET/NAME; run.sh add packs them. What fuzzing
adds comes from run.sh merge."""
import gzip
import pathlib
import struct
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import binary_log  # noqa: E402
import frames  # noqa: E402
import make_stream  # noqa: E402
import reference  # noqa: E402

KEEP = 1500
# The number of the table of names in fuzz.c
VERSIONS = {b"3.0": b"3", b"7.0": b"2", b"10.0": b"1", b"11.0": b"0"}


def plain(path):
    data = path.read_bytes()
    return gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data


def ends(lines):
    """The first and last lines, and every type of record once."""
    seen, chosen = set(), []
    for i, line in enumerate(lines):
        kind = line.split(b" ")[0]
        if i < 8 or i >= len(lines) - 3 or kind not in seen:
            chosen.append(line)
        seen.add(kind)
    return b"\n".join(chosen)


def put(root, target, name, data):
    folder = pathlib.Path(sys.argv[2]) / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(data)


def version(case):
    for line in next(case.glob("*.sts")).read_bytes().split(b"\n"):
        if line.startswith(b"VERSION "):
            return VERSIONS[line.split()[1]]
    return VERSIONS[b"11.0"]


def put_binary(root, traces):
    """Whole records are not needed: the reader finds the next good ones."""
    for path in sorted(traces.glob("*binary*/*.0.log")):
        data = path.read_bytes()[4:]
        put(root, "binary", path.parent.name, b"0" + data[:KEEP])
        put(root, "binary", path.parent.name + "-end", b"0" + data[-KEEP:])


def put_encoded(root, case, text):
    """A text log of version 11 in the binary form, of either byte order."""
    if version(case) != b"0":
        return
    _, dims, _ = reference.read_sts(next(case.glob("*.sts")))
    for order, name in (("<", "-little"), (">", "-big")):
        log = binary_log.encode_log(text, dims, order)
        put(root, "binary", case.name + name, b"0" + log[4:])


def shorten(line):
    """A line of numbers: its first twenty words."""
    return b" ".join(line.split(b" ")[:20])


def put_summaries(root, traces):
    for target in ("sum", "sumd"):
        for path in sorted(traces.glob(f"*/*.0.{target}")):
            lines = map(shorten, path.read_bytes().split(b"\n"))
            put(root, target, path.parent.name, b"\n".join(lines))


def put_recordings(root):
    """Files as they are, whole and torn, and lists of frames of which some are
    wrong in each of the ways that fuzz-stream-file.c knows."""
    for path in sorted((root / "tests" / "data" / "streams").glob("*.kymostream")):
        frames = [(k, t, b, p[:60]) for k, t, b, p in make_stream.split(path.read_bytes())[1]]
        data = make_stream.recording(frames[:4] + frames[-2:], "client: seeds\n")
        put(root, "stream-file", path.stem, b"f" + data)
        put(root, "stream-file", path.stem + "-cut", b"f" + data[:-9])
        put(root, "stream-file", path.stem + "-torn", b"f" + data[:150] + data[190:])
    for wrong in range(32):
        items = [bytes([wrong if i == 1 else 0, kind, 5]) + struct.pack("<q", i * 10 ** 9)
                 + b"12345" for i, kind in enumerate((1, 2, 3, 7, 9))]
        put(root, "stream-file", f"wrong-{wrong}", b"l" + b"".join(items))


def first_bins(reply, n):
    """A reply of the detailed stream, its first bins only."""
    at = 8
    for _ in range(n):
        at += 2 + 3 * struct.unpack_from("<h", reply, at)[0]
    return struct.pack("<i", n) + reply[4:at]


def frame(kind, payload, place=0):
    return bytes([kind, place]) + struct.pack("<H", len(payload)) + payload


def put_replies(root):
    """Replies of running programs, cut to a few bins and as they would be of a
    machine of the other byte order; and rows of frames of them."""
    form = b"handler: CkPerfSumDetail compressed\nbyte-order: little\npes: %d\n"
    names = b'CHARE 0 "Cell" 2\nENTRY CHARE 14 "run(int n)" 0 0\nEND\n'
    folder = root / "tests" / "data" / "ccs-replies"
    for path in sorted(folder.glob("*.rep")):
        reply = path.read_bytes()[4:]
        if "uchar" in path.name:
            put(root, "stream-block", path.stem, b"\x22" + reply[:60])
            continue
        few = reply if len(reply) == 4 else first_bins(reply, 12)
        put(root, "stream-block", path.stem, b"\x00" + few)
        blocks = [frame(2, few, 0 if i % 3 else 180 + i) for i in range(12)]
        put(root, "stream-store", path.stem, frame(1, form % 8) + b"".join(
            [frame(4, names), *blocks, frame(3, b"gone"), frame(2, few, 30), frame(5, b"mark"),
             frame(6, b"again"), frame(2, few[:20]), frame(7, b"over"), frame(9, b"?")]))
    doubles = struct.pack(">4d", 0.004, 0, 0.0021, 0.001)
    put(root, "stream-block", "doubles", b"\x25" + doubles)
    put(root, "stream-block", "doubles-nothing", b"\x21" + struct.pack("<d", -13.37))
    put(root, "stream-block", "big", b"\x04" + struct.pack(
        ">iihhBhBhBh", 2, 3, 3, 7, 250, 5, 0, 7, 9, 0))
    put(root, "stream-store", "doubles", frame(1, b"handler: CkPerfSummaryCcsClientCB\n"
        b"byte-order: big\npes: 4\n") + frame(2, doubles) * 30)


def put_tau(root):
    """Traces of TAU in each layout, the begin and the end of them, with the events that
    they need; as one merged trace and as one of threads."""
    folder = root / "tests" / "data" / "tau" / "trace-layouts"
    lines = [line for line in (folder / "tau.edf").read_bytes().split(b"\n")
             if b" | " not in line or b"pid" in line]
    edf = b"\n".join(lines) + b"\f"
    for layout, size in (("le24", 24), ("be24", 24), ("le32", 32), ("be32", 32)):
        data = (folder / f"{layout}.trc").read_bytes()
        some = data[:40 * size] + data[-20 * size:]
        put(root, "tau", layout, b"0" + edf + some)
        put(root, "tau", layout + "-cut", b"0" + edf + some[:-5])
    case = folder.parent / "trace-stencil-4"
    data = (case / "tautrace.0.0.0.trc").read_bytes()
    lines = [line for line in (case / "events.0.edf").read_bytes().split(b"\n")
             if b" | " not in line or b"note" in line]
    edf = b"\n".join(lines) + b"\f"
    put(root, "tau", "thread", b"1" + edf + data[:100 * 24] + data[-9 * 24:])
    put(root, "tau", "no-events", b"1\f" + data[:100 * 24])
    put(root, "tau", "inside", b"1" + edf + data[60 * 24:160 * 24])


# Numbers of files in fuzz-folder.c
STS, LOG_0, LOG_1, NOTE, PROJRC, SUM_0, SUM_1, SUMD_0, ROLES, PROFILE_0, PROFILE_0_1 = range(11)
PROFILE_1, PROFILE_NOTE, MULTI_TIME, MULTI_FP, SNAPSHOT, MERGED, PACKED, GPROF, MPIP = range(11, 20)
TRACE, EDF, TRACE_NOTE = range(20, 23)
REDUCED = (b"[Reduction]\nversion=1\nprocessors=2\npes=2\nkept=0;1;\n"
           b"[Weights]\n0=1.500000\n1=0.500000\n")
PART = (b"[Reduction]\nversion=1\nprocessors=2\npes=2\nkept=0;1;\n"
        b"[Selection]\nbegin_ns=1000\nend_ns=90000000\n")
LOCATIONS = (b"[Run]\nrow=rank\nzero_us=1000\n[Locations]\n0=0;0;rank 0;\n1=1;0;rank 1;\n"
             b"[Selection]\nbegin_ns=0\nend_ns=1000000\n")
RULES = b"# own rules\nio  write*\nwait *MPI_Recv\ncommunication  MPI_?send\n"


def files(*numbered):
    return b"".join(bytes([number]) + struct.pack("<H", len(data)) + data
                    for number, data in numbered)


def some(data, first=70, last=12):
    lines = data.split(b"\n")
    return data if len(lines) <= first + last else b"\n".join(lines[:first] + lines[-last:])


def put_folders(root):
    """Whole runs in a few kilobytes, with what may lie beside them."""
    data = root / "tests" / "data"
    for case, base in (("feat-p4-text", "feat"), ("hand-made-v3", "hello")):
        sts = plain(next((data / case).glob("*.sts"))).replace(b"PROCESSORS 4", b"PROCESSORS 2")
        logs = [some(plain(next((data / case).glob(f"*.{i}.log*")))) for i in range(2)]
        run = [(STS, some(sts, 60)), (LOG_0, logs[0]), (LOG_1, logs[1])]
        put(root, "folder", base, files(*run, (ROLES, RULES)))
        put(root, "folder", base + "-reduced", files(*run, (NOTE, REDUCED)))
        put(root, "folder", base + "-part", files(*run, (NOTE, PART)))
        put(root, "folder", base + "-no-names", files(*run[1:]))
    case = data / "jacobi2d-sum-p8"
    sts = plain(next(case.glob("*.sts"))).replace(b"PROCESSORS 8", b"PROCESSORS 2")
    sums = [b"\n".join(map(shorten, plain(next(case.glob(f"*.{i}.sum"))).split(b"\n")))
            for i in range(2)]
    put(root, "folder", "sums", files((STS, some(sts, 60)), (SUM_0, sums[0]), (SUM_1, sums[1])))
    tau = data / "tau"
    flat = [some((tau / "flat-stencil-4" / f"profile.{i}.0.0").read_bytes(), 5, 5)
            for i in range(2)]
    put(root, "folder", "profiles", files((PROFILE_0, flat[0]), (PROFILE_1, flat[1])))
    put(root, "folder", "profiles-part", files((PROFILE_0, flat[0]), (PROFILE_1, flat[1]),
                                               (PROFILE_NOTE, LOCATIONS)))
    put(root, "folder", "metrics", files((MULTI_TIME, flat[0]), (MULTI_FP, flat[1])))
    for number, name in ((GPROF, "gprof-basic/gprof.txt"),
                         (MPIP, "mpip-made/app.2.4711.1.mpiP")):
        put(root, "folder", name.split("-")[0], files((number, (tau / name).read_bytes()[:6000])))
    xml = (tau / "snapshot-stencil-4" / "snapshot.0.0.0").read_bytes()
    put(root, "folder", "snapshot", files((SNAPSHOT, xml[:3000])))
    put(root, "folder", "merged", files((MERGED, xml[:3000])))
    trace = (tau / "trace-stencil-4" / "tautrace.0.0.0.trc").read_bytes()
    edf = some((tau / "trace-stencil-4" / "events.0.edf").read_bytes(), 30)
    put(root, "folder", "trace", files((TRACE, trace[:60 * 24]), (EDF, edf),
                                       (TRACE_NOTE, LOCATIONS)))


def put_requests(root):
    """What clients send, and blocks that are to be swapped."""
    head = struct.pack(">ii32s", 0, 0, b"CkPerfSumDetail compressed")
    lists = struct.pack(">ii32s", 3, -2, b"ccs_getinfo") + struct.pack(">ii", 0, 1) + b"abc"
    seeds = {"stream": head, "list": lists, "call": b"\x80\0\0\0" + bytes(28) + head,
             "login": b"\x80\0\1\0" + b"\x12\x34\x56\x78", "text": b"GET / HTTP/1.1\r\n\r\n",
             "long": struct.pack(">ii32s", 65537, 0, b"x"),
             "least": struct.pack(">ii32s", 0, -2 ** 31, b"x"),
             "block": struct.pack("<iihhBhBhhB", 2, 3, 2, 7, 250, 5, 9, 1, 7, 9)}
    for name, seed in seeds.items():
        put(root, "ccs-request", name, seed)


def put_jobs(root):
    """What recorded jobs say, and what they are asked."""
    job = (b"kymo-actions\t1\njob\t/runs/a\tprogram\t4\t127.0.0.1:4711\tnode7\t77\n"
           b"action\ttrace\tTrace ranks\tlong\tranks=ranks:4\tidlest=integer:1:4:1\t"
           b"for=time:10000000:3600000000000:5000000000\n"
           b"action\tset:dt\tTime step\tprogram together\tvalue=real:1e-6:0.5:0.25\n"
           b"action\tset:how\tSolver %25\tprogram\tvalue=choice:a:a|b%3A c|d%7Ce\n"
           b"action\tmarker\tSet a marker\t\ttext=text:200\n"
           b"refused\tsampling\tSampling\tThere is none\nend\naccepted\t3\n"
           b"state\t3\ttrace\tdone\t20 events\t/runs/a/trace-3\n")
    values = (b"second 7\nprocesses 3 4\nload ppm 3 1500000 100000 1 900000 2\n"
              b"memory B 3 64434176 15900672 0 16527360 2\nrun-delay ns 3 9 1 0 5 1\n"
              b"idlest 1 100000 0 500000 2 900000\nbusiest 2 900000 0 500000 1 100000\n")
    for name, seed in (("lines", job), ("values", values)):
        put(root, "job", name, seed)
    number = struct.pack("<q", 0)
    requests = {name.split("/")[-1].replace(" ", "-"): struct.pack(
        ">ii32s", len(data), 0, name.encode()) + data for name, data in (
            ("kymo/record block", number), ("kymo/record values", number),
            ("kymo/record names", b""), ("ccs_getinfo", b""), ("debug/converse/arch", b""),
            ("CkPerfSumDetail compressed", b""), ("CkPerfSummaryCcsClientCB", b""),
            ("CkPerfSummaryCcsClientCB uchar", b""))}
    requests["before"] = struct.pack(">ii32s", 8, 0, b"kymo/record block") + b"\xff" * 8
    requests["list"] = struct.pack(">ii32sii", 0, -2, b"ccs_getinfo", 0, 1)
    for name, request in requests.items():
        put(root, "live-port", name, bytes([0, 20]) + request)
    put(root, "live-port", "login", bytes([1, 8]) + b"\x80\0\1\0\0\0\0\5" + bytes(20))
    put(root, "live-port", "call",
        bytes([1, 32]) + b"\x80\0\0\0" + bytes(28) + requests["ccs_getinfo"])
    for name, line in (("trace", b"do\ttrace\tranks=0-3,7\tfor=2s"),
                       ("set", b"do\tset:dt\tvalue=0.25"), ("marker", b"do\tmarker\ttext=a%09b%")):
        put(root, "live-port", name, bytes([0, 3]) + line)


def put_frames(root):
    """Recorded messages, each alone and after a greeting of a login shell, in both orders."""
    for path in sorted((root / "tests" / "data" / "frames").glob("*.bin")):
        order = frames.order_of(path.read_bytes())
        for i, part in enumerate(frames.split(path.read_bytes())):
            put(root, "frames", f"{path.stem}-{i}", frames.join(*part, order))
    whole = (root / "tests" / "data" / "frames" / "limits-client.bin").read_bytes()
    put(root, "frames", "whole", whole)
    put(root, "frames", "noise", b"Welcome to node7\n" + whole)


def put_rules(root):
    """Rules that Kymo ships, a few at once with all metrics; and each form of expression."""
    text = (root / "data" / "rules" / "application.rules").read_text()
    head, groups = text.split("\n[", 1)[0], ["[" + g for g in text.split("\n[")[1:]]
    metrics = [g for g in groups if g.startswith(("[metric wall]", "[metric trace.wall]",
                                                  "[metric whole.wall]"))]
    start = groups[0] + "\n" + "\n".join(metrics)
    put(root, "rules", "head", head.encode())
    put(root, "rules", "metrics", start.encode())
    for name, when in (("both", "wall > 1 s and not (wall < 2 min) or 3 < 4"),
                       ("units", "wall * 20 % > 4 KiB / 50 MiB/s + 10 ms"),
                       ("functions", "exceeds (wall) and known (wall)"
                        " and log2 (max (1, wall / 1 s)) > 0"
                        " and first (ref (wall), wall) - min (wall, 5 us) >= -1 ns")):
        rule = f"\n[diagnosis d]\ntitle=D\nwhen={when}\ntriggers=e\n"
        rule += "[diagnosis e]\ntitle=E\nwhen-1=d\nlayer=system\n"
        rule += "cost=wall\nsays=%{wall}\nadvice=a\n"
        put(root, "rules", name, (start + rule).encode())
    put(root, "rules", "published",
        (root / "data" / "rules" / "published-nfs.rules").read_bytes()[600:2600])


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    put_recordings(root)
    put_replies(root)
    put_requests(root)
    put_jobs(root)
    put_frames(root)
    put_rules(root)
    put_tau(root)
    put_folders(root)
    put_summaries(root, root.parent / "shared" / "traces" / "projections")
    put_binary(root, root.parent / "shared" / "traces" / "projections")
    for case in sorted((root / "tests" / "data").iterdir()):
        for path in sorted(case.glob("*.0.log*"))[:1]:
            text = ends(plain(path).split(b"\n"))
            put(root, "log", case.name, version(case) + text)
            put(root, "probe", case.name, version(case) + b"r" + text)
            put(root, "probe", case.name + "-z", version(case) + b"z" + text)
            put(root, "gzip", case.name + "-z",
                b"z\0\0\0\0" + text[:KEEP // 2])
            put(root, "gzip", case.name + "-one", b"z\0\0\0\x80" + text)
            put_encoded(root, case, text)
        for path in sorted(case.glob("*.sts")):
            lines = plain(path).split(b"\n")
            put(root, "sts", case.name, b"\n".join(lines[:24] + lines[-12:]))
    put(root, "gzip", "members", b"r" + b"".join(
        gzip.compress(b"7 %d\n" % i, mtime=0) for i in range(3)))
    put(root, "gzip", "rubbish", b"r" + gzip.compress(b"6 1\n", mtime=0)
        + b"rubbish")
    put(root, "gzip", "text", b"rPROJECTIONS-RECORD 2\n6 1\n7 2\n")


if __name__ == "__main__":
    main()
