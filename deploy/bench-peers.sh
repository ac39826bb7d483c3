#!/usr/bin/env bash
# Quire beside the stores a user could pick instead, on a fresh Debian 12 machine: installs what is
# missing, builds with every store whose library is there, and runs `quire-bench peers` beside
# private PostgreSQL and Redis servers.
#   deploy/bench-peers.sh [options of quire-bench peers]
# Leaves build/release/bench/peers.json and peers.html. Takes about an hour and 2 GB of disc;
# --peers_rounds, --peers_work and --peers_stores make it shorter.
set -euo pipefail
cd "$(dirname "$0")/.."
deploy/install-packages.sh --peers
cmake --preset release -DQUIRE_BENCH_PEERS=ON >/dev/null
deploy/build.sh release quire-bench quire-volume
out=build/release/bench
mkdir -p "$out"
deploy/bench-peers-servers.sh --install --directory "$out" build/release/bin/quire-bench peers \
  --directory "$out/data" --json "$out/peers.json" --html "$out/peers.html" "$@"
