#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""lint.py CHECK SOURCE-ROOT: one check of the files that no compiler reads.

Exit status 0 fine, 1 with every offence on a line of its own, 77 (skipped)
where the tool a check leans on is not installed."""

import collections
import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET

SKIP = 77
APP_ID = "io.github.kymo_trace.Kymo"
MAX_LINES = 600
MAX_FILES = 45
SPDX = "SPDX-License-Identifier: GPL-3.0-or-later"
SOURCE_FOLDERS = ("src", "tests", "build-aux", "bench", "data", "docs", ".ci")
WITH_SPDX = {".c", ".h", ".py", ".sh", ".ui", ".css"}


class Skipped(Exception):
    """The tool this check needs is not installed."""


def need_tool(name):
    if not shutil.which(name):
        raise Skipped(f"{name} is not installed")


def run(*command):
    """The offence a tool reports: its output when it failed, else None."""
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode == 0:
        return None
    return (done.stdout + done.stderr).strip() or f"{command[0]} failed"


def files(root, *folders):
    """Every file of ours below the folders, recordings left out."""
    for folder in folders:
        for path in sorted((root / folder).rglob("*")):
            parts = path.relative_to(root).parts
            if (path.is_file() and "__pycache__" not in parts
                    and parts[:2] not in (("tests", "data"),
                                          ("data", "sample"))
                    and "corpus" not in parts):
                yield path


def is_script(path):
    return path.open("rb").read(2) == b"#!"


def relative(root, path):
    return path.relative_to(root).as_posix()


def check_spdx(root):
    """Every source file says under which licence it stands."""
    for path in files(root, *SOURCE_FOLDERS):
        if path.suffix in WITH_SPDX or is_script(path):
            head = path.read_text(encoding="utf-8", errors="replace")[:400]
            if SPDX not in head:
                yield f"{relative(root, path)}: no SPDX head"


def check_length(root):
    """A file that outgrows a reader wants to be two."""
    for path in files(root, "src", "tests", "build-aux", "bench"):
        if path.suffix in (".c", ".h", ".py", ".sh"):
            lines = path.read_text(encoding="utf-8").count("\n")
            if lines > MAX_LINES:
                yield f"{relative(root, path)}: {lines} lines of {MAX_LINES}"


def check_text(root):
    """No tabs, no trailing blanks, a newline at the end."""
    for path in files(root, "src", "tests", "build-aux", "bench"):
        if path.suffix not in (".c", ".h", ".py"):
            continue
        text = path.read_text(encoding="utf-8")
        name = relative(root, path)
        if text and not text.endswith("\n"):
            yield f"{name}: no newline at the end"
        for number, line in enumerate(text.splitlines(), 1):
            if "\t" in line:
                yield f"{name}:{number}: tab"
            if line != line.rstrip():
                yield f"{name}:{number}: trailing blank"
            if len(line) > 100:
                yield f"{name}:{number}: {len(line)} columns"


def check_readmes(root):
    """Each folder of the sources says in a few lines what it is; what it names is there."""
    folders = {path.parent for path in (root / "src").rglob("*.[ch]")}
    folders |= {folder.parent for folder in folders if folder.parent != root / "src"}
    names = {path.name for path in (root / "src").rglob("*.[ch]")}
    for folder in sorted(folders):
        path = folder / "README.md"
        if not path.is_file():
            yield f"{relative(root, folder)}: no README.md"
            continue
        text = path.read_text(encoding="utf-8")
        if not 5 <= text.count("\n") <= 30:
            yield f"{relative(root, path)}: {text.count(chr(10))} lines"
        for name in re.findall(r"`(kymo-[\w-]+\.[ch])`", text):
            if name not in names:
                yield f"{relative(root, path)}: {name} is not there"


def check_folders(root):
    """A folder of documents, pictures or tests can be looked through (those of src/:
    build-aux/check-layers.py)."""
    held = collections.Counter(path.parent for path in (root / "docs").rglob("*")
                               if path.is_file())
    held += collections.Counter(path.parent for path in files(root, "tests")
                                if path.suffix in (".c", ".h", ".py"))
    for folder, count in sorted(held.items()):
        if count > MAX_FILES:
            yield f"{relative(root, folder)}/: {count} files of {MAX_FILES}"


def copied(path, folder):
    """A template under the name its tool wants (no .in at the end)."""
    target = pathlib.Path(folder) / re.sub(r"(\.in)+$", "", path.name)
    shutil.copyfile(path, target)
    return str(target)


def check_desktop(root):
    need_tool("desktop-file-validate")
    found = [path for path in files(root, "data")
             if re.search(r"\.desktop(\.in)*$", path.name)]
    if not found:
        yield "data/ has no desktop file"
    with tempfile.TemporaryDirectory() as folder:
        for path in found:
            offence = run("desktop-file-validate", copied(path, folder))
            if offence:
                yield f"{relative(root, path)}: {offence}"
            yield from check_types(root, path)
    yield from check_activation(root)


def check_activation(root):
    """The desktop starts the program by its name; folders are offered by the file of which
    nobody takes them by default (see data/meson.build)."""
    text = {path.name: path.read_text() for path in files(root, "data")
            if path.name.endswith((".desktop.in", ".service.in"))}
    main = text[f"{APP_ID}.desktop.in"]
    if not re.search("^DBusActivatable=true$", main, re.MULTILINE):
        yield "the desktop file is not activated over D-Bus"
    if f"Name={APP_ID}" not in text.get(f"{APP_ID}.service.in", ""):
        yield f"no service of the name {APP_ID}"
    of_folders = [name for name in text if "inode/directory" in text[name]]
    if of_folders != [f"zz-{APP_ID}-folder.desktop.in"]:
        yield f"inode/directory stands in {of_folders}"
    elif not re.search("^InitialPreference=0$", text[of_folders[0]], re.MULTILINE):
        yield f"{of_folders[0]}: KDE would prefer it"


def check_types(root, desktop):
    """Types of files that are our own have to be told to the desktop."""
    known = "".join(path.read_text() for path in files(root, "data")
                    if path.name.endswith(".mime.xml"))
    match = re.search(r"^MimeType=(.*)$", desktop.read_text(), re.MULTILINE)
    for name in (match.group(1) if match else "").split(";"):
        if name.startswith("application/x-") and f'type="{name}"' not in known:
            yield f"{relative(root, desktop)}: {name} is in no .mime.xml"


# Files of runs, and what a desktop is to take them for. Content decides where the name says
# nothing, so copies have other names, too.
TYPES = (
    ("data/tau/trace-stencil-4/tautrace.0.0.0.trc", None, "application/x-tau-trace"),
    ("data/tau/trace-stencil-4/events.0.edf", None, "application/x-tau-events"),
    ("data/tau/flat-stencil-4/profile.0.0.0", None, "application/x-tau-profile"),
    ("data/tau/flat-stencil-4/profile.0.0.0", "first", "application/x-tau-profile"),
    ("data/tau/snapshot-stencil-4/snapshot.1.0.0", None, "application/x-tau-profile"),
    ("data/tau/merged-coll-8/tauprofile.xml", None, "application/x-tau-profile"),
    ("data/tau/mpip-made/app.2.4711.1.mpiP", None, "application/x-mpip"),
    ("data/tau/mpip-made/app.2.4711.1.mpiP", "report", "application/x-mpip"),
    ("data/tau/gprof-basic/gprof.txt", "out.gprof", "application/x-gprof-text"),
    ("data/tau/gprof-basic/gprof.txt", "printed", "application/x-gprof-text"),
    ("data/tau/gprof-basic/gprof-line.txt", "report", "application/x-gprof-text"),
    ("data/otf2-stencil-4/traces.otf2", None, "application/x-otf2"),
    ("data/otf2-stencil-4/traces.otf2", "anchor", "application/x-otf2"),
    ("data/tau/gprof-basic/g1.c", None, "text/x-csrc"),
    ("data/tau/mpip-made/case.txt", None, "text/plain"),
    ("data/tau/mpip-made/case.txt", "app.ppk", "application/x-paraprof-packed"),
    ("data/tau/mpip-made/case.txt", "app.kymostream", "application/x-kymo-stream"),
    ("data/tau/mpip-made/case.txt", "app.kymodesk", "application/x-kymo-desk"),
    ("data/tau/mpip-made/case.txt", "app.sts", "application/x-projections-sts"),
    ("data/v7-feat-p3-text/feat.proj.sts", None, "application/x-projections-sts"),
    ("data/v7-feat-p3-text/feat.proj.projrc", None, "application/x-projections-projrc"),
    ("data/v7-feat-p3-text/feat.proj.0.log", "first", "application/x-projections-log"),
    ("data/tau/mpip-made/case.txt", "server.0.log", "text/x-log"),
    ("data/tau/mpip-made/case.txt", "go.sum", "text/plain"),
    ("data/jacobi2d-sum-p8/jacobi2d.summ.0.sum", None, "application/x-projections-summary"),
    ("data/jacobi2d-sumbins-p4/jacobi2d.summ.0.sumd", None, "application/x-projections-summary"),
)


def check_mime(root):
    """A desktop that was told our types knows the files of the runs in tests by them."""
    need_tool("update-mime-database")
    need_tool("gio")
    with tempfile.TemporaryDirectory() as folder:
        packages = pathlib.Path(folder) / "mime" / "packages"
        packages.mkdir(parents=True)
        for path in files(root, "data"):
            if path.name.endswith(".mime.xml"):
                shutil.copy(path, packages)
        offence = run("update-mime-database", packages.parent)
        if offence:
            yield offence
        copies = []
        for i, (name, other, _) in enumerate(TYPES):
            place = pathlib.Path(folder) / str(i)
            place.mkdir()
            copies.append(place / (other or pathlib.Path(name).name))
            shutil.copy(root / "tests" / name, copies[-1])
        told = subprocess.run(
            ["gio", "info", "-a", "standard::content-type", *copies], text=True,
            capture_output=True, env={**os.environ, "XDG_DATA_HOME": folder}, check=False)
        found = re.findall(r"standard::content-type: (\S+)", told.stdout)
        if len(found) != len(TYPES):
            yield f"gio tells {len(found)} types of {len(TYPES)}: {told.stderr}"
            return
        for (name, other, wanted), is_type in zip(TYPES, found):
            if is_type != wanted:
                yield f"{name}{f' as {other}' if other else ''}: {is_type}, not {wanted}"


def check_metainfo(root):
    need_tool("appstreamcli")
    found = [path for path in files(root, "data")
             if re.search(r"\.(metainfo|appdata)\.xml(\.in)*$", path.name)]
    if not found:
        yield "data/ has no metainfo"
    with tempfile.TemporaryDirectory() as folder:
        for path in found:
            name = relative(root, path)
            offence = run("appstreamcli", "validate", "--no-net",
                          copied(path, folder))
            if offence:
                yield f"{name}: {offence}"
            release = ET.parse(path).find("releases/release")
            if release is None or release.get("version") != version(root):
                yield f"{name}: the newest release is not {version(root)}"
            yield from check_screenshots(root, name, ET.parse(path))
            yield from check_media(root, name, ET.parse(path))


def png_size(path):
    head = path.read_bytes()[:24]
    return struct.unpack(">II", head[16:]) if head[:4] == b"\x89PNG" else None


def check_screenshots(root, name, component):
    """Software centres show these: they are there, of the size that is told, and explained."""
    images = component.findall("screenshots/screenshot/image")
    if len(images) < 3:
        yield f"{name}: {len(images)} screenshots"
    if any(not caption.text for caption in component.findall("screenshots/screenshot/caption")) \
            or len(component.findall("screenshots/screenshot/caption")) != len(images):
        yield f"{name}: a screenshot has no caption"
    for image in images:
        path = root / "docs" / "screenshots" / image.text.rsplit("/", 1)[-1]
        told = int(image.get("width")), int(image.get("height"))
        if not path.is_file() or png_size(path) != told:
            yield f"{name}: {relative(root, path)} is not there in {told[0]} x {told[1]}"


def check_media(root, name, component):
    """The same types as the desktop file."""
    listed = {item.text for item in component.findall("provides/mediatype")}
    desktop = (root / "data" / f"{APP_ID}.desktop.in").read_text()
    wanted = set(re.search("^MimeType=(.*);$", desktop, re.MULTILINE).group(1).split(";"))
    if listed != wanted:
        yield f"{name}: other media types than the desktop file: {sorted(listed ^ wanted)}"


def check_xml(root):
    """Interface, resource, schema and icon files are well formed."""
    endings = (".ui", ".xml", ".svg", ".in")
    for path in files(root, "data", "src"):
        if path.suffix in endings and ".desktop" not in path.name:
            head = path.read_bytes().lstrip()[:1]
            if head != b"<":
                continue
            try:
                ET.parse(path)
            except ET.ParseError as error:
                yield f"{relative(root, path)}: {error}"


def check_schema(root):
    need_tool("glib-compile-schemas")
    folders = {path.parent for path in files(root, "data")
               if path.name.endswith(".gschema.xml")}
    if not folders:
        yield "data/ has no settings schema"
    for folder in sorted(folders):
        offence = run("glib-compile-schemas", "--strict", "--dry-run",
                      str(folder))
        if offence:
            yield f"{relative(root, folder)}: {offence}"


def check_shell(root):
    """Scripts parse, and are executable."""
    for path in files(root, "build-aux", ".ci", "bench", "tests", "docs"):
        head = path.open("rb").readline()
        shell = re.match(rb"#!.*\b(ba)?sh\b", head)
        if shell or path.suffix == ".sh":
            interpreter = "bash" if shell and shell.group(1) else "sh"
            offence = run(interpreter, "-n", str(path))
            if offence:
                yield f"{relative(root, path)}: {offence}"
        if shell and not path.stat().st_mode & 0o100:
            yield f"{relative(root, path)}: not executable"


def check_completion(root):
    need_tool("bash")
    offence = run("bash", "-n", str(root / "docs/completion/kymo-cli"))
    if offence:
        yield offence


def check_man(root):
    """The pages exist, carry the version and hold no man(7) error."""
    for page in ("kymo.1", "kymo-cli.1", "kymo-record.1"):
        path = root / "docs" / page
        text = path.read_text(encoding="utf-8")
        if f"Kymo {version(root)}" not in text:
            yield f"docs/{page}: does not say Kymo {version(root)}"
        if shutil.which("groff"):
            done = subprocess.run(["groff", "-man", "-Tutf8", "-ww", "-z",
                                   str(path)], capture_output=True, text=True)
            if done.stderr.strip():
                yield f"docs/{page}: {done.stderr.strip()}"


def check_manifest(root):
    """flatpak-builder takes a manifest with wrong keys without a word."""
    path = root / "flatpak" / f"{APP_ID}.json"
    manifest = json.loads(path.read_text(encoding="utf-8"))
    name = relative(root, path)
    wanted = {"id": str, "runtime": str, "runtime-version": str, "sdk": str,
              "command": str, "finish-args": list, "modules": list}
    for key, kind in wanted.items():
        if not isinstance(manifest.get(key), kind):
            yield f"{name}: {key} is missing or no {kind.__name__}"
    if manifest.get("id") != APP_ID:
        yield f"{name}: the id is not {APP_ID}"
    if manifest.get("command") != "kymo":
        yield f"{name}: the command is not kymo"
    yield from check_permissions(root, name, manifest)
    for module in manifest.get("modules", []):
        if module.get("buildsystem") not in ("meson", "cmake-ninja"):
            yield f"{name}: module {module.get('name')}: buildsystem"
        if not module.get("sources"):
            yield f"{name}: module {module.get('name')}: no sources"
        for source in module.get("sources", []):
            if source.get("type") == "archive" and \
                    not re.fullmatch("[0-9a-f]{64}", source.get("sha256", "")):
                yield f"{name}: module {module.get('name')}: an archive without a checksum"


def check_permissions(root, name, manifest):
    """Least permissions: each is explained, and none lets the program write, see other
    programs' buses or devices."""
    explained = set(re.findall(r"`(--[a-z][^`]*)`",
                               (root / "flatpak" / "README.md").read_text(encoding="utf-8")))
    told = {word for word in explained if not word.startswith("--user")}
    given = set(manifest.get("finish-args", []))
    if given != told:
        yield f"{name}: flatpak/README.md explains other permissions: {sorted(given ^ told)}"
    for word in given:
        if re.match(r"--(filesystem=(?!.*:ro$)|device=(?!dri$)|socket=(session|system)-bus"
                    r"|socket=x11$|talk-name=org.freedesktop.Flatpak|allow=)", word):
            yield f"{name}: {word} is more than the program needs"
    if manifest.get("runtime") != "org.gnome.Platform" or manifest.get("sdk") != "org.gnome.Sdk":
        yield f"{name}: not on the GNOME runtime"
    options = (root / "meson_options.txt").read_text(encoding="utf-8")
    for module in manifest.get("modules", []):
        for word in module.get("config-opts", []) if module.get("name") == "kymo" else []:
            option = re.match(r"-D(\w+)=", word).group(1)
            if option != "buildtype" and f"option ('{option}'" not in options:
                yield f"{name}: no option {option}"


def version(root):
    text = (root / "meson.build").read_text(encoding="utf-8")
    return re.search(r"version: '([0-9.]+)'", text).group(1)


def check_version(root):
    """One version: meson.build says it, NEWS begins with it."""
    news = (root / "NEWS").read_text(encoding="utf-8")
    first = re.search(r"^Version ([0-9.]+)", news, re.MULTILINE)
    if not first or first.group(1) != version(root):
        yield f"NEWS does not begin with Version {version(root)}"


def check_links(root):
    """What the documents point at is there."""
    for path in [root / "README.md", root / "CONTRIBUTING.md", root / "ARCHITECTURE.md",
                 *sorted((root / "docs").rglob("*.md"))]:
        text = path.read_text(encoding="utf-8")
        for link in re.findall(r"\]\(([^)#\s]+)", text):
            if "://" in link or link.startswith("mailto:"):
                continue
            if not (path.parent / link).exists():
                yield f"{relative(root, path)}: {link} does not exist"


def main(arguments):
    check, root = arguments[0], pathlib.Path(arguments[1])
    try:
        offences = list(globals()["check_" + check](root))
    except Skipped as reason:
        print(f"skipped: {reason}")
        return SKIP
    for offence in offences:
        print(offence)
    return 1 if offences else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
