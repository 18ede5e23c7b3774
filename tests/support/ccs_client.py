# SPDX-License-Identifier: GPL-3.0-or-later
"""A CCS client of its own: raw sockets and struct, nothing of Kymo; so what a
server of Kymo says is read by something that was not written beside it."""
import hashlib
import os
import socket
import struct
import time

DETAIL = "CkPerfSumDetail compressed"
DOUBLES = "CkPerfSummaryCcsClientCB"
SHARES = "CkPerfSummaryCcsClientCB uchar"
NOTHING = {DETAIL: bytes(4), DOUBLES: struct.pack("<d", -13.37), SHARES: b"\xff"}


def header(handler, pe=0, n_data=0):
    return struct.pack(">ii32s", n_data, pe, handler.encode())


def connect(port, host="127.0.0.1", timeout=10):
    peer = socket.create_connection((host, port), timeout=timeout)
    peer.settimeout(timeout)
    return peer


def read_all(peer, for_s=60):
    """All up to the end; a reset counts as the end, and is told. What is not
    all there in time is an exception."""
    got, until = b"", time.monotonic() + for_s
    try:
        while chunk := peer.recv(1 << 16):
            got += chunk
            if time.monotonic() > until:
                raise TimeoutError(f"{len(got)} bytes in {for_s} s")
    except ConnectionResetError:
        return got, True
    return got, False


def exchange(port, request, host="127.0.0.1", timeout=10):
    """(all bytes of the reply, whether it was reset)"""
    with connect(port, host, timeout) as peer:
        try:
            peer.sendall(request)
        except (ConnectionResetError, BrokenPipeError):
            return b"", True
        return read_all(peer)


class Closed(AssertionError):
    """The connection ended before a reply began."""


def ask(port, handler, pe=0, data=b"", **options):
    """The payload; anything but a whole reply is an exception."""
    got, reset = exchange(port, header(handler, pe, len(data)) + data, **options)
    if reset:
        raise ConnectionResetError(f"{handler}: reset after {len(got)} bytes")
    if not got:
        raise Closed(handler)
    if len(got) < 4:
        raise AssertionError(f"{handler}: {got!r}")
    length = struct.unpack(">i", got[:4])[0]
    if length != len(got) - 4:
        raise AssertionError(f"{handler}: {len(got) - 4} bytes of {length}")
    return got[4:]


class Login:
    """A client that has a key: 16 bytes."""

    def __init__(self, port, key, level=0):
        self.port, self.key, self.level = port, key.ljust(16, b"\0"), level
        challenge = os.urandom(4)
        with connect(port) as peer:
            peer.sendall(bytes([0x80, 0, 1, level]) + challenge)
            asked = self.read(peer, 4)
            peer.sendall(self.hash(asked))
            welcome, _ = read_all(peer)
        if len(welcome) != 28 or welcome[:20] != self.hash(challenge):
            raise AssertionError(f"no login: {welcome!r}")
        self.number = welcome[20:24]
        self.salt = struct.unpack(">I", welcome[24:])[0]

    @staticmethod
    def read(peer, n):
        got = b""
        while len(got) < n and (chunk := peer.recv(n - len(got))):
            got += chunk
        return got

    def hash(self, salt, head=b""):
        return hashlib.sha1(self.key + salt + head[:16].ljust(16, b"\0") + bytes(16)).digest()

    def call(self, handler, pe=0):
        """(all bytes of the reply without its hash, whether that is right)"""
        head = header(handler, pe)
        back = os.urandom(4)
        seal = self.hash(struct.pack(">I", self.salt), head)
        self.salt = (self.salt + 1) & 0xffffffff
        got, _ = exchange(self.port, bytes([0x80, 0, 0, self.level]) + self.number + back
                          + seal + head)
        return got[20:], got[:20] == self.hash(back)
