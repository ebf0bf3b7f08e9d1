#!/usr/bin/env bash
# The whole validation book in one command: installs what is missing, builds, makes every run of every figure that is
# not there yet, draws the pictures, writes docs/VALIDATION.md and the tables of docs/validation. --help lists the options.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$root/build/release
prepare=true
arguments=()
while [ $# -gt 0 ]; do
  case "$1" in
    --no-build) prepare=false ;;
    -h | --help) prepare=false; arguments+=("$1") ;;
    --build) build=$(realpath -m "${2:?--build needs a folder}"); prepare=false; shift ;;
    *) arguments+=("$1") ;;
  esac
  shift
done

if $prepare; then
  (
    cd "$root"
    deploy/install.sh build demo test
    cmake --preset release -DTALUS_TESTS=ON
    targets=(talus_validation talus_figures talus_python talus_solver_table talus_pile_table)
    # Only where Siconos is installed.
    if cmake --build --preset release --target help | grep '^talus_siconos_comparison:' >/dev/null; then
      targets+=(talus_siconos_comparison)
    fi
    cmake --build --preset release --parallel "$(deploy/build_jobs.sh)" --target "${targets[@]}"
  ) >&2
fi
export PYTHONPATH="$root/tests/validation:$build/python${PYTHONPATH:+:$PYTHONPATH}" PYTHONDONTWRITEBYTECODE=1
exec /usr/bin/python3 -m book --build "$build" "${arguments[@]}"
