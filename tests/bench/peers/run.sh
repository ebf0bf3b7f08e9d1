#!/usr/bin/env bash
# Builds and runs the engines beside ours on the same states: about a quarter of an hour. Run it on an otherwise idle machine and
# compare within one run only. --large takes heaps of 50 000 and 100 000 stones in place of the others: half an hour. --json FILE
# also writes the rows; README.md says what is in them.
set -euo pipefail

usage="usage: $0 [--large] [--json FILE]"
arguments=()
names=(tiny-20 small-60 small-150 wall-500 drum-2000 box-8000 {rest,collapse}-500 {rest,flow,collapse}-{1000,4000,10000})
while [[ $# -gt 0 ]]; do
  case $1 in
    --json)
      [[ $# -ge 2 ]] || { echo "$usage" >&2; exit 2; }
      # Said before the minutes of work, not after them.
      json=$(realpath -m "$2")
      { mkdir -p "$(dirname "$json")" && touch "$json"; } || exit 2
      arguments+=(--json "$json")
      shift ;;
    --large)
      names=({rest,flow,collapse}-{50000,100000})
      arguments+=(--large) ;;
    *) echo "$usage" >&2; exit 2 ;;
  esac
  shift
done
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
cd "$root"
deploy/install.sh build test peers >&2
cmake --preset bench >&2
cmake --build --preset bench >&2
programs="$root/build/bench/tests/bench/peers"
states="$programs/states"
mkdir -p "$states"
for state in "${names[@]}"; do
  [[ -s "$states/$state.json" ]] ||
    "$programs/talus_peer_states" "$states" "${state%-*}" "${state#*-}" "$root/build/bench-states"
done
exec /usr/bin/python3 -B tests/bench/peers/compare.py "$programs" "$states" "${arguments[@]}"
