"""Writes while servers are killed and restarted. The test that starts it does so when it sees the
numbers printed, and makes the file RESTARTED when it has done with that.
Usage: python_restart_test.py router|volume RESTARTED; the server is at $QUIRE_TEST_SERVER."""
import collections
import os
import sys
import time

import quire_client as quire
from quire_client import operations as op

NAME = "$DATA01.PYTHON.RESTART"
RECORDS = 600
OUTCOME_UNKNOWN = 201


def key(number):
    return b"K%07d" % number


def numbers(records):
    return [int(record[1:8]) for record in records]


def write_all(opened):
    """The numbers whose outcome is unknown. Five batches of ten are under way."""
    unknown = []
    under_way = collections.deque()
    for at in range(0, RECORDS, 10):
        under_way.append((at, opened.submit(op.write(key(n)) for n in range(at, at + 10))))
        while len(under_way) > (5 if at + 10 < RECORDS else 0):
            first, pending = under_way.popleft()
            for i, result in enumerate(pending.results()):
                if result.error and result.error.number != OUTCOME_UNKNOWN:
                    raise result.error
                if result.error:
                    unknown.append(first + i)
            print(first + 10, flush=True)
    return unknown


def until_exists(path):
    deadline = time.monotonic() + 60
    while not os.path.exists(path):
        assert time.monotonic() < deadline, "no restart"
        time.sleep(0.01)


def main(restarted, path):
    server = quire.connect(os.environ["QUIRE_TEST_SERVER"], "restart-test")
    server.create(NAME, key_length=8,
                  partitions=[(volume, key(300)) for volume in server.volumes()[1:2]])
    server.write(NAME, b"Lock one")
    holder = server.open(NAME)
    holder.set_position(b"L")
    holder.read_next(lock=True)
    with server.open(NAME) as opened:
        unknown = write_all(opened)
        until_exists(path)
        opened.set_position(b"K", quire.Mode.GENERIC)
        found = numbers(opened)
    assert found == sorted(found), "out of order"
    assert set(range(RECORDS)) - set(found) <= set(unknown), "an acknowledged record is missing"
    try:
        kept = holder.read_update() == b"Lock one"
        with server.open(NAME, lock_mode=quire.LockMode.REJECT) as other:
            other.read(b"Lock one")
    except quire.QuireError as error:
        kept = error.number == (73 if restarted == "router" else 60)
    holder.close()
    assert kept, "the lock"
    # Only a volume forgets what it has answered.
    assert restarted == "volume" or not unknown, f"unknown: {unknown}"
    print("done")


main(*sys.argv[1:])
