#!/usr/bin/env bash
# Makes the Python client ready for use in a folder (default: build/python): the stubs of the proto
# files, and quire_client beside them. Put that folder on PYTHONPATH.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
protos=$here/../../proto
out=${1:-$here/../../build/python}
mkdir -p "$out"
protoc -I "$protos" --python_out="$out" --grpc_python_out="$out" \
  --plugin=protoc-gen-grpc_python="$(command -v grpc_python_plugin)" "$protos"/quire/v1/*.proto
rm -rf "$out/quire_client"
cp -r "$here"/{quire_client,example.py} "$out"
