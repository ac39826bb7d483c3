"""Quire from Python: files, records, positions and locks as Enscribe programs know them.

    import quire_client as quire

    with quire.connect("127.0.0.1:7000") as server, server.open("$DATA01.STOCK.PARTS") as parts:
        parts.write(b"P2000001washer")

A server is a router or a single volume; both speak the same services. Errors are QuireError, with
the Enscribe number. The stubs under quire.v1 come from generate.sh and may be used beside this.
"""
from quire_client import operations
from quire_client.errors import QuireError
from quire_client.modes import Access, Exclusion, LockMode, Mode
from quire_client.open_file import OpenFile
from quire_client.server import Server, connect
from quire_client.session import Pending, Result

__all__ = ["Access", "Exclusion", "LockMode", "Mode", "OpenFile", "Pending", "QuireError", "Result",
           "Server", "connect", "operations"]
