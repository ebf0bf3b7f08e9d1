"""Driving scenes from Python: actuators, lock-step control, leases, steps until something holds, many scenes at once."""

import asyncio

import numpy
import pytest
import talus
import talus.aio
from talus import actuators, scene as build


def floating():
    """A ball of 2 kg without gravity; its step is 10 ms."""
    return build.spec(
        bodies=[build.sphere(0.1, name="ball", mass=2.0)],
        settings=build.settings(time_step=0.01, gravity=(0, 0, 0)),
    )


PUSH = [4.0, 0, 0, 0, 0, 0]


@pytest.fixture()
def ball(client):
    return client.create_scene(floating())


def test_a_step_under_a_load(ball):
    result = ball.step(10, velocities=True, actuators=[actuators.wrench("ball")], values=PUSH)
    assert result.frame.linear_velocities[0, 0] == pytest.approx(10 * 0.01 * 4.0 / 2.0)
    # It acts until it is set again.
    assert ball.step(10, velocities=True).frame.linear_velocities[0, 0] == pytest.approx(0.4)
    released = ball.step(10, velocities=True, actuators=[actuators.wrench(1)], values=[0] * 6)
    assert released.frame.linear_velocities[0, 0] == pytest.approx(0.4)


def test_what_cannot_be_driven_is_named(ball):
    with pytest.raises(talus.NotFoundError) as missing:
        ball.step(actuators=[actuators.wrench("nobody")], values=[0] * 6)
    assert missing.value.field == "actuators[0].name"
    with pytest.raises(talus.InvalidFieldError) as few:
        ball.step(actuators=[actuators.wrench("ball")], values=[1.0])
    assert few.value.field == "size(values)"
    assert ball.info().step_index == 0


def test_answers_tell_of_the_bodies_that_were_asked_for(client):
    balls = [build.sphere(0.1, name=f"ball{k}", mass=2.0, position=(k, 0, 0)) for k in range(3)]
    scene = client.create_scene(build.spec(bodies=balls))
    with pytest.raises(talus.NotFoundError):
        with scene.control(bodies=["nobody"]) as control:
            control.step()
    assert scene.info().lease_holder == "", "what could not be opened holds nothing"
    with scene.control(bodies=["ball2", 1]) as control:
        assert control.layout.names == ["ball0", "ball1", "ball2"]
        frame = control.step().frame
        assert frame.rows.tolist() == [0, 2] and frame.positions[:, 0].tolist() == [0.0, 2.0]
        scene.under(control.opening.lease).remove_bodies("ball0")
        frame = control.step().frame
        assert frame.rows.tolist() == [1] and frame.layout.names == ["ball1", "ball2"]


def test_lock_step_gives_the_bits_of_step(client, ball):
    other = client.create_scene(floating())
    with ball.control([actuators.wrench("ball")], holder="test") as control:
        assert control.opening.value_count == 6
        assert control.layout.names == ["ball"]
        first = control.step(PUSH)
        assert first.frame.step_index == 1
        assert first.frame.positions.shape == (1, 3)
        for _ in range(9):
            state = control.step()
    assert state.frame.step_index == 10
    other.step(10, actuators=[actuators.wrench("ball")], values=PUSH)
    assert ball.info().state_hash == other.info().state_hash == state.frame.state_hash


def test_a_mistake_leaves_the_stream_open(ball):
    with ball.control([actuators.wrench("ball")]) as control:
        with pytest.raises(talus.InvalidFieldError):
            control.step([1.0])
        with pytest.raises(talus.StepIndexMismatchError):
            control.step(expected_step_index=5)
        assert control.step(expected_step_index=0).frame.step_index == 1


def test_a_pipeline_is_answered_in_order(ball):
    with ball.control() as control:
        for _ in range(50):
            control.submit()
        assert [control.receive().frame.step_index for _ in range(50)] == list(range(1, 51))


def test_others_are_refused_or_come_under_the_lease(ball):
    with ball.control(holder="arm") as control:
        with pytest.raises(talus.LeaseHeldError) as held:
            ball.step()
        assert held.value.value == "arm"
        assert ball.info().lease_holder == "arm"
        assert ball.under(control.lease).step().step_index == 1
        with pytest.raises(talus.LeaseHeldError):
            ball.control()
        with ball.control(holder="second", take_over=True) as second:
            with pytest.raises(talus.LeaseLostError):
                control.step()
            second.step()
    assert ball.step().steps_done == 1
    with pytest.raises(talus.LeaseLostError):
        ball.under(control.lease).step()


