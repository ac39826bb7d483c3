#!/usr/bin/env bash
# All tests on a fresh Debian 12 machine: installs what is missing, builds, and runs the checks of
# the source tree, the release tests, and the short forms under sanitizers and clang.
#   deploy/test.sh            everything CI runs
#   deploy/test.sh --fast     release build and tests only
#   QUIRE_LONG=1              the long forms (crash campaigns, model runs)
# The last line is "N passed, N failed".
set -euo pipefail
cd "$(dirname "$0")/.."
fast=no
[ "${1:-}" = --fast ] && fast=yes
deploy/install-packages.sh

passed=0
failed=0
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# step NAME COMMAND…: one check that counts as one test.
step() {
  local name=$1
  shift
  echo "== $name"
  if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED: $name"; fi
}

# suite PRESET [ctest options]: build and run; every test counts.
suite() {
  local preset=$1
  shift
  echo "== build $preset"
  if ! deploy/build.sh "$preset" 2>&1 | tail -n 40; then
    failed=$((failed + 1))
    echo "FAILED: build $preset"
    return
  fi
  echo "== test $preset"
  ctest --test-dir "build/$preset" -j2 --output-on-failure --no-tests=error "$@" 2>&1 | tee "$log" || true
  local total bad
  total=$(sed -nE 's/.*tests passed, ([0-9]+) tests failed out of ([0-9]+)/\2/p' "$log" | tail -1)
  bad=$(sed -nE 's/.*tests passed, ([0-9]+) tests failed out of ([0-9]+)/\1/p' "$log" | tail -1)
  if [ -z "$total" ]; then
    failed=$((failed + 1))
    echo "FAILED: ctest of $preset did not run"
    return
  fi
  passed=$((passed + total - bad))
  failed=$((failed + bad))
}

step "clang-format" deploy/check-format.sh
suite release
if [ "$fast" = no ]; then
  # The sanitizer builds run what touches memory and threads; benches and text tests add nothing.
  suite asan -LE slow
  suite tsan -L threads -LE slow
  suite clang -L fuzz
  step "clang-tidy" deploy/check-tidy.sh
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
