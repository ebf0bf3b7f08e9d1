#!/usr/bin/env bash
# Every test in one command: installs what is missing, builds, runs ctest, and closes with a line of counts.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."

usage() {
  cat <<'TEXT'
usage: tests/run.sh [option...]

Installs the packages that are missing (Debian 12), builds a preset and runs its tests. The last line says
"N passed, N failed, N skipped"; the exit code is 0 when everything built and nothing failed.

  --preset NAME        release (default), debug (ASan and UBSan) or tsan (solver and middle ring)
  --filter REGEX       only tests whose name matches
  --label REGEX        only tests with such a label: unit, property, validation, determinism, integration,
                       conformance, system, fuzz, bench, tidy
  --exclude-label REGEX  no tests with such a label
  --jobs N             compilers and tests at once (default: as cores and memory allow; of the release preset's tests,
                       many of which wait, one more)
  --no-install         do not look for missing packages
  --help               this text
TEXT
}

fail() {
  echo "tests/run.sh: $*" >&2
  exit 2
}

section() { printf '\n=== %s (%ss)\n' "$1" "$SECONDS"; }

preset=release
install=true
jobs=""
selection=()
while [ $# -gt 0 ]; do
  case "$1" in
    -h | --help) usage; exit 0 ;;
    --no-install) install=false; shift; continue ;;
    --preset | --filter | --label | --exclude-label | --jobs) [ $# -ge 2 ] || fail "$1 needs a value" ;;
    *) fail "unknown option '$1' (see --help)" ;;
  esac
  case "$1" in
    --preset) preset="$2" ;;
    --filter) selection+=(--tests-regex "$2") ;;
    --label) selection+=(--label-regex "$2") ;;
    --exclude-label) selection+=(--label-exclude "$2") ;;
    --jobs) jobs="$2" ;;
  esac
  shift 2
done
case "$preset" in
  release | debug | tsan) ;;
  *) fail "unknown preset '$preset': release, debug or tsan" ;;
esac
[[ "${jobs:-1}" =~ ^[1-9][0-9]*$ ]] || fail "--jobs = $jobs must be a number > 0"
build="build/$preset"

if $install; then
  section "packages"
  deploy/install.sh build demo test node lint
fi
tests_at_once="$jobs"
jobs="${jobs:-$(deploy/build_jobs.sh)}"
[ "$preset" = release ] && more=1 || more=0
tests_at_once="${tests_at_once:-$((jobs + more))}"

section "configure $preset"
# Said again because deploy/demo.sh configures the same folder without tests.
settings=(-DTALUS_TESTS=ON)
[ "$preset" != release ] || settings+=(-DTALUS_BENCH=ON)
cmake --preset "$preset" "${settings[@]}" >/dev/null

section "build $preset, $jobs at once"
cmake --build "$build" --parallel "$jobs"

section "test $preset, $tests_at_once at once"
report="$PWD/$build/tests.xml"
rm -f "$report"
ctest_code=0
ctest --test-dir "$build" --output-on-failure --no-tests=error --parallel "$tests_at_once" --output-junit "$report" \
  "${selection[@]}" </dev/null || ctest_code=$?

section "summary $preset"
[ -s "$report" ] || fail "ctest wrote no report (exit code $ctest_code)"
/usr/bin/python3 tests/support/summary.py "$report" || ctest_code=1
exit "$((ctest_code != 0))"
