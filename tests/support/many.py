# SPDX-License-Identifier: GPL-3.0-or-later
"""kymo-cli started once and asked many times: run() of harness.py without starting a
program each time, where the tests were told of kymo-cli-many (see many.c)."""
import array
import os
import select
import signal
import socket
import struct
import subprocess
import threading
import time

REPLY = struct.Struct("IiiI")
AT_ONCE = 1 << 16


class Many:
    """One helper program; a thread has its own."""

    cpu_us = 0                  # of all that was asked, for who measures

    def __init__(self, program):
        self.socket, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.process = subprocess.Popen([program, str(other.fileno())],
                                        pass_fds=[other.fileno()],
                                        stdin=subprocess.DEVNULL)
        other.close()
        self.count = 0

    def reply(self, left):
        self.socket.settimeout(max(left, 0.001))
        told = self.socket.recv(REPLY.size)
        if len(told) != REPLY.size:
            raise OSError("kymo-cli-many ended")
        return REPLY.unpack(told)

    def collect(self, pipes, until):
        """What comes out of both pipes until they are closed; None where time is up."""
        texts = {pipe: [] for pipe in pipes}
        watch = select.poll()
        for pipe in pipes:
            watch.register(pipe, select.POLLIN | select.POLLHUP)
        opened = set(pipes)
        while opened:
            for pipe, _ in watch.poll(max(0, (until - time.monotonic()) * 1000)) or [(None, 0)]:
                if pipe is None:
                    if time.monotonic() >= until:
                        return None
                    continue
                piece = os.read(pipe, AT_ONCE)
                texts[pipe].append(piece)
                if not piece:
                    watch.unregister(pipe)
                    opened.remove(pipe)
        return [b"".join(texts[pipe]) for pipe in pipes]

    def run(self, words, env, timeout, cwd=None):
        self.count += 1
        until = time.monotonic() + timeout
        strings = [str(self.count), os.fspath(cwd or os.getcwd()), str(len(words)), *words,
                   *(f"{name}={value}" for name, value in env.items())]
        message = b"".join(os.fsencode(string) + b"\0" for string in strings)
        out, err = os.pipe(), os.pipe()
        try:
            try:
                self.socket.sendmsg([message], [(socket.SOL_SOCKET, socket.SCM_RIGHTS,
                                                 array.array("i", [out[1], err[1]]))])
            finally:
                os.close(out[1])
                os.close(err[1])
            _, pid, _, _ = self.reply(timeout)
            texts = self.collect((out[0], err[0]), until)
        finally:
            os.close(out[0])
            os.close(err[0])
        if texts is None:
            os.kill(pid, signal.SIGKILL)
        _, _, status, cpu_us = self.reply(timeout)
        Many.cpu_us += cpu_us
        if texts is None:
            raise subprocess.TimeoutExpired(words, timeout)
        return subprocess.CompletedProcess(words, os.waitstatus_to_exitcode(status), *texts)


OF_THREAD = threading.local()


def run(words, env, timeout, cwd=None):
    """As subprocess.run() with both outputs captured."""
    if getattr(OF_THREAD, "many", None) is None:
        OF_THREAD.many = Many(os.environ["KYMO_CLI_MANY"])
    return OF_THREAD.many.run(words, env, timeout, cwd)
