# SPDX-License-Identifier: GPL-3.0-or-later
"""The first finding of each recording, against what was written down before the rules saw it
(first-findings.txt).

Usage: first-findings.py KYMO-CLI SOURCE-ROOT
"""
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import harness  # noqa: E402

LISTED = pathlib.Path(__file__).with_suffix(".txt")


def folders(root):
    """Where recordings may lie: in the tree first."""
    traces = pathlib.Path(os.environ.get("KYMO_TRACES",
                                         root / ".." / "shared" / "traces" / "projections")).parent
    return [root / "tests" / "data", root / "tests" / "data" / "tau", traces / "projections",
            traces / "tau"]


def check(program, path, wanted):
    c = harness.Compare()
    result = harness.run(program, "diagnose", path, "--no-cache", "--quiet", "--format", "json")
    c.equal("exit code", result.code, 0)
    found = result.json["findings"]
    c.equal("first finding", found[0]["id"] if found else "none", wanted)
    costs = [finding["cost_ns"] for finding in found]
    c.equal("by cost", costs, sorted(costs, reverse=True))
    c.true("no cause costs more than there is", all(0 < f["share"] <= 1 for f in found))
    return c.problems


def main():
    program, root = sys.argv[1], pathlib.Path(sys.argv[2])
    tap = harness.Tap()
    for line in LISTED.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        name, expected, *other = line.split(" ", 2)
        path = next((folder / name for folder in folders(root) if (folder / name).exists()), None)
        if path is not None:
            tap.check(name, check, program, path, other[0].split(":")[0] if other else expected)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
