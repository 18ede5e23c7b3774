#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test-colors.py KYMO-CLI SOURCE-ROOT: a name has the same colour in pictures of a run, of a part
of it, of a reduced one and of another run of the program."""
import os
import pathlib
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

CLI = os.path.abspath(sys.argv.pop(1))
SOURCE = pathlib.Path(sys.argv.pop(1))
sys.path.insert(0, str(SOURCE / "tests" / "support"))
import harness  # noqa: E402

SVG = "{http://www.w3.org/2000/svg}"
N_NAMES = 8 if harness.PART == 1 else 2


def names_of(run):
    """Of functions, the busiest first."""
    listed = harness.ask(CLI, "profile", run)["activities"]
    return [one["name"] for one in sorted(listed, key=lambda one: -one["exclusive_ns"])
            if one["kind"] == "entry"]


def fills(run, folder, hidden, palette):
    path = folder / "picture.svg"
    harness.run(CLI, "export", "profile", str(run), "--palette", palette, "--size", "800x500",
                "--hide", ";".join(hidden), "-o", str(path), check=True)
    shapes = ElementTree.parse(path).iter(f"{SVG}path")
    return {shape.get("style", "").partition("fill:")[2].partition(";")[0] for shape in shapes}


def colors_of(run, names, folder, palette="standard"):
    """Of each name what its picture has and that of all others has not."""
    every = names_of(run)
    constant = fills(run, folder, every, palette)
    return {name: fills(run, folder, [other for other in every if other != name],
                        palette) - constant for name in names}


def colors_in_timeline(run, path, *options):
    """Of cells and legend."""
    harness.run(CLI, "export", "timeline", str(run), "--size", "900x400", "-o", str(path), *options,
                check=True)
    shapes = ElementTree.parse(path).iter(f"{SVG}path")
    return {shape.get("style", "").partition("fill:")[2].partition(";")[0] for shape in shapes}


class Colors(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def compare(self, one, other, palette="standard"):
        common = [name for name in names_of(one) if name in names_of(other)][:N_NAMES]
        self.assertEqual(len(common), N_NAMES)
        found = colors_of(one, common, self.folder, palette)
        self.assertTrue(all(len(colors) == 1 for colors in found.values()), found)
        self.assertEqual(found, colors_of(other, common, self.folder, palette))
        return found

    def test_reduced(self):
        run, reduced = SOURCE / "data" / "sample", self.folder / "reduced"
        harness.run(CLI, "reduce", str(run), str(reduced), "--keep", "2", check=True)
        found = self.compare(run, reduced)
        self.assertEqual(len(set(map(frozenset, found.values()))), N_NAMES)
        self.compare(run, reduced, "safe")

    def test_part(self):
        run, part = SOURCE / "data" / "sample", self.folder / "part"
        harness.run(CLI, "extract", str(run), str(part), "--from", "0.3s", "--to", "0.6s",
                    check=True)
        self.compare(run, part)

    def test_communicators(self):
        """Calls of a communicator have one colour, that of its name, and all else is grey."""
        run, path = SOURCE / "tests" / "data" / "otf2-stencil-4", self.folder / "timeline.svg"
        by = "--color-by", "communicator", "--from", "160ms", "--to", "170ms"
        answer = harness.ask(CLI, "timeline", run, "--communicators")
        told = dict(zip(answer["names"], answer["communicators"]))
        self.assertEqual(set(answer["communicators"]), {"", "(no communicator)", "MPI_COMM_WORLD"})
        self.assertEqual([told["MPI_Waitall()"], told["iterate"]],
                         ["MPI_COMM_WORLD", "(no communicator)"])
        every = colors_in_timeline(run, path, *by)
        other, comm = (every - colors_in_timeline(run, path, *by, "--hide", name)
                       for name in ("(no communicator)", "MPI_COMM_WORLD"))
        self.assertTrue(other and comm and other.isdisjoint(comm))
        self.assertLess(len(every), len(colors_in_timeline(run, path, *by[2:])))

    def test_other_run(self):
        data = SOURCE / "tests" / "data"
        self.compare(data / "feat-p4-text", data / "feat-p4-outlierphases")


if __name__ == "__main__":
    unittest.main(testRunner=unittest.TextTestRunner(stream=sys.stdout))
