"""The stream behind an open: numbers operations, keeps those without results, and goes on with the
open when the connection breaks. What a change's number is good for: sent again with the same
number it is done once."""
import collections
import queue
import time
from typing import NamedTuple, Optional

import grpc

from quire.v1 import record_pb2 as pb, record_pb2_grpc
from quire_client.errors import BAD_PARAMETER, PATH_DOWN, VOLUME_DOWN, QuireError, outcome_unknown

_FIRST_WAIT_SECONDS = 0.05
_LONGEST_WAIT_SECONDS = 1.0


class Result(NamedTuple):
    """Of one operation. `error` is None when it was done."""

    record: Optional[bytes]  # what a read found
    warning: int = 0         # 9: read through another's lock
    error: Optional[QuireError] = None


class Pending:
    """Operations sent together, with or without their results."""

    def __init__(self, session, first_sequence, operations, options):
        self._session = session
        self.first_sequence = first_sequence
        self.operations = operations
        self.options = options  # of Batch
        self.outstanding = list(range(len(operations)))  # without results
        self._results = [None] * len(operations)

    @property
    def last_sequence(self):
        return self.first_sequence + len(self.operations) - 1

    def results(self):
        """One Result per operation, in order. Waits for them."""
        self._session.wait_for(self)
        return self._results

    def cancel(self):
        """What has not been executed yet is not: it gets 40."""
        for index in list(self.outstanding):
            self._session.cancel(self.first_sequence + index)

    def settle(self, index, result):
        self._results[index] = result
        self.outstanding.remove(index)

    def fail(self, error):
        """Nothing more will come: changes may have been done, the rest was not."""
        unknown = outcome_unknown(error)
        for index in list(self.outstanding):
            changes = self.operations[index].changes
            self.settle(index, Result(None, error=unknown if changes else error))

    def lose_changes(self, why):
        """The server does not know any more which changes were done; reads can be repeated."""
        lost = False
        for index in list(self.outstanding):
            lost = self.operations[index].changes or (lost and self.options["stop_on_error"])
            if lost:
                self.settle(index, Result(None, error=outcome_unknown(why)))

    def lose_all(self, why):
        for index in list(self.outstanding):
            self.settle(index, Result(None, error=outcome_unknown(why)))

    def to_batch(self):
        sent = [self.operations[index] for index in self.outstanding]
        batch = pb.Batch(first_sequence=self.first_sequence,
                         operations=[operation.header for operation in sent],
                         data=b"".join(operation.data for operation in sent), **self.options)
        if len(sent) < len(self.operations):
            batch.sequence_offsets.extend(self.outstanding)
        return batch


