# SPDX-License-Identifier: GPL-3.0-or-later
"""Opened from a desktop: what `gio open` and a file manager do with a file and a folder of a
run, after our desktop files, types and the service were put where an installation puts them.
The program is started by its name on the bus, once, and told of everything after that."""

import os
import pathlib
import shutil
import subprocess
import sys

import desktop
from desktop import APP_ID, GLib, Gio, wait_for

FOLDER_ID = f"zz-{APP_ID}-folder.desktop"
MANAGER_ID = "yet-another-file-manager.desktop"
MANAGER = """[Desktop Entry]
Type=Application
Name=Files
Exec=touch %s %%F
MimeType=inode/directory;
"""


class Started:
    """A process that somebody else started, as subprocess has them."""

    def __init__(self, pid):
        self.pid = pid
        self.returncode = None

    def poll(self):
        return None if os.path.exists(f"/proc/{self.pid}") else 0

    def terminate(self):
        os.kill(self.pid, 15)

    def wait(self, seconds=5):
        wait_for(lambda: self.poll() is not None, "the end of the program", seconds)

    kill = terminate


class Served(desktop.App):
    """The program that the bus started."""

    def __init__(self):
        self.bus = Gio.bus_get_sync(Gio.BusType.SESSION)
        self.log = open(os.devnull, "r")
        self.process = Started(wait_for(self.owner, "the program's name on the bus"))

    def owner(self):
        try:
            return self.bus.call_sync(
                "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
                "GetConnectionUnixProcessID", GLib.Variant("(s)", (APP_ID,)), None,
                Gio.DBusCallFlags.NONE, 5000, None).unpack()[0]
        except GLib.Error:
            return None

    def output(self):
        return ""


def call_bus(method, *parameters):
    Gio.bus_get_sync(Gio.BusType.SESSION).call_sync(
        "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", method,
        *parameters, None, Gio.DBusCallFlags.NONE, 5000, None)


def install(program, source, build):
    """As `meson install` does it, into the home of this test."""
    home = pathlib.Path(os.environ["XDG_DATA_HOME"])
    applications, packages = home / "applications", home / "mime" / "packages"
    services = home / "dbus-1" / "services"
    for folder in (applications, packages, services):
        folder.mkdir(parents=True)
    for name in (f"{APP_ID}.desktop", FOLDER_ID):
        text = (build / "data" / name).read_text()
        # The one of the build tree is in no PATH.
        (applications / name).write_text(text.replace("Exec=kymo", f"Exec={program}"))
    (applications / MANAGER_ID).write_text(MANAGER % (home / "managed"))
    shutil.copy(source / "data" / f"{APP_ID}.mime.xml", packages)
    service = (source / "data" / f"{APP_ID}.service.in").read_text()
    (services / f"{APP_ID}.service").write_text(
        service.replace("@bindir@/kymo", str(program)))
    subprocess.run(["update-mime-database", packages.parent], check=True)
    subprocess.run(["update-desktop-database", applications], check=True)
    call_bus("ReloadConfig", None)
    return home


def gio(*words):
    return subprocess.run(["gio", *map(str, words)], check=True, capture_output=True,
                          text=True, timeout=desktop.PATIENCE).stdout


def check_offers(home):
    """A folder is offered to us, and is the file manager's."""
    told = gio("mime", "inode/directory")
    default, _, rest = told.partition("\n")
    assert default.endswith(MANAGER_ID), told
    assert FOLDER_ID in rest, told
    assert f"\t{APP_ID}.desktop" not in rest, told
    gio("open", home)
    wait_for(lambda: (home / "managed").exists(), "the file manager")
    for kind in ("projections-sts", "projections-summary", "otf2", "tau-trace"):
        told = gio("mime", f"application/x-{kind}")
        assert told.splitlines()[0].endswith(f"{APP_ID}.desktop"), told


def test(program, source, build):
    home = install(program, source, build)
    check_offers(home)
    file = source / "tests" / "data" / "v7-feat-p3-text" / "feat.proj.sts"
    folder = source / "tests" / "data" / "ampi-jacobi-p4-gz"
    other = source / "tests" / "data" / "jacobi2d-sum-p8" / "jacobi2d.summ.0.sum"
    gio("open", file)
    with Served() as app:
        words = pathlib.Path(f"/proc/{app.process.pid}/cmdline").read_bytes().split(b"\0")
        assert b"--gapplication-service" in words, words
        app.see("feat")
        app.see("3 PEs")
        # What a file manager does with “Open With Kymo” on a folder.
        gio("launch", home / "applications" / FOLDER_ID, folder)
        app.see("ampi-jacobi|jacobi")
        app.see("4 (PEs|ranks)")
        gio("open", other)
        app.see("8 PEs")
        # The person's own choice counts.
        gio("mime", "inode/directory", FOLDER_ID)
        gio("open", source / "data" / "sample")
        app.see("leanmd")
        assert app.owner() == app.process.pid, "it was started again"
        assert app.is_shown("Findings")
        assert len(app.views()) >= 4


def main(program, source, logs):
    build = pathlib.Path(program).resolve().parents[2]
    for tool in ("gio", "update-mime-database", "update-desktop-database"):
        if not shutil.which(tool):
            print(f"skipped: {tool} is not installed")
            sys.exit(desktop.SKIP)
    desktop.run(lambda first, second: test(pathlib.Path(first).resolve(),
                                           pathlib.Path(second).resolve(), build),
                program, source, logs)


main(*sys.argv[1:4])
