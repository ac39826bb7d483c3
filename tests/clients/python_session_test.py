"""What the Python client makes of a session's answers, with a server that plays a script: losses
that no real server shows on demand."""
import unittest
from concurrent import futures

import grpc

import quire_client as quire
from quire.v1 import common_pb2, record_pb2 as pb, record_pb2_grpc
from quire_client import operations as op

NAME = "$DATA01.STOCK.PARTS"


class Script(record_pb2_grpc.RecordServiceServicer):
    """Each stream is played by the next of `streams`: a function of (requests, context) that yields
    responses. Serves on a port of its own, and starts with the test."""

    def __init__(self, test, *streams):
        self._streams = iter(streams)
        self._server = grpc.server(futures.ThreadPoolExecutor(4))
        record_pb2_grpc.add_RecordServiceServicer_to_server(self, self._server)
        self.address = "127.0.0.1:%d" % self._server.add_insecure_port("127.0.0.1:0")
        self._server.start()
        test.addCleanup(lambda: self._server.stop(None).wait())

    def Session(self, requests, context):
        yield from next(self._streams)(requests, context)


def opened(**fields):
    return pb.SessionResponse(opened=pb.Opened(**{
        "open_id": 7, "credits": 64, "max_batch_bytes": 1000, "max_batch_operations": 10,
        "token": b"opened", **fields}))


def answer(batch, **fields):
    count = len(batch.operations)
    return pb.SessionResponse(result=pb.BatchResult(first_sequence=batch.first_sequence,
                                                    count=count, **fields))


def fail(context, number, name, retry, code):
    context.set_trailing_metadata((("quire-error", str(number)), ("quire-error-name", name),
                                   ("quire-retry", retry)))
    context.abort(code, "a sentence")


def break_off(context):
    context.abort(grpc.StatusCode.UNAVAILABLE, "Socket closed")


def first_of(requests):
    return next(requests).open


def play_to_the_end(requests, answered):
    """Answers every batch; `answered` collects what came."""
    for request in requests:
        if request.HasField("batch"):
            answered.append(request.batch)
            yield answer(request.batch)