def test_real_time_ticks(ball):
    with ball.control(real_time=True, period=0.005) as control:
        ticks = [control.step().tick for _ in range(20)]
    assert ticks == sorted(set(ticks))
    assert ticks[0] == 1


def test_options_that_mean_nothing_are_refused(ball):
    with pytest.raises(ValueError, match="on_miss"):
        ball.control(on_miss="panic")
    with pytest.raises(talus.InvalidFieldError) as wait:
        ball.control(max_wait=-1.0)
    assert wait.value.field == "max_wait_s"
    with pytest.raises(TypeError):
        ball.control(nonsense=True)


def test_step_until(pair):
    until = pair.step_until(time_s=2.0, positions=True)
    assert until.stop_reason == "time"
    assert until.steps_done == 16
    assert until.frame.positions.shape == (2, 3)
    assert pair.step_until(time_s=1e6, most_steps=3).stop_reason == "step_count"
    # From 99.5 m at 8 m/s²: 4.99 s.
    landed = pair.step_until(contact=("ball", "ground"))
    assert landed.stop_reason == "contact"
    assert landed.time_s == pytest.approx(5.0, abs=0.2)
    assert pair.step_until(at_rest_for=0.5).stop_reason == "rest"
    with pytest.raises(talus.InvalidFieldError):
        pair.step_until()
    with pytest.raises(ValueError):
        pair.step_until(contact=("a", "b", "c"))


def test_a_batch_tells_of_each(client, ball, pair):
    missing = client.scene("nowhere")
    results = client.batch_step([ball.step_request(5), missing.step_request(), pair.step_request(2, positions=True)])
    assert results[0].steps_done == 5
    assert isinstance(results[1], talus.NotFoundError)
    assert results[2].frame.positions.shape[1] == 3
    with pytest.raises(talus.InvalidFieldError):
        client.batch_step([])


def test_run_pause_and_reset(ball):
    start = ball.info().state_hash
    assert ball.run().run.running
    with pytest.raises(talus.SceneRunningError):
        ball.step()
    paused = ball.pause()
    assert not paused.run.running
    assert ball.info().step_index == paused.step_index
    assert ball.reset("time").step_index == 0
    assert ball.reset().state_hash == start
    with pytest.raises(ValueError):
        ball.reset("everything")


def test_the_asyncio_client_tells_of_a_lost_lease(server, ball):
    async def lose():
        async with talus.aio.connect(server.address) as client:
            control = await client.scene(ball.name).control(max_wait=0.1)
            await asyncio.sleep(1.0)
            with pytest.raises(talus.LeaseLostError):
                await control.step()

    asyncio.run(lose())


def test_an_asyncio_watch_ends_when_it_is_cancelled(server, ball):
    async def watch():
        async with talus.aio.connect(server.address) as client:
            frames = client.scene(ball.name).watch()

            async def read():
                return [frame.step_index async for frame in frames]

            reader = asyncio.create_task(read())
            await asyncio.sleep(0.3)
            frames.cancel()
            return await asyncio.wait_for(reader, 5.0)

    assert set(asyncio.run(watch())) <= {ball.info().step_index}


def test_the_asyncio_client_does_the_same(server, ball):
    async def drive():
        async with talus.aio.connect(server.address) as client:
            scene = client.scene(ball.name)
            async with await scene.control([actuators.wrench("ball")], holder="aio") as control:
                state = await control.step(PUSH, 10)
                with pytest.raises(talus.InvalidFieldError):
                    await control.step([1.0])
                with pytest.raises(talus.LeaseHeldError):
                    await scene.step()
                under = await scene.under(control.lease).step()
            with pytest.raises(talus.NotFoundError):
                await client.scene("nowhere").control()
            until = await scene.step_until(time_s=1.0)
            batch = await client.batch_step([scene.step_request(2)])
            await scene.run(step_limit=1)
            await scene.pause()
            back = await scene.reset()
            return state, under, until, batch, back

    state, under, until, batch, back = asyncio.run(drive())
    assert numpy.isclose(state.frame.linear_velocities[0, 0], 0.2)
    assert under.step_index == 11
    assert until.stop_reason == "time"
    assert batch[0].steps_done == 2
    assert back.step_index == 0
