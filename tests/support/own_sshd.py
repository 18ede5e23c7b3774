# SPDX-License-Identifier: GPL-3.0-or-later
"""A real sshd on loopback, with keys that the test makes and no account but that of its user."""
import getpass
import os
import shlex
import shutil
import socket
import subprocess
import sys
import time

PROGRAM = shutil.which("sshd", path="/usr/sbin:/usr/local/sbin:" + os.environ["PATH"])


class Sshd:
    """An sshd that lets in who has the key "user" of the folder, whose passphrase is SECRET; it
    does not know the key "other". THERE has variables of commands there."""

    def __init__(self, folder, secret="", there=None):
        self.folder = folder
        for name in ("host", "user", "other"):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N",
                            secret if name == "user" else "", "-f", folder / name], check=True)
        shutil.copy(folder / "user.pub", folder / "authorized")
        if os.geteuid() == 0:
            os.makedirs("/run/sshd", exist_ok=True)     # sshd of root does not begin without it
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        (folder / "config").write_text(
            f"Port {self.port}\nListenAddress 127.0.0.1\nHostKey {folder}/host\n"
            f"AuthorizedKeysFile {folder}/authorized\nStrictModes no\nUsePAM no\n"
            f"PidFile none\nPasswordAuthentication no\nPermitRootLogin yes\n"
            + (" ".join(["SetEnv", *(f"{key}={there[key]}" for key in there)]) if there else ""))
        self.begin()

    def begin(self):
        self.process = subprocess.Popen([PROGRAM, "-D", "-e", "-f", self.folder / "config"],
                                        stderr=subprocess.PIPE, text=True)
        for _ in range(600):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            if self.process.poll() is not None:
                break
            time.sleep(0.05)
        print("Bail out! sshd: " + self.process.communicate()[1])
        sys.exit(1)

    def end(self):
        self.process.terminate()
        self.process.wait()

    def words(self, key="user", batch=True, strict="no"):
        """Words that go to the sshd, but for a command there; the last one is the host."""
        return ["-F", "none", "-p", str(self.port), "-i", str(self.folder / key),
                "-o", "IdentitiesOnly=yes", "-o", "IdentityAgent=none",
                *(["-o", "BatchMode=yes"] if batch else []),
                "-o", f"UserKnownHostsFile={self.folder / 'known'}",
                "-o", f"StrictHostKeyChecking={strict}", "-o", "LogLevel=ERROR",
                getpass.getuser() + "@127.0.0.1"]

    def command(self, far, key="user", batch=True, strict="no"):
        """A line that runs the command FAR there."""
        *options, host = self.words(key, batch, strict)
        return shlex.join(["ssh", "-T", *options, "--", host, far])