class SessionTest(unittest.TestCase):
    def open(self, script, **options):
        server = quire.connect(script.address, "session-test")
        self.addCleanup(server.close)
        return server.open(NAME, **options)

    def test_numbers_acknowledgements_and_tokens(self):
        """R-S2: numbers rise by operation; answered results are acknowledged."""
        opens, batches = [], []

        def first(requests, context):
            opens.append(first_of(requests))
            yield opened()
            for _ in range(2):
                batches.append(next(requests).batch)
                yield answer(batches[-1], token=b"token")
            break_off(context)

        def second(requests, _):
            opens.append(first_of(requests))
            yield opened(answers_kept=True, token=b"")
            yield from play_to_the_end(requests, batches)

        parts = self.open(Script(self, first, second))
        parts.submit([op.write(b"a"), op.write(b"b")]).results()
        parts.write(b"c")
        parts.write(b"d")
        parts.close()
        self.assertEqual([b.first_sequence for b in batches], [1, 3, 4])
        self.assertEqual([b.acked_through for b in batches], [0, 2, 3])
        self.assertFalse(opens[0].HasField("resume"))
        self.assertEqual(opens[1].file.open_id, 7)
        self.assertEqual(opens[1].resume.token, b"token")
        self.assertEqual(opens[1].resume.acked_through, 3)

    def test_what_has_no_answer_is_sent_again_as_it_was(self):
        lost, again = [], []

        def first(requests, context):
            first_of(requests)
            yield opened()
            lost.extend(next(requests).batch for _ in range(2))
            break_off(context)

        def second(requests, _):
            first_of(requests)
            yield opened(answers_kept=True)
            yield from play_to_the_end(requests, again)

        parts = self.open(Script(self, first, second))
        under_way = [parts.submit([op.write(b"a"), op.read(b"k")]), parts.submit([op.write(b"b")])]
        self.assertEqual([r.error for p in under_way for r in p.results()], [None] * 3)
        self.assertEqual(again, lost)
        parts.close()

    def test_answers_not_kept(self):
        """Changes without answers get 201, reads are sent again under their numbers."""
        again = []

        def first(requests, context):
            first_of(requests)
            yield opened()
            next(requests)
            next(requests)
            break_off(context)

        def second(requests, _):
            first_of(requests)
            yield opened(answers_kept=False)
            batch = next(requests).batch
            again.append(batch)
            yield answer(batch, record_lengths=[0, 3], data=b"xyz",
                         warned=[pb.WarnedOperation(index=1, warning=9)],
                         failed=[pb.FailedOperation(index=0, error=common_pb2.ErrorDetail(
                             number=11, name="not-found", sentence="none"))])
            yield from play_to_the_end(requests, again)

        parts = self.open(Script(self, first, second))
        mixed = parts.submit([op.read(b"k"), op.write(b"a"), op.read_next()])
        changes = parts.submit([op.delete_current()])
        none, unknown, found = mixed.results()
        self.assertEqual((none.error.number, none.error.retry), (11, "NEVER"))
        self.assertEqual((unknown.error.number, unknown.error.retry), (201, "OUTCOME_UNKNOWN"))
        self.assertEqual((found.record, found.warning, found.error), (b"xyz", 9, None))
        self.assertEqual(changes.results()[0].error.number, 201)
        parts.close()
        self.assertEqual(len(again), 1)
        self.assertEqual((again[0].first_sequence, list(again[0].sequence_offsets)), (1, [0, 2]))

    def test_sync_depth_0(self):
        opens, after = [], []

        def first(requests, context):
            opens.append(first_of(requests))
            yield opened()
            next(requests)
            break_off(context)

        def second(requests, _):
            opens.append(first_of(requests))
            yield opened(answers_kept=True)
            yield from play_to_the_end(requests, after)

        parts = self.open(Script(self, first, second), sync_depth=0)
        results = parts.submit([op.write(b"a"), op.read(b"k")]).results()
        self.assertEqual([r.error.number for r in results], [201, 201])
        parts.write(b"b")
        parts.close()
        self.assertEqual(opens[0].sync_depth, 0)
        self.assertEqual([b.first_sequence for b in after], [3])

    def test_lease_expired(self):
        """R-S3: 60. What may have been done says so; the open is of no more use."""
        def first(requests, context):
            first_of(requests)
            yield opened()
            next(requests)
            break_off(context)

        def second(requests, context):
            first_of(requests)
            yield pb.SessionResponse(error=common_pb2.ErrorDetail(number=60))
            fail(context, 60, "reopen", "REOPEN", grpc.StatusCode.ABORTED)

        parts = self.open(Script(self, first, second))
        results = parts.submit([op.write(b"a"), op.read(b"k")]).results()
        self.assertEqual([r.error.number for r in results], [201, 60])
        self.assertEqual(results[1].error.retry, "REOPEN")
        with self.assertRaises(quire.QuireError) as caught:
            parts.read(b"k")
        self.assertEqual(caught.exception.number, 60)
        parts.close()

    def test_a_refused_open(self):
        def first(requests, context):
            first_of(requests)
            yield pb.SessionResponse(error=common_pb2.ErrorDetail(number=12))
            fail(context, 12, "file-in-use", "NEVER", grpc.StatusCode.FAILED_PRECONDITION)

        with self.assertRaises(quire.QuireError) as caught:
            self.open(Script(self, first))
        self.assertEqual((caught.exception.number, caught.exception.name), (12, "file-in-use"))

    def test_a_server_that_does_not_come_back(self):
        def first(requests, context):
            first_of(requests)
            yield opened()
            next(requests)
            break_off(context)

        def gone(requests, context):
            first_of(requests)
            break_off(context)
            yield

        parts = self.open(Script(self, first, *[gone] * 100), retry_seconds=0.2)
        results = parts.submit([op.write(b"a")]).results()
        self.assertEqual((results[0].error.number, results[0].error.retry),
                         (201, "OUTCOME_UNKNOWN"))

    def test_credits_bound_what_is_under_way(self):
        counts = []

        def first(requests, _):
            first_of(requests)
            yield opened(credits=2)
            yield from play_to_the_end(requests, counts)

        parts = self.open(Script(self, first))
        under_way = []
        for _ in range(6):
            under_way.append(parts.submit([op.write(b"a")]))
            self.assertLessEqual(sum(1 for p in under_way if p.outstanding), 2)
        parts.close()
        self.assertTrue(all(not p.outstanding for p in under_way))

    def test_a_close_that_arrived_is_not_repeated(self):
        """R-S3: 16 after the connection broke during a close means that it is closed."""
        def first(requests, context):
            first_of(requests)
            yield opened()
            self.assertTrue(next(requests).HasField("close"))
            break_off(context)

        def second(requests, context):
            first_of(requests)
            fail(context, 16, "not-open", "NEVER", grpc.StatusCode.FAILED_PRECONDITION)
            yield

        self.open(Script(self, first, second)).close()


if __name__ == "__main__":
    unittest.main()
