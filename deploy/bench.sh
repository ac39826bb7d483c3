#!/usr/bin/env bash
# The main job on a fresh Debian 12 machine: installs what is missing, builds, loads the
# 135,065-record file write-through, BUFFERED and AUDIT, the last two also over eleven partitions, one
# record at a time and pipelined, against server processes of its own on loopback.
#   deploy/bench.sh [--quick]      --quick: a tenth of the records
# Leaves build/release/bench/csvload.json and csvload.html. Stops every server it started.
set -euo pipefail
cd "$(dirname "$0")/.."
deploy/install-packages.sh
deploy/build.sh release quire-bench quire-volume quire-router
out=build/release/bench
mkdir -p "$out"
exec build/release/bin/quire-bench csvload --pipelined --directory "$out/data" \
  --json "$out/csvload.json" --html "$out/csvload.html" "$@"
