"""The Python client against the server at $QUIRE_TEST_SERVER, a router over two volumes or a
single volume: the same answers from both. Files are cut into two partitions where there are two
volumes."""
import os
import time
import unittest
import zlib

import grpc

import quire_client as quire
from quire.v1 import common_pb2, record_pb2
from quire_client import operations as op
from quire_client import Access, Exclusion, LockMode, Mode

from proxy import Proxy

ADDRESS = os.environ["QUIRE_TEST_SERVER"]


def key(number):
    return b"K%07d" % number


class ServerTest(unittest.TestCase):
    def setUp(self):
        self.server = quire.connect(ADDRESS, "python-test")
        self.addCleanup(self.server.close)
        self.volumes = self.server.volumes()
        self.name = "$DATA01.PYTHON.F%07x" % (zlib.crc32(self.id().encode()) & 0xFFFFFFF)
        self.server.create(self.name, key_length=8, record_bytes=80,
                           partitions=[(volume, key(500)) for volume in self.volumes[1:2]])

    def open(self, **options):
        opened = self.server.open(self.name, **options)
        self.addCleanup(opened.close)
        return opened

    def filled(self, numbers, **options):
        """An open of the file with these records."""
        opened = self.open(**options)
        for result in opened.submit(op.write(key(n) + b"text") for n in numbers).results():
            self.assertIsNone(result.error)
        return opened

    def numbers(self, records):
        return [int(record[1:8]) for record in records]

    def until_somebody_waits(self):
        deadline = time.monotonic() + 60
        while all(lock.granted for lock in self.server.list_locks(self.name)):
            self.assertLess(time.monotonic(), deadline, "nobody waits for a lock")

    def refused(self, number, call, *arguments, name=None, retry=None, **options):
        with self.assertRaises(quire.QuireError) as caught:
            call(*arguments, **options)
        self.assertEqual(caught.exception.number, number, caught.exception)
        self.assertTrue(caught.exception.sentence)
        if name:
            self.assertEqual(caught.exception.name, name)
        if retry:
            self.assertEqual(caught.exception.retry, retry)


class SingleCalls(ServerTest):
    """Errors in trailers."""

    def test_errors_have_their_numbers(self):
        server, name = self.server, self.name
        server.write(name, key(1) + b"one")
        self.refused(10, server.write, name, key(1), name="already-exists", retry="NEVER")
        self.refused(11, server.read, name, key(2), name="not-found")
        self.refused(11, server.update, name, key(2))
        self.refused(11, server.delete, name, key(2))
        self.refused(1, server.read, name, b"L", mode=Mode.GENERIC, name="end-of-file")
        self.refused(21, server.write, name, b"short", name="illegal-count")
        self.refused(21, server.write, name, key(3) + b"x" * 80)
        self.refused(21, server.update, name, b"")
        self.refused(10, server.create, name, key_length=8)
        self.refused(21, server.create, "$DATA01.PYTHON.OTHER", key_length=0)
        self.refused(11, server.info, "$DATA01.PYTHON.NONE")
        self.refused(11, server.open, "$DATA01.PYTHON.NONE")
        self.refused(13, server.info, "not a name", name="illegal-name")
        self.refused(13, server.info, "$DATA01.1X.FILE", name="illegal-name")
        self.refused(14, server.info, "$NOWHERE.PYTHON.FILE", name="no-such-volume")
        reference = common_pb2.FileReference(
            name=common_pb2.FileName(volume="$DATA01", subvolume="PYTHON", file=name[-8:]))
        with self.assertRaises(grpc.RpcError) as caught:
            server.records.Read(record_pb2.ReadRequest(file=reference, key=key(1), mode=99))
        self.assertEqual(quire.QuireError.of_call(caught.exception).number, 22)
        self.assertEqual(server.read(name, key(1)), key(1) + b"one")

    def test_an_open_file_is_not_purged(self):
        opened = self.open()
        self.refused(12, self.server.purge, self.name, name="file-in-use")
        opened.close()
        self.server.purge(self.name)

    def test_changes(self):
        self.server.write(self.name, key(600) + b"a")
        self.server.update(self.name, key(600) + b"b")
        self.assertEqual(self.server.read(self.name, b"K", Mode.GENERIC), key(600) + b"b")
        self.server.delete(self.name, key(600))
        self.refused(11, self.server.read, self.name, key(600))

    def test_nobody_there(self):
        with quire.connect("127.0.0.1:1") as nobody:
            self.refused(66, nobody.volumes, retry="SAFE")
            self.refused(66, nobody.open, self.name, retry="SAFE")


