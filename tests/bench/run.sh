#!/usr/bin/env bash
# Builds the benchmarks and runs them with the options given; an unknown option prints them all. States that are dear to
# make are kept in build/bench-states. Run it on an otherwise idle machine and compare ratios within one run only.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
(
  cd "$root"
  deploy/install.sh build
  cmake --preset bench
  cmake --build --preset bench
) >&2
exec "$root/build/bench/tests/bench/talus_bench" --states "$root/build/bench-states" "$@"
