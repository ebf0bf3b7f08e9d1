#!/usr/bin/env bash
# Runs the fuzzers with Clang's engine: each for a while, two at once. What earlier runs found worth keeping is begun from.
set -uo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1

usage() {
  cat <<'TEXT'
usage: tests/fuzz/run.sh [option...]

Builds the fuzzers with Clang and runs each of them. An input that breaks something, takes more than 20 s or asks for more
than 256 MiB at once (of a recording: than the 1 GiB a chunk may have) is kept in the findings folder, and the command that
tries it again is printed. The exit code is 0 when nothing was found.

  --seconds N     of each fuzzer [60]
  --within N      seconds for all of it, building too: each fuzzer gets less where they are not enough, and where they do not
                  suffice for five seconds each none is run (exit code 77) [any]
  --only NAME     only this fuzzer; may be given more than once. problem_hdf5 runs only so
  --jobs N        fuzzers at once [number of cores]
  --minimise      do not fuzz: add what the kept corpus covers more than tests/fuzz/corpus to it, least files first
  --list          print the names and end
  --help          this text

The corpus that grows is kept in $XDG_CACHE_HOME/talus/fuzz (~/.cache/talus/fuzz), at most 4000 inputs of each fuzzer; a run
begins from five of them for each of its seconds, chosen anew every time, and from tests/fuzz/corpus. Findings are in out/fuzz.
TEXT
}

fail() {
  echo "tests/fuzz/run.sh: $*" >&2
  exit 2
}

seconds=60 within=999999 jobs="$(nproc)" minimise=false list=false
only=()
while [ $# -gt 0 ]; do
  case "$1" in
    -h | --help) usage; exit 0 ;;
    --minimise) minimise=true; shift; continue ;;
    --list) list=true; shift; continue ;;
    --seconds | --within | --only | --jobs) [ $# -ge 2 ] || fail "$1 needs a value" ;;
    *) fail "unknown option '$1' (see --help)" ;;
  esac
  case "$1" in
    --seconds) seconds="$2" ;;
    --within) within="$2" ;;
    --only) only+=("$2") ;;
    --jobs) jobs="$2" ;;
  esac
  shift 2
done
for number in "$seconds" "$within" "$jobs"; do
  [[ "$number" =~ ^[1-9][0-9]{0,5}$ ]] || fail "'$number' must be a number from 1 to 999999"
