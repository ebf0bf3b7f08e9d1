"""The same pile has the same bits in the library, through the server, and for any number of threads."""

import os
import subprocess

import pytest
import talus
from conftest import cannonballs, launch

PARTICLES, SEED, STEPS = 100, 7, 130
BIN = os.path.join(os.environ["TALUS_BUILD_DIR"], "bin")


@pytest.fixture(scope="module")
def library():
    """State hashes of the library: of the new scene, and after the steps."""
    command = [os.path.join(BIN, "pile_hash"), *map(str, (PARTICLES, SEED, STEPS, 2))]
    return [int(line) for line in subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()]


@pytest.mark.parametrize("threads", [1, 2, 3, 7])
def test_python_and_library_agree(library, threads):
    with launch(workers=threads, workers_per_scene=threads) as server:
        pile = server.client.create_scene(talus.gravel_pile(PARTICLES, seed=SEED))
        hashes = [pile.info().state_hash, pile.step(STEPS).state_hash]
        assert len(pile.contacts()) > 30
    assert hashes == library


@pytest.mark.parametrize("law", ["ncp", "ccp"])
def test_sweeps_on_many_threads_agree(law):
    """Several strands of contacts, so that the threads do share a sweep."""
    spec = cannonballs(18, law=law, tolerance=1e-8, max_sweeps=10)
    hashes = set()
    for threads in (1, 2, 3, 7):
        with launch(workers=threads, workers_per_scene=threads) as server:
            result = server.client.create_scene(spec).step(10)
            assert result.report.contact_count > 3000 and result.report.strand_count > 3
            hashes.add(result.state_hash)
    assert len(hashes) == 1


def test_how_the_steps_are_asked_for_does_not_matter(library):
    with launch(workers=2) as server:
        pile = server.client.create_scene(talus.gravel_pile(PARTICLES, seed=SEED))
        with pile.watch(rate_hz=100):
            for count in (1, 2, 57, 70):
                pile.step(count, positions=True, contacts=True)
        assert pile.info().step_index == STEPS and pile.info().state_hash == library[1]


def test_another_seed_is_another_pile(library):
    with launch() as server:
        pile = server.client.create_scene(talus.gravel_pile(PARTICLES, seed=SEED + 1))
        assert pile.step(STEPS).state_hash != library[1]
