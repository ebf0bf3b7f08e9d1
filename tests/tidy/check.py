#!/usr/bin/env python3
"""Runs one tidy rule over the repository: check.py RULE --root ROOT --build BUILD.

Exit code 0 when nothing was found, 1 with a line a problem, 77 (skipped, for ctest) with the reason when the tool the
rule needs cannot be had here.
"""

import argparse
import pathlib
import sys

import essays
import formatting
import headers
import layering
import links
import private_names
import proto_breaking
import proto_lint
import shell_scripts
import sizes
import thread_safety
import wording
from compile_commands import CompileCommands
from tree import Missing, Tree

SKIPPED = 77
RULES = {"layering": layering, "sizes": sizes, "wording": wording, "essays": essays, "links": links, "formatting": formatting,
         "private_names": private_names, "shell_scripts": shell_scripts, "proto_lint": proto_lint,
         "proto_breaking": proto_breaking}
RULES_THAT_COMPILE = {"headers": headers, "thread_safety": thread_safety}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rule", choices=sorted({**RULES, **RULES_THAT_COMPILE}))
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parents[2])
    parser.add_argument("--build", type=pathlib.Path, help="build folder with compile_commands.json")
    arguments = parser.parse_args()
    tree = Tree(arguments.root)
    try:
        if arguments.rule in RULES:
            found = RULES[arguments.rule].problems(tree)
        else:
            build = arguments.build or arguments.root / "build" / "release"
            found = RULES_THAT_COMPILE[arguments.rule].problems(tree, CompileCommands(build, arguments.root))
    except FileNotFoundError as missing:
        print(missing)
        return 1
    except Missing as missing:
        print(f"skipped: {missing}")
        return SKIPPED
    for problem in found:
        print(problem)
    print(f"{arguments.rule}: {len(tree.paths)} files looked at, {len(found)} problems")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
