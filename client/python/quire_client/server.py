"""A router or a single volume: files, single calls, scans, opens."""
import os
import secrets
import sys

import grpc

from quire.v1 import common_pb2, file_pb2, file_pb2_grpc, record_pb2, record_pb2_grpc
from quire_client import operations as op
from quire_client.errors import QuireError
from quire_client.modes import Access, Exclusion, LockMode, Mode
from quire_client.open_file import OpenFile
from quire_client.session import Session

# As client/transport/channel.h: idle connections are pinged, a server that is back is found soon.
_CHANNEL_OPTIONS = (
    ("grpc.keepalive_time_ms", 10000),
    ("grpc.keepalive_timeout_ms", 10000),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.max_pings_without_data", 0),
    ("grpc.initial_reconnect_backoff_ms", 50),
    ("grpc.min_reconnect_backoff_ms", 5000),
    ("grpc.max_reconnect_backoff_ms", 1000),
    ("grpc.enable_http_proxy", 0),
)


def connect(address=None, client_name=None):
    """A Server at HOST:PORT; without one at $QUIRE_ROUTER, else 127.0.0.1:7000.

    Connects at the first call. `client_name` is shown by LISTOPENS; default: the program's name.
    """
    address = address or os.environ.get("QUIRE_ROUTER", "127.0.0.1:7000")
    return Server(grpc.insecure_channel(address, options=_CHANNEL_OPTIONS),
                  client_name or os.path.basename(sys.argv[0]))


def file_name(name):
    """The FileName of "$VOLUME.SUBVOL.FILE". 13 when it is none."""
    parts = name.split(".")
    if len(parts) != 3:
        raise QuireError(13, "illegal-name", f"{name!r} is not of the form $VOLUME.SUBVOL.FILE")
    return common_pb2.FileName(volume=parts[0], subvolume=parts[1], file=parts[2])


class Server:
    """Names are "$VOLUME.SUBVOL.FILE"; keys and records are bytes. May be used by many threads.

    `files` and `records` are the stubs, for what has no method here.
    """

    def __init__(self, channel, client_name):
        self._channel = channel
        self._client_name = client_name[:64]
        self._client_id = secrets.randbits(63) or 1
        self.files = file_pb2_grpc.FileServiceStub(channel)
        self.records = record_pb2_grpc.RecordServiceStub(channel)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Ends the connection. Opens not closed before live on for their lease."""
        self._channel.close()

    def volumes(self):
        """Names of the volumes that the server reaches."""
        return list(_call(self.files.Volumes, file_pb2.VolumesRequest()).volumes)

    def create(self, name, key_length, partitions=(), extents=(1, 1), **attributes):
        """Makes a key-sequenced file; its FileInfo. 10 when it exists.

        partitions  (volume, partial key) of each secondary partition, partial keys rising
        extents     pages of the primary and secondary extents of every partition
        attributes  other fields of FileAttributes, e.g. record_bytes, key_offset, buffered
        """
        sizes = file_pb2.ExtentSizes(primary_pages=extents[0], secondary_pages=extents[1])
        request = file_pb2.CreateRequest(
            name=file_name(name),
            attributes=file_pb2.FileAttributes(
                type="K", key_length=key_length, extents=sizes, **attributes,
                partitions=[file_pb2.Partition(volume=volume, partial_key=key, extents=sizes)
                            for volume, key in partitions]))
        return _call(self.files.Create, request).info

    def info(self, name):
        """What FUP INFO shows (InfoResponse). 11 when there is no such file."""
        return _call(self.files.Info, file_pb2.InfoRequest(file=self._reference(name)))

    def purge(self, name):
        """Removes the file. 12 while somebody has it open."""
        _call(self.files.Purge, file_pb2.PurgeRequest(file=self._reference(name)))

    def list_opens(self, name):
        """Who has the file open (OpenDescription), by open id."""
        yield from self._pages(self.files.ListOpens, file_pb2.ListOpensRequest, "opens", name)

    def list_locks(self, name):
        """Who holds and who awaits its locks (LockDescription)."""
        yield from self._pages(self.files.ListLocks, file_pb2.ListLocksRequest, "locks", name)

    def write(self, name, record):
        """Inserts in a single call. When its outcome stays unknown it gets 201."""
        _call(self.records.Write,
              record_pb2.WriteRequest(file=self._reference(name), record=record))

    def update(self, name, record):
        _call(self.records.Update,
              record_pb2.UpdateRequest(file=self._reference(name), record=record))

    def delete(self, name, key):
        _call(self.records.Delete, record_pb2.DeleteRequest(file=self._reference(name), key=key))

    def read(self, name, key, mode=Mode.EXACT, reverse=False, skip_exact=False, lock_timeout_ms=0):
        """One record in a single call. 11 when there is none with this key; in other modes 1."""
        return _call(self.records.Read, record_pb2.ReadRequest(
            file=self._reference(name), key=key, mode=op.READ_MODES[mode], reverse=reverse,
            skip_exact=skip_exact, lock_timeout_ms=lock_timeout_ms)).record

    def scan(self, name, start=b"", limit=b"", **options):
        """Iterates over the records with start <= key < limit, in key order over all partitions.

        Much faster than reading one by one. Not a snapshot. Options: reverse, start_exclusive,
        chunk_bytes, max_records, lock_mode (default: locks are ignored), lock_timeout_ms.
        """
        chunks = self.records.Scan(record_pb2.ScanRequest(
            file=self._reference(name), range=common_pb2.KeyRange(start=start, limit=limit),
            **options))
        try:
            for answer in chunks:
                at = 0
                for length in answer.chunk.lengths:
                    yield answer.chunk.data[at:at + length]
                    at += length
        except grpc.RpcError as error:
            raise QuireError.of_call(error) from None
        finally:
            chunks.cancel()  # of what is not read

    def open(self, name, access=Access.READ_WRITE, exclusion=Exclusion.SHARED, sync_depth=1,
             lock_mode=LockMode.NORMAL, retry_seconds=30):
        """An OpenFile. 11 when there is no such file; 12 when another's exclusion forbids it.

        sync_depth     0: a change that was under way when the connection broke gets 201;
                       1 … 15: it is sent again and done once
        retry_seconds  how long a broken connection is tried to be mended
        """
        return OpenFile(Session(self._channel, record_pb2.Open(
            file=self._reference(name), access=access, exclusion=exclusion, sync_depth=sync_depth,
            lock_mode=lock_mode), retry_seconds))

    def _reference(self, name):
        return common_pb2.FileReference(name=file_name(name), client_name=self._client_name,
                                        client_id=self._client_id)

    def _pages(self, method, request_type, field, name):
        token = ""
        while True:
            page = _call(method, request_type(file=self._reference(name), page_token=token))
            yield from getattr(page, field)
            token = page.next_page_token
            if not token:
                return


def _call(method, request):
    try:
        return method(request)
    except grpc.RpcError as error:
        raise QuireError.of_call(error) from None
