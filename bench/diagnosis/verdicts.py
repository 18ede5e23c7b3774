# SPDX-License-Identifier: GPL-3.0-or-later
"""What the diagnosis says of the runs of a series, and whether that is right.

A run of a disturbed case is void if the disturbance did not disturb: its signal, the seconds
that the program itself took for what is disturbed, is not above that of all references but one. A
vote has five runs that are not. It is right if a cause that must be named is at least likely, and
no cause of another layer outside of the program is told before it; foreign load, which these
machines have, is no cause of that kind. An undisturbed run or vote is false if any cause in
library, system or hardware is told, except foreign load."""
import collections
import concurrent.futures
import json
import statistics
import subprocess

from cases import CASES, DECOYS, LOAD, NAMED

TIMEOUT_S = 120


def is_valid(line):
    """Whether an attempt counts."""
    return "failed" not in line and not line.get("void")


def group_votes(lines):
    """{name of the vote: its runs that count}."""
    votes = collections.defaultdict(list)
    for line in lines:
        if is_valid(line) and line["kind"] != "reference":
            votes[line["name"].rpartition("-")[0]].append(line)
    return votes


def find_references(lines, task):
    return [line for line in lines if line["kind"] == "reference" and is_valid(line)
            and (line["case"], line["mpi"], line["ranks"])
            == (task["case"], task["mpi"], task["ranks"])
            and (not CASES[task["case"]].switch or line.get("strength") == task.get("strength"))]


def diagnose(series, runs, references):
    """Findings, or why there are none."""
    words = [series.program, "diagnose", *(series.folder / "runs" / run["run"] for run in runs)]
    for reference in references:
        words += ["--reference", series.folder / "runs" / reference["run"]]
    done = subprocess.run([*map(str, words), "--format", "json", "--quiet"], text=True,
                          stdin=subprocess.DEVNULL, capture_output=True, check=False,
                          timeout=TIMEOUT_S)
    if done.returncode:
        return None, done.stderr[-300:]
    answer = json.loads(done.stdout)
    return [{key: finding[key] for key in ("id", "layer", "state", "cost_ns", "share")}
            for finding in answer["findings"]], [row["id"] for row in answer["untested"]]


def outside(findings):
    """Told causes that are not the program's, in their order, without foreign load."""
    return [finding for finding in findings if finding["layer"] != "application"
            and finding["id"] not in LOAD]


def ratio_of(runs, references):
    if not references:
        return None
    return round(statistics.median(run["wall"] for run in runs)
                 / statistics.median(line["wall"] for line in references), 2)


def judge_disturbed(verdict, task, findings):
    wanted = NAMED.get(task["variant"], CASES[task["case"]].named) if findings else set()
    told = [finding for finding in findings if finding["state"] != "possible"]
    foreign = outside(told)
    verdict["named"] = any(finding["id"] in wanted for finding in told)
    verdict["hinted"] = any(finding["id"] in wanted for finding in findings)
    verdict["first"] = bool(told) and told[0]["id"] in wanted
    if CASES[task["case"]].layer == "application":
        verdict["right"] = verdict["named"] and not foreign
    else:
        verdict["right"] = bool(foreign) and foreign[0]["id"] in wanted
    verdict["wrong_layer"] = bool(foreign) and foreign[0]["layer"] != CASES[task["case"]].layer
    verdict["wrong"] = [finding["id"] for finding in foreign if finding["id"] not in wanted]


def judge_undisturbed(verdict, task, findings):
    allowed = DECOYS[task["decoy"]].named if "decoy" in task else set()
    forbidden = DECOYS[task["decoy"]].forbidden if "decoy" in task else set()
    verdict["wrong"] = [finding["id"] for finding in outside(findings)
                        if finding["id"] not in allowed]
    verdict["wrong"] += [finding["id"] for finding in findings if finding["id"] in forbidden]
    verdict["load"] = [finding["id"] for finding in findings if finding["id"] in LOAD]
    if "decoy" not in task:
        verdict["surprise"] = [finding["id"] for finding in findings
                               if finding["layer"] == "application"
                               and finding["id"] not in CASES[task["case"]].expected]


