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
deploy/install-packages.sh --peers

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

# suite PRESET TARGETS [ctest options]: build and run; every test counts. TARGETS "all" or names.
suite() {
  local preset=$1 targets=$2
  shift 2
  [ "$targets" != all ] || targets=
  echo "== build $preset"
  # shellcheck disable=SC2086  # target names are words
  if ! deploy/build.sh "$preset" $targets > "$log" 2>&1; then
    grep -E 'error|FAILED' "$log" | head -n 40 || true
    failed=$((failed + 1))
    echo "FAILED: build $preset"
    return
  fi
  echo "== test $preset"
  ctest --test-dir "build/$preset" -j2 --output-on-failure --no-tests=error "$@" > "$log" 2>&1 || true
  grep -vE '^ *[0-9]+/[0-9]+ Test .* Passed|^ *Start ' "$log" | tail -n 200
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
# With every store that quire-bench peers can measure, so that their code is built and run.
cmake --preset release -DQUIRE_BENCH_PEERS=ON >/dev/null
suite release all
if [ "$fast" = no ]; then
  # Under sanitizers: the layers that handle memory and threads. gRPC itself is not instrumented, so
  # the thread sanitizer runs what does not go through it.
  core="unit_store unit_trail unit_cache unit_btree unit_keyseq unit_volume unit_filesystem
        crash_simulated"
  suite asan "$core" -R '^(unit_(store|trail|cache|btree|keyseq|volume|filesystem)|crash_simulated)\.'
  threads="unit_store unit_trail unit_cache unit_volume unit_filesystem crash_simulated"
  suite tsan "$threads" -R '^(unit_(store|trail|cache|volume|filesystem)|crash_simulated)\.'
  # quire-bench is built with it too, though not run: its warnings are errors.
  suite clang "quire_volume quire_filesystem quire-bench fuzz_block fuzz_trail fuzz_command fuzz_csv
    fuzz_records" -L fuzz
  step "clang-tidy" deploy/check-tidy.sh
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
