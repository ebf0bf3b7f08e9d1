#!/usr/bin/env bash
# Prints how many compilers may run at once: as many as there are cores, but one for every 2 GiB of free memory,
# which is what fourteen files that include gRPC take together.
set -euo pipefail
cores="$(nproc)"
by_memory="$(awk '/^MemAvailable:/ { print int($2 / 2097152) }' /proc/meminfo)"
echo $((by_memory < 1 ? 1 : by_memory < cores ? by_memory : cores))
