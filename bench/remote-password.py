#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""remote-password.py PROGRAM SOURCE-ROOT LOGS: passwords and two-factor questions of a real sshd
with PAM reach the person in the window. Only root can run this: it makes a user, a service of PAM
with two modules (the second one, compiled here, asks for a code), and removes them. It needs the
headers of PAM, and a display as the tests in tests/e2e have:

  export GSETTINGS_SCHEMA_DIR=$PWD/build/data
  build-aux/with-display.py bench/remote-password.py build/src/app/kymo . build/meson-logs"""
import os
import pathlib
import secrets
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests" / "e2e"), str(ROOT / "tests" / "support")]
import desktop  # noqa: E402
import own_sshd  # noqa: E402

NAME = f"kymo{os.getpid()}"
PASSWORD, CODE = secrets.token_urlsafe(12), "271828"
MODULE = r"""
#include <security/pam_ext.h>
#include <security/pam_modules.h>
#include <stdlib.h>
#include <string.h>

int
pam_sm_authenticate (pam_handle_t *pam, int flags, int argc, const char **argv)
{
  char *code = NULL;
  int done = pam_prompt (pam, PAM_PROMPT_ECHO_ON, &code, "One-time code: ");

  if (done == PAM_SUCCESS && (code == NULL || strcmp (code, argv[0]) != 0))
    done = PAM_AUTH_ERR;
  free (code);
  return done;
}

int
pam_sm_setcred (pam_handle_t *pam, int flags, int argc, const char **argv)
{
  return PAM_SUCCESS;
}
"""


def sh(*words, **more):
    subprocess.run(words, check=True, **more)


class Account:
    """A user with a password, and an sshd that asks for it; a service of PAM has the name of the
    program that asks."""

    def __init__(self, folder):
        self.folder, self.service = folder, pathlib.Path("/etc/pam.d", NAME)
        self.program = folder / NAME
        self.program.symlink_to(own_sshd.PROGRAM)
        module = folder / "pam_code.so"
        sh("gcc", "-shared", "-fPIC", "-xc", "-o", module, "-", "-lpam", input=MODULE.encode())
        sh("useradd", "--create-home", "--home-dir", folder / "home", "--shell", "/bin/sh", NAME)
        sh("chpasswd", input=f"{NAME}:{PASSWORD}".encode())
        self.one = "auth required pam_unix.so\naccount required pam_unix.so\n"
        self.two = self.one.replace("\n", f"\nauth required {module} {CODE}\n", 1)
        sh("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder / "host")
        self.port = 0

    def begin(self, modules, way):
        """sshd that lets in by "password" or "keyboard-interactive" alone."""
        self.service.write_text(modules)
        with own_sshd.socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        (self.folder / "config").write_text(
            f"Port {self.port}\nListenAddress 127.0.0.1\nHostKey {self.folder}/host\nUsePAM yes\n"
            f"PidFile none\nStrictModes no\nAuthenticationMethods {way}\n"
            f"PasswordAuthentication {'yes' if way == 'password' else 'no'}\n"
            f"KbdInteractiveAuthentication {'no' if way == 'password' else 'yes'}\n")
        os.makedirs("/run/sshd", exist_ok=True)
        self.sshd = subprocess.Popen([self.program, "-D", "-e", "-f", self.folder / "config"],
                                     stderr=open(self.folder / "sshd.log", "w"))
        desktop.wait_for(self.answers, "sshd")

    def answers(self):
        with own_sshd.socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def end(self):
        self.sshd.terminate()
        self.sshd.wait()

    def remove(self):
        self.service.unlink(missing_ok=True)
        desktop.wait_for(lambda: subprocess.run(["pgrep", "-u", NAME], capture_output=True)
                         .returncode != 0, "the end of all that the user had begun")
        sh("userdel", NAME)

    def env(self, server):
        return {**os.environ, "XDG_RUNTIME_DIR": str(self.folder / "run"), "KYMO_SERVER":
                f"ssh -F none -T -p {self.port} -o UserKnownHostsFile={self.folder}/known "
                f"-o StrictHostKeyChecking=no -o LogLevel=ERROR -o IdentityAgent=none "
                f"-o PubkeyAuthentication=no -- {NAME}@127.0.0.1 {server} --stdio"}


def answer(app, question, text, hidden=True):
    app.see(question)
    app.focus()
    desktop.xdo("type", "--delay", 5, text)
    if not hidden:
        app.see(f"^{text}$")
    app.keys("Return")
    desktop.wait_for(lambda: not app.all("label", question), "the next question, or none")


def check_password(program, account, server, run):
    account.begin(account.one, "password")
    with desktop.App(program, run, env=account.env(server)) as app:
        answer(app, f".*{NAME}@127.0.0.1's password.*", "wrong")
        app.see(f".*{NAME}@127.0.0.1's password.*")
        answer(app, f".*{NAME}@127.0.0.1's password.*", PASSWORD)
        app.see("8 PEs · 202,648 records")
        assert PASSWORD not in app.output()
    account.end()
    print("ok a password, after a wrong one", flush=True)


def check_two(program, account, server, run):
    account.begin(account.two, "keyboard-interactive")
    with desktop.App(program, run, env=account.env(server)) as app:
        answer(app, ".*Password: ?.*", PASSWORD)
        answer(app, ".*One-time code: ?.*", CODE, hidden=False)
        app.see("8 PEs · 202,648 records")
        assert PASSWORD not in app.output()
    account.end()
    print("ok a password and a code", flush=True)


def check_wrong_code(program, account, server, run):
    account.begin(account.two, "keyboard-interactive")
    with desktop.App(program, run, env=account.env(server)) as app:
        for _ in range(3):
            answer(app, ".*Password: ?.*", PASSWORD)
            answer(app, ".*One-time code: ?.*", "000000", hidden=False)
        app.see("Permission denied")
        app.see("This Run Cannot Be Read")
    account.end()
    print("ok a code that is wrong three times", flush=True)


def test(program, source):
    build = pathlib.Path(program).resolve().parents[2]
    with tempfile.TemporaryDirectory(prefix="kymo-pam-") as name:
        folder = pathlib.Path(name)
        folder.chmod(0o755)
        (folder / "run").mkdir(mode=0o700)
        account = Account(folder)
        # The user need not see where the program was built.
        server, sample = folder / "kymo-server", folder / "sample"
        sh("cp", build / "src" / "remote" / "kymo-server", server)
        sh("cp", "-r", pathlib.Path(source, "data", "sample"), sample)
        try:
            for check in (check_password, check_two, check_wrong_code):
                check(program, account, server, f"ssh://far{sample}")
        finally:
            if getattr(account, "sshd", None) is not None:
                account.end()
            account.remove()


if __name__ == "__main__":
    if os.geteuid() != 0:
        print("only root can make a user")
        sys.exit(77)
    desktop.run(test, *sys.argv[1:4])
