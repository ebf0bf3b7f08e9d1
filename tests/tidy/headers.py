"""Every header compiles alone.

A header whose own .cc includes it first, with nothing precompiled before it, is proved by the build, so only the others
are compiled here: less than a third of all.
"""

import re
from typing import List, Optional

from compile_commands import CompileCommands, run_all
from tree import Problem, Tree


def problems(tree: Tree, commands: CompileCommands) -> List[Problem]:
    jobs = {}
    compiled = {path for path, command in commands.by_path.items() if not command.precompiled}
    for path in unproved(tree, compiled):
        command = commands.near(path)
        if command is not None:
            flags = [command.compiler, *command.flags, f"-I{tree.root}", "-O0", "-fsyntax-only", "-x", "c++", "-"]
            # Twice: a header must also bear being included again.
            jobs[path] = (flags, f'#include "{path}"\n#include "{path}"\n')
    return [Problem(path, 1, "does not compile alone:\n" + "\n".join(message.splitlines()[:12]))
            for path, message in run_all(jobs).items()]


def unproved(tree: Tree, compiled) -> List[str]:
    return [path for path in tree.with_suffix(".h")
            if not (path[:-2] + ".cc" in compiled and _first_include(tree.read(path[:-2] + ".cc")) == path)]


def _first_include(text: str) -> Optional[str]:
    match = re.search(r'^\s*#\s*include\s*["<]([^">]+)', text, re.MULTILINE)
    return match.group(1) if match else None
