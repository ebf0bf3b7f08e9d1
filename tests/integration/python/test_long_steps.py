"""Long steps: what deadlines, cancellation, deletion and a full mailbox leave, and what goes on beside them."""

import pytest
import talus
from conftest import LONG, busy_spec, launch, pair_spec, wait_until


def test_expired_deadline_in_a_long_step(client, busy):
    with pytest.raises(talus.DeadlineExceededError):
        busy.step(LONG, request_id="late", timeout=0.5)
    after = busy.step()  # waits for its turn, so the long step is over
    reached = after.step_index - 1
    assert 0 < reached < LONG
    # The client's timer and the server's answer race; but a step that ended early is remembered as it ended.
    with pytest.raises(talus.DeadlineExceededError) as caught:
        busy.step(LONG, request_id="late")
    assert (caught.value.reason, caught.value.steps_done, caught.value.step_index) == ("DEADLINE", reached, reached)
    assert busy.info().step_index == reached + 1
    assert client.create_scene(busy_spec()).step(reached + 1).state_hash == after.state_hash


def test_a_deadline_s_error_tells_the_steps_done(pair):
    """The server answers a twentieth of a second early, and steps are short here: a machine that stalls for so long can
    lose the detail, but not every time."""
    for _ in range(20):
        before = pair.info().step_index
        with pytest.raises(talus.DeadlineExceededError) as caught:
            pair.step(LONG, timeout=0.5)
        now = pair.step().step_index - 1
        if caught.value.reason:
            break
    assert caught.value.reason == "DEADLINE" and caught.value.step_index == now
    assert 0 < caught.value.steps_done == now - before < LONG


def test_cancelled_long_step(client, busy):
    pending = busy.submit_step(LONG, request_id="cut")
    wait_until(lambda: busy.info().step_index > 3)
    pending.cancel()
    with pytest.raises(talus.CallCancelledError):
        pending.result(60)
    after = busy.step()
    reached = after.step_index - 1
    assert 3 < reached < LONG
    with pytest.raises(talus.CallCancelledError) as caught:
        busy.step(LONG, request_id="cut")
    assert (caught.value.reason, caught.value.steps_done) == ("CANCELLED", reached)
    assert client.create_scene(busy_spec()).step(reached + 1).state_hash == after.state_hash


def test_cancelled_while_waiting(busy):
    running = busy.submit_step(LONG)
    wait_until(lambda: busy.info().step_index > 0)
    waiting = busy.submit_step(LONG)
    wait_until(lambda: busy.diagnostics().mailbox_depth == 1)
    waiting.cancel()
    with pytest.raises(talus.CallCancelledError):
        waiting.result(60)
    assert not running.done()
    running.cancel()


def test_delete_while_stepping(client):
    scene = client.create_scene(busy_spec())
    running = scene.submit_step(LONG)
    wait_until(lambda: scene.info().step_index > 2)
    waiting = scene.submit_step(1)
    wait_until(lambda: scene.diagnostics().mailbox_depth == 1)
    scene.delete()
    with pytest.raises(talus.SceneDeletedError) as caught:
        running.result(60)
    assert 2 < caught.value.steps_done < LONG
    with pytest.raises(talus.SceneDeletedError) as caught:
        waiting.result(60)
    assert caught.value.steps_done == 0
    with pytest.raises(talus.NotFoundError):
        scene.step()


def test_reads_are_served_during_a_long_step(busy):
    running = busy.submit_step(LONG)
    wait_until(lambda: busy.info().step_index > 0)
    frame = busy.state()
    assert len(frame) == 101 and not running.done()
    running.cancel()


def test_full_mailbox():
    with launch(mailbox_depth=2, workers=1) as small:
        scene = small.client.create_scene(busy_spec())
        running = scene.submit_step(LONG, request_id="long")
        wait_until(lambda: scene.info().step_index > 0)
        waiting = [scene.submit_step(1) for _ in range(6)]
        wait_until(lambda: sum(pending.done() for pending in waiting) >= 4)
        refused = [pending for pending in waiting if pending.done()]
        for pending in refused:
            with pytest.raises(talus.MailboxFullError) as caught:
                pending.result(0)
            assert caught.value.retry_after > 0
        other = small.client.create_scene(pair_spec())
        assert other.step(2).step_index == 2  # nothing else is disturbed
        running.cancel()
        accepted = [pending.result(60) for pending in waiting if pending not in refused]
        assert len(accepted) == 2
        # What the cancelled step made is remembered; besides it the scene knows the accepted calls alone.
        with pytest.raises(talus.CallCancelledError) as caught:
            scene.step(LONG, request_id="long")
        made = caught.value.steps_done
        assert 0 < made and sorted(result.step_index for result in accepted) == [made + 1, made + 2]
        info = scene.info()
        assert info.step_index == made + 2
        assert small.client.create_scene(busy_spec()).step(made + 2).state_hash == info.state_hash
