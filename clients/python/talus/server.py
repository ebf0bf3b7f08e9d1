"""talus_server as a child process, for tests, notebooks and demos.

    with talus.launch(workers=2) as server:
        scene = server.client.create_scene("scene.json")

The server listens on a free loopback port, or on a unix socket; launch() returns once it says so. Leaving the block
sends SIGTERM and, should the server not end within 15 s, SIGKILL; so does the end of the interpreter. When this process
is killed the server drains as well: its standard input is a pipe that ends then.
"""

from __future__ import annotations

import os
import select
import shutil
import signal
import subprocess
import tempfile
import time
import weakref
from types import TracebackType
from typing import IO, Mapping, Optional, Sequence, Type, Union

from talus.access import Access
from talus.channel import MESSAGE_MIB, check_message_mib
from talus.client import Client
from talus.errors import LaunchError

BINARY = "talus_server"
ENVIRONMENT = "TALUS_SERVER"
_LISTENING = "listening on "
_METRICS = "metrics on http://"
_TAIL_BYTES = 4000
# The server drains for 10 s by default and half a second more; killed before, it would lose what it is storing.
_DRAIN_S = 15.0

Option = Union[str, int, float, bool, Sequence[str], None]


def find_server() -> str:
    """Path of talus_server: $TALUS_SERVER, bin/ beside the package's folder, or PATH. LaunchError: nowhere."""
    named = os.environ.get(ENVIRONMENT)
    if named:
        return named
    package_parent = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    built = os.path.join(os.path.dirname(package_parent), "bin", BINARY)
    if os.access(built, os.X_OK):
        return built
    found = shutil.which(BINARY)
    if found is None:
        raise LaunchError(f"no {BINARY}: set {ENVIRONMENT}, or build it to {built}, or put it on PATH")
    return found


class Server:
    """A running talus_server. A context manager; made by launch()."""

    def __init__(
        self,
        process: "subprocess.Popen[bytes]",
        addresses: list[str],
        log: IO[bytes],
        metrics_address: str = "",
        access: Optional[Access] = None,
        message_mib: int = MESSAGE_MIB,
    ) -> None:
        self.process = process
        self.addresses = addresses
        self.metrics_address = metrics_address
        """host:port of /metrics, /healthz and /readyz; empty without the option metrics_listen."""
        self._access = access
        self._message_mib = message_mib
        self._log = log
        self._client: Optional[Client] = None
        self._finalizer = weakref.finalize(self, _end, process, _DRAIN_S)

    def __enter__(self) -> "Server":
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.stop()

    @property
    def address(self) -> str:
        """The first address it listens on, as connect() takes it."""
        return self.addresses[0]

    @property
    def pid(self) -> int:
        """Its process id."""
        return self.process.pid

    @property
    def client(self) -> Client:
        """A client of it, made on first use and closed by stop()."""
        if self._client is None:
            self._client = Client(self.address, access=self._access, message_mib=self._message_mib)
            self._client.wait_until_ready()
        return self._client

    def log(self) -> str:
        """What it wrote to standard error so far."""
        return _read_all(self._log)

    def peak_memory_bytes(self) -> int:
        """The largest resident size it had so far; 0 where the system does not tell."""
        try:
            with open(f"/proc/{self.pid}/status", encoding="ascii") as status:
                for line in status:
                    if line.startswith("VmHWM:"):
                        return int(line.split()[1]) * 1024
        except OSError:
            pass
        return 0

    def terminate(self) -> None:
        """Sends SIGTERM, upon which it drains; does not wait."""
        self.process.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """Sends SIGKILL and waits for the end."""
        self.process.kill()
        self.process.wait()

    def wait(self, timeout: Optional[float] = None) -> int:
        """Waits for the end; the exit status. TimeoutError: it still runs."""
        try:
            return self.process.wait(timeout)
        except subprocess.TimeoutExpired:
            raise TimeoutError(f"{BINARY} still runs after {timeout} s") from None

    def stop(self, timeout: float = _DRAIN_S) -> int:
        """SIGTERM, then SIGKILL after `timeout` seconds, longer than the option drain_seconds; the exit status."""
        if self._client is not None:
            self._client.close()
            self._client = None
        self._finalizer.detach()
        return _end(self.process, timeout)


