#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""remote-network.py BUILD: what happens to a command and its server when the network between them
is gone: a network namespace has a real sshd, and a rule there drops all packets. The client must
end within the limits of ssh (three times ten seconds), say so, and leave no process; the server
must end by itself. Only root can make the namespace; it takes about two minutes."""
import os
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "support"))
import own_sshd  # noqa: E402

BUILD = pathlib.Path(sys.argv[1]).resolve()
CLI, SERVER = BUILD / "src" / "cli" / "kymo-cli", BUILD / "src" / "remote" / "kymo-server"
RUN = ROOT / "data" / "sample"
SPACE, HERE, THERE = f"kymo-{os.getpid()}", "10.213.77.1", "10.213.77.2"
# What ssh is told by Kymo where it starts it itself.
LIMITS = ["-o", "ServerAliveInterval=10", "-o", "ServerAliveCountMax=3", "-o", "ConnectTimeout=20"]


def sh(line):
    subprocess.run(line, shell=True, check=True)


def build_network():
    near, far = f"kn{os.getpid()}", f"kf{os.getpid()}"
    sh(f"ip netns add {SPACE}; ip link add {near} type veth peer name {far} netns {SPACE}; "
       f"ip addr add {HERE}/24 dev {near}; ip link set {near} up; "
       f"ip -n {SPACE} addr add {THERE}/24 dev {far}; ip -n {SPACE} link set {far} up; "
       f"ip -n {SPACE} link set lo up")


def drop_all():
    """Nothing comes in and nothing goes out, and nobody is told."""
    for hook in ("input", "output"):
        sh(f"ip netns exec {SPACE} nft 'add table inet kymo; add chain inet kymo {hook} "
           f"{{ type filter hook {hook} priority 0; policy drop; }}'")


def start_sshd(folder):
    """An sshd in the namespace; its configuration is that of one on loopback."""
    sshd = own_sshd.Sshd(folder)
    sshd.end()
    config = (folder / "config").read_text().replace("ListenAddress 127.0.0.1",
                                                     f"ListenAddress {THERE}")
    (folder / "config").write_text(config)
    process = subprocess.Popen(["ip", "netns", "exec", SPACE, own_sshd.PROGRAM, "-D", "-e", "-f",
                                folder / "config"], stderr=subprocess.DEVNULL)
    time.sleep(1)
    *options, host = sshd.words()
    return process, ["ssh", "-T", *LIMITS, *options, host.replace("127.0.0.1", THERE)]


def pids_of(word):
    """Processes with the word in their command line."""
    found = []
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if (word.encode() in (folder / "cmdline").read_bytes()
                    and int(folder.name) != os.getpid()):
                found.append(int(folder.name))
        except OSError:
            pass
    return found


def wait_gone(word, most_s):
    begin = time.monotonic()
    while pids_of(word):
        if time.monotonic() - begin > most_s:
            return None
        time.sleep(0.2)
    return time.monotonic() - begin


def main():
    if os.geteuid() != 0:
        print("only root can make a network namespace")
        return 77
    build_network()
    failed = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        sshd, ssh = start_sshd(folder)
        frames = folder / "frames"
        # The name of the run tells this server from others.
        far = f"{SERVER} --stdio {RUN}"
        command = " ".join(ssh) + f" '{far}'"
        try:
            near = subprocess.run([CLI, "info", f"ssh://far{RUN}", "--format", "json", "--server",
                                   command], capture_output=True)
            assert near.returncode == 0, near.stderr
            # Cut while the answer is made or on its way.
            client = subprocess.Popen([CLI, "events", f"ssh://far{RUN}", "--limit", "1000000",
                                       "--format", "json", "--server", command],
                                      env={**os.environ, "KYMO_FRAMES": str(frames)},
                                      stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            while not frames.exists() or " ASK " not in frames.read_text():
                assert client.poll() is None
                time.sleep(0.005)
            drop_all()
            begin = time.monotonic()
            words = client.communicate(timeout=90)[1].decode().strip()
            took = time.monotonic() - begin
            print(f"the command ended after {took:.1f} s with {client.returncode}: {words}")
            failed += client.returncode != 1 or not took <= 45
            failed += "The connection to far is lost" not in words
            left = wait_gone(" ".join(ssh[-2:]).split("@")[-1], 2)
            failed += left is None
            ended = wait_gone(far, 90)
            print("the server is left" if ended is None
                  else f"the server ended {took + ended:.1f} s after the cut")
            failed += ended is None
            begin = time.monotonic()
            refused = subprocess.run([CLI, "info", f"ssh://far{RUN}", "--server", command],
                                     capture_output=True, timeout=60)
            print(f"a new command ended after {time.monotonic() - begin:.1f} s with "
                  f"{refused.returncode}: {refused.stderr.decode().strip()}")
            failed += refused.returncode != 1 or not refused.stderr
        finally:
            sshd.terminate()
            sh(f"ip netns pids {SPACE} | xargs -r kill; ip netns del {SPACE}")
    print("failed" if failed else "all as it should be")
    return 1 if failed else 0


sys.exit(main())