def judge_group(series, name, runs, references):
    task = runs[0]
    findings, untested = diagnose(series, runs, references)
    verdict = {"name": name, "runs": len(runs), "references": len(references),
               **{key: task[key] for key in ("kind", "case", "mpi", "ranks", "strength", "variant",
                                             "decoy", "compilers") if key in task}}
    if findings is None:
        verdict["failed"] = untested
        return verdict
    verdict["findings"] = [f"{finding['id']} {finding['state']} {finding['share']:.2f}"
                           for finding in findings]
    verdict["untested"] = untested
    if task["kind"] == "disturbed":
        judge_disturbed(verdict, task, findings)
    else:
        judge_undisturbed(verdict, task, findings)
    return verdict


def judge(series):
    lines = series.lines("runs.jsonl")
    done = {verdict["name"] for verdict in series.lines("verdicts.jsonl")}
    todo = []
    for name, runs in group_votes(lines).items():
        references = find_references(lines, runs[0])
        if len(references) < 5:
            continue
        if len(runs) == 5:
            todo.append((name, runs, references))
        if runs[0]["kind"] != "disturbed":
            todo += [(run["name"], [run], references) for run in runs]

    def judge_one(one):
        name, runs, references = one
        given = [] if CASES[runs[0]["case"]].switch else references
        return {**judge_group(series, name, runs, given), "ratio": ratio_of(runs, references)}
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for verdict in pool.map(judge_one, [one for one in todo if one[0] not in done]):
            series.add("verdicts.jsonl", verdict)
    return 0


def bound(wrong, n):
    """The upper 95 % bound of a share of which `wrong` of `n` were seen (Clopper and Pearson)."""
    if n == 0 or wrong >= n:
        return 1.0
    low, high = wrong / n, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        term = total = (1 - middle) ** n
        for k in range(wrong):
            term *= (n - k) / (k + 1) * middle / (1 - middle) if middle < 1 else 0
            total += term
        low, high = (middle, high) if total > 0.05 else (low, middle)
    return high


def strength_of(verdict):
    """By what it did: weak is 1.2 to 1.5 times, strong twice the time and more."""
    ratio = verdict.get("ratio") or 0
    return "strong" if ratio >= 2 else "between" if ratio > 1.5 else \
        "weak" if ratio >= 1.2 else "below"


def describe_right(votes):
    n, right = len(votes), sum(vote["right"] for vote in votes)
    return f"{right} of {n}, at least {(1 - bound(n - right, n)) * 100:.0f} %" if n else "none"


def table_disturbed(votes, lines):
    """A row for each case, MPI and strength; attempts that were void or failed are counted."""
    rows = ["| case | MPI, ranks | strength | votes | ratio of walls | right | named "
            "| first of all | wrong layer first | void, failed attempts |", "|---" * 10 + "|"]
    groups = collections.defaultdict(list)
    for verdict in votes:
        groups[verdict["case"], verdict["mpi"], verdict["ranks"], verdict["strength"]] \
            .append(verdict)
    for key, group in sorted(groups.items()):
        ratios = [verdict["ratio"] for verdict in group if verdict["ratio"]]
        attempts = [line for line in lines if line["kind"] == "disturbed"
                    and key == (line["case"], line["mpi"], line["ranks"], line["strength"])]
        rows.append(f"| {key[0]} | {key[1]}, {key[2]} | {key[3]} | {len(group)} | "
                    + (f"{min(ratios)} to {max(ratios)}" if ratios else "") + " | "
                    + " | ".join(str(sum(verdict[name] for verdict in group))
                                 for name in ("right", "named", "first", "wrong_layer"))
                    + f" | {sum(bool(line.get('void')) for line in attempts)}, "
                    f"{sum('failed' in line for line in attempts)} |")
    for strength in ("strong", "weak"):
        of = [verdict for verdict in votes if verdict["strength"] == strength]
        rows += ["", f"{strength}: {describe_right(of)} (95 %) of votes are right, "
                 f"{sum(verdict['wrong_layer'] for verdict in of)} have a wrong layer first."]
    return rows


