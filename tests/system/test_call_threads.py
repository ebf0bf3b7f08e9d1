"""gRPC's threads of talus_server that wait for calls: in lock-step all but one of them rest."""

import os
import time

import talus

STEPS = 500


def switches(pid):
    """How often each of the threads has waited, by its number."""
    waited = {}
    for thread in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{thread}/status") as file:
            status = dict(line.split(":", 1) for line in file)
        if status["Name"].strip() == "nexting_thread":
            waited[thread] = int(status["voluntary_ctxt_switches"])
    return waited


def test_all_but_one_rest_while_one_caller_steps_in_lock_step():
    with talus.launch() as server:
        scene = server.client.create_scene({"bodies": [{"massKg": 1, "shapes": [{"sphere": {"radiusM": 0.1}}]}]})
        end = time.monotonic() + 300
        resting = False
        # On a busy machine steps may come too far apart for a row.
        while not resting:
            assert time.monotonic() < end, "not within five minutes"
            before = switches(server.pid)
            for _ in range(STEPS):
                scene.step(1)
            after = switches(server.pid)
            waits = sorted(after[thread] - before[thread] for thread in after)
            # Who rests looks every 2 ms whether calls still come; without rest each is woken by most steps.
            resting = sum(waits[:-1]) < STEPS / 2
        assert server.stop() == 0
