#!/usr/bin/env bash
# The whole validation book in one command: installs what is missing, builds, makes every run of every figure that is
# not there yet, draws the pictures and writes docs/VALIDATION.md. --help lists the options.
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
    cmake --build --preset release --parallel "$(deploy/build_jobs.sh)" --target talus_validation talus_figures \
      talus_python
  ) >&2
fi
export PYTHONPATH="$root/tests/validation:$build/python${PYTHONPATH:+:$PYTHONPATH}" PYTHONDONTWRITEBYTECODE=1
exec /usr/bin/python3 -m book --build "$build" "${arguments[@]}"
