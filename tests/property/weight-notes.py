# SPDX-License-Identifier: GPL-3.0-or-later
"""What the note of a reduced run tells of weights and errors: it is shown beside extrapolated
figures, refused where it cannot be true, and never taken from a cache file.

Usage: weight-notes.py KYMO-CLI SOURCE-ROOT
"""
import json
import os
import pathlib
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
sys.path.insert(0, str(pathlib.Path(__file__).parent))
sys.dont_write_bytecode = True
import harness  # noqa: E402
import property as traces  # noqa: E402
from extrapolate import MILLION, Run, write_note  # noqa: E402

SETTLE = 0.06           # files that changed a moment ago are not kept
ERRORS = """[Error]
begin_ns=0
end_ns=1000
bars=100
time_profile=0.0175
[Error of entries]
0=1000;1100;
2=0;5;
idle=400;300;
[Quality]
mean_ratio=0.31
stddev=0.02
"""


def small_run(folder, more=""):
    traces.write_run(folder, 3)
    pes = sorted(int(p.name.split(".")[1]) for p in folder.glob("*.log"))
    weights = dict.fromkeys(pes, MILLION)
    write_note(folder, "random", weights, len(pes), more)
    return folder / "random.kymo", weights


def check_errors(program):
    c = harness.Compare()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        note, weights = small_run(folder, ERRORS)
        info = harness.ask(program, "info", folder)["reduction"]
        expected = {"pes": len(weights), "kept": len(weights), "weights": True,
                    "clusters": None, "outliers": None, "time_profile": 0.0175, "bars": 100,
                    "errors_begin_ns": 0, "errors_end_ns": 1000, "mean_ratio": 0.31,
                    "stddev": 0.02}
        c.equal("info", {key: info[key] for key in expected}, expected)
        got = harness.ask(program, "profile", folder, "--extrapolate")
        errors = {(a["kind"], a["id"]): a["error"] for a in got["activities"]}
        c.near("entry", errors["entry", 0], 0.1, 1e-12)
        c.near("idle", errors["idle", None], -0.25, 1e-12)
        c.equal("no true time", errors.get(("entry", 2)), None)
        c.equal("not measured", errors["overhead", None], None)
        c.equal("time profile", got["time_profile_error"], 0.0175)
        text = harness.run(program, "profile", folder, "--extrapolate", "--quiet").out.decode()
        c.true(f"text: {text}", f"Extrapolated from {len(weights)} of {len(weights)} PEs" in text
               and "1.8 % off" in text and "Error" in text and "+10.0 %" in text)
        plain = harness.ask(program, "profile", folder)
        c.true("not asked for", "extrapolated" not in plain and "error" not in
               plain["activities"][0] and "stands_for" not in plain)
        svg = folder / "out.svg"
        done = harness.run(program, "export", "time-profile", folder, "-o", svg, "--extrapolate",
                           "--quiet")
        c.true(f"svg {done.err}", done.code == 0 and f"extrapolated from {len(weights)} to "
               f"{len(weights)} PEs, time profile within 1.8 %" in svg.read_text())
        out = folder / "out.json"
        harness.run(program, "export", "time-profile", folder, "-o", out, "--extrapolate",
                    "--quiet")
        c.equal("exported", json.loads(out.read_text())["extrapolated"], True)
        done = harness.run(program, "check", folder, "--max-idle", "100%", "--extrapolate",
                           "--format", "json", "--quiet")
        c.equal("check", done.json["stands_for"], len(weights))
        note.write_text(note.read_text().replace("bars=100", "bars=0"))
        report = harness.ask(program, "info", folder)["report"]
        c.true("one note", [i["severity"] for i in report["issues"] if "errors" in i["what"]]
               == ["note"])
        c.equal("left out", harness.ask(program, "profile", folder,
                                        "--extrapolate")["time_profile_error"], None)
    return c.problems


def check_refusals(program, sample):
    c = harness.Compare()
    for kind in ("profile", "usage", "time-profile", "histogram", "communication"):
        got = harness.run(program, kind, sample, "--extrapolate", "--quiet")
        c.true(f"{kind}: {got.code} {got.err}", got.code == 1 and got.out == b""
               and "reduced with weights" in got.err and got.err.count("\n") == 1)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        note, weights = small_run(folder)
        good = note.read_text()
        for bad in (good.replace("0=1.000000", "0=2.000000"),
                    good.replace("0=1.000000", "0=nan"), good.replace("0=1.000000", "0=-1"),
                    good + "999=0\n", good.split("[Weights]")[0] + "[Weights]\n"):
            note.write_text(bad)
            info = harness.ask(program, "info", folder)
            said = [i for i in info["report"]["issues"] if "nothing can be extrapolated"
                    in i["what"]]
            c.equal("one note", [i["severity"] for i in said], ["note"])
            c.true("nothing of it", "reduction" not in info
                   and "weights" not in info["capabilities"] and info["kind"] == "reduced")
            got = harness.run(program, "profile", folder, "--extrapolate", "--quiet")
            c.equal("refused", got.code, 1)
    return c.problems


def check_cache(program):
    """A run from a cache file has the weights that its note has now."""
    c = harness.Compare()
    with tempfile.TemporaryDirectory() as name:
        top = pathlib.Path(name)
        folder = top / "run"
        folder.mkdir()
        traces.write_run(folder, 5)
        pes = sorted(int(p.name.split(".")[1]) for p in folder.glob("*.log"))
        env = {"XDG_CACHE_HOME": str(top / "cache"), "KYMO_CACHE_MIN_BYTES": "0"}

        def ask():
            done = harness.run(program, "profile", folder, "--extrapolate", "--format", "json",
                               env=env)
            return done.json, done.err
        seen = []
        for light in range(3):
            weights = dict.fromkeys(pes, MILLION)
            weights[pes[0]] += light * 250_000
            weights[pes[-1]] -= light * 250_000
            write_note(folder, "random", weights, len(pes))
            for path in folder.iterdir():
                os.utime(path, (10 ** 9, 10 ** 9))
            time.sleep(SETTLE)
            first, kept = ask(), len(list((top / "cache").rglob("*"))) > 0
            c.true("kept", kept)
            c.equal("again", ask(), first)
            expected = Run(program, folder, weights).whole("profile")
            c.equal("as from the logs", first[0], expected)
            seen.append(expected["busy_ns"])
        c.equal("they differ", len(set(seen)), 3)
    return c.problems


def main():
    program, root = sys.argv[1], pathlib.Path(sys.argv[2])
    tap = harness.Tap()
    tap.check("refusals", check_refusals, program, root / "data" / "sample")
    tap.check("errors", check_errors, program)
    tap.check("cache", check_cache, program)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
