#!/usr/bin/env python3
"""Reads ctest's JUnit report: what took longest, what was skipped and why, what failed, and a closing line of counts.

Exit code 1 when a test failed, or when none ran. With --failures it prints only the failed tests with the end of what
each printed, and the exit code is 0: for the end of a log of which only the end may be read.
"""

import sys
import xml.etree.ElementTree

SLOWEST_SHOWN = 8
FAILURE_LINES = 40


def reason(case) -> str:
    """The line in which a skipped test says why, or what ctest says about it."""
    output = case.findtext("system-out") or ""
    for line in output.splitlines():
        if line.lower().startswith(("skipped", "skip:")):
            return line
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    skipped = case.find("skipped")
    return (lines[-1] if lines else "") or (skipped.get("message", "") if skipped is not None else "")


def print_failures(cases) -> None:
    for case in cases:
        if case.get("status") != "fail":
            continue
        lines = (case.findtext("system-out") or "").splitlines()
        print(f"--- failed: {case.get('name')}, the last {min(len(lines), FAILURE_LINES)} of {len(lines)} lines")
        print("\n".join(lines[-FAILURE_LINES:]))


def summarize(cases) -> int:
    passed, failed, skipped = [], [], []
    for case in cases:
        status = case.get("status")
        kind = passed if status == "run" else failed if status == "fail" else skipped
        kind.append(case)
    slowest = sorted(cases, key=lambda case: -float(case.get("time", 0)))[:SLOWEST_SHOWN]
    for case in slowest:
        print(f"{float(case.get('time', 0)):7.1f} s  {case.get('name')}")
    for case in skipped:
        print(f"skipped: {case.get('name')}: {reason(case)}")
    for case in failed:
        print(f"failed: {case.get('name')}")
    print(f"{len(passed)} passed, {len(failed)} failed, {len(skipped)} skipped")
    return 1 if failed or not passed else 0


def main(arguments: list) -> int:
    cases = xml.etree.ElementTree.parse(arguments[-1]).getroot().findall("testcase")
    if arguments[0] != "--failures":
        return summarize(cases)
    print_failures(cases)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
