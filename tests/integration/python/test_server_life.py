"""Start and end of the server: sockets, drain, kill, wrong options."""

import asyncio
import inspect
import math
import queue
import re
import signal
import subprocess
import sys
import time

import grpc
import pytest
import talus
import talus.aio
from conftest import KILLED, LONG, busy_spec, cannonballs, launch, pair_spec, wait_until
from talus.server import find_server
from talus.v1 import error_pb2


def test_unix_socket(tmp_path):
    path = tmp_path / "talus.sock"
    with launch(listen=f"unix:{path}") as server:
        assert server.address == f"unix:{path}"
        assert server.client.create_scene(pair_spec()).step(3).step_index == 3


def test_several_addresses(tmp_path):
    with launch(listen=["127.0.0.1:0", f"unix:{tmp_path}/s"]) as server:
        name = server.client.create_scene(pair_spec()).name
        with talus.connect(server.addresses[1]) as other:
            assert other.scene(name).info().body_count == 2


def test_wrong_options_are_told():
    with pytest.raises(talus.LaunchError, match="(?s)status 2.*workers"):
        talus.launch(workers=0)
    with pytest.raises(talus.LaunchError, match="(?s)status 2.*insecure"):
        talus.launch(listen="0.0.0.0:0")
    with pytest.raises(talus.LaunchError, match="status 2"):
        talus.launch(no_such_option=1)


def test_drain_ends_calls_and_streams_with_a_reason(tmp_path):
    with launch(data_dir=str(tmp_path), drain_seconds=60) as server, talus.connect(server.address) as client:
        scene = client.create_scene(busy_spec())
        running = scene.submit_step(LONG)
        wait_until(lambda: scene.info().step_index > 2)
        waiting = scene.submit_step(1)
        wait_until(lambda: scene.diagnostics().mailbox_depth == 1)
        watch = scene.watch(every_n_steps=1_000_000)
        next(watch)
        server.terminate()
        with pytest.raises(talus.DrainingError) as caught:
            running.result(60)
        assert 2 < caught.value.steps_done < LONG and caught.value.retry_after
        with pytest.raises(talus.DrainingError):
            waiting.result(60)
        with pytest.raises(talus.DrainingError):
            list(watch)
        assert server.wait(60) == 0
        with pytest.raises(talus.UnavailableError):
            scene.step(timeout=60)


def test_drain_ends_a_control_stream_in_no_scene_with_a_reason():
    with launch() as server, grpc.insecure_channel(server.address) as channel:
        asked = queue.SimpleQueue()
        stream = channel.stream_stream("/talus.v1.SimulationService/Control")(iter(asked.get, None))
        channel.unary_unary("/grpc.health.v1.Health/Check")(b"")  # over the same connection: the stream has come before
        server.terminate()
        with pytest.raises(grpc.RpcError) as caught:
            next(stream)
        asked.put(None)
        assert caught.value.code() == grpc.StatusCode.UNAVAILABLE
        error = error_pb2.ErrorDetail.FromString(dict(caught.value.trailing_metadata())["talus-error-bin"])
        assert error.reason == error_pb2.ERROR_REASON_DRAINING and error.retry_after_ms > 0
        assert server.wait(60) == 0


def heavy_step(client, seconds):
    """A scene each of whose steps takes at least so long here; how many sweeps that is, a few of them tell. There are so
    many balls that a solve is not given up as stalled before."""
    tried = 20
    options = {"tolerance": 1e-14, "warm_start": False}  # out of reach
    trial = client.create_scene(cannonballs(40, max_sweeps=tried, **options))
    reports = [trial.step().report for _ in range(3)]
    assert {report.sweep_count for report in reports} == {tried}
    trial.delete()
    sweep_s = min(report.stage_times.solve_contacts_s for report in reports) / tried
    return client.create_scene(cannonballs(40, max_sweeps=max(tried, math.ceil(seconds / sweep_s)), **options))


def is_draining(call):
    try:
        call()
        return False
    except talus.DrainingError as error:
        assert error.steps_done == 0 and error.retry_after
        return True


def test_new_calls_learn_of_a_drain_while_a_step_holds_it_up():
    # One core for the step, so that its length depends little on what else the machine does, and one for new calls.
    cores = {"workers": 2, "workers_per_scene": 1}
    with launch(**cores, drain_seconds=120) as server, grpc.insecure_channel(server.address) as channel:
        check_health = channel.unary_unary("/grpc.health.v1.Health/Check")  # codec: the bytes themselves
        scene = heavy_step(server.client, seconds=2.0)
        running = scene.submit_step(LONG)
        # When the first step is known to be done, the second begins, even if its thread has to wait for a core.
        wait_until(lambda: scene.info().step_index >= 1, timeout=120)
        time.sleep(0.3)
        assert check_health(b"") == b"\x08\x01"  # SERVING
        server.terminate()
        wait_until(lambda: check_health(b"") == b"\x08\x02")  # NOT_SERVING
        wait_until(lambda: is_draining(lambda: server.client.create_scene(pair_spec())))
        assert is_draining(scene.step) and is_draining(scene.state)
        assert not running.done()
        with pytest.raises(talus.DrainingError) as caught:
            running.result(120)
        assert 2 <= caught.value.steps_done < LONG
        assert server.wait(60) == 0


