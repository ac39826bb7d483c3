"""Writes, reads and scans $DATA01.STOCK.PARTS, the file that README's first session creates.

Stubs come from protoc (see README). Usage: first_session.py [HOST:PORT of a router or volume]
"""
import os
import sys

import grpc
from quire.v1 import common_pb2, record_pb2, record_pb2_grpc

address = sys.argv[1] if len(sys.argv) > 1 else os.environ.get("QUIRE_ROUTER", "127.0.0.1:7000")
records = record_pb2_grpc.RecordServiceStub(grpc.insecure_channel(address))
parts = common_pb2.FileReference(
    name=common_pb2.FileName(volume="$DATA01", subvolume="STOCK", file="PARTS"),
    client_name="first_session.py")


def attempt(what, call, request):
    try:
        answer = call(request)
        print(f"{what}: ok")
        return answer
    except grpc.RpcError as error:
        trailers = dict(error.trailing_metadata())
        print(f"{what}: error {trailers.get('quire-error')}: {error.details()}")
        return None


for record in (b"P2000001washer", b"P7000001spring", b"P2000001again"):
    attempt(f"write {record.decode()}", records.Write,
            record_pb2.WriteRequest(file=parts, record=record))

found = attempt("read P7000001", records.Read, record_pb2.ReadRequest(file=parts, key=b"P7000001"))
print("found:", found.record.decode())

# A scan comes in chunks of records back to back, in key order over all partitions.
for answer in records.Scan(record_pb2.ScanRequest(file=parts)):
    at = 0
    for length in answer.chunk.lengths:
        print("scan:", answer.chunk.data[at:at + length].decode())
        at += length

for key in (b"P2000001", b"P7000001"):
    attempt(f"delete {key.decode()}", records.Delete, record_pb2.DeleteRequest(file=parts, key=key))
