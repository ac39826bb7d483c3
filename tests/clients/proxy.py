"""A TCP proxy whose connections can be cut, to break what runs through it at a chosen moment."""
import select
import socket
import threading


class Proxy:
    """Listens on a loopback port of its own; `address` is HOST:PORT."""

    def __init__(self, target):
        self._target = target.rsplit(":", 1)
        self._lock = threading.Lock()
        self._sockets = set()
        self._down = False
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = "127.0.0.1:%d" % self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self):
        """Breaks every connection; new ones are taken."""
        with self._lock:
            for sock in self._sockets:
                _shut(sock)

    def set_down(self, down):
        """While down, nobody gets through."""
        self._down = down
        if down:
            self.cut()

    def close(self):
        self.set_down(True)
        _shut(self._listener)
        self._listener.close()

    def _accept(self):
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            if self._down:
                client.close()
                continue
            server = socket.create_connection((self._target[0], int(self._target[1])))
            with self._lock:
                self._sockets.update((client, server))
            threading.Thread(target=self._relay, args=(client, server), daemon=True).start()

    def _relay(self, client, server):
        other = {client: server, server: client}
        with client, server:
            try:
                while True:
                    for source in select.select((client, server), (), ())[0]:
                        data = source.recv(65536)
                        if not data:
                            return
                        other[source].sendall(data)
            except OSError:
                pass
            finally:
                with self._lock:
                    self._sockets -= {client, server}


def _shut(sock):
    try:
        sock.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass
