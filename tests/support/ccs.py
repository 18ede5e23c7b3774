# SPDX-License-Identifier: GPL-3.0-or-later
"""A Converse Client Server for tests, on loopback: it plays captured
exchanges byte for byte, or what a test makes of them."""
import hashlib
import pathlib
import socket
import struct
import threading
import zipfile

HEADER = 40
ARCH = "debug/converse/arch"
INFO = "ccs_getinfo"
DETAIL = "CkPerfSumDetail compressed"
DOUBLES = "CkPerfSummaryCcsClientCB"
SHARES = "CkPerfSummaryCcsClientCB uchar"
STREAMS = (DETAIL, DOUBLES, SHARES)
ARCH_LITTLE = bytes([8, 10, 2, 1, 4, 8, 8, 1])


def reply(payload):
    return struct.pack(">I", len(payload)) + payload


def nothing(handler):
    if handler == DETAIL:
        return struct.pack("<i", 0)
    return struct.pack("<d", -13.37) if handler == DOUBLES else b"\xff"


def getinfo(pes):
    return struct.pack(f">{pes + 1}i", pes, *[1] * pes)


def block(records, pes=2, bins=1000, order="<"):
    """A detail block whose every bin has these (entry, share)."""
    one = struct.pack(order + "h", len(records))
    for entry, share in records:
        one += struct.pack(order + "hB", entry, share)
    return struct.pack(order + "ii", bins, pes) + bins * one


class Capture:
    """Exchanges of a real program: (handler, request, reply), in order."""

    def __init__(self, source_root, name):
        path = pathlib.Path(source_root) / "tests/data/captures" / f"{name}.zip"
        with zipfile.ZipFile(path) as files:
            names = sorted(n[:-4] for n in files.namelist() if n.endswith(".req"))
            self.exchanges = [(files.read(n + ".req"), files.read(n + ".rep"))
                              for n in names]
            self.utilization = [float(u) for u in files.read("utilization.txt").split()]
            self.key = (files.read("authkeys.txt")
                        if "authkeys.txt" in files.namelist() else None)

    def replies(self, handler):
        """Whole plain replies to a plain request for the handler."""
        return [rep for req, rep in self.exchanges if len(req) == HEADER
                and handler_of(req) == handler and struct.unpack_from(">i", req, 4)[0] == 0]

    def sealed(self, handler):
        """The same of requests that were signed, without their signatures."""
        return [rep[20:] for req, rep in self.exchanges if len(req) == HEADER + 32
                and handler_of(req[32:]) == handler]

    def request(self, handler):
        for req, _ in self.exchanges:
            plain = req[-HEADER:]
            if len(req) >= HEADER and handler_of(plain) == handler:
                return plain
        return None


def handler_of(request):
    return request[8:HEADER].split(b"\0")[0].decode()


class Server(threading.Thread):
    """`answer (self, connection, request, number)` sends what it wants; FALSE
    from it closes the port. Requests are kept."""

    def __init__(self, answer, family=socket.AF_INET, port=0, key=None):
        super().__init__(daemon=True)
        self.answer = answer
        self.key = key
        self.clients = {}
        self.requests = []
        self.failure = None
        self.stopped = False
        self.listener = socket.socket(family, socket.SOCK_STREAM)
        self.listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.listener.bind(("::1" if family == socket.AF_INET6 else "127.0.0.1", port))
        self.listener.listen(16)
        self.port = self.listener.getsockname()[1]
        self.start()

    def run(self):
        try:
            while True:
                connection, _ = self.listener.accept()
                with connection:
                    if not self.serve(connection):
                        break
        except OSError as error:
            if not self.stopped:
                self.failure = error
        self.listener.close()

    def stop(self):
        self.stopped = True
        try:
            self.listener.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self.join(10)

    def serve(self, connection):
        connection.settimeout(20)
        if self.key is not None:
            return self.serve_sealed(connection)
        request = take(connection, HEADER)
        if len(request) < HEADER:
            return True
        self.requests.append(request)
        return self.answer(self, connection, request) is not False

    def hash(self, salt, header=b""):
        data = self.key + struct.pack(">I", salt & 0xffffffff) + header[:16]
        return hashlib.sha1(data.ljust(52, b"\0")).digest()

    def serve_sealed(self, connection):
        head = take(connection, 4)
        if len(head) == 4 and head[0] < 0x20:
            reset(connection)
            return True
        if head[:3] == b"\x80\0\1":
            challenge, = struct.unpack(">I", take(connection, 4))
            connection.sendall(struct.pack(">I", 0x11223344))
            if take(connection, 20) != self.hash(0x11223344):
                return True
            client = len(self.clients)
            self.clients[client] = 0xfffffffe
            connection.sendall(self.hash(challenge)
                               + struct.pack(">II", client, self.clients[client]))
            return True
        seal = take(connection, 28)
        request = take(connection, HEADER)
        client, salt = struct.unpack_from(">II", seal)
        if client not in self.clients or seal[8:] != self.hash(self.clients[client], request):
            reset(connection)
            return True
        self.clients[client] = (self.clients[client] + 1) & 0xffffffff
        self.requests.append(request)
        connection.sendall(self.hash(salt))
        return self.answer(self, connection, request) is not False


def take(connection, n):
    data = b""
    while len(data) < n:
        try:
            piece = connection.recv(n - len(data))
        except OSError:
            break
        if not piece:
            break
        data += piece
    return data


def reset(connection):
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


def free_port():
    """A port on which nobody listens."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def play(replies, arch=ARCH_LITTLE, pes=2, handler=DETAIL, most_nothing=None):
    """An answer for Server: the replies of the stream one after the other, whole
    with their heads; the port closes with the last. Other streams are unknown."""
    rest = list(replies)
    if most_nothing is not None:
        empty = [r for r in rest if r == reply(nothing(handler))]
        for one in empty[most_nothing:]:
            rest.remove(one)

    def answer(server, connection, request):
        asked = handler_of(request)
        if asked == ARCH:
            connection.sendall(reply(arch))
        elif asked == INFO:
            connection.sendall(reply(getinfo(pes)))
        elif asked != handler:
            connection.sendall(reply(b""))
        else:
            connection.sendall(rest.pop(0))
            return bool(rest)
        return True
    return answer
