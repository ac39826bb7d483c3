#!/usr/bin/env bash
# clang-tidy over the sources, with the checks of .clang-tidy; findings are errors.
#   deploy/check-tidy.sh [file…]     default: all of server, client and include
set -euo pipefail
cd "$(dirname "$0")/.."
[ -f build/clang/compile_commands.json ] || cmake --preset clang >/dev/null
if [ $# -gt 0 ]; then files=("$@"); else mapfile -t files < <(git ls-files 'server/*.cc' 'client/*.cc' 'include/*.cc'); fi
printf '%s\n' "${files[@]}" | xargs -P 2 -n 8 clang-tidy -p build/clang --quiet
