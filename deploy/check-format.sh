#!/usr/bin/env bash
# Every C++ source is as clang-format leaves it.
set -euo pipefail
cd "$(dirname "$0")/.."
git ls-files '*.cc' '*.h' | xargs clang-format --dry-run -Werror