done
mapfile -t all < <(basename -a tests/fuzz/corpus/*/)
if $list; then
  printf '%s\n' "${all[@]}"
  exit 0
fi
for name in "${only[@]}"; do
  [ -d "tests/fuzz/corpus/$name" ] || fail "no fuzzer '$name': one of ${all[*]}"
done
# libhdf5 believes the sizes that a file states and loses memory on malformed ones, which is why a server reads such files
# only with --accept-hdf5. What it does is not ours to repair: its fuzzer runs when it is asked for, with less strict bounds.
[ "${#only[@]}" -gt 0 ] || for name in "${all[@]}"; do [ "$name" = problem_hdf5 ] || only+=("$name"); done
names=("${only[@]}")
command -v clang++ >/dev/null || fail "clang++ is missing: deploy/install.sh lint analysis"

skip() {
  echo "skipped: building took all of the $within s; the next time it will not"
  exit 77
}

echo "=== build (${SECONDS}s)"
cmake --preset fuzz >/dev/null || exit 1
code=0
timeout "$within" cmake --build build/fuzz --target talus_fuzzers --parallel "$(deploy/build_jobs.sh)" || code=$?
[ "$code" -eq 124 ] && skip
[ "$code" -eq 0 ] || exit 1

grown="${XDG_CACHE_HOME:-${HOME:-/var/tmp}/.cache}/talus/fuzz"
findings="$PWD/out/fuzz"
mkdir -p "$grown" "$findings" || exit 1
export ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=0 UBSAN_OPTIONS=print_stacktrace=1
bounds=(-timeout=20 -rss_limit_mb=3072 -malloc_limit_mb=256 -max_len=65536 -print_final_stats=1)

# keep NAME FOLDER: moves what a run found worth keeping to the corpus that grows; the oldest make room.
keep() {
  find "$2" -type f -exec mv -t "$grown/$1" {} + && rmdir "$2"
  find "$grown/$1" -type f -printf '%T@ %p\0' | sort -z -rn | tail -z -n +4001 | cut -z -d' ' -f2- | xargs -0 -r rm --
}

# fuzz NAME: one fuzzer; its log is findings/NAME.log.
fuzz() {
  local name="$1" code=0 new
  local asan="$ASAN_OPTIONS" own=()
  if [ "$name" = problem_hdf5 ]; then
    asan=detect_leaks=0:allocator_may_return_null=1 own=(-malloc_limit_mb=0 -detect_leaks=0)
  fi
  case "$name" in
    recording | export_file | moments) own=(-malloc_limit_mb=1100) ;;
  esac
  mkdir -p "$grown/$name"
  new="$(mktemp -d)" || return 1
  { find "tests/fuzz/corpus/$name" -type f; find "$grown/$name" -type f | shuf -n $((5 * seconds)); } |
    paste -sd, >"$findings/$name.seeds"
  ASAN_OPTIONS="$asan" TALUS_FUZZER="$name" timeout --kill-after=30 $((seconds + 120)) build/fuzz/bin/talus_fuzzers "${bounds[@]}" "${own[@]}" \
    -max_total_time="$seconds" -artifact_prefix="$findings/$name-" -seed_inputs="@$findings/$name.seeds" "$new" \
    >"$findings/$name.log" 2>&1 || code=$?
  keep "$name" "$new"
  local tries covered
  tries="$(sed -n 's/^stat::number_of_executed_units: *//p' "$findings/$name.log")"
  covered="$(sed -n 's/.* cov: \([0-9]*\) .*/\1/p' "$findings/$name.log" | tail -1)"
  if [ "$code" -eq 0 ]; then
    printf '%-22s %9s inputs, %6s edges covered\n' "$name" "${tries:-?}" "${covered:-?}"
  else
    printf '%-22s FOUND SOMETHING (exit code %d): %s\n' "$name" "$code" "$findings/$name.log"
    grep -hE -m 6 'ERROR|SUMMARY|runtime error|check failed|Check' "$findings/$name.log"
    sed -n "s|.*Test unit written to |again: TALUS_FUZZER=$name build/fuzz/bin/talus_fuzzers |p" "$findings/$name.log"
  fi
  return "$code"
}

if $minimise; then
  for name in "${names[@]}"; do
    [ -d "$grown/$name" ] || continue
    TALUS_FUZZER="$name" build/fuzz/bin/talus_fuzzers "${bounds[@]}" -merge=1 "tests/fuzz/corpus/$name" "$grown/$name" 2>&1 |
      grep -E 'new files|MERGE-OUTER: [0-9]+ new' | sed "s/^/$name: /"
  done
  exit 0
fi

turns=$(((${#names[@]} + jobs - 1) / jobs))
most=$(((within - SECONDS) / turns - 3)) # to begin and to end
[ "$most" -ge 5 ] || skip
[ "$most" -ge "$seconds" ] || seconds="$most"
echo "=== ${#names[@]} fuzzers, $seconds s each, $jobs at once (${SECONDS}s)"
found=0
running=0
for name in "${names[@]}"; do
  if [ "$running" -ge "$jobs" ]; then
    wait -n || found=$((found + 1))
    running=$((running - 1))
  fi
  fuzz "$name" &
  running=$((running + 1))
done
while [ "$running" -gt 0 ]; do
  wait -n || found=$((found + 1))
  running=$((running - 1))
done
echo "${#names[@]} fuzzers, $found found something (${SECONDS}s)"
[ "$found" -eq 0 ]
