#!/usr/bin/env bash
# Builds the container image and runs it for real, without a Docker engine: a Debian base made by debootstrap, buildah
# for the Dockerfile, podman with runc for the containers. Where the host cannot do that (no root, no packages, no
# overlay storage), it says so in a line that begins with "skipped:".
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
root="$PWD"

usage() {
  cat <<'TEXT'
usage: deploy/test-image.sh [option...]

Builds the image (its own test stage included), then checks: size, non-root user, a read-only root file system with no
capability, health check, stepping a scene for a client outside of the container, a batch run, and a drained exit on
SIGTERM. Needs root and the packages of the group image-test.

  --tests "NAME..." test programs that run inside the build (default: the unit tests)
  --skip-code N     exit code when the host cannot (default 0; ctest wants 77)
  --keep            leave the image in the storage folder and say how to run it
  --no-install      do not look for missing packages
  --fresh           forget the cached base image and layers
  --help            this text

Base image, layers and compiled objects are kept in ${XDG_CACHE_HOME:-~/.cache}/talus/image.
TEXT
}

tests=""
skip_code=0
install=true
fresh=false
keep=false
while [ $# -gt 0 ]; do
  case "$1" in
    -h | --help) usage; exit 0 ;;
    --tests) tests="${2:?--tests needs names}"; shift ;;
    --skip-code) skip_code="${2:?--skip-code needs a number}"; shift ;;
    --no-install) install=false ;;
    --fresh) fresh=true ;;
    --keep) keep=true ;;
    *) echo "test-image.sh: unknown option '$1' (see --help)" >&2; exit 2 ;;
  esac
  shift
done

skip() {
  echo "skipped: $*"
  exit "$skip_code"
}

section() { printf '\n=== %s (%ss)\n' "$1" "$SECONDS"; }

# check WHAT COMMAND...: one line a check; the first that fails ends the run.
check() {
  local what="$1"
  shift
  if "$@"; then
    echo "ok: $what"
  else
    echo "FAILED: $what" >&2
    [ -z "${server:-}" ] || podman logs "$server" 2>&1 | tail -n 20 >&2
    exit 1
  fi
}

fails() { ! "$@" >/dev/null 2>&1; }

cache="${XDG_CACHE_HOME:-${HOME:-/var/tmp}/.cache}/talus/image"
image=localhost/talus:test
base=docker.io/library/debian:bookworm-slim
largest_mb=250
run_folder=""
server=""

finish() {
  [ -z "$server" ] || podman rm --force --time 1 "$server" >/dev/null 2>&1 || true
  # The storage mounts its folder onto itself and leaves it so, which would keep the cache from being removed.
  umount "$cache/storage/overlay" 2>/dev/null || true
  [ -z "$run_folder" ] || rm -rf "$run_folder"
}
trap finish EXIT

section "host"
[ "$(id -u)" -eq 0 ] || skip "building an image this way needs root"
[ "$(uname -s)" = Linux ] && command -v dpkg >/dev/null || skip "this needs a Debian host"
if $install && ! deploy/install.sh image-test; then
  skip "the packages of the group image-test cannot be installed here"
fi
for tool in debootstrap buildah podman runc; do
  command -v "$tool" >/dev/null || skip "$tool is not installed (deploy/install.sh image-test)"
done
mkdir -p "$cache"
exec 9>"$cache/lock"
flock --timeout 1800 9 || skip "another run holds $cache"
if $fresh; then
  umount "$cache"/storage/overlay/*/merged "$cache/storage/overlay" 2>/dev/null || true
  rm -rf "$cache/storage" "$cache/base"
fi
run_folder="$(mktemp -d)"
export CONTAINERS_STORAGE_CONF="$run_folder/storage.conf"
cat >"$CONTAINERS_STORAGE_CONF" <<TEXT
[storage]
driver = "overlay"
graphroot = "$cache/storage"
runroot = "$run_folder/containers"
TEXT
# crun and systemd's cgroups are not to be had on every host; runc and plain cgroups are.
export CONTAINERS_CONF="$run_folder/containers.conf"
printf '[engine]\nruntime = "runc"\ncgroup_manager = "cgroupfs"\nevents_logger = "file"\n' >"$CONTAINERS_CONF"
buildah images >"$run_folder/log" 2>&1 ||
  skip "overlay storage does not work here: $(tail -n 1 "$run_folder/log")"

# What an interrupted run left behind, and podman's memory of where this folder lay when its database was made: a cache
# that was moved would be looked for there. The option static_dir is no way out, since conmon's clean-up ignores it.
buildah rm --all >/dev/null 2>&1 || true
rm -rf "$cache/storage/libpod"

make_base() {
  local folder="$cache/base" container mirror="${TALUS_DEBIAN_MIRROR:-http://deb.debian.org/debian}"
  rm -rf "$folder"
  debootstrap --variant=minbase --include=ca-certificates bookworm "$folder" "$mirror" >"$run_folder/log" 2>&1 || {
    local why
    why="$(tail -n 1 "$run_folder/log")"
    rm -rf "$folder"
    skip "debootstrap could not make a base system: $why"
  }
  # What Debian's slim image leaves out.
  rm -rf "$folder"/var/cache/apt/archives/*.deb "$folder"/var/lib/apt/lists/* \
    "$folder"/usr/share/{man,info,locale,groff,linda,lintian}/*
  find "$folder/usr/share/doc" -type f ! -name copyright -delete
  printf 'path-exclude /usr/share/%s/*\n' man info locale groff lintian >"$folder/etc/dpkg/dpkg.cfg.d/slim"
  printf 'path-exclude /usr/share/doc/*\npath-include /usr/share/doc/*/copyright\n' >>"$folder/etc/dpkg/dpkg.cfg.d/slim"
  printf 'deb %s bookworm main\ndeb %s bookworm-updates main\ndeb %s-security bookworm-security main\n' \
    "$mirror" "$mirror" "$mirror" >"$folder/etc/apt/sources.list"
  container="$(buildah from scratch)"
  buildah add --quiet "$container" "$folder" / >/dev/null
  buildah config --cmd bash "$container"
  buildah commit --quiet --format docker "$container" "$base" >/dev/null
  buildah rm "$container" >/dev/null
  rm -rf "$folder"
}

