"""Headers of packages that many of ours include, read once and kept as clang's precompiled headers."""

import concurrent.futures
import hashlib
import os
import pathlib
import subprocess
from typing import List, NamedTuple, Optional, Sequence

from compile_commands import Command, CompileCommands, clang

PACKAGES = ("Eigen/Core", "Eigen/Geometry", "absl/status/statusor.h")


class Precompiled(NamedTuple):
    """Options that bring what was read; none where the build has no such headers."""
    packages: List[str]
    messages: List[str]  # gRPC's headers and the generated ones
    services: List[str]  # both, and the tests' framework


def precompile(folder: pathlib.Path, commands: CompileCommands) -> Precompiled:
    generated = commands.folder / "gen"
    grpc = ("grpcpp/grpcpp.h", *sorted(str(path.relative_to(generated)) for path in generated.glob("talus/v1/*.pb.h")))
    plain, wire = commands.near("solver/base/"), commands.near("server/rpc/")
    # None of them on top of another: clang then forgets that the library's headers undefine macros.
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        services = pool.submit(_read, folder, "services", (*PACKAGES, "gmock/gmock.h", *grpc), wire, "gen")
        messages = pool.submit(_read, folder, "messages", grpc, wire, "gen")
        packages = pool.submit(_read, folder, "packages", PACKAGES, plain, "eigen")
    return Precompiled(packages.result(), messages.result(), services.result())


def _read(folder: pathlib.Path, name: str, headers: Sequence[str], command: Optional[Command], needed: str) -> List[str]:
    if command is None or not command.sees(needed):
        return []
    header = folder / f"{name}.h"
    header.write_text("".join(f"#include <{each}>\n" for each in headers))
    # Whoever defines more may use it.
    flags = [flag for flag in command.flags if not flag.startswith(("-W", "-D")) or flag == "-DNDEBUG"]
    compile_header = [clang(), *flags, "-Wno-everything", "-x", "c++-header", str(header)]
    text = subprocess.run([*compile_header, "-E", "-P"], check=True, capture_output=True).stdout
    compiled, known = folder / f"{name}.pch", folder / f"{name}.pch.sum"
    # The text is what ccache knows it by (else it reads all of it for each header), and the same in every checkout.
    key = hashlib.sha256(text).hexdigest()
    if not (compiled.exists() and known.exists() and known.read_text() == key):
        # Templates are instantiated here, not again by each that includes it; when files were written does not matter.
        subprocess.run([*compile_header, "-fpch-instantiate-templates", "-Xclang", "-fno-pch-timestamp", "-o", str(compiled)],
                       check=True)
        known.write_text(key)
    return ["-include-pch", str(compiled)]
