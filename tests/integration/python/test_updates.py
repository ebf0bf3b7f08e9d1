"""Bodies set to other poses and velocities, from both clients."""

import asyncio

import numpy as np
import pytest
import talus
import talus.aio
from conftest import build, pair_spec
from talus.v1 import scene_pb2


def test_what_is_named_is_set_and_the_rest_stays(pair):
    pair.step(4)
    before, layout = pair.info(), pair.layout()
    info = pair.update_bodies([talus.body_update("ball", position=(1, 2, 30), orientation=(0.6, 0, 0, 0.8))])
    assert info.step_index == 4 and info.layout_version == layout.version and info.state_hash != before.state_hash
    state = pair.state()
    assert state.step_index == 4 and state.state_hash == info.state_hash == pair.info().state_hash
    assert state.positions[1].tolist() == [1, 2, 30] and state.linear_velocities[1].tolist() == [0, 0, -4]
    np.testing.assert_allclose(state.orientations[1], [0.6, 0, 0, 0.8], rtol=1e-15)
    pair.update_bodies([talus.body_update(2, linear_velocity=np.zeros(3), angular_velocity=[0, 1, 0])])
    state = pair.state()
    assert state.linear_velocities[1].tolist() == [0, 0, 0] and state.angular_velocities[1].tolist() == [0, 1, 0]
    assert pair.step(positions=True).frame.positions[1].tolist() == [1, 2, 30 - 8 / 64]


def test_what_is_named_and_unset_is_the_default(pair):
    pair.step()
    update = scene_pb2.BodyUpdate(body_name="ball")
    update.update_mask.FromJsonString("positionWorldM,linearVelocityWorldMS")
    pair.update_bodies([update])
    state = pair.state()
    assert not state.positions[1].any() and not state.linear_velocities[1].any()


def test_a_moved_body_falls_asleep_and_wakes_again(client):
    scene = client.create_scene(
        build.spec(
            bodies=[build.plane(), build.sphere(0.5, name="ball", position=(0, 0, 0.5), mass=1.0)],
            settings=build.settings(time_step=0.005, sleep=build.sleep(0.005, time=0.1)),
        )
    )
    assert scene.step(100, report=True).report.sleeping_body_count == 1
    scene.update_bodies([talus.body_update("ball", position=(0, 0, 3))])
    result = scene.step(report=True, velocities=True)
    assert result.report.sleeping_body_count == 0 and result.frame.linear_velocities[1][2] < 0


@pytest.mark.parametrize(
    "update, error, field",
    [
        (talus.body_update("ghost", position=(0, 0, 1)), talus.NotFoundError, "updates[1].body_name"),
        (talus.body_update(9, position=(0, 0, 1)), talus.NotFoundError, "updates[1].body_id"),
        (talus.body_update("ground"), talus.InvalidFieldError, "updates[1].update_mask"),
        (talus.body_update("ball", position=(0, 0, 1)), talus.InvalidFieldError, "updates[1].body_name"),
        (talus.body_update("ground", position=(0, np.inf, 1)), talus.InvalidFieldError, "updates[1].values.position_world_m.y"),
        (
            talus.body_update("ground", orientation=(1, 1, 0, 0)),
            talus.InvalidFieldError,
            "updates[1].values.orientation_world",
        ),
        (
            talus.body_update("ground", angular_velocity=(0, 0, 1)),
            talus.InvalidFieldError,
            "updates[1].values.angular_velocity_world_rad_s",
        ),
        (
            scene_pb2.BodyUpdate(body_name="ground", update_mask={"paths": ["shapes"]}),
            talus.InvalidFieldError,
            "updates[1].update_mask.paths[0]",
        ),
        (scene_pb2.BodyUpdate(update_mask={"paths": ["position_world_m"]}), talus.InvalidFieldError, "updates[1].body"),
    ],
)
def test_all_or_none(pair, update, error, field):
    before = pair.info().state_hash
    with pytest.raises(error) as caught:
        pair.update_bodies([talus.body_update("ball", position=(7, 7, 7)), update])
    assert caught.value.field == field and caught.value.allowed
    assert pair.info().state_hash == before


def test_a_lease_holds_others_off(pair):
    update = talus.body_update("ball", position=(0, 0, 9))
    with pair.control(holder="arm") as control:
        with pytest.raises(talus.LeaseHeldError):
            pair.update_bodies([update])
        pair.under(control.lease).update_bodies([update])
    assert pair.state().positions[1][2] == 9


def test_asyncio(server):
    async def move():
        async with talus.aio.connect(server.address) as client:
            scene = await client.create_scene(pair_spec())
            info = await scene.update_bodies([talus.body_update("ball", position=(0, 0, 1))])
            state = await scene.state()
            await scene.delete()
            return info, state

    info, state = asyncio.run(move())
    assert state.positions[1].tolist() == [0, 0, 1] and state.state_hash == info.state_hash
