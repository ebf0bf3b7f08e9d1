"""Clang's thread-safety analysis over the code that locks: the worker arena and the server's middle ring.

gcc builds Talus and ignores the annotations of solver/base/mutex.h; this compiles the same files with clang, together
where the build does: their headers take most of the time. The rpc folder is left out: it holds no lock of its own
beside the reactors', and gRPC's headers cost seconds a file.
"""

import os
import re
from typing import List

from compile_commands import CompileCommands, clang, compile_kept, run_all
from tree import Problem, Tree

PLACES = ("solver/parallel/", "server/stream/", "server/runtime/", "server/session/", "server/storage/")


def problems(tree: Tree, commands: CompileCommands) -> List[Problem]:
    compiler = compile_kept(clang())
    folder = commands.folder / "tidy"
    folder.mkdir(exist_ok=True)
    jobs = {}
    for path, command in commands.by_path.items():
        if path.startswith(PLACES):
            source = commands.compiled[path]
            flags = [flag for flag in command.flags if not flag.startswith("-W")]
            jobs[source] = [*compiler, *flags, "-Wno-everything", "-Wthread-safety", "-Wthread-safety-beta",
                            "-Werror", source, "-o", str(folder / (os.path.relpath(source, tree.root).replace("/", "-") + ".o"))]
    return [_read(tree, source, message) for source, message in run_all(jobs).items()]


def _read(tree: Tree, source: str, message: str) -> Problem:
    """At the first place in the tree that the compiler names."""
    place = re.search(rf"^{re.escape(str(tree.root))}/(\S+?):(\d+):", message, re.MULTILINE)
    path, line = (place.group(1), int(place.group(2))) if place else (os.path.relpath(source, tree.root), 0)
    return Problem(path, line, "\n" + "\n".join(message.splitlines()[:12]))
