"""A file of parts: written, read on, changed under a lock, scanned. Usage: example.py HOST:PORT"""
import sys

import quire_client as quire
from quire_client import operations as op

PARTS = "$DATA01.STOCK.PARTS"


def attempt(what, call, *arguments):
    try:
        call(*arguments)
        print(f"{what}: done")
    except quire.QuireError as error:
        print(f"{what}: error {error.number} ({error.name}), retry {error.retry}")


with quire.connect(sys.argv[1]) as server:
    # Keys from P5 on go to the second volume, when the server reaches one.
    seconds = [(volume, b"P5") for volume in server.volumes()[1:2]]
    server.create(PARTS, key_length=8, record_bytes=80, partitions=seconds)

    with server.open(PARTS) as parts:
        for record in (b"P2000001washer", b"P2000002spring", b"P7000001wheel"):
            parts.write(record)
        attempt("write P2000001 again", parts.write, b"P2000001again")

        parts.set_position(b"P2", quire.Mode.GENERIC)
        for record in parts:  # READ until error 1
            print("read", record.decode())

        parts.set_position(b"P7000001", quire.Mode.EXACT)
        wheel = parts.read_next(lock=True)
        with server.open(PARTS, lock_mode=quire.LockMode.REJECT) as other:
            attempt("read P7000001 elsewhere", other.read, b"P7000001")
            parts.write_update(wheel + b", 26 inch", unlock=True)
            attempt("read P7000001 elsewhere", other.read, b"P7000001")

        # Many operations under way; each has its own result.
        keys = (b"P2000001", b"P2000009", b"P7000001")
        under_way = parts.submit(op.read(key) for key in keys)
        for key, result in zip(keys, under_way.results()):
            found = f"error {result.error.number}" if result.error else result.record.decode()
            print(key.decode(), "->", found)

    for record in server.scan(PARTS, start=b"P2000002"):
        print("scan", record.decode())
    attempt("read P9999999", server.read, PARTS, b"P9999999")
    server.purge(PARTS)
