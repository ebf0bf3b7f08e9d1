"""Clang's thread-safety analysis over the code that locks: the worker arena and the server's middle ring.

gcc builds Talus and ignores the annotations of solver/base/mutex.h; this compiles the same files with clang. The rpc
folder is left out: it holds no lock of its own beside the reactors', and gRPC's headers cost seconds a file.
"""

import shutil
from typing import List

from compile_commands import CompileCommands, compile_kept, run_all
from tree import Problem, Tree

PLACES = ("solver/parallel/", "server/stream/", "server/runtime/", "server/session/", "server/storage/")


class Missing(Exception):
    pass


def problems(tree: Tree, commands: CompileCommands) -> List[Problem]:
    clang = shutil.which("clang++") or shutil.which("clang++-14")
    if clang is None:
        raise Missing("clang++ is not installed (deploy/install.sh analysis)")
    folder = commands.folder / "tidy"
    folder.mkdir(exist_ok=True)
    jobs = {}
    for path, command in commands.by_path.items():
        if path.startswith(PLACES):
            flags = [flag for flag in command.flags if not flag.startswith("-W")]
            jobs[path] = [*compile_kept(clang), *flags, "-Wno-everything", "-Wthread-safety", "-Wthread-safety-beta",
                          "-Werror", str(tree.root / path), "-o", str(folder / (path.replace("/", "-") + ".o"))]
    return [Problem(path, 0, "\n" + "\n".join(message.splitlines()[:12])) for path, message in run_all(jobs).items()]
