"""Headers of packages that many of ours include, read once and kept as clang's precompiled headers."""

import concurrent.futures
import hashlib
import os
import pathlib
import subprocess
from typing import List, NamedTuple, Optional, Sequence

from compile_commands import Command, CompileCommands, clang

PACKAGES = ("Eigen/Core", "Eigen/Geometry", "absl/status/statusor.h")
# What generated code includes. Not the generated headers: who needs one must say so.
GRPC = ("google/protobuf/generated_enum_reflection.h", "google/protobuf/generated_message_bases.h",
        "google/protobuf/generated_message_reflection.h", "google/protobuf/map_field.h", "google/protobuf/unknown_field_set.h",
        "grpcpp/grpcpp.h", "grpcpp/impl/codegen/proto_utils.h", "grpcpp/impl/codegen/server_callback_handlers.h",
        "grpcpp/support/client_callback.h", "grpcpp/support/message_allocator.h", "grpcpp/support/server_callback.h")


class Precompiled(NamedTuple):
    """Options that bring what was read; none where the build has no such headers."""
    packages: List[str]
    grpc: List[str]
    services: List[str]  # both, and the tests' framework


def precompile(folder: pathlib.Path, commands: CompileCommands) -> Precompiled:
    plain, wire = commands.near("solver/base/"), commands.near("server/rpc/")
    # None of them on top of another: clang then forgets that the library's headers undefine macros.
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        services = pool.submit(_read, folder, "services", (*PACKAGES, "gmock/gmock.h", *GRPC), wire, "gen")
        grpc = pool.submit(_read, folder, "grpc", GRPC, wire, "gen")
        packages = pool.submit(_read, folder, "packages", PACKAGES, plain, "eigen")
    return Precompiled(packages.result(), grpc.result(), services.result())


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
    settings = " ".join(flag for flag in flags if "/" not in flag)
    key = hashlib.sha256(settings.encode() + text).hexdigest()
    if not (compiled.exists() and known.exists() and known.read_text() == key):
        known.unlink(missing_ok=True)  # an interrupt leaves nothing that looks complete
        # Templates are instantiated here, not again by each that includes it; when files were written does not matter.
        subprocess.run([*compile_header, "-fpch-instantiate-templates", "-Xclang", "-fno-pch-timestamp", "-o", str(compiled)],
                       check=True)
        known.write_text(key)
    return ["-include-pch", str(compiled)]