class Scans(ServerTest):
    def test_ranges(self):
        self.filled(range(0, 1000, 10))

        def scan(*arguments, **options):
            return self.numbers(self.server.scan(self.name, *arguments, **options))

        self.assertEqual(scan(), list(range(0, 1000, 10)))
        self.assertEqual(scan(chunk_bytes=64), list(range(0, 1000, 10)))
        self.assertEqual(scan(reverse=True), list(range(990, -1, -10)))
        self.assertEqual(scan(key(480), key(520)), [480, 490, 500, 510])
        self.assertEqual(scan(key(480), key(520), start_exclusive=True), [490, 500, 510])
        self.assertEqual(scan(key(991)), [])
        self.assertEqual(scan(max_records=3), [0, 10, 20])
        self.assertEqual(int(next(self.server.scan(self.name))[1:8]), 0)  # the rest is not read

    def test_errors(self):
        self.refused(11, list, self.server.scan("$DATA01.PYTHON.NONE"))


class Sessions(ServerTest):
    """Errors in results."""

    def test_errors_have_their_numbers(self):
        opened = self.filled([1, 2, 501])
        self.refused(10, opened.write, key(1), name="already-exists", retry="NEVER")
        self.refused(11, opened.read, key(3), name="not-found")
        self.refused(1, opened.read, key(3), mode=Mode.GENERIC, name="end-of-file")
        self.refused(11, opened.update, key(3))
        self.refused(11, opened.delete, key(3))
        self.refused(21, opened.write, b"short")
        self.refused(21, opened.set_position, key(1), compare_length=9)
        self.refused(46, opened.set_position, key(1), key_specifier=1, name="invalid-key")
        opened.set_position(key(501), Mode.EXACT)
        opened.read_next()
        self.refused(1, opened.read_next)
        self.refused(46, opened.write_update, key(502))
        self.refused(21, opened.write_update, b"")
        opened.delete_current()
        self.refused(11, opened.read_update, name="not-found")
        self.refused(11, opened.write_update, key(501))
        self.refused(22, opened.restore_position, b"nonsense")
        self.refused(21, opened.submit, [op.read(key(1))] * 5000)
        opened.close()
        self.refused(16, opened.read, key(1), name="not-open")

    def test_access_and_exclusion(self):
        reader = self.open(access=Access.READ, exclusion=Exclusion.PROTECTED)
        self.refused(49, reader.write, key(1))
        self.refused(12, self.server.open, self.name, access=Access.WRITE, name="file-in-use")
        self.refused(12, self.server.open, self.name, exclusion=Exclusion.EXCLUSIVE)

    def test_one_failure_leaves_the_rest(self):
        opened = self.filled([1])
        steps = [op.write(key(1)), op.write(key(600)), op.read(key(600)), op.read(key(2))]
        results = opened.submit(steps).results()
        self.assertEqual([r.error and r.error.number for r in results], [10, None, None, 11])
        self.assertEqual([r.record for r in results], [None, None, key(600), None])

    def test_many_under_way(self):
        opened = self.open()
        under_way = [opened.submit(op.write(key(n)) for n in range(at, at + 10))
                     for at in range(0, 1000, 10)]
        self.assertTrue(all(r.error is None for pending in under_way for r in pending.results()))
        self.assertEqual(self.numbers(self.server.scan(self.name)), list(range(1000)))


class Positions(ServerTest):
    def test_subsets(self):
        opened = self.filled([1, 2, 10, 499, 500, 501, 900])
        self.assertEqual(self.numbers(opened), [1, 2, 10, 499, 500, 501, 900])
        opened.set_position(b"K00005", Mode.GENERIC)
        self.assertEqual(self.numbers(opened), [500, 501])
        opened.set_position(key(3))
        self.assertEqual(self.numbers(opened), [10, 499, 500, 501, 900])
        opened.set_position(key(10), skip_exact=True)
        self.assertEqual(self.numbers(opened), [499, 500, 501, 900])
        opened.set_position(key(501), reverse=True)
        self.assertEqual(self.numbers(opened), [501, 500, 499, 10, 2, 1])
        opened.set_position(key(500), Mode.EXACT)
        self.assertEqual(self.numbers(opened), [500])

    def test_save_and_change(self):
        opened = self.filled([1, 2, 3, 600])
        opened.set_position(key(2))
        self.assertEqual(opened.read_next(), key(2) + b"text")
        saved = opened.save_position()
        opened.write_update(key(2) + b"new")
        self.assertEqual(opened.read_update(), key(2) + b"new")
        self.assertEqual(self.numbers(opened), [3, 600])
        opened.restore_position(saved)
        opened.delete_current()
        self.assertEqual(self.numbers(opened), [3, 600])
        self.assertEqual(self.numbers(self.server.scan(self.name)), [1, 3, 600])


