# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs written as OTF2 archives and read again: every answer is that of the original, to the
nanosecond, of the whole run and of parts of it; and otf2-print accepts the archives.

Usage: otf2-write.py KYMO-CLI WRITE-OTF2 SOURCE-ROOT
"""
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import harness  # noqa: E402
import otf2  # noqa: E402
from otf2_maker import (CARTESIAN, HALF, INTER, NAMES, OWN, SELF, TEAM,  # noqa: E402
                        THIS_GROUP, WORLD, Maker)

QUESTIONS = (("profile", "--per-location"), ("usage",), ("time-profile", "--bins", "37"),
             ("histogram",), ("timeline", "--width", "200"), ("communication",),
             ("messages", "--limit", "100000"), ("waiting",), ("collectives",),
             ("critical-path",), ("calltree",), ("user-events",), ("counters",),
             ("events", "--limit", "100000"), ("info",))
# Of a part they are not the same: the timeline has outer functions where any nest; paths of
# functions, the critical path's rest and what others did reach beyond the range.
OF_PARTS = ("profile", "usage", "time-profile", "histogram", "communication", "messages",
            "waiting", "collectives", "events")
# Of some locations messages and collectives have not all that take part in them.
OF_LOCATIONS = ("profile", "usage", "time-profile", "histogram")
# What is of the whole run, or of its files.
NOT_COMPARED = {"collectives_inferred", "inferred", "left_out", "outer", "groups",
                "by_did", "collectives_without_root", "may_be_several",
                "collectives_may_be_several", "functions", "span"}
# What info tells of the files themselves.
OF_FILES = {"title", "path", "creator", "recorded_by", "records", "report", "format",
            "format_version", "memory_bytes"}


def ask(program, folder, question, *args):
    """The answer, or in words why there is none."""
    result = harness.run(program, question[0], folder, *question[1:], *args,
                         "--format", "json", "--quiet")
    if result.code == 0:
        return result.json
    return result.err.replace(str(folder), "RUN")


def without(value, names):
    if isinstance(value, dict):
        return {k: without(v, names) for k, v in value.items() if k not in names}
    if isinstance(value, list):
        return [without(v, names) for v in value]
    return value


def difference(left, right, path=""):
    """Where two answers differ first."""
    if isinstance(left, dict) and isinstance(right, dict):
        for key in sorted(left.keys() | right.keys()):
            found = difference(left.get(key, "absent"), right.get(key, "absent"), f"{path}/{key}")
            if found:
                return found
        return None
    if isinstance(left, list) and isinstance(right, list) and len(left) == len(right):
        for i, (a, b) in enumerate(zip(left, right)):
            found = difference(a, b, f"{path}[{i}]")
            if found:
                return found
        return None
    return None if left == right else f"{path}: {harness.short(left)} != {harness.short(right)}"


def compare(program, one, other, questions, skip, *args):
    problems = []
    for question in questions:
        found = difference(without(ask(program, one, question, *args), skip),
                           without(ask(program, other, question, *args), skip))
        if found:
            problems.append(f"{' '.join(question)} {' '.join(args)}: {found}")
    return problems


def shown(folder, option="-A"):
    """What the program of the library prints, and its problems."""
    if shutil.which("otf2-print") is None:
        return [], []
    plain = {k: v for k, v in os.environ.items() if k != "MALLOC_PERTURB_"}
    done = subprocess.run(["otf2-print", option, folder / "traces.otf2"], timeout=120,
                          check=False, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=plain)
    problems = [] if done.returncode == 0 and not done.stderr else \
        [f"otf2-print: exit {done.returncode}, {done.stderr[:200]}"]
    return done.stdout.decode("utf-8", "replace").splitlines(), problems


def check_print(folder):
    """The program of the library reads events and definitions without a word of warning."""
    return shown(folder)[1]


def written(program, *args):
    result = harness.run(program, *args, "--format", "json", "--quiet")
    if result.code != 0:
        raise AssertionError(f"{args[0]}: exit {result.code}, {result.err[:300]}")
    return result.json


# -- what was made, and what the program of the library shows of it --------------------------

IO_NAMES = {"open": "CREATE_HANDLE", "close": "DESTROY_HANDLE", "duplicate": "DUPLICATE_HANDLE",
            "seek": "SEEK", "flags": "CHANGE_FLAGS", "delete": "DELETE_FILE",
            "begin": "OPERATION_BEGIN", "test": "OPERATION_TEST", "issued": "OPERATION_ISSUED",
            "complete": "OPERATION_COMPLETE", "cancel": "OPERATION_CANCELLED",
            "lock": "ACQUIRE_LOCK", "unlock": "RELEASE_LOCK", "try-lock": "TRY_LOCK"}
PARAMETERS = {"int": "INT64", "unsigned": "UINT64", "text": "STRING"}
ROOTS = {otf2.NO_ROOT: "NONE", SELF: "SELF", THIS_GROUP: "NONE"}
LEVELS = ("NONE", "PROCESS", "MEMORY", "PROCESS, MEMORY")
# Kind: name, how many of its fields count, and which one is the request or operation.
PLAIN = {"send": ("MPI_SEND", 4, None), "recv": ("MPI_RECV", 4, None),
         "isend": ("MPI_ISEND", 4, 4), "irecv": ("MPI_IRECV", 4, 4),
         "isend-complete": ("MPI_ISEND_COMPLETE", 0, 0),
         "irecv-request": ("MPI_IRECV_REQUEST", 0, 0),
         "request-test": ("MPI_REQUEST_TEST", 0, 0),
         "request-cancelled": ("MPI_REQUEST_CANCELLED", 0, 0),
         "request": ("NON_BLOCKING_COLLECTIVE_REQUEST", 0, 0),
         "put": ("RMA_PUT", 3, 3), "get": ("RMA_GET", 3, 3), "atomic": ("RMA_ATOMIC", 5, 5),
         "complete": ("RMA_OP_COMPLETE_BLOCKING", 1, 1),
         "complete-later": ("RMA_OP_COMPLETE_NON_BLOCKING", 1, 1),
         "complete-remote": ("RMA_OP_COMPLETE_REMOTE", 1, 1),
         "operation-test": ("RMA_OP_TEST", 1, 1),
         "fork": ("THREAD_FORK", 1, None), "join": ("THREAD_JOIN", 0, None),
         "team-begin": ("THREAD_TEAM_BEGIN", 1, None), "team-end": ("THREAD_TEAM_END", 1, None),
         "thread-create": ("THREAD_CREATE", 2, None), "thread-begin": ("THREAD_BEGIN", 2, None),
         "thread-end": ("THREAD_END", 2, None), "thread-wait": ("THREAD_WAIT", 2, None),
         "measurement": ("MEASUREMENT_ON_OFF", 1, None)}
NAMES_OF_PLAIN = {name for name, _, _ in PLAIN.values()}
WORDS = {"OFF": 0, "ON": 1, "ACCUMULATE": 0, "UNDEFINED": None}


def expected_event(kind, fields):
    """A record that is made, as the program shows it; None of those that are written otherwise."""
    if kind in PLAIN:
        name, n, _ = PLAIN[kind]
        return (name, *map(int, fields[:n]))
    if kind in ("end", "window-end", "done"):
        name = {"end": "MPI_COLLECTIVE_END", "window-end": "RMA_COLLECTIVE_END",
                "done": "NON_BLOCKING_COLLECTIVE_COMPLETE"}[kind]
        root = int(fields[2])
        return (name, otf2.OPS[int(fields[0])].upper(), int(fields[1]), ROOTS.get(root, root),
                int(fields[3]), int(fields[4]), LEVELS[int(fields[5])] if kind == "window-end"
                else "")
    if kind in PARAMETERS:
        return "PARAMETER_" + PARAMETERS[kind], int(fields[0]), fields[1]
    if kind.startswith("io-"):
        number = int(fields[1 if kind == "io-delete" else 0])
        return "IO_" + IO_NAMES[kind[3:]], number, "READ WRITE FLUSH".split()[int(fields[1])] \
            if kind == "io-begin" else ""
    return None


def shown_event(name, text):
    """The same of a line that the program prints."""
    def one(pattern):
        return re.search(pattern, text).group(1)

    if name in NAMES_OF_PLAIN:
        # Names of ranks stand in brackets, those of other things before their numbers.
        values = re.findall(r': (?:".*?" <)?(\w+)(?: \(".*?" <\d+>\))?>?(?:, |$)', text)
        event = (name, *(WORDS[v] if v in WORDS else int(v) for v in values if v != "OPENMP"))
        return event[:-1] if re.search(REQUEST, text) else event
    if "COLLECTIVE" in name and name.endswith(("_END", "_COMPLETE")):
        root = one(r"Root: (\w+)")
        return (name, one(r"Operation: (\w+)"), int(one(r"(?:Communicator|Window): .*?<(\d+)>")),
                int(root) if root.isdigit() else root, int(one(r"Sent: (\d+)")),
                int(one(r"Received: (\d+)")),
                one(r"Synchronicity: \{?(.*?)\}?, Root") if name == "RMA_COLLECTIVE_END" else "")
    if name.startswith("PARAMETER_"):
        value = re.search(r"<(\d+)>, Value: (?:\"(.*)\" <\d+>|(.*))$", text)
        return name, int(value[1]), value[2] or value[3]
    if name.startswith("IO_"):
        return (name, int(one(r"(?:Handle|File): .*?<(\d+)>")),
                one(r"Mode: (\w+)") if name == "IO_OPERATION_BEGIN" else "")
    return None


REQUEST = r"(?:Request|Matching): (\d+)$"


def add_event(found, groups, location, event, request):
    """@groups: by location and request the records of that."""
    found.setdefault(location, []).append(event)
    if request is not None:
        groups.setdefault((location, request), []).append(event)


def made_events(maker):
    """By location of the archive that is written: (time, event) in order; and those of each
    request."""
    every = [line.split("\t") for line in maker.archive.lines if line.startswith("e\t")]
    times = [(int(t) - 1000) * 10 ** 9 // maker.resolution for _, location, t, *_ in every
             if int(location) <= maker.stream]
    found, groups = {}, {}
    for _, location, time, kind, *fields in every:
        event = expected_event(kind, fields)
        if event is not None:
            # The accelerator's stream is behind the threads of its rank.
            at = int(location) + (int(location) >= maker.threads)
            ns = (int(time) - 1000) * 10 ** 9 // maker.resolution - min(times)
            which = 5 if kind == "done" else PLAIN.get(kind, (None, 0, None))[2]
            add_event(found, groups, at, (ns, event), None if which is None else fields[which])
    return found, groups


def shown_events(lines):
    """The same of what the program prints, less the time of the first record of all."""
    rows = [re.match(r"([A-Z0-9_]+) +(\d+) +(\d+)  (.*)$", line) for line in lines]
    rows = [row for row in rows if row and not row[1].startswith("CLOCK")]
    first = min(int(row[3]) for row in rows if row[1] == "PROGRAM_BEGIN")
    found, groups = {}, {}
    for row in rows:
        event, request = shown_event(row[1], row[4]), re.search(REQUEST, row[4])
        if event is not None:
            add_event(found, groups, int(row[2]), (int(row[3]) - first, event),
                      request[1] if request and not row[1].startswith("IO_") else None)
    return found, groups


def shown_comms(lines):
    """Name, members and number of the parent of each communicator."""
    groups = {}
    for line in lines:
        group = re.match(r"GROUP +(\d+)  .*?Members?:? ?(.*)$", line)
        if group:
            groups[int(group[1])] = [int(m) for m in re.findall(r"<(\d+)>", group[2])]
    comms = {}
    for line in lines:
        comm = re.match(r'(?:INTER_)?COMM +(\d+)  [Nn]ame: "(.*?)" <\d+>, (.*)$', line)
        if comm:
            members = [groups.get(int(g)) for g in
                       re.findall(r'Group(?: [AB])?: ".*?" <(\d+)>', comm[3])]
            parent = re.search(r'Parent: ".*?" <(\d+)>', comm[3])
            comms[int(comm[1])] = comm[2], members, int(parent[1]) if parent else None
    return comms


def made_comms(maker):
    def location(rank):
        return rank * maker.threads + (rank > 0)

    ranks = [[location(rank) for rank in members] for members in (*maker.comms, *maker.sides)]
    return {WORLD: ("MPI_COMM_WORLD", [ranks[0]], None), CARTESIAN: ("cartesian", [ranks[1]], 0),
            HALF: ("half", [ranks[2]], 0), OWN: ("MPI_COMM_SELF", [[]], None),
            INTER: ("bridge", ranks[3:], None),
            TEAM: ("team of rank 0", [list(range(maker.threads))], None)}


def in_order(groups):
    """Each request with its location; numbers of requests may be others."""
    return sorted((location, sorted(events, key=repr)) for (location, _), events in groups.items())


def check_shown_part(maker, folder, begin, end):
    """Of a range of time: requests and threads that lie in it are there with their records."""
    lines, problems = shown(folder, "--show-all")
    if not lines:
        return problems
    c = harness.Compare()
    (events, requests), (made, wanted_requests) = shown_events(lines), made_events(maker)
    got, wanted = in_order(requests), [
        (location, group) for location, group in in_order(wanted_requests)
        if all(begin <= time < end for time, _ in group)]
    lost = [request for request in wanted if request not in got]
    c.equal("requests of the part", lost[:3], [])
    for location in sorted(made):
        threads = [[event for event in side.get(location, []) if begin <= event[0] < end
                    and event[1][0].startswith("THREAD")] for side in (events, made)]
        c.equal(f"threads of the part, {location}", *threads)
    return problems + c.problems


def check_shown(maker, folder):
    """Nothing of Kymo has a part in this: what was made is in the archive."""
    lines, problems = shown(folder)
    if not lines:
        return problems
    c = harness.Compare()
    (events, requests), (made, wanted_requests) = shown_events(lines), made_events(maker)
    for location in sorted(events.keys() | made.keys()):
        # Operations of I/O, parameters and messages at one time may change places.
        got, wanted = (sorted(side.get(location, []), key=repr) for side in (events, made))
        found = difference(got, wanted)
        c.true(f"events of {location}: {found}", found is None)
    found = difference(in_order(requests), in_order(wanted_requests))
    c.true(f"requests: {found}", found is None)
    c.equal("communicators", shown_comms(lines), made_comms(maker))
    sources = re.findall(r'\nREGION .*"src/solver.c" <\d+>.*?Begin: (\d+)', "\n".join(lines))
    c.equal("sources", sources, [str(10 + n) for n in range(len(NAMES))])
    if shutil.which("otf2-marker") is not None:
        done = subprocess.run(["otf2-marker", folder / "traces.otf2"], timeout=60, check=True,
                              stdout=subprocess.PIPE, text=True)
        c.equal("markers", done.stdout.count("MARKER "),
                sum(line.startswith("marker\t") for line in maker.archive.lines))
    return problems + c.problems


# -- runs as archives -------------------------------------------------------------------------

def check_whole(program, folder, out, skip=frozenset()):
    """The run as an archive: the same answers."""
    answer = written(program, "convert", folder, out, "--to", "otf2")
    info = harness.ask(program, "info", out)
    problems = compare(program, folder, out, QUESTIONS, OF_FILES | skip)
    if not info["report"]["complete"]:
        problems.append(f"report: {info['report']['issues']}")
    if answer["left_out"]:
        problems.append(f"left out: {answer['left_out']}")
    return problems


def check_part(program, folder, out, *options, names=OF_PARTS):
    """A range of time, or some locations, that is cut out answers as the whole run does for it."""
    written(program, "extract", folder, out, *options)
    questions = [q for q in QUESTIONS if q[0] in names]
    skip = NOT_COMPARED if names == OF_PARTS else NOT_COMPARED | {"wait_ns"}
    return compare(program, folder, out, questions, skip, *options) + check_print(out)


def some_span(rng, info):
    begin = rng.randrange(info["begin_ns"], info["end_ns"])
    return "--from", str(begin), "--to", str(rng.randrange(begin + 1, info["end_ns"] + 1))


def check_kept(program, maker, folder, place):
    """Nothing is lost in the cache file either."""
    problems = []
    with harness.kept_runs():
        for name in ("read", "kept"):
            written(program, "convert", folder, place / name, "--to", "otf2")
            problems += [f"{name}: {problem}" for problem in check_shown(maker, place / name)]
    return problems


def check_made(program, writer, place, seed):
    maker, rng = Maker(seed), random.Random(seed)
    folder, out, again = place / "run", place / "out", place / "again"
    maker.write(writer, folder)
    problems = check_whole(program, folder, out) + check_shown(maker, out)
    info = harness.ask(program, "info", folder)
    span = some_span(rng, info)
    problems += check_part(program, folder, place / "part", *span)
    first = int(info["begin_ns"])
    problems += check_shown_part(maker, place / "part", int(span[1]) - first,
                                 int(span[3]) - first)
    problems += check_kept(program, maker, folder, place)
    some = sorted(rng.sample(range(info["locations"]), info["locations"] // 2))
    problems += check_part(program, folder, place / "some", "--locations",
                           ",".join(map(str, some)), names=OF_LOCATIONS)
    # Of a part that is written again nothing is lost either: ranks of others are known by
    # messages alone.
    written(program, "convert", place / "part", again, "--to", "otf2")
    return problems + compare(program, place / "part", again, QUESTIONS, OF_FILES)


def check_recording(program, folder, place):
    # Names of what is known of a run have another form in properties of archives, and each
    # counter is a metric.
    skip = frozenset() if list(folder.glob("*.otf2")) else {"run", "activities"}
    problems = check_whole(program, folder, place / "out", skip) + check_print(place / "out")
    info = harness.ask(program, "info", folder)
    return problems + check_part(program, place / "out", place / "part",
                                 *some_span(random.Random(1), info))


def check_entries(program, folder, place):
    """Methods of Charm++: what begins a block is a message, with the same figures."""
    c = harness.Compare()
    written(program, "convert", folder, place / "out", "--to", "otf2")
    c.problems += compare(program, folder, place / "out", QUESTIONS[1:4], set())
    one, other = (harness.ask(program, "communication", run) for run in (folder, place / "out"))
    for figure in ("messages", "bytes", "matched", "unmatched", "matrix"):
        c.equal(figure, other[figure], one[figure])
    return c.problems + check_print(place / "out")


def check_reduced(program, folder, place):
    """Some ranks: the others keep their numbers, and the kept ones have the weights."""
    c = harness.Compare()
    done = written(program, "reduce", folder, place / "out", "--clusters", "2", "--outliers", "0")
    whole, part = (harness.ask(program, "profile", run, "--per-location")
                   for run in (folder, place / "out"))
    kept = {p["location"]: p for p in part["per_location"]}
    c.true("kept", 0 < len(kept) < len(whole["per_location"]) and done is not None)
    c.equal("figures", [p for p in whole["per_location"] if p["location"] in kept],
            list(kept.values()))
    info = harness.ask(program, "info", place / "out")
    c.equal("kind, format", (info["kind"], info["format"], info["locations_original"]),
            ("reduced", "otf2", len(whole["per_location"])))
    return c.problems + check_print(place / "out")


def check_not_kept(program, writer, place):
    """What a run does not keep of an archive is told of the copy."""
    c = harness.Compare()
    a = otf2.Archive()
    a.processes(2)
    a.comm(0, [0, 1])
    a.add("window", 0, "w", 0)
    a.region(0, "main", otf2.USER)
    for rank in range(2):
        for time, *event in ((0, "enter", 0), (1, "lock", 7, 1), (2, "lock", 7, 2),
                             (3, "window-create", 0), (4, "comm-create", 0), (9, "leave", 0)):
            a.event(rank, time, *event)
    a.write(writer, place / "run")
    answer = written(program, "convert", place / "run", place / "out", "--to", "otf2")
    c.equal("left out", [one["what"] for one in answer["left_out"]], [
        "Records of locks and tasks of threads: 4",
        "Records of windows and locks of one-sided communication: 2",
        "Records of communicators that are made or freed: 2"])
    return c.problems


def check_refused(program, folder, place):
    """Nothing takes the place of anything."""
    c = harness.Compare()
    (place / "there").mkdir()
    (place / "there" / "file").write_text("mine")
    result = harness.run(program, "convert", folder, place / "there", "--to", "otf2")
    c.equal("exit", result.code, 1)
    c.equal("files", [p.name for p in place.rglob("*")], ["there", "file"])
    return c.problems


def main():
    program, writer, root = sys.argv[1:4]
    tap = harness.Tap()
    data = pathlib.Path(root) / "tests" / "data"
    if shutil.which("otf2-print") is None:
        tap.skip("otf2-print", "it is not installed")

    def check(name, function, *args):
        with tempfile.TemporaryDirectory() as folder:
            tap.check(name, function, program, *args, pathlib.Path(folder))

    for seed in range(1, 7)[::harness.PART]:
        with tempfile.TemporaryDirectory() as folder:
            tap.check(f"made {seed}", check_made, program, writer, pathlib.Path(folder), seed)
    check("otf2-stencil-4", check_recording, data / "otf2-stencil-4")
    for name, folder in list(harness.tau_cases(root))[::harness.PART]:
        if (folder / "tautrace.0.0.0.trc").is_file() or list(folder.glob("*.otf2")):
            check(name, check_recording, folder)
    for name in ("feat-notes-p3-text", "jacobi2d-traceprocs-p6"):
        check(name, check_entries, data / name)
    check("reduced", check_reduced, data / "otf2-stencil-4")
    check("not kept", check_not_kept, writer)
    check("refused", check_refused, data / "otf2-stencil-4")
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
