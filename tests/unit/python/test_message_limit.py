"""message_mib is the largest message either way, of both clients and of the one that launch() gives."""

import asyncio
import inspect

import pytest
import talus
import talus.aio
from fake_server import FakeServer, make_frame
from talus.v1 import query_service_pb2, scene_service_pb2

MIB = 1 << 20
# A fake server takes 4 MiB, the default of gRPC.
SENT = {"CreateScene": lambda *_: scene_service_pb2.CreateSceneResponse()}
RECEIVED = {"GetState": lambda *_: query_service_pb2.GetStateResponse(frame=make_frame(1, rows=3 * MIB // 24))}
CASES = {
    "sent": (SENT, lambda client: client.create_scene(bytes(3 * MIB)), "Sent message larger than max"),
    "received": (RECEIVED, lambda client: client.scene("s").state(), "Received message larger than max"),
}


@pytest.fixture()
def server():
    fake = FakeServer()
    yield fake
    fake.stop()


def call(server, answers, ask, **options):
    server.answers.update(answers)
    with talus.connect(server.address, **options) as client:
        return ask(client)


def call_asyncio(server, answers, ask, **options):
    server.answers.update(answers)

    async def main():
        async with talus.aio.connect(server.address, **options) as client:
            return await ask(client)

    return asyncio.run(main())


@pytest.mark.parametrize("make", [call, call_asyncio])
@pytest.mark.parametrize("case", CASES)
def test_a_message_over_the_limit_is_refused_and_passes_under_a_larger_one(server, make, case):
    answers, ask, text = CASES[case]
    with pytest.raises(talus.ResourceExhaustedError, match=text + ".* vs. 2097152.*message_mib.*--max-message-mib"):
        make(server, answers, ask, message_mib=2)
    make(server, answers, ask, message_mib=4)
    make(server, answers, ask)


@pytest.mark.parametrize("open_client", [talus.Client, talus.connect, talus.aio.Client, talus.aio.connect])
def test_the_limit_is_64_mib_and_has_a_range(server, open_client):
    assert inspect.signature(open_client).parameters["message_mib"].default == 64
    for wrong in (0, 2048, -1, 1.5, "64", None):
        with pytest.raises(ValueError, match="message_mib .* must be an integer from 1 to 2047"):
            open_client(server.address, message_mib=wrong)

    async def bounds():
        for right in (1, 2047):
            client = open_client(server.address, message_mib=right)
            closed = client.close()
            if closed is not None:
                await closed

    asyncio.run(bounds())


def test_launch_hands_the_limit_to_its_client(server, tmp_path):
    binary = tmp_path / "talus_server"
    binary.write_text(f"#!/bin/sh\necho 'listening on {server.address}'\nexec sleep 60\n")
    binary.chmod(0o755)
    server.answers.update(SENT)
    with talus.launch(binary=str(binary), message_mib=2) as launched:
        with pytest.raises(talus.ResourceExhaustedError):
            launched.client.create_scene(bytes(3 * MIB))
    with talus.launch(binary=str(binary)) as launched:
        launched.client.create_scene(bytes(3 * MIB))
    with pytest.raises(ValueError, match="message_mib 0"):
        talus.launch(binary=str(binary), message_mib=0)
