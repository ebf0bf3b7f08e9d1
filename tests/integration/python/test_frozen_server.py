"""A server that is there and does nothing, as behind a dead network: calls end, and a server that comes back is found."""

import asyncio
import contextlib
import os
import signal

import pytest
import talus
import talus.aio
from conftest import launch, pair_spec, wait_until
from talus import channel

PATIENCE = 60.0  # what a call would end by if nothing noticed


@pytest.fixture()
def hasty(monkeypatch):
    """Clients that ping in seconds what they ping in half a minute."""
    hastily = {"grpc.keepalive_time_ms": 1_000, "grpc.keepalive_timeout_ms": 1_000}
    monkeypatch.setattr(channel, "OPTIONS", [(key, hastily.get(key, value)) for key, value in channel.OPTIONS])


@contextlib.contextmanager
def frozen(server):
    os.kill(server.pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(server.pid, signal.SIGCONT)


def answers(client):
    """Whether the server answers a call. One that begins while its connection is being given up ends as that did."""
    try:
        return bool(client.info().version)
    except talus.UnavailableError:
        return False


def test_lock_step_with_a_frozen_server_ends(hasty):
    with launch() as server:
        control = server.client.create_scene(pair_spec()).control(timeout=PATIENCE)
        control.step()
        with frozen(server), pytest.raises(talus.UnavailableError):
            while True:  # a step or two may still be answered
                control.step()
        wait_until(lambda: answers(server.client))  # it is found again


def test_so_it_does_with_asyncio(hasty):
    async def drive(server):
        async with talus.aio.connect(server.address) as client:
            scene = await client.create_scene(pair_spec())
            control = await scene.control(timeout=PATIENCE)
            await control.step()
            with frozen(server), pytest.raises(talus.UnavailableError):
                while True:
                    await control.step()

    with launch() as server:
        asyncio.run(drive(server))


def test_a_watch_of_a_frozen_server_ends(hasty):
    with launch() as server:
        watch = server.client.create_scene(pair_spec()).watch(timeout=PATIENCE)
        next(watch)
        with frozen(server), pytest.raises(talus.UnavailableError):
            next(watch)