def table_undisturbed(singles, votes):
    rows = ["| program | runs | false | 95 % bound | foreign load told | votes | false "
            "| unexpected of the program |", "|---|---|---|---|---|---|---|---|"]
    for case in [*CASES, None]:
        runs = [verdict for verdict in singles if case in (None, verdict["case"])]
        groups = [verdict for verdict in votes if case in (None, verdict["case"])]
        if not runs:
            continue
        wrong = sum(bool(verdict["wrong"]) for verdict in runs)
        causes = collections.Counter(cause for verdict in runs for cause in verdict["wrong"])
        surprises = collections.Counter(cause for verdict in runs for cause in verdict["surprise"])
        rows.append(f"| {case or 'all'} | {len(runs)} | {wrong} "
                    + (f"({', '.join(f'{c} {n}' for c, n in causes.items())}) " if causes else "")
                    + f"| {bound(wrong, len(runs)) * 100:.1f} % "
                    f"| {sum(bool(verdict['load']) for verdict in runs)} | {len(groups)} "
                    f"| {sum(bool(verdict['wrong']) for verdict in groups)} | "
                    + ", ".join(f"{cause} {n}" for cause, n in surprises.items()) + " |")
    return rows


def table_decoys(verdicts):
    rows = ["| decoy | runs | false | votes | false | told |", "|---|---|---|---|---|---|"]
    for name in DECOYS:
        singles = [v for v in verdicts if v["decoy"] == name and v["runs"] == 1]
        votes = [v for v in verdicts if v["decoy"] == name and v["runs"] > 1]
        told = collections.Counter(f.split()[0] for v in votes for f in v["findings"])
        if singles:
            rows.append(f"| {name} | {len(singles)} | {sum(bool(v['wrong']) for v in singles)} | "
                        f"{len(votes)} | {sum(bool(v['wrong']) for v in votes)} | "
                        + ", ".join(told) + " |")
    return rows


def table(series):
    lines, all_verdicts = series.lines("runs.jsonl"), series.lines("verdicts.jsonl")
    verdicts = [verdict for verdict in all_verdicts if "failed" not in verdict]
    loads = [line["load"] for line in lines] or [0]
    parts = [f"Rules of commit {series.state.get('rules')}, series {series.state['series']}, seed "
             f"{series.state['seed']}: {len(lines)} runs, {sum('failed' in x for x in lines)} of "
             f"them failed; load {min(loads)} to {max(loads)}, median "
             f"{statistics.median(loads)}; {len(all_verdicts) - len(verdicts)} verdicts failed.",
             ""]
    disturbed = [v for v in verdicts if v["kind"] == "disturbed"]
    parts += table_disturbed(disturbed, lines)
    for strength in ("below", "weak", "between", "strong"):
        votes = [v for v in disturbed if strength_of(v) == strength]
        if votes:
            parts += ["", f"By what the disturbance did ({strength}): {describe_right(votes)}."]
    parts += ["", "Not right:", *(f"* {v['name']}, {v['ratio']}: {', '.join(v['findings'])}"
                                  for v in disturbed if not v["right"])]
    undisturbed = [v for v in verdicts if v["kind"] == "undisturbed"]
    parts += ["", *table_undisturbed([v for v in undisturbed if v["runs"] == 1],
                                     [v for v in undisturbed if v["runs"] > 1])]
    beside = sum(bool(v.get("compilers")) for v in undisturbed)
    parts += ["", f"Beside compilers: {beside} verdicts.",
              "False:", *(f"* {v['name']}, {v['ratio']}: {', '.join(v['findings'])}"
                          for v in undisturbed if v["wrong"])]
    parts += ["", *table_decoys([v for v in verdicts if v["kind"] == "decoy"])]
    return "\n".join(parts)
