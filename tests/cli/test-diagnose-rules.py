#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test-diagnose-rules.py KYMO-CLI SOURCE-ROOT: faults of rules, each told with file and line."""
import os
import pathlib
import re
import sys
import tempfile
import unittest

CLI = os.path.abspath(sys.argv.pop(1))
SOURCE = pathlib.Path(sys.argv.pop(1))
sys.path.insert(0, str(SOURCE / "tests" / "support"))
import harness  # noqa: E402

SAMPLE = SOURCE / "data" / "sample"
HEAD = "[Kymo Rules]\nversion=1\n"
SLOW = """[expectation floor]
value=1 ns
basis=made
[metric m]
title=Made
csv=m
fold=max
unit=ms
"""


def diagnose(*words):
    return harness.run(CLI, "diagnose", *words, "--no-cache", "--quiet", "--format", "json")


class Rules(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.place = pathlib.Path(self.folder.name)

    def tearDown(self):
        self.folder.cleanup()

    def write(self, name, text):
        path = self.place / name
        path.write_text(text)
        return path

    def faults(self, text):
        result = diagnose("--rules-check", self.write("own.rules", text))
        self.assertEqual(result.code, 0 if result.json["passed"] else 1)
        return result.json["faults"]

    def test_faults(self):
        good = HEAD + SLOW + "[diagnosis d]\ntitle=D\nwhen=m > 1 s\n"
        self.assertEqual(self.faults(good), [])
        for old, new, line, words in (
                ("m > 1 s", "n > 1 s", 13, "“n” is no expectation, metric or diagnosis"),
                ("m > 1 s", "m > 1 KiB", 13, "do not fit each other: “m” (a time) and bytes"),
                ("m > 1 s", "2 * m > 5", 13, "other: a time and a number without a unit"),
                ("m > 1 s", "m / 1 s + 4 MiB/s > 1", 13, "without a unit and bytes per second"),
                ("m > 1 s", "m + 1 s", 13, "a number stands where a truth must be"),
                ("m > 1 s", "m > (1 s", 13, "a bracket is not closed"),
                ("m > 1 s", "m > 1parsec", 13, "no unit that is known"),
                ("m > 1 s", "m > 1 parsec", 13, "an operator is missing"),
                ("m > 1 s", "d or m > 1 s", 11, "computed of itself"),
                ("m > 1 s", "m > 1 s\ncost=m / m\nsays=%{n}\nadvice=A", 14, "must be a time"),
                ("m > 1 s", "m > 1 s\ncost=m\nsays=%{n}\nadvice=A", 15, "“n” in a text"),
                ("title=D", "title=D\ntriggers=d", 13, "it names itself"),
                ("title=D", "title=D\ncolour=red", 13, "[diagnosis d] has no key “colour”"),
                ("title=D", "title=D\nsays=much", 13, "only for a diagnosis with a “cost”"),
                ("title=D", "title=D\ntitle=E", 13, "twice"),
                ("title=D", "title=D\nview=timelines", 13, "“timelines” is none of: live, "),
                ("title=D", "says %{m}", 12, "no group, no key"),
                ("[diagnosis d]", "[diagnosis d]\ntitle=A\n[diagnosis d]", 13, "here twice"),
                ("[diagnosis d]", "[diagnosis m]", 11, "another kind of rule (own.rules:6)"),
                ("[diagnosis d]", "[diagnosis d e]", 11, "no name that an expression can use"),
                ("[diagnosis d]", "[disease d]", 11, "is no expectation, metric or diagnosis"),
                ("[expectation floor]", "[expectation much]", 3, "a unit that does not fit"),
                ("[expectation floor]", "[expectation wall]", 3,
                 "another kind of rule (application"),
                ("fold=max", "fold=most", 9, "“most” is none of"),
                ("csv=m", "question=nothing\nvalue=x", 8, "“nothing” is no question"),
                ("csv=m", "question=profile\nkeywords=fact\nvalue=x", 9, "no keyword “fact”"),
                ("csv=m", "question=profile\nlist=parts\nvalue=x", 9, "“parts” is no list in"),
                ("csv=m", "question=profile\nlist=activities\nvalue=x", 10, "“x” is no column of"),
                ("csv=m", "question=profile\nlist=activities\nvalue=calls\nwhere=nome=x", 11,
                 "“nome” is no column of “activities” in the answer to “profile”"),
                ("csv=m", "question=profile\nlist=activities\nvalue=calls/sum", 10,
                 "“calls/sum” is no column"),
                ("version=1", "version=2", 2, "newer form"),
                ("unit=ms", "unit=fortnight", 10, "no unit that is known")):
            text = good.replace(old, new)
            faults = self.faults(text)
            self.assertTrue(any(f.startswith(f"own.rules:{line}: ") and words in f for f in faults),
                            (new, faults))
            self.assertTrue(all(f.startswith("own.rules:") for f in faults), (new, faults))
        self.assertEqual(self.faults("\xff\xfe"), ["own.rules:1: this is no group, no key with a "
                                                  "value and no comment"])

    def test_views(self):
        """A diagnosis leads to any view of the window, and to no other."""
        text = (SOURCE / "src" / "views" / "run" / "kymo-views.c").read_text(encoding="utf-8")
        ids = re.findall(r'^  \{ "([a-z-]+)", KYMO_GROUP_', text, re.MULTILINE)
        self.assertIn("timeline", ids)
        fault, = self.faults(HEAD + SLOW + "[diagnosis d]\ntitle=D\nwhen=m > 1 s\nview=x\n")
        self.assertEqual(fault, "own.rules:14: “x” is none of: " + ", ".join(ids))

    def test_several(self):
        """All files are checked; one may use what is in another before it."""
        head = "[diagnosis d]\ntitle=D\nwhen="
        metric = self.write("metric.rules", HEAD + SLOW)
        use = self.write("use.rules", HEAD + head + "m > 1 s\n")
        bad = self.write("bad.rules", HEAD + head.replace("d]", "e]") + "n > 1 s\n")
        options = [word for path in (metric, use, bad) for word in ("--rules-check", path)]
        self.assertEqual(diagnose(*options[:4]).code, 0)
        result = diagnose(*options)
        self.assertEqual(result.code, 1)
        self.assertEqual([fault[:14] for fault in result.json["faults"]], ["bad.rules:5: ["])
        result = diagnose("--rules-check", use, "--rules-check", bad)
        self.assertEqual([fault[:9] for fault in result.json["faults"]], ["use.rules", "bad.rules"])

    def test_faulty_rules_are_refused(self):
        bad = self.write("bad.rules", HEAD + "[diagnosis d]\ntitle=D\nwhen=nothing > 1\n")
        result = diagnose(SAMPLE, "--rules", bad)
        self.assertEqual(result.code, 2)
        self.assertIn("bad.rules:5: [d]", result.err)

    def test_deep(self):
        """Brackets and long rows are bounded."""
        for when in "(" * 100_000, "1 + " * 100_000 + "1 > 0", "not " * 100_000 + "m > 1 s":
            faults = self.faults(HEAD + SLOW + f"[diagnosis d]\ntitle=D\nwhen={when}\n")
            self.assertEqual(len(faults), 1)
            self.assertRegex(faults[0], "too long|too many brackets")
            self.assertLess(len(faults[0]), 300)


if __name__ == "__main__":
    unittest.main()
