#!/usr/bin/env bash
# Draws [AS] Fig. 11 to docs/figures/as-fig11.png, or to the file given, and says what it wrote.
set -euo pipefail

if [[ $# -gt 1 ]]; then
  echo "usage: $0 [PICTURE]" >&2
  exit 2
fi
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
picture=$(realpath -m "${1:-$root/docs/figures/as-fig11.png}")
friction=0.3
cd "$root"
deploy/install.sh build test demo >&2
cmake --preset release -DTALUS_TESTS=ON >&2
cmake --build --preset release --target talus_realizability_mesh >&2
meshes=$(mktemp -d)
trap 'rm -r "$meshes"' EXIT
build/release/tests/validation/talus_realizability_mesh "$meshes" "$friction" 12
mkdir -p "$(dirname "$picture")"
/usr/bin/python3 tests/validation/figures/draw_realizability.py "$meshes" "$friction" "$picture"
