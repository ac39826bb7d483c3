"""The choices of an open, in Enscribe's words."""
import enum

from quire.v1 import record_pb2, common_pb2


class Mode(enum.Enum):
    """How a key chooses records."""

    EXACT = enum.auto()        # the one with this full key
    GENERIC = enum.auto()      # those whose key begins with it
    APPROXIMATE = enum.auto()  # from the first key >= it on; in reverse: from the last <= it down


class Access(enum.IntEnum):
    """What an open may do; anything else gets 49."""

    READ_WRITE = record_pb2.ACCESS_MODE_READ_WRITE
    READ = record_pb2.ACCESS_MODE_READ
    WRITE = record_pb2.ACCESS_MODE_WRITE


class Exclusion(enum.IntEnum):
    """What other opens may do meanwhile; an open that disagrees gets 12."""

    SHARED = record_pb2.EXCLUSION_SHARED
    EXCLUSIVE = record_pb2.EXCLUSION_EXCLUSIVE
    PROTECTED = record_pb2.EXCLUSION_PROTECTED


class LockMode(enum.IntEnum):
    """SETMODE 4: what happens at another's lock. Writers get 73 at once in every mode."""

    NORMAL = common_pb2.LOCK_MODE_NORMAL              # reads and lock calls wait
    REJECT = common_pb2.LOCK_MODE_REJECT              # both get 73
    READ_THROUGH = common_pb2.LOCK_MODE_READ_THROUGH  # reads ignore the lock, lock calls wait
    READ_THROUGH_REJECT = common_pb2.LOCK_MODE_READ_THROUGH_REJECT  # … lock calls get 73
    READ_WARN = common_pb2.LOCK_MODE_READ_WARN        # reads: warning 9, lock calls wait
    READ_WARN_REJECT = common_pb2.LOCK_MODE_READ_WARN_REJECT  # reads: warning 9, lock calls get 73
