#!/usr/bin/env bash
# Builds and runs our default solver beside Siconos' on all bare problems, with more work for Siconos than the test gives it
# and each short solve repeated; fails where ours takes longer, too. Run it on an otherwise idle machine; some minutes.
# --json FILE also writes the rows.
set -euo pipefail

if [[ $# -gt 0 && ! ( $# -eq 2 && $1 == --json ) ]]; then
  echo "usage: $0 [--json FILE]" >&2
  exit 2
fi
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
json=()
if [[ $# -eq 2 ]]; then
  # Said before the minutes of work, not after them.
  json=(--json "$(realpath -m "$2")")
  { mkdir -p "$(dirname "${json[1]}")" && touch "${json[1]}"; } || exit 2
fi
cd "$root"
deploy/install.sh build test >&2
cmake --preset release -DTALUS_TESTS=ON >&2
cmake --build --preset release --target talus_siconos_comparison >&2
exec build/release/tests/talus_siconos_comparison --work 4e8 --longer 10 --repeats 9 --slowest 1 "${json[@]}"
