"""Operations of an open, to be sent together with OpenFile.submit.

Keys and records are bytes. OpenFile has a method of the same name for each, which waits.
"""
from typing import NamedTuple

from quire.v1 import record_pb2 as pb
from quire_client.modes import Mode

READ_MODES = {Mode.EXACT: pb.READ_MODE_BY_KEY, Mode.GENERIC: pb.READ_MODE_GENERIC,
               Mode.APPROXIMATE: pb.READ_MODE_APPROXIMATE}
_POSITIONINGS = {Mode.EXACT: pb.POSITIONING_EXACT, Mode.GENERIC: pb.POSITIONING_GENERIC,
                 Mode.APPROXIMATE: pb.POSITIONING_APPROXIMATE}
_CHANGES = frozenset((pb.OPERATION_KIND_WRITE, pb.OPERATION_KIND_UPDATE, pb.OPERATION_KIND_DELETE,
                      pb.OPERATION_KIND_WRITE_UPDATE, pb.OPERATION_KIND_DELETE_CURRENT))


class Operation(NamedTuple):
    """An operation and the key or record that belongs to it."""

    header: pb.Operation
    data: bytes

    @property
    def changes(self):
        """Whether it changes a record, so that doing it twice would matter."""
        return self.header.kind in _CHANGES


def _operation(kind, data=b"", **fields):
    return Operation(pb.Operation(kind=kind, length=len(data), **fields), bytes(data))


def write(record, unlock=False):
    """WRITE: inserts. 10 when the key exists; 21 for a wrong length; 73."""
    return _operation(pb.OPERATION_KIND_WRITE, record, unlock=unlock)


def read(key, mode=Mode.EXACT, reverse=False, skip_exact=False, lock=False):
    """A read by key that leaves the position alone. 11 when there is none; in other modes 1."""
    return _operation(pb.OPERATION_KIND_READ, key, mode=READ_MODES[mode], reverse=reverse,
                      skip_exact=skip_exact, lock=lock)


def update(record, unlock=False):
    """Replaces the record with the same key. 11 when there is none."""
    return _operation(pb.OPERATION_KIND_UPDATE, record, unlock=unlock)


def delete(key, unlock=False):
    """Deletes by key. 11 when there is none."""
    return _operation(pb.OPERATION_KIND_DELETE, key, unlock=unlock)


def set_position(key=b"", mode=Mode.APPROXIMATE, compare_length=0, reverse=False, skip_exact=False,
                 last_of_set=False, key_specifier=0):
    """KEYPOSITION: where read_next goes on. 21, 46; a missing record shows at the read."""
    return _operation(pb.OPERATION_KIND_SET_POSITION, key, positioning=_POSITIONINGS[mode],
                      compare_length=compare_length, reverse=reverse, skip_exact=skip_exact,
                      last_of_set=last_of_set, key_specifier=key_specifier)


def read_next(lock=False):
    """READ, READLOCK: the next record of the subset. 1 at its end."""
    return _operation(pb.OPERATION_KIND_READ_NEXT, lock=lock)


def read_update(lock=False):
    """READUPDATE, READUPDATELOCK: the current record again. 11 when it is gone."""
    return _operation(pb.OPERATION_KIND_READ_UPDATE, lock=lock)


def write_update(record, unlock=False):
    """WRITEUPDATE, WRITEUPDATEUNLOCK: replaces the current record. 11; 46 for another key."""
    return _operation(pb.OPERATION_KIND_WRITE_UPDATE, record, unlock=unlock)


def delete_current(unlock=False):
    """WRITEUPDATE with count 0: deletes the current record. 11."""
    return _operation(pb.OPERATION_KIND_DELETE_CURRENT, unlock=unlock)


def lock_record(key=b""):
    """LOCKREC: of the current record, or of the one with this key. 40, 73."""
    return _operation(pb.OPERATION_KIND_LOCK_RECORD, key)


def unlock_record(key=b""):
    """UNLOCKREC: of the current record, or of the one with this key."""
    return _operation(pb.OPERATION_KIND_UNLOCK_RECORD, key)


def lock_file():
    """LOCKFILE: all partitions. 40, 73."""
    return _operation(pb.OPERATION_KIND_LOCK_FILE)


def unlock_file():
    """UNLOCKFILE: the file lock and all record locks of this open."""
    return _operation(pb.OPERATION_KIND_UNLOCK_FILE)


def set_lock_mode(mode):
    """SETMODE 4."""
    return _operation(pb.OPERATION_KIND_SET_LOCK_MODE, lock_mode=mode)


def save_position():
    """SAVEPOSITION: the result holds the position as bytes."""
    return _operation(pb.OPERATION_KIND_SAVE_POSITION)


def restore_position(saved):
    """REPOSITION: back to where save_position was."""
    return _operation(pb.OPERATION_KIND_RESTORE_POSITION, saved)