def launch(
    *,
    listen: Union[str, Sequence[str]] = "127.0.0.1:0",
    binary: Optional[str] = None,
    start_timeout: float = 20.0,
    environment: Optional[dict[str, str]] = None,
    access: Optional[Access] = None,
    message_mib: int = MESSAGE_MIB,
    **options: Option,
) -> Server:
    """Starts talus_server and waits until it listens.

    Args:
      listen: address or addresses; port 0 takes a free one, unix:/path makes a socket.
      binary: path of talus_server; None: find_server().
      start_timeout: seconds it may take to listen.
      environment: added to this process's, from which the variables TALUS_* are not taken: they are options of others.
      access: what Server.client shows a server that asks for certificates or a token.
      message_mib: the largest message of Server.client; the server has its own limit, the option max_message_mib.
      options: of talus_server, as in data_dir="...", workers=2, max_scenes=10; True gives the bare flag.

    LaunchError: it could not be started, ended or did not listen in time; the message has its standard error.
    ValueError: message_mib is not from 1 to 2047.
    """
    check_message_mib(message_mib)
    listens = [listen] if isinstance(listen, str) else list(listen)
    command = [binary or find_server(), "--end-with-stdin"]
    for address in listens:
        command += ["--listen", address]
    command += _option_arguments(options)
    log: IO[bytes] = tempfile.TemporaryFile()
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            env=_environment(environment or {}),
        )
    except OSError as error:
        log.close()
        raise LaunchError(f"cannot start {command[0]}: {error.strerror}") from None
    try:
        addresses, metrics = _read_addresses(process, len(listens), time.monotonic() + start_timeout)
    except BaseException as error:
        _end(process, 0.0)
        if isinstance(error, LaunchError):
            tail = _read_all(log)[-_TAIL_BYTES:].strip()
            raise LaunchError(f"{error.message}; {' '.join(command)} wrote:\n{tail or '(nothing)'}") from None
        raise
    return Server(process, addresses, log, metrics, access, message_mib)


def _environment(added: Mapping[str, str]) -> dict[str, str]:
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("TALUS_")}
    return {**inherited, **added}


def _option_arguments(options: "dict[str, Option]") -> list[str]:
    arguments: list[str] = []
    for name, value in options.items():
        flag = "--" + name.replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            arguments.append(flag)
        elif isinstance(value, (str, int, float)):
            arguments += [flag, str(value)]
        else:
            for item in value:
                arguments += [flag, str(item)]
    return arguments


def _read_addresses(process: "subprocess.Popen[bytes]", count: int, deadline: float) -> tuple[list[str], str]:
    """The addresses of `count` lines `listening on ADDR`, and that of the metrics, whose line comes first."""
    assert process.stdout is not None
    descriptor = process.stdout.fileno()
    text = b""
    while True:
        lines = text.decode(errors="replace").split("\n")[:-1]
        addresses = [line[len(_LISTENING) :].strip() for line in lines if line.startswith(_LISTENING)]
        if len(addresses) >= count:
            metrics = [line[len(_METRICS) :].split("/")[0] for line in lines if line.startswith(_METRICS)]
            return addresses, metrics[0] if metrics else ""
        left = deadline - time.monotonic()
        if left <= 0 or not select.select([descriptor], [], [], left)[0]:
            raise LaunchError(f"{BINARY} did not listen in time")
        chunk = os.read(descriptor, 65536)
        if not chunk:
            raise LaunchError(f"{BINARY} ended with status {process.wait()} before it listened")
        text += chunk


def _end(process: "subprocess.Popen[bytes]", timeout: float) -> int:
    """Ends the process if it still runs: SIGTERM, then SIGKILL after `timeout` seconds."""
    if process.poll() is None:
        if timeout > 0:
            process.terminate()
        try:
            process.wait(timeout)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            pipe.close()
    return process.wait()


def _read_all(log: IO[bytes]) -> str:
    # pread leaves the offset alone, which the child shares for its writes.
    size = os.fstat(log.fileno()).st_size
    return os.pread(log.fileno(), size, 0).decode(errors="replace")
