#!/usr/bin/env bash
# clang-tidy over the sources, with the checks of .clang-tidy; findings are errors.
#   deploy/check-tidy.sh            the layers from server/base to server/volume, as CI does
#   deploy/check-tidy.sh --all      all of server, client and include (a quarter of an hour)
#   deploy/check-tidy.sh file…
set -euo pipefail
cd "$(dirname "$0")/.."
[ -f build/clang/compile_commands.json ] || cmake --preset clang >/dev/null
core=(base counters store trail cache btree keyseq volume)
case "${1:-}" in
  "") mapfile -t files < <(for layer in "${core[@]}"; do git ls-files "server/$layer/*.cc"; done) ;;
  --all) mapfile -t files < <(git ls-files 'server/*.cc' 'client/*.cc' 'include/*.cc') ;;
  *) files=("$@") ;;
esac
printf '%s\n' "${files[@]}" | xargs -P 2 -n 8 clang-tidy -p build/clang --quiet 2>/dev/null