class Locks(ServerTest):
    def test_modes(self):
        owner = self.filled([1, 600])
        owner.read(key(600), lock=True)
        other = self.open(lock_mode=LockMode.REJECT)
        self.refused(73, other.read, key(600), name="locked")
        self.refused(73, other.update, key(600))
        self.refused(73, other.lock_record, key(600))
        self.assertEqual(other.read(key(1)), key(1) + b"text")
        other.set_lock_mode(LockMode.READ_WARN)
        self.assertEqual(other.read(key(600)), key(600) + b"text")
        self.assertEqual(other.last_warning, 9)
        self.refused(40, other.lock_record, key(600), lock_timeout_ms=20, name="timed-out")
        self.refused(40, self.server.read, self.name, key(600), lock_timeout_ms=20)
        locks = list(self.server.list_locks(self.name))
        self.assertEqual([(lock.key, lock.granted) for lock in locks], [(key(600), True)])
        self.assertEqual(locks[0].open_id, owner.opened.open_id)
        owner.unlock_record(key(600))
        other.lock_file()
        self.refused(40, owner.read, key(1), lock_timeout_ms=20)
        other.unlock_file()
        self.assertEqual(owner.read(key(1)), key(1) + b"text")

    def test_waits_for_its_turn(self):
        owner = self.filled([600])
        owner.lock_record(key(600))
        other = self.open()
        waiting = other.submit([op.read(key(600), lock=True)])
        self.until_somebody_waits()
        owner.update(key(600) + b"changed", unlock=True)
        self.assertEqual(waiting.results()[0].record, key(600) + b"changed")

    def test_cancel(self):
        owner = self.filled([600])
        owner.lock_record(key(600))
        other = self.open()
        waiting = other.submit([op.lock_record(key(600)), op.save_position()])
        self.until_somebody_waits()
        waiting.cancel()
        self.assertEqual(waiting.results()[0].error.number, 40)

    def test_close_releases(self):
        owner = self.filled([1])
        owner.lock_file()
        owner.close()
        self.assertEqual(list(self.server.list_locks(self.name)), [])
        self.open().write(key(2))


class CutConnections(ServerTest):
    def setUp(self):
        super().setUp()
        self.proxy = Proxy(ADDRESS)
        self.addCleanup(self.proxy.close)
        self.through_proxy = quire.connect(self.proxy.address, "python-test")
        self.addCleanup(self.through_proxy.close)

    def open_through_proxy(self, **options):
        opened = self.through_proxy.open(self.name, **options)
        self.addCleanup(opened.close)
        return opened

    def test_every_change_is_done_once(self):
        opened = self.open_through_proxy()
        under_way = []
        for at in range(0, 1000, 10):
            under_way.append(opened.submit(op.write(key(n)) for n in range(at, at + 10)))
            if at % 130 == 0:
                under_way[-7 if at else 0].results()  # so that some are answered and some are not
                self.proxy.cut()
        errors = [r.error for pending in under_way for r in pending.results() if r.error]
        self.assertEqual(errors, [])
        self.assertEqual(self.numbers(self.server.scan(self.name)), list(range(1000)))

    def test_the_position_is_kept(self):
        opened = self.filled(range(0, 1000, 50))
        opened = self.open_through_proxy()
        seen = []
        for record in opened:
            seen += self.numbers([record])
            if len(seen) % 6 == 0:
                self.proxy.cut()
        self.assertEqual(seen, list(range(0, 1000, 50)))

    def test_locks_are_kept(self):
        self.filled([600])
        opened = self.open_through_proxy()
        opened.lock_record(key(600))
        self.proxy.cut()
        other = self.open(lock_mode=LockMode.REJECT)
        self.refused(73, other.read, key(600))
        opened.update(key(600) + b"mine", unlock=True)
        self.assertEqual(other.read(key(600)), key(600) + b"mine")

    def test_sync_depth_0_says_unknown(self):
        self.filled([600])
        owner = self.open()
        owner.lock_record(key(600))
        opened = self.open_through_proxy(sync_depth=0)
        waiting = opened.submit([op.lock_record(key(600)), op.write(key(601))])
        self.until_somebody_waits()
        self.proxy.cut()
        self.assertEqual([r.error.number for r in waiting.results()], [201, 201])
        self.assertEqual(waiting.results()[1].error.retry, "OUTCOME_UNKNOWN")
        opened.write(key(602))


if __name__ == "__main__":
    unittest.main()
