"""Every header compiles alone.

A header whose own .cc includes it first is proved by a build that compiles that file by itself, or as the first of those
that it compiles together: this one, or for what the preset `fuzz` builds, that one. Only the others are compiled here: by
clang, which takes of what was read before (precompiled.py) no more than each needs. Through ccache, where it is: what a
header includes seldom changes.
"""

import re
from typing import Dict, List, Optional, Set

from compile_commands import Command, CompileCommands, clang, compile_kept, run_all
from precompiled import Precompiled, precompile
from tree import Problem, Tree

# All of talus_wire and what it stands on (tests/fuzz/CMakeLists.txt).
BUILT_BY_FUZZ = ("solver/", "server/session/", "server/runtime/", "server/stream/", "server/storage/", "server/security/",
                 "server/wire/")
INSTALLED = ("clients/cpp/",)
# How includes of gRPC's headers, generated code or the tests' framework begin.
SERVICES = ("grpc", "google/", "talus/v1/", "dm_env_rpc/", "gtest/", "gmock/")
ONLY_GCC = ("-mmove-max=", "-mstore-max=")
_INCLUDE = re.compile(r'^\s*#\s*include\s*["<]([^">]+)', re.MULTILINE)


def problems(tree: Tree, commands: CompileCommands) -> List[Problem]:
    folder = commands.folder / "tidy"
    folder.mkdir(exist_ok=True)
    compiler = [*compile_kept(clang()), "-Wno-everything"]
    precompiled = precompile(folder, commands)
    bringing: Dict[str, bool] = {}
    jobs = {}
    for path in unproved(tree, _compiled_alone(tree, commands)):
        command = commands.near(path)
        if command is not None:
            flags = [flag for flag in command.flags if not flag.startswith(("-W", *ONLY_GCC))]
            behind = _behind(path, command, precompiled, brings_services(tree, path, bringing))
            source = folder / (path.replace("/", "-") + ".cc")
            # Twice: a header must also bear being included again.
            source.write_text(f'#include "{path}"\n#include "{path}"\n')
            jobs[path] = [*compiler, *flags, f"-I{tree.root}", *behind, str(source), "-o", f"{source}.o"]
    return [Problem(path, 1, "does not compile alone:\n" + "\n".join(message.splitlines()[:12]))
            for path, message in run_all(jobs).items()]


def unproved(tree: Tree, compiled_alone: Set[str]) -> List[str]:
    return [path for path in tree.with_suffix(".h")
            if not (path[:-2] + ".cc" in compiled_alone and _first_include(tree.read(path[:-2] + ".cc")) == path)]


def _compiled_alone(tree: Tree, commands: CompileCommands) -> Set[str]:
    alone = {path for path, command in commands.by_path.items() if not command.united}
    return alone.union(path for path in tree.with_suffix(".cc") if path.startswith(BUILT_BY_FUZZ))


def _first_include(text: str) -> Optional[str]:
    match = _INCLUDE.search(text)
    return match.group(1) if match else None


def brings_services(tree: Tree, path: str, known: Dict[str, bool]) -> bool:
    """Whether the header itself, or one of ours that it includes, brings one of SERVICES."""
    if path not in known:
        known[path] = False  # for a circle
        known[path] = any(name.startswith(SERVICES) or ((tree.root / name).is_file() and brings_services(tree, name, known))
                          for name in _INCLUDE.findall(tree.read(path)))
    return known[path]


def _behind(path: str, command: Command, precompiled: Precompiled, services: bool) -> List[str]:
    """What the header may find read already: packages, and gRPC where it includes some of that; nothing of ours.

    Those that are installed find no other package than gRPC.
    """
    if path.startswith(INSTALLED):
        return precompiled.grpc if services else []
    if services and command.sees("gen") and command.sees("eigen"):
        return precompiled.services
    return precompiled.packages if command.sees("eigen") else []
