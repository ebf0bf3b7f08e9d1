#!/usr/bin/env bash
# Builds the service and its benchmark and runs it with the options given; --help prints them. Run it on an otherwise
# idle machine and compare within one run only: what stands beside a figure was measured in turn with it.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
(
  cd "$root"
  deploy/install.sh build node
  cmake --preset release
  cmake --build --preset release --parallel "$(deploy/build_jobs.sh)" --target talus_service_bench
) >&2
exec "$root/build/release/bin/talus_service_bench" "$@"