section "base image"
if buildah inspect --type image "$base" >/dev/null 2>&1; then
  echo "cached"
else
  make_base
fi

section "build, with its own tests inside"
objects="${CCACHE_DIR:-$cache/ccache}"
mkdir -p "$objects"
options=()
[ -z "$tests" ] || options+=(--build-arg "TESTS=$tests")
buildah bud --isolation chroot --pull-never --layers --format docker --volume "$objects:/ccache" "${options[@]}" \
  --tag "$image" "$root"
podman run --rm --network none --ulimit nofile=1024:4096 --ulimit nproc=1000:1000 --no-healthcheck "$image" \
  cat /usr/local/share/talus/tests.txt 2>/dev/null || true

section "what is in the image"
image_mb=$(($(podman image inspect --format '{{.Size}}' "$image") / 1000000))
image_user="$(podman image inspect --format '{{.User}}' "$image")"
check "size $image_mb MB, at most $largest_mb" [ "$image_mb" -le "$largest_mb" ]
check "user is $image_user, not root" [ -n "$image_user" -a "${image_user%%:*}" != 0 -a "${image_user%%:*}" != root ]

# What an operator would forbid as well. setrlimit needs limits that the host allows.
confined=(--ulimit nofile=1024:4096 --ulimit nproc=1000:1000 --no-healthcheck --network host --read-only
  --cap-drop all --security-opt no-new-privileges --memory 512m --pids-limit 200 --volume "$run_folder/data:/data")
install -d -m 0777 "$run_folder/data"
podman run --rm "${confined[@]}" "$image" true >"$run_folder/log" 2>&1 ||
  skip "the image is built (checked: size, user), but containers cannot start here: $(tail -n 1 "$run_folder/log")"
check "the root file system is read-only" \
  podman run --rm "${confined[@]}" "$image" sh -c '! touch /usr/local/x 2>/dev/null && touch /data/x'

section "server"
server="$(podman run --detach "${confined[@]}" --env TALUS_LISTEN=unix:/data/talus.sock,127.0.0.1:0 "$image")"
port=""
for _ in $(seq 100); do
  port="$(podman logs "$server" 2>/dev/null | sed -n 's/^listening on .*:\([0-9]*\)$/\1/p' | head -n 1)"
  [ -z "$port" ] || break
  sleep 0.1
done
check "the server listens (port ${port:-none})" [ -n "$port" ]
check "the health check passes where the server listens first" podman exec "$server" talus_server --health-check
check "and for its port" podman exec "$server" talus_server --health-check "127.0.0.1:$port"
check "the health check fails for a port where nobody serves" \
  fails podman exec "$server" talus_server --health-check 127.0.0.1:9
check "the process is not root" [ "$(podman exec "$server" id -u)" = "${image_user%%:*}" ]

section "a client outside"
if [ -x build/release/bin/talusctl ]; then
  client=(build/release/bin/talusctl)
  echo "client: build/release/bin/talusctl on the host"
else
  client=(podman run --rm "${confined[@]}" "$image" talusctl)
  echo "client: talusctl in a container of its own"
fi
check "asks the server what it is" "${client[@]}" info --server "127.0.0.1:$port"
check "creates a scene" "${client[@]}" create gravel_pile --id pile --server "127.0.0.1:$port"
check "has the scenes that come with Talus" \
  sh -c '"$@" | grep -q ^gravel_pile' list "${client[@]}" list --named --server "127.0.0.1:$port"
check "makes one by its name" "${client[@]}" create --named box_stack --id stack --server "127.0.0.1:$port"
check "steps it" "${client[@]}" step pile 100 --server "127.0.0.1:$port"
check "reads its contacts" sh -c '"$@" | grep -q .' contacts "${client[@]}" contacts pile --server "127.0.0.1:$port"

section "drain"
podman kill --signal TERM "$server" >/dev/null
exit_code="$(timeout 60 podman wait "$server" || echo none)"
check "exit code $exit_code after SIGTERM" [ "$exit_code" = 0 ]
check "it stored the scene for the next start" [ -n "$(find "$run_folder/data/scenes" -name 'pile.*.scene')" ]
podman rm "$server" >/dev/null
server=""

section "batch run"
# Whether every step met the tolerance is the solver's business and another test's.
check "talusctl run" podman run --rm "${confined[@]}" "$image" talusctl run \
  /usr/local/share/talus/scenes/gravel_pile.json --seed 3 --steps 60 --allow-unconverged 1 --quiet --out /data/run
check "it left a summary, frames and contacts" \
  [ -s "$run_folder/data/run/summary.json" -a -s "$run_folder/data/run/frames.binpb" -a -s "$run_folder/data/run/contacts.csv" ]

if $keep; then
  echo "image: CONTAINERS_STORAGE_CONF with graphroot $cache/storage, podman run $image"
fi
printf '\nimage: %s MB, all checks passed in %s s\n' "$image_mb" "$SECONDS"
