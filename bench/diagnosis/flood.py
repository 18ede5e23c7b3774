#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""flood.py sink ADDRESS | flood ADDRESS RATE: traffic that is not the program's, over several
connections of TCP; RATE as 250mbit, or 0 for all that the link gives."""
import select
import socket
import sys
import time

PORT, N_CONNECTIONS, PIECE = 22199, 4, 1 << 16


def sink(address):
    with socket.create_server((address, PORT)) as server:
        known = [server]
        buffer = bytearray(1 << 20)
        while True:
            for ready in select.select(known, [], [])[0]:
                if ready is server:
                    known.append(server.accept()[0])
                elif ready.recv_into(buffer) == 0:
                    known.remove(ready)


def connect(address):
    for _ in range(200):
        try:
            return socket.create_connection((address, PORT))
        except OSError:
            time.sleep(0.02)
    sys.exit("nobody listens")


def flood(address, bits_per_s):
    connections = [connect(address) for _ in range(N_CONNECTIONS)]
    piece, begin, sent = bytes(PIECE), time.monotonic(), 0
    while True:
        for ready in select.select([], connections, [])[1]:
            sent += ready.send(piece)
        if bits_per_s:
            early = sent * 8 / bits_per_s - (time.monotonic() - begin)
            if early > 0:
                time.sleep(early)


if sys.argv[1] == "sink":
    sink(sys.argv[2])
else:
    flood(sys.argv[2], int(sys.argv[3].replace("mbit", "000000")))
