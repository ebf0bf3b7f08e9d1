#!/usr/bin/env bash
# The gravel pile in one command: installs what is missing, builds the server and the Python client, runs the demo.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
build=build/release
out=out

usage() {
  cat <<'TEXT'
usage: deploy/demo.sh [option...]

Pours a pile of gravel: installs the packages that are missing (Debian 12), builds the server and the Python client
under build/release, starts a server on a free port, steps the pile through the client, and leaves in out/ a picture
of the pile, a table, summary.json and the recorded data.

  --particles N   spheres in the pile (default: 1000)
  --rolling R     rolling and spinning friction, metres (default: 0.01); 0 gives an almost flat stack
  --threads T     worker threads (default: all cores); the result does not depend on it, bit for bit
  --seed S        of the particles' places (default: 1)
  --full          the paper-sized pile: 10 000 particles, 15 s of simulated time
  --out DIR       where the results go (default: out)
  --no-install    do not look for missing packages
  --help          this text

All other options go to the demo itself: PYTHONPATH=build/release/python /usr/bin/python3 -m talus.demo --help
TEXT
}

say() { if [ -t 1 ]; then printf '\n\033[1m%s\033[0m\n' "$*"; else printf '\n%s\n' "$*"; fi; }

# Runs a command; its output is shown only when it fails.
quietly() {
  local log
  log="$(mktemp)"
  if ! "$@" >"$log" 2>&1; then
    cat "$log" >&2
    rm -f "$log"
    echo "demo.sh: failed: $*" >&2
    exit 1
  fi
  rm -f "$log"
}

install=true
arguments=()
while [ $# -gt 0 ]; do
  case "$1" in
    -h | --help) usage; exit 0 ;;
    --no-install) install=false ;;
    --out) out="${2:?--out needs a folder}"; shift ;;
    --out=*) out="${1#--out=}" ;;
    *) arguments+=("$1") ;;
  esac
  shift
done

if $install; then
  say "1/3 Packages"
  deploy/install.sh build demo
fi

say "2/3 Build (the first time takes a few minutes)"
if ! grep -qs '^TALUS_TESTS:BOOL=ON' "$build/CMakeCache.txt"; then
  # The demo needs neither the tests nor the packages they build against.
  quietly cmake --preset release -DTALUS_TESTS=OFF -DTALUS_BENCH=OFF
fi
cmake --build "$build" --parallel "$(deploy/build_jobs.sh)" --target talus_server talus_python

say "3/3 Demo"
export PYTHONPATH="$build/python${PYTHONPATH:+:$PYTHONPATH}"
exec /usr/bin/python3 -m talus.demo --out "$out" "${arguments[@]}"
