"""A Control of the asyncio client: pipelined, and cancelled by itself, by its task, or with its client."""

import asyncio

import pytest
import talus
import talus.aio
from conftest import LONG


def run(server, scene, scenario):
    """Runs `scenario` of a control of the scene and of the client it came from."""

    async def main():
        async with talus.aio.connect(server.address) as client:
            await scenario(await client.scene(scene.name).control(), client)

    asyncio.run(asyncio.wait_for(main(), 60))


async def begin(coroutine):
    """A task that waits for an answer by the time this returns."""
    task = asyncio.ensure_future(coroutine)
    for _ in range(100):
        await asyncio.sleep(0)
    assert not task.done()
    return task


def test_a_pipeline_is_answered_in_order(server, pair):
    async def scenario(control, client):
        for _ in range(50):
            await control.submit()
        await control.submit(expected_step_index=7)
        assert [(await control.receive()).frame.step_index for _ in range(50)] == list(range(1, 51))
        with pytest.raises(talus.StepIndexMismatchError):
            await control.receive()
        await control.submit()
        await control.close()
        with pytest.raises(talus.CallCancelledError):
            await control.submit()
        with pytest.raises(talus.CallCancelledError):
            await control.receive()

    run(server, pair, scenario)


def test_what_a_watchdog_cancels_tells_so_to_whoever_waits(server, busy):
    async def scenario(control, client):
        step = await begin(control.step(count=LONG))
        control.cancel()
        with pytest.raises(talus.CallCancelledError):
            await step

    run(server, busy, scenario)


def test_after_a_cancel_steps_are_refused_and_closing_does_nothing(server, busy):
    async def scenario(control, client):
        await control.step()
        control.cancel()
        for _ in range(2):
            with pytest.raises(talus.CallCancelledError):
                await control.step()
        await control.close()
        await control.close()

    run(server, busy, scenario)


def test_a_step_cut_off_from_outside_ends_the_control(server, busy):
    async def scenario(control, client):
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(control.step(count=LONG), 0.05)
        with pytest.raises(talus.CallCancelledError):
            await control.step()
        await control.close()

    run(server, busy, scenario)


def test_a_step_with_a_timeout_leaves_the_control_open(server, busy):
    async def scenario(control, client):
        with pytest.raises(talus.DeadlineExceededError) as late:
            await control.step(count=LONG, timeout=0.05)
        state = await control.step()
        assert state.frame.step_index == late.value.steps_done + 1
        await control.close()

    run(server, busy, scenario)


def test_a_task_that_is_cancelled_is_cancelled(server, busy):
    async def scenario(control, client):
        step = await begin(control.step(count=LONG))
        step.cancel()
        with pytest.raises(asyncio.CancelledError):
            await step
        assert step.cancelled()
        # Both at once: the task's own comes first.
        other = await client.scene(busy.name).control(take_over=True)
        step = await begin(other.step(count=LONG))
        other.cancel()
        step.cancel()
        with pytest.raises(asyncio.CancelledError):
            await step

    run(server, busy, scenario)


def test_a_client_that_closes_tells_so_to_whoever_waits(server, busy):
    async def scenario(control, client):
        scene = client.scene(busy.name)
        waiting = [
            await begin(control.step(count=LONG)),
            await begin(scene.watch_events([talus.EventKind.SCENE_DELETED]).__anext__()),
            await begin(scene.under(control.lease).step()),
        ]
        await client.close()
        for task in waiting:
            with pytest.raises(talus.CallCancelledError):
                await task

    run(server, busy, scenario)


def test_a_watch_cut_off_from_outside_has_ended(server, pair):
    async def scenario(control, client):
        events = client.scene(pair.name).watch_events()
        await events.begin()
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(events.__anext__(), 0.05)
        with pytest.raises(talus.CallCancelledError):
            await events.__anext__()

    run(server, pair, scenario)
