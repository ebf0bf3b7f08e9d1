"""Connections to talus_server: how many it takes, and that it goes on when it had to refuse some."""

import os
import resource
import socket
import subprocess
import time

import pytest

import talus

BINARY = os.environ["TALUS_SERVER"]


def dial(address):
    """A connection to a server's address, on which nothing is said."""
    if address.startswith("unix:"):
        connection = socket.socket(socket.AF_UNIX)
        connection.connect(address.removeprefix("unix:"))
        return connection
    host, port = address.rsplit(":", 1)
    return socket.create_connection((host, int(port)))


def is_served(connection):
    """Whether the server speaks on it, as it does first; it closes what it does not take."""
    connection.settimeout(60)
    try:
        return connection.recv(1) != b""
    except ConnectionResetError:
        return False


def serves(address):
    return subprocess.run([BINARY, "--health-check", address], capture_output=True, timeout=60).returncode == 0


def wait_until_it_serves(address):
    end = time.monotonic() + 60
    while not serves(address):
        assert time.monotonic() < end, "not within a minute"


@pytest.fixture(params=["tcp", "unix"])
def listen(request, tmp_path):
    return "127.0.0.1:0" if request.param == "tcp" else f"unix:{tmp_path}/talus.sock"


def test_one_connection_more_than_the_most_is_closed(listen):
    with talus.launch(listen=listen, max_connections=3) as server:
        server.client.info()  # one of the three
        held = [dial(server.address) for _ in range(2)]
        assert all(is_served(connection) for connection in held)
        with dial(server.address) as refused:
            assert not is_served(refused)
        assert server.client.info().limits.connections == 3
        for connection in held:
            connection.close()
        wait_until_it_serves(server.address)
        assert server.stop() == 0


def test_the_server_goes_on_after_more_connections_than_it_has_descriptors_for(listen):
    with talus.launch(listen=listen) as server:
        scene = server.client.create_scene({"bodies": [{"massKg": 1, "shapes": [{"sphere": {"radiusM": 0.1}}]}]})
        used = len(os.listdir(f"/proc/{server.pid}/fd"))
        resource.prlimit(server.pid, resource.RLIMIT_NOFILE, (used + 20, used + 20))
        held = [dial(server.address) for _ in range(100)]
        served = [is_served(connection) for connection in held]
        assert 0 < sum(served) <= 20
        assert scene.step(3).step_index == 3
        for connection in held:
            connection.close()
        wait_until_it_serves(server.address)
        assert server.stop() == 0


def test_the_server_uses_all_the_descriptors_it_may_have(listen):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(256, hard), hard))
    try:
        with talus.launch(listen=listen) as server:
            assert resource.prlimit(server.pid, resource.RLIMIT_NOFILE) == (hard, hard)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
