"""Errors as Enscribe programs know them: by number. proto/README.md has the table."""
import grpc

from quire.v1 import common_pb2

END_OF_FILE = 1
BAD_PARAMETER = 22
VOLUME_DOWN = 66
PATH_DOWN = 201

# What a gRPC status means when no Quire server gave it, and so carries no number.
_NUMBER_OF_STATUS = {
    grpc.StatusCode.OUT_OF_RANGE: (1, "end-of-file"),
    grpc.StatusCode.UNIMPLEMENTED: (2, "invalid-operation"),
    grpc.StatusCode.ALREADY_EXISTS: (10, "already-exists"),
    grpc.StatusCode.NOT_FOUND: (11, "not-found"),
    grpc.StatusCode.FAILED_PRECONDITION: (16, "not-open"),
    grpc.StatusCode.INVALID_ARGUMENT: (22, "bad-parameter"),
    grpc.StatusCode.RESOURCE_EXHAUSTED: (31, "no-buffer-space"),
    grpc.StatusCode.DEADLINE_EXCEEDED: (40, "timed-out"),
    grpc.StatusCode.PERMISSION_DENIED: (48, "security-violation"),
    grpc.StatusCode.UNAUTHENTICATED: (48, "security-violation"),
    grpc.StatusCode.DATA_LOSS: (59, "file-bad"),
    grpc.StatusCode.ABORTED: (60, "reopen"),
}
# gRPC has no code for "nothing was sent", only these sentences. Another wording is taken for sent.
_NEVER_SENT = ("failed to connect to all addresses", "DNS resolution failed")
_RETRY_PREFIX = "RETRY_"


class QuireError(Exception):
    """A refused call or operation.

    number    Enscribe's, e.g. 10
    name      stable, e.g. "already-exists"
    sentence  what is wrong and what to do
    retry     "NEVER", "SAFE" (nothing was done; repeat), "OUTCOME_UNKNOWN" (it may have been done)
              or "REOPEN" (open the file again, then repeat)
    """

    def __init__(self, number, name, sentence, retry="NEVER"):
        super().__init__(number, name, sentence, retry)
        self.number = number
        self.name = name
        self.sentence = sentence
        self.retry = retry

    def __str__(self):
        return f"error {self.number} ({self.name}): {self.sentence}"

    @classmethod
    def of_detail(cls, detail):
        """Of an ErrorDetail, which is how results of a session carry an error."""
        retry = common_pb2.Retry.Name(detail.retry)[len(_RETRY_PREFIX):]
        return cls(detail.number, detail.name, detail.sentence,
                   "NEVER" if retry == "UNSPECIFIED" else retry)

    @classmethod
    def of_call(cls, error):
        """Of a failed gRPC call: its trailers, or else the number nearest to its status."""
        trailers = dict(error.trailing_metadata() or ())
        if "quire-error" in trailers:
            return cls(int(trailers["quire-error"]), trailers["quire-error-name"], error.details(),
                       trailers["quire-retry"])
        code, details = error.code(), error.details() or ""
        if code == grpc.StatusCode.UNAVAILABLE and details.startswith(_NEVER_SENT):
            return cls(VOLUME_DOWN, "volume-down", f"no connection; nothing was sent: {details}",
                       "SAFE")
        number, name = _NUMBER_OF_STATUS.get(code, (PATH_DOWN, "path-down"))
        unknown = number == PATH_DOWN or code == grpc.StatusCode.DEADLINE_EXCEEDED
        return cls(number, name, f"{code.name}: {details}",
                   "OUTCOME_UNKNOWN" if unknown else "NEVER")


def outcome_unknown(why):
    """For a change that was under way when the connection was lost."""
    return QuireError(PATH_DOWN, "path-down",
                      f"it may or may not have been done ({why}); read before repeating it",
                      "OUTCOME_UNKNOWN")
