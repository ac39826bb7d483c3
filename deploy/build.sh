#!/usr/bin/env bash
# Configures and builds one preset (default: release). Usage: deploy/build.sh [preset] [target…]
set -euo pipefail
cd "$(dirname "$0")/.."
preset=${1:-release}
shift || true
cmake --preset "$preset" >/dev/null
targets=()
[ $# -eq 0 ] || targets=(--target "$@")
cmake --build --preset "$preset" "${targets[@]}"
