#!/usr/bin/python3
"""Executes conformance transcripts through the Python client; README.md says what it prints.

Usage: run_python.py --server ADDR FILE.binpb...    (PYTHONPATH=build/<preset>/python)
"""

import argparse
import os
import sys
from typing import Any, Dict, List, Optional, Tuple

import talus
from talus import methods
from talus.calls import Call
from talus.v1 import error_pb2

from value_path import ABSENT, Path, UsageError, assign, find
from value_text import bits_equal, show

DEADLINE_S = 60.0
METHODS = {f"{method.service}/{method.name}": method for method in methods.ALL}

# Check -> the ValueKind its value is printed as.
KINDS = {
    "number": "NUMBER",
    "above": "NUMBER",
    "below": "NUMBER",
    "integer": "INTEGER",
    "text": "TEXT",
    "not_empty": "TEXT",
    "enumerator": "ENUMERATOR",
    "boolean": "BOOLEAN",
    "absent": "ABSENT",
    "size": "INTEGER",
}


class Runner:
    """Executes transcripts on one connection and counts what held."""

    def __init__(self, client: talus.Client, schema: Any) -> None:
        self.client = client
        self.schema = schema
        self.exchanges = self.checks = self.failed = 0
        self.saved: Dict[str, Tuple[str, Any]] = {}
        self.streams: Dict[str, Any] = {}

    def run(self, name: str, transcript: Any) -> None:
        """Makes every exchange; saved values and open streams end with the transcript."""
        print(f"transcript {name}")
        self.saved, self.streams = {}, {}
        for exchange in transcript.exchanges:
            try:
                self._exchange(exchange)
            except UsageError as error:
                raise UsageError(f"{name}, {exchange.name}: {error}") from None
        for stream in self.streams.values():
            stream.cancel()

    def _exchange(self, exchange: Any) -> None:
        root, error = self._call(exchange)
        self.exchanges += 1
        self.checks += len(exchange.expects)
        code = error.code.name if error else "OK"
        line = f"exchange {exchange.name} code={code}"
        reason = ""
        if error:
            reason = _reason_name(error.detail.reason)
            line += f" reason={reason}"
        print(line)
        wanted = exchange.code or "OK"
        good = self._judge(code == wanted, f"code must be {wanted}{': ' + error.message if error else ''}")
        if wanted != "OK":
            good = self._judge(reason == exchange.reason, f"reason must be {exchange.reason}") and good
        if not good:
            return
        for expectation in exchange.expects:
            self._check(root, expectation)
        for save in exchange.saves:
            self._save(root, save)

    def _call(self, exchange: Any) -> Tuple[Any, Optional[talus.TalusError]]:
        """The root that paths start from, and how the call failed if it did."""
        if not exchange.method:
            if exchange.stream not in self.streams:
                raise UsageError(f"no open stream '{exchange.stream}'")
            return self._collect(exchange, self.streams.pop(exchange.stream))
        method = METHODS.get(exchange.method)
        if method is None:
            raise UsageError(f"unknown method {exchange.method}")
        request = method.request_type()
        if not exchange.request.Unpack(request):
            raise UsageError(f"{exchange.method} takes no {exchange.request.type_url}")
        for use in exchange.uses:
            assign(request, Path(use.path), self._saved(getattr(use, "from"))[1])
        call = Call(method, request, lambda response: response)
        if method.streams:
            return self._collect(exchange, self.client.stream(call, DEADLINE_S))
        try:
            return self.client.run(call, DEADLINE_S), None
        except talus.TalusError as error:
            return error.detail, error

    def _collect(self, exchange: Any, stream: Any) -> Tuple[List[Any], Optional[talus.TalusError]]:
        messages: List[Any] = []
        try:
            for message in stream:
                messages.append(message)
                if len(messages) == exchange.collect:
                    if exchange.stream:
                        self.streams[exchange.stream] = stream
                    else:
                        stream.cancel()
                    return messages, None
        except talus.TalusError as error:
            return messages, error
        return messages, None

    def _saved(self, name: str) -> Tuple[str, Any]:
        if name not in self.saved:
            raise UsageError(f"nothing was saved as '{name}'")
        return self.saved[name]

    def _check(self, root: Any, expectation: Any) -> None:
        check = expectation.WhichOneof("check")
        if check is None:
            raise UsageError(f"nothing to check at '{expectation.path}'")
        wanted = getattr(expectation, check)
        value = find(root, Path(expectation.path))
        label, kind = expectation.path, KINDS.get(check, "")
        if check == "size":
            label = f"size({expectation.path})"
            value = ABSENT if value is ABSENT else len(value)
        elif check in ("same_as", "different_from"):
            kind, wanted = self._saved(wanted)
        print(f"  {label}={'~' if expectation.unprinted else show(value, kind)}")
        self._judge(_holds(check, value, wanted, expectation.tolerance, kind), f"must be {check} {show(wanted, kind)}")

    def _save(self, root: Any, save: Any) -> None:
        value = find(root, Path(save.path))
        kind = self.schema.ValueKind.Name(save.kind)[len("VALUE_KIND_") :]
        name = getattr(save, "as")
        print(f"  save {name}={'~' if save.unprinted else show(value, kind)}")
        if value is not ABSENT:
            self.saved[name] = (kind, value)

    def _judge(self, holds: bool, message: str) -> bool:
        if not holds:
            self.failed += 1
            print(f"    FAIL {message}")
        return holds


def _holds(check: str, value: Any, wanted: Any, tolerance: float, kind: str) -> bool:
    if check == "absent":
        return (value is ABSENT) == wanted
    if value is ABSENT:
        return False
    if check == "number":
        return abs(value - wanted) <= tolerance or value == wanted
    if check == "above":
        return value > wanted
    if check == "below":
        return value < wanted
    if check == "same_as":
        return bits_equal(value, wanted)
    if check == "different_from":
        return not bits_equal(value, wanted)
    if check == "not_empty":
        return bool(value) == wanted
    if check == "enumerator":
        return show(value, kind) == wanted
    return value == wanted and isinstance(value, bool) == isinstance(wanted, bool)


def _reason_name(reason: int) -> str:
    found = error_pb2.ErrorReason.DESCRIPTOR.values_by_number.get(reason)
    return found.name if found else str(reason)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--server", required=True, metavar="ADDR")
    parser.add_argument("files", nargs="+", metavar="FILE.binpb")
    arguments = parser.parse_args()
    sys.path.insert(0, os.path.dirname(os.path.abspath(arguments.files[0])))
    import transcript_pb2

    try:
        with talus.connect(arguments.server) as client:
            runner = Runner(client, transcript_pb2)
            for path in arguments.files:
                with open(path, "rb") as file:
                    transcript = transcript_pb2.Transcript.FromString(file.read())
                runner.run(os.path.splitext(os.path.basename(path))[0], transcript)
    except (UsageError, OSError) as error:
        print(f"run_python: {error}", file=sys.stderr)
        return 2
    print(f"exchanges {runner.exchanges} checks {runner.checks} failed {runner.failed}")
    return 1 if runner.failed else 0


if __name__ == "__main__":
    sys.exit(main())
