#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The guard is guarded: check-layers.py must see offences planted in a tree
made for it, and none in the same tree without them."""

import importlib.util
import pathlib
import sys
import tempfile
import unittest

SCRIPT = sys.argv.pop(1)
spec = importlib.util.spec_from_file_location("layers", SCRIPT)
layers = importlib.util.module_from_spec(spec)
sys.dont_write_bytecode = True
spec.loader.exec_module(layers)

CLEAN = {
    "src/base/kymo-span.h": "#include <glib.h>\n",
    "src/model/run/kymo-run.h": '#include "kymo-span.h"\n',
    "src/io/input/kymo-inflate.c": "#include <zlib.h>\n",
    "src/analysis/ask/kymo-run-source.h": '#include "kymo-run.h"\n',
    "src/plots/paint/kymo-plot.c": "#include <cairo.h>\n",
    "src/views/canvas/kymo-canvas.c": "#include <gtk/gtk.h>\n",
    "src/app/main.c": '#include "kymo-run.h"\n#include <adwaita.h>\n',
}


class Layers(unittest.TestCase):
    def offences(self, **planted):
        with tempfile.TemporaryDirectory() as folder:
            tree = dict(CLEAN)
            tree.update({key.replace("__", "/").replace("_c", ".c")
                         .replace("_h", ".h").replace("_", "-"): text
                         for key, text in planted.items()})
            for name, text in tree.items():
                path = pathlib.Path(folder) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            return layers.check(folder)[1]

    def test_clean(self):
        self.assertEqual(self.offences(), [])

    def test_upwards(self):
        found = self.offences(src__base__up_c='#include "kymo-run.h"\n')
        self.assertEqual(len(found), 1)
        self.assertIn("base/ may not include model/", found[0])

    def test_view_sees_model(self):
        self.assertTrue(self.offences(
            src__views__peek_c='#  include "kymo-run.h"\n'))

    def test_around_the_source(self):
        self.assertTrue(self.offences(
            src__plots__peek_c='#include "kymo-run-source.h"\n'))

    def test_gtk_below_views(self):
        self.assertTrue(self.offences(
            src__plots__paint_c="#include <gtk/gtk.h>\n"))

    def test_zlib_outside_its_file(self):
        self.assertTrue(self.offences(
            src__io__reader_c="#include <zlib.h>\n"))

    def test_part_upwards(self):
        found = self.offences(**{"src__io__open__kymo_open_h": "\n",
                                 "src__io__tau__trace_c": '#include "kymo-open.h"\n'})
        self.assertEqual(len(found), 1)
        self.assertIn("io/tau/ may not include io/open", found[0])

    def test_part_downwards(self):
        found = self.offences(**{"src__io__input__kymo_lines_h": "\n",
                                 "src__io__tau__trace_c": '#include "kymo-lines.h"\n'})
        self.assertEqual(found, [])

    def test_parts_of_one_rank(self):
        self.assertTrue(self.offences(**{"src__io__otf2__kymo_otf2_h": "\n",
                                         "src__io__tau__trace_c": '#include "kymo-otf2.h"\n'}))

    def test_beside_the_parts(self):
        self.assertTrue(self.offences(**{"src__io__kymo_lines_h": "\n",
                                         "src__io__tau__trace_c": '#include "kymo-lines.h"\n'}))

    def test_unknown_part(self):
        self.assertTrue(self.offences(src__io__attic__old_c="int x;\n"))

    def test_full_folder(self):
        files = {f"src__io__tau__a{i}_c": "int x;\n" for i in range(46)}
        self.assertIn("46 files of 45", self.offences(**files)[0])

    def test_unknown_room(self):
        self.assertTrue(self.offences(src__attic__old_c="int x;\n"))


if __name__ == "__main__":
    unittest.main()
