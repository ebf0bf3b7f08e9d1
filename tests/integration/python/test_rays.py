"""Rays into a scene: what they hit, as arrays, from both clients."""

import asyncio

import numpy as np
import pytest
import talus
import talus.aio
from conftest import build, pair_spec


def test_a_scan_of_a_ball_above_the_ground(client):
    scene = client.create_scene(pair_spec())
    before = scene.info().state_hash
    angles = np.linspace(0, np.pi, 181)
    directions = 3.0 * np.stack([np.sin(angles), np.zeros(181), np.cos(angles)], axis=1)
    hits = scene.cast_rays((0, 0, 102), directions)
    assert len(hits) == 181 and hits.step_index == 0 and hits.layout_version == scene.layout().version
    # The ball, of radius 1/2, is seen 2 m below under asin(1/4); the ground, 102 m below, beside it; then nothing.
    ball = np.pi - angles < np.arcsin(0.25)
    ground = ~ball & (angles > np.pi / 2 + 1e-6)
    assert (hits.body_ids[ball] == 2).all() and (hits.body_ids[ground] == 1).all()
    assert (hits.hit == (ball | ground)).all() and np.isinf(hits.distances[~hits.hit]).all()
    assert hits.distances[-1] == pytest.approx(1.5)
    np.testing.assert_allclose(hits.distances[ground], -102 / np.cos(angles[ground]), rtol=1e-12)
    np.testing.assert_allclose(hits.normals[ground], [[0, 0, 1]] * int(ground.sum()), atol=1e-15)
    np.testing.assert_allclose(np.linalg.norm(hits.points[ball] - (0, 0, 100), axis=1), 0.5, rtol=1e-13)
    assert not hits.shapes.any() and not hits.distances.flags.writeable
    assert scene.info().state_hash == before


def test_reach_and_bodies_to_ignore(client):
    scene = client.create_scene(pair_spec())
    down = [(0, 0, -1)] * 3
    hits = scene.cast_rays([(0, 0, 102), (0, 0, 101), (9, 9, 1)], down, [1.5, 0.25, 1.0])
    assert hits.body_ids.tolist() == [2, 0, 1]
    assert scene.cast_rays((0, 0, 102), (0, 0, -1), ignored_bodies=[2]).distances.tolist() == [102.0]
    assert scene.cast_rays((0, 0, 100.1), (0, 0, 1)).distances.tolist() == [0.0]  # from within the ball


def test_what_is_wrong_is_named(client):
    scene = client.create_scene(build.spec(bodies=[build.plane()]))
    with pytest.raises(ValueError, match="shape"):
        scene.cast_rays((0, 0, 1), [(0, 1)])
    with pytest.raises(talus.InvalidFieldError) as caught:
        scene.cast_rays((0, 0, 1), [(0, 0, 1), (0, 0, 0)])
    assert caught.value.field == "rays[1].direction_world"
    with pytest.raises(talus.InvalidFieldError) as caught:
        scene.cast_rays((0, 0, 1), np.tile([0, 0, 1.0], (10_001, 1)))
    assert caught.value.field == "size(rays)" and caught.value.allowed == "must be in [1, 10000]"
    with pytest.raises(talus.NotFoundError) as caught:
        scene.cast_rays((0, 0, 1), (0, 0, 1), ignored_bodies=[1, 5])
    assert caught.value.field == "ignored_body_ids[1]"


def test_asyncio(server):
    async def scan():
        async with talus.aio.connect(server.address) as client:
            scene = await client.create_scene(pair_spec())
            hits = await scene.cast_rays((0, 0, 102), [(0, 0, -1), (0, 0, 1)])
            assert hits.body_ids.tolist() == [2, 0] and hits.distances[0] == pytest.approx(1.5)

    asyncio.run(scan())