def test_a_drain_gives_up_a_step_that_outlasts_it_and_stores_every_scene(tmp_path):
    stored = {"data_dir": str(tmp_path), "autosave_seconds": 86_400}
    with launch(**stored, drain_seconds=8, workers=2, workers_per_scene=1) as server:
        # Of a tolerance out of reach; sweeps of this solver are not given up as stalled.
        endless = {"law": "ccp", "solver": "psor", "tolerance": 1e-14, "max_sweeps": 1_000_000}
        heavy = server.client.create_scene(cannonballs(40, **endless))
        other = server.client.create_scene(pair_spec())
        before = [heavy.info().state_hash, other.step(3).state_hash]
        running = heavy.submit_step(1)
        time.sleep(0.5)
        server.terminate()
        with pytest.raises(talus.DrainingError) as caught:
            running.result(60)
        assert caught.value.steps_done == 0
        assert server.wait(60) == 0
    with launch(**stored) as server:
        assert [server.client.scene(scene.name).info().state_hash for scene in (heavy, other)] == before


def test_the_server_ends_with_a_killed_parent(tmp_path):
    note = tmp_path / "server"
    program = (
        "import os, signal, talus\n"
        "server = talus.launch(log_level='error')\n"
        f"open({str(note)!r}, 'w').write(str(server.pid))\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    assert subprocess.run([sys.executable, "-c", program], timeout=60).returncode == -signal.SIGKILL
    wait_until(lambda: has_ended(note.read_text()))


def has_ended(pid):
    try:
        with open(f"/proc/{pid}/status") as status:
            return "(zombie)" in status.read()  # nobody has to reap it
    except OSError:
        return True


def test_idle_server_ends_at_once():
    with launch(drain_seconds=120) as server:
        server.terminate()
        assert server.wait(60) == 0


def test_a_drain_of_the_default_length_is_waited_for():
    help_text = subprocess.run([find_server(), "--help"], capture_output=True, text=True, check=True).stdout
    drain_s = float(re.search(r"--drain-seconds .*=(\d+) ", help_text)[1])
    assert inspect.signature(talus.Server.stop).parameters["timeout"].default > drain_s + 1
    with launch() as server:
        _, _, (_, at_exit), _ = server._finalizer.peek()
    assert at_exit > drain_s + 1


def test_killed_server_is_unavailable():
    with launch(status=KILLED) as server:
        scene = server.client.create_scene(busy_spec())
        running = scene.submit_step(LONG)
        server.kill()
        with pytest.raises(talus.UnavailableError):
            running.result(60)


def test_asyncio_client():
    async def scenario(address):
        async with talus.aio.connect(address) as client:
            scene = await client.create_scene(pair_spec(), name="a")
            results = [await scene.step(2, positions=True) for _ in range(3)]
            assert [result.step_index for result in results] == [2, 4, 6]
            watch = scene.watch(frame_limit=1)
            assert [frame.step_index async for frame in watch] == [6]
            with pytest.raises(talus.AlreadyExistsError):
                await client.create_scene(pair_spec(), name="a")
            busy = await client.create_scene(busy_spec())
            task = asyncio.ensure_future(busy.step(LONG))
            while (await busy.info()).step_index < 3:
                await asyncio.sleep(0.01)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            forks = await asyncio.gather(*(scene.fork(1) for _ in range(4)))
            assert {(await fork.info()).state_hash for (fork,) in forks} == {(await scene.info()).state_hash}
            copy = await client.create_scene(await scene.download())
            assert (await copy.info()).step_index == 6

    with launch() as server:
        asyncio.run(asyncio.wait_for(scenario(server.address), 120))


def test_messages_of_more_than_64_mib_pass_where_both_sides_take_them():
    data = bytes(65 << 20)  # no snapshot, which the server tells once it has it
    with launch(max_message_mib=70, message_mib=70) as server:
        with pytest.raises(talus.BadSnapshotError):
            server.client.create_scene(data)
        with talus.connect(server.address) as usual:
            with pytest.raises(talus.ResourceExhaustedError, match="Sent message larger .*message_mib"):
                usual.create_scene(data)
    with launch(message_mib=70) as server:
        with pytest.raises(talus.ResourceExhaustedError, match="Received message larger .*--max-message-mib"):
            server.client.create_scene(data)
