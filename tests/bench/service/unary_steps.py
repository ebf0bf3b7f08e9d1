"""Unary calls of Step through the Python client and of the bare echo through the same gRPC, in turn.

program_client.h says how it is called and what it prints.
"""

import argparse
import json
import math
import statistics
import time
from typing import Callable, List

import grpc

import talus

BLOCK = 500
WARM_UP = 100
# EchoRequest{payload: 16 bytes}; an EchoResponse of it has the same bytes.
ECHO = b"\x0a\x10" + b"0123456789abcdef"


class Times:
    """Of the round trips of one side."""

    def __init__(self) -> None:
        self.trips_s: List[float] = []
        self.busy_s = 0.0

    def add_block(self, call: Callable[[], None], count: int) -> None:
        start = before = time.perf_counter()
        for _ in range(count):
            call()
            after = time.perf_counter()
            self.trips_s.append(after - before)
            before = after
        self.busy_s += before - start

    def told(self, prefix: str) -> dict:
        ordered = sorted(self.trips_s)
        return {
            f"{prefix}median_us": 1e6 * statistics.median_low(ordered),
            f"{prefix}p99_us": 1e6 * ordered[math.ceil(0.99 * len(ordered)) - 1],
            f"{prefix}rate_per_s": len(ordered) / self.busy_s,
        }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--talus", required=True)
    parser.add_argument("--echo", required=True)
    parser.add_argument("--scene", required=True)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--count", type=int, default=0)
    options = parser.parse_args()

    client = talus.connect(options.talus)
    scene = client.scene(options.scene)
    channel = grpc.insecure_channel(options.echo, [("grpc.enable_http_proxy", 0)])
    echo = channel.unary_unary("/talus.bench.EchoService/Echo")
    last = None

    def step() -> None:
        nonlocal last
        last = scene.step(report=False)

    def send() -> None:
        if echo(ECHO) != ECHO:
            raise SystemExit("the echo sent something else")

    warm_up = min(WARM_UP, options.count or WARM_UP)
    for call in (send, step):
        Times().add_block(call, warm_up)
    steps, echoes = Times(), Times()
    end = time.perf_counter() + options.seconds
    while len(steps.trips_s) < options.count if options.count else time.perf_counter() < end:
        block = min(BLOCK, options.count - len(steps.trips_s)) if options.count else BLOCK
        echoes.add_block(send, block)
        steps.add_block(step, block)
    told = {
        "count": len(steps.trips_s),
        **steps.told(""),
        **echoes.told("echo_"),
        "step_index": last.step_index,
        "state_hash": str(last.state_hash),
    }
    print(json.dumps(told))
    channel.close()
    client.close()


if __name__ == "__main__":
    main()
