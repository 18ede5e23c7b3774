# SPDX-License-Identifier: GPL-3.0-or-later
"""A second reader of TAU profiles in text: by regular expressions, a file at a time."""
import pathlib
import re

FUNCTION = re.compile(r'"(.*)" (\S+) (\S+) (\S+) (\S+) \S+ GROUP="([^"]*)" *\Z')
USER = re.compile(r'"(.*)" (\S+) (\S+) (\S+) (\S+) (\S+) *\Z')
FILE = re.compile(r"profile\.(\d+)\.(\d+)\.(\d+)\Z")
ATTRIBUTE = re.compile(r"<attribute><name>(.*?)</name><value>(.*?)</value></attribute>", re.S)


class Run:
    """threads; rows {(location, name, is a path): [calls, subroutines, exclusive and
    inclusive of each metric]}; users {(location, name): [n, max, min, mean, squares]}."""

    def __init__(self):
        self.threads, self.metrics, self.metadata = [], [], []
        self.rows, self.users, self.groups = {}, {}, {}


def plain(text):
    """The text of an element, out of its CDATA or with its entities resolved."""
    if text.startswith("<![CDATA["):
        return text[len("<![CDATA["):-len("]]>")]
    for entity, character in (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'),
                              ("&apos;", "'"), ("&amp;", "&")):
        text = text.replace(entity, character)
    return text


def read_file(run, path, location, metric, n_metrics):
    lines = path.read_text(encoding="utf-8", errors="surrogateescape").split("\n")
    n = int(lines[0].split()[0])
    if location == 0 and metric == 0:
        run.metadata = [(plain(k), plain(v)) for k, v in ATTRIBUTE.findall(lines[1])]
    for line in lines[2:2 + n]:
        name, calls, subroutines, exclusive, inclusive, groups = FUNCTION.match(line).groups()
        groups = set(filter(None, groups.split("|")))
        is_path = "TAU_CALLPATH" in groups
        key = location, name, is_path
        run.groups.setdefault((name, is_path), set()).update(groups - {"TAU_CALLPATH"})
        row = run.rows.setdefault(key, [float(calls), float(subroutines)] + [0.0] * 2 * n_metrics)
        row[2 + 2 * metric:4 + 2 * metric] = float(exclusive), float(inclusive)
    assert lines[2 + n].endswith("aggregates")
    for line in lines[3 + n:]:
        match = USER.match(line)
        if match and metric == 0:
            name, *figures = match.groups()
            run.users[location, name] = list(map(float, figures))


def read_folder(folder):
    folder, run = pathlib.Path(folder), Run()
    parts = sorted(folder.glob("MULTI__*")) or [folder]
    files = [{tuple(map(int, FILE.match(p.name).groups())): p for p in part.iterdir()
              if FILE.match(p.name)} for part in parts]
    run.threads = sorted(set().union(*files))
    for m, part in enumerate(files):
        head = next(iter(part.values())).read_text(errors="replace").split("\n")[0]
        run.metrics.append(head.split("_MULTI_")[1])
        for thread, path in part.items():
            read_file(run, path, run.threads.index(thread), m, len(parts))
    return run
