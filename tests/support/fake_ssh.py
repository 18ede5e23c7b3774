#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Stands in for ssh in tests: `ssh … -L 127.0.0.1:PORT:HOST:PORT … -- WHERE`
forwards by sockets and says what ssh says. FAKE_SSH_LOG gets a line of JSON a
start: pid and arguments. FAKE_SSH: "denied": is not let in; "dies:N": ends
after N connections the first time; "slow": listens late."""
import json
import os
import socket
import sys
import threading
import time


def log():
    with open(os.environ["FAKE_SSH_LOG"], "a", encoding="utf-8") as out:
        out.write(json.dumps({"pid": os.getpid(), "args": sys.argv[1:]}) + "\n")
    with open(os.environ["FAKE_SSH_LOG"], encoding="utf-8") as lines:
        return len(lines.readlines())


def pump(source, sink):
    try:
        while data := source.recv(65536):
            sink.sendall(data)
    except OSError:
        pass
    for one in (source, sink):
        try:
            one.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


def forward(connection, host, port):
    try:
        there = socket.create_connection((host, port), 5)
    except OSError:
        connection.close()
        time.sleep(0.05)
        print("channel 2: open failed: connect failed: Connection refused",
              file=sys.stderr, flush=True)
        return
    threading.Thread(target=pump, args=(connection, there), daemon=True).start()
    pump(there, connection)


def main():
    first = log() == 1
    mode = os.environ.get("FAKE_SSH", "")
    where = sys.argv[sys.argv.index("--") + 1]
    if mode == "denied":
        print(f"Warning: added to the list of known hosts.\n{where}: Permission denied "
              "(publickey,password).", file=sys.stderr)
        return 255
    if mode == "slow":
        time.sleep(0.7)
    here, near, host, far = sys.argv[sys.argv.index("-L") + 1].split(":")
    left = int(mode[5:]) if mode.startswith("dies:") and first else -1
    with socket.create_server((here, int(near))) as listener:
        while left != 0:
            connection, _ = listener.accept()
            left -= 1
            thread = threading.Thread(target=forward, args=(connection, host, int(far)),
                                      daemon=True)
            thread.start()
            if left == 0:
                thread.join(5)
    print(f"Connection to {where} closed by remote host.", file=sys.stderr)
    return 255


sys.exit(main())
