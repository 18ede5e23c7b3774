# SPDX-License-Identifier: GPL-3.0-or-later
"""nfs-ganesha, an NFS server in user space, with a system bus of its own on which it tells what it
counts. `on` puts words in front of its command, such as those that start it on another node."""
import contextlib
import os
import pathlib
import shutil
import socket
import subprocess
import time

CONF = """NFS_CORE_PARAM {{ Protocols = 4; NFS_Port = {port}; Bind_addr = {host};
  Enable_NLM = false; Enable_RQUOTA = false; Enable_UDP = none; }}
NFSV4 {{ Graceless = true; RecoveryBackend = fs; RecoveryRoot = {folder};
  Only_Numeric_Owners = true; }}
EXPORT {{ Export_Id = 1; Path = /export; Pseudo = /export; Protocols = 4; Access_Type = RW;
  Squash = None; SecType = sys, none; FSAL {{ Name = MEM; }} }}
MEM {{ Inode_Size = {file_bytes}; }}
"""
BUS = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>system</type><listen>unix:path={folder}/bus</listen><auth>EXTERNAL</auth>
<policy context="default"><allow own="*"/><allow send_destination="*"/><allow user="*"/>
<allow receive_sender="*"/></policy></busconfig>
"""
PATIENCE_S = 60


class NoServer(Exception):
    """It may not run here."""


@contextlib.contextmanager
def ganesha(folder, host="127.0.0.1", port=0, on=(), file_bytes=0):
    """A server whose files are in memory, and keep their first `file_bytes` bytes, at most 2 MiB;
    tells its URL, and the variables with which programs find its bus."""
    folder = pathlib.Path(folder)
    if port == 0:
        with socket.create_server((host, 0)) as taken:
            port = taken.getsockname()[1]
    (folder / "bus.conf").write_text(BUS.format(folder=folder))
    (folder / "conf").write_text(CONF.format(host=host, port=port, folder=folder,
                                              file_bytes=file_bytes))
    variables = {"DBUS_SYSTEM_BUS_ADDRESS": f"unix:path={folder}/bus"}
    log = folder / "log"
    with contextlib.ExitStack() as stack:
        def start(*words):
            process = subprocess.Popen([*on, *map(str, words)], stdin=subprocess.DEVNULL,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                       env={**os.environ, **variables})
            stack.callback(process.wait)
            stack.callback(process.kill)
            return process

        def wait_for(process, condition):
            end = time.monotonic() + PATIENCE_S
            while not condition():
                if process.poll() is not None or time.monotonic() > end:
                    raise NoServer("nfs-ganesha does not run here")
                time.sleep(0.02)

        if shutil.which("dbus-daemon"):
            bus = start("dbus-daemon", "--nofork", "--nopidfile",
                        f"--config-file={folder}/bus.conf")
            wait_for(bus, (folder / "bus").exists)
        server = start("ganesha.nfsd", "-F", "-f", folder / "conf", "-L", log, "-p", folder / "pid")
        wait_for(server, lambda: log.exists() and "NFS SERVER INITIALIZED" in log.read_text())
        yield f"nfs://{host}/export?version=4&nfsport={port}", variables