class Session:
    """For one thread. `opened` is what the server said of the open."""

    def __init__(self, channel, open_message, retry_seconds):
        self._channel = channel
        self._stub = record_pb2_grpc.RecordServiceStub(channel)
        self._open = open_message
        self._retry_seconds = retry_seconds
        self._keeps_answers = not open_message.HasField("sync_depth") or open_message.sync_depth > 0
        self._unanswered = collections.deque()
        self._next_sequence = 1
        self._acked_through = 0
        self._token = b""
        self._wait_seconds = _FIRST_WAIT_SECONDS
        self._ended = None  # why nothing more can be done
        self._requests = queue.SimpleQueue()
        self.opened = self._start(self._open)

    def submit(self, operations, stop_on_error=False, lock_timeout_ms=0):
        """Sends operations and does not wait for results, except when the credits are used up."""
        size = sum(len(operation.data) for operation in operations)
        if (size > self.opened.max_batch_bytes or not operations or
                len(operations) > self.opened.max_batch_operations):
            raise QuireError(21, "illegal-count",
                             f"a batch has 1 to {self.opened.max_batch_operations} operations with "
                             f"at most {self.opened.max_batch_bytes} bytes")
        while len(self._unanswered) >= self.opened.credits:
            self._receive()
        if self._ended:
            raise self._ended
        pending = Pending(self, self._next_sequence, operations,
                          {"stop_on_error": stop_on_error, "lock_timeout_ms": lock_timeout_ms})
        self._next_sequence += len(operations)
        self._unanswered.append(pending)
        self._send(pending)
        return pending

    def wait_for(self, pending):
        while pending.outstanding:
            self._receive()

    def cancel(self, sequence):
        self._requests.put(pb.SessionRequest(cancel=pb.Cancel(sequence=sequence)))

    def close(self):
        """Waits for all results, then ends the open with its locks."""
        while self._unanswered:
            self._receive()
        while not self._ended:
            self._requests.put(pb.SessionRequest(close=pb.Close()))
            self._requests.put(None)
            try:
                for _ in self._responses:
                    pass
                self._ended = QuireError(16, "not-open", "the file is closed; open it again")
            except grpc.RpcError as error:
                self._go_on(QuireError.of_call(error))  # 16 when the close had arrived

    def _start(self, open_message):
        """Begins a stream; its first answer."""
        self._requests.put(None)  # lets go of the thread that sent the stream before
        self._requests = queue.SimpleQueue()
        self._requests.put(pb.SessionRequest(open=open_message))
        self._responses = self._stub.Session(iter(self._requests.get, None))
        try:
            for response in self._responses:
                if response.HasField("opened"):  # else an error: the stream's status repeats it
                    self._token = response.opened.token or self._token
                    return response.opened
        except grpc.RpcError as error:
            raise QuireError.of_call(error) from None
        raise QuireError(BAD_PARAMETER, "bad-parameter", "the stream ended without an open")

    def _send(self, pending):
        batch = pending.to_batch()
        batch.acked_through = self._acked_through
        self._requests.put(pb.SessionRequest(batch=batch))

    def _receive(self):
        """Takes one message of the stream, or sees to it that the open goes on without it."""
        try:
            response = next(self._responses)
        except grpc.RpcError as error:
            self._go_on(QuireError.of_call(error))
        except StopIteration:
            self._end(QuireError(16, "not-open", "the server closed the file; open it again"))
        else:
            if response.HasField("result"):
                self._take(response.result)

    def _take(self, result):
        pending = self._unanswered.popleft()
        errors = {failed.index: QuireError.of_detail(failed.error) for failed in result.failed}
        warnings = {warned.index: warned.warning for warned in result.warned}
        at = 0
        for i, index in enumerate(list(pending.outstanding)):
            length = result.record_lengths[i] if result.record_lengths else 0
            record = result.data[at:at + length] if length else None
            at += length
            pending.settle(index, Result(record, warnings.get(i, 0), errors.get(i)))
        self._acked_through = pending.last_sequence
        self._token = result.token or self._token
        self._wait_seconds = _FIRST_WAIT_SECONDS

    def _go_on(self, why):
        """The stream is gone. The open lives on for its lease: goes on with it."""
        deadline = time.monotonic() + self._retry_seconds
        if not self._keeps_answers:
            self._settle_all(lambda pending: pending.lose_all(why))
        while why.number in (VOLUME_DOWN, PATH_DOWN):
            time.sleep(self._wait_seconds)
            self._wait_seconds = min(2 * self._wait_seconds, _LONGEST_WAIT_SECONDS)
            # Connecting makes progress only while somebody waits for it.
            connected = grpc.channel_ready_future(self._channel)
            try:
                connected.result(timeout=max(deadline - time.monotonic(), 0))
            except grpc.FutureTimeoutError:
                connected.cancel()
                break
            try:
                return self._send_again(self._start(self._resume_message()), why)
            except QuireError as error:
                why = error
            if time.monotonic() > deadline:
                break
        self._end(why)

    def _resume_message(self):
        message = pb.Open()
        message.CopyFrom(self._open)
        message.file.open_id = self.opened.open_id
        message.resume.token = self._token
        message.resume.acked_through = self._acked_through
        return message

    def _send_again(self, opened, why):
        if not opened.answers_kept:
            self._settle_all(lambda pending: pending.lose_changes(why))
        self.opened = opened
        for pending in self._unanswered:
            self._send(pending)

    def _end(self, why):
        self._requests.put(None)
        self._ended = why
        self._settle_all(lambda pending: pending.fail(why))

    def _settle_all(self, settle):
        for pending in self._unanswered:
            settle(pending)
        self._unanswered = collections.deque(
            pending for pending in self._unanswered if pending.outstanding)
