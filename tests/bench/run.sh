#!/usr/bin/env bash
# Builds and runs the benchmarks. Run it on an otherwise idle machine and compare ratios within one run only.
# --quick: 2000 spheres, each figure taken once; --spheres N: heaps of that size only; --json FILE also writes the rows.
set -euo pipefail

usage="usage: $0 [--quick] [--spheres N] [--json FILE]"
arguments=()
while [[ $# -gt 0 ]]; do
  case $1 in
    --quick) arguments+=(--quick) ;;
    --spheres)
      [[ $# -ge 2 ]] || { echo "$usage" >&2; exit 2; }
      arguments+=(--spheres "$2")
      shift ;;
    --json)
      [[ $# -ge 2 ]] || { echo "$usage" >&2; exit 2; }
      # Said before the minutes of work, not after them.
      json=$(realpath -m "$2")
      { mkdir -p "$(dirname "$json")" && touch "$json"; } || exit 2
      arguments+=(--json "$json")
      shift ;;
    *) echo "$usage" >&2; exit 2 ;;
  esac
  shift
done
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
cd "$root"
deploy/install.sh build >&2
cmake --preset bench >&2
cmake --build --preset bench >&2
exec build/bench/tests/bench/talus_bench "${arguments[@]}"
