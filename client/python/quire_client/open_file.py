"""An open file: Enscribe's calls, one at a time or pipelined."""
from quire_client import operations as op
from quire_client.errors import END_OF_FILE, QuireError
from quire_client.modes import Mode


class OpenFile:
    """One open with its position and locks; Server.open makes it. For one thread.

    Each method waits and raises QuireError when it is refused; the position is then as before.
    A broken connection is mended: a change is done once, however often it had to be sent.
    Iterating reads on from the position to the end of the subset.
    """

    def __init__(self, session):
        self._session = session
        self.last_warning = 0  # of the last call: 9 read through another's lock

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __iter__(self):
        while True:
            try:
                record = self.read_next()
            except QuireError as error:
                if error.number == END_OF_FILE:
                    return
                raise
            yield record

    @property
    def opened(self):
        """What the server said of the open: open_id, lease_ms, credits, info, … (Opened)."""
        return self._session.opened

    def close(self):
        """Ends the open; its locks go."""
        self._session.close()

    def submit(self, operations, stop_on_error=False, lock_timeout_ms=0):
        """Nowait: sends `operations` (see quire_client.operations) and returns a Pending at once.

        Operations run in order; one that fails does not stop the others unless `stop_on_error`.
        """
        return self._session.submit(list(operations), stop_on_error, lock_timeout_ms)

    def write(self, record, unlock=False):
        self._do(op.write(record, unlock))

    def read(self, key, mode=Mode.EXACT, reverse=False, skip_exact=False, lock=False,
             lock_timeout_ms=0):
        return self._do(op.read(key, mode, reverse, skip_exact, lock), lock_timeout_ms)

    def update(self, record, unlock=False):
        self._do(op.update(record, unlock))

    def delete(self, key, unlock=False):
        self._do(op.delete(key, unlock))

    def set_position(self, key=b"", mode=Mode.APPROXIMATE, **options):
        """KEYPOSITION; the options are those of operations.set_position."""
        self._do(op.set_position(key, mode, **options))

    def read_next(self, lock=False, lock_timeout_ms=0):
        return self._do(op.read_next(lock), lock_timeout_ms)

    def read_update(self, lock=False, lock_timeout_ms=0):
        return self._do(op.read_update(lock), lock_timeout_ms)

    def write_update(self, record, unlock=False):
        self._do(op.write_update(record, unlock))

    def delete_current(self, unlock=False):
        self._do(op.delete_current(unlock))

    def save_position(self):
        return self._do(op.save_position())

    def restore_position(self, saved):
        self._do(op.restore_position(saved))

    def lock_record(self, key=b"", lock_timeout_ms=0):
        self._do(op.lock_record(key), lock_timeout_ms)

    def unlock_record(self, key=b""):
        self._do(op.unlock_record(key))

    def lock_file(self, lock_timeout_ms=0):
        self._do(op.lock_file(), lock_timeout_ms)

    def unlock_file(self):
        self._do(op.unlock_file())

    def set_lock_mode(self, mode):
        self._do(op.set_lock_mode(mode))

    def _do(self, operation, lock_timeout_ms=0):
        result, = self._session.submit([operation], lock_timeout_ms=lock_timeout_ms).results()
        if result.error:
            raise result.error
        self.last_warning = result.warning
        return result.record
