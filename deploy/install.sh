#!/usr/bin/env bash
# Installs groups of deploy/packages.txt with apt-get, as root or through sudo. Calls apt-get only when something is
# missing, so a second run costs nothing and needs neither network nor rights.
set -euo pipefail

here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
list="$here/packages.txt"
node_at_least=18

usage() {
  cat <<TEXT
usage: deploy/install.sh [--dry-run | --list] GROUP...

Installs the Debian packages of the groups; skips those already there.
Groups: $(groups_known | tr '\n' ' ')

  --dry-run   say what is missing, install nothing; exit 1 when something is
  --list      print the packages of the groups, one a line
TEXT
}

fail() {
  echo "install.sh: $*" >&2
  exit 1
}

groups_known() { sed -n 's/^\[\([a-z-]*\)\].*/\1/p' "$list"; }

# The packages of one group, comments and blank lines dropped.
packages_of() {
  awk -v want="$1" '
    { sub(/#.*/, "") }
    /^\[/ { inside = ($1 == "[" want "]"); next }
    inside && NF { print $1 }' "$list"
}

is_installed() {
  [ "$(dpkg-query --show --showformat='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

# A node from elsewhere (NodeSource, nvm) serves as well, and Debian's npm would conflict with NodeSource's.
node_is_recent() {
  command -v npm >/dev/null 2>&1 || return 1
  local version
  version="$(node --version 2>/dev/null)" || return 1
  version="${version#v}"
  [[ "${version%%.*}" =~ ^[0-9]+$ ]] && [ "${version%%.*}" -ge "$node_at_least" ]
}

apt() {
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null 2>&1 ||
      fail "installing needs root: run as root, or install sudo. Missing: ${missing[*]}"
    as_root=(sudo)
  fi
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 apt-get -qq \
    -o Dpkg::Use-Pty=0 -o Acquire::Retries=3 "$@" </dev/null
}

dry_run=false
list_only=false
groups=()
for argument in "$@"; do
  case "$argument" in
    -h | --help) usage; exit 0 ;;
    --dry-run) dry_run=true ;;
    --list) list_only=true ;;
    -*) fail "unknown option '$argument' (see --help)" ;;
    *)
      groups_known | grep -qx -- "$argument" ||
        fail "unknown group '$argument'; known: $(groups_known | tr '\n' ' ')"
      groups+=("$argument")
      ;;
  esac
done
[ "${#groups[@]}" -gt 0 ] || { usage >&2; exit 2; }

wanted=()
for group in "${groups[@]}"; do
  if [ "$group" = node ] && ! $list_only && node_is_recent; then
    continue
  fi
  mapfile -t -O "${#wanted[@]}" wanted < <(packages_of "$group")
done
if $list_only; then
  printf '%s\n' "${wanted[@]}"
  exit 0
fi

command -v dpkg-query >/dev/null 2>&1 ||
  fail "no dpkg here: Talus installs its packages on Debian 12. By hand, you need: ${wanted[*]}"
missing=()
for package in "${wanted[@]}"; do
  is_installed "$package" || missing+=("$package")
done
if [ "${#missing[@]}" -eq 0 ]; then
  echo "packages: all there (${groups[*]})"
  exit 0
fi
echo "packages: installing ${missing[*]}"
if $dry_run; then
  exit 1
fi

apt update || fail "apt-get update failed: is the network reachable?"
log="$(mktemp)"
trap 'rm -f "$log"' EXIT
if ! apt install --yes --no-install-recommends "${missing[@]}" >"$log" 2>&1; then
  tail -n 30 "$log" >&2
  fail "apt-get install failed (Talus expects Debian 12 'bookworm'; this is $(. /etc/os-release 2>/dev/null && echo "${PRETTY_NAME:-unknown}"))"
fi
echo "packages: done"
