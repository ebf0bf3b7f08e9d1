"""The demo's progress bar, pictures and options."""

import io

import numpy as np
import pytest
from talus.demo import options, progress
from talus.demo.sphere_image import fade, look, rasterize, reduce, render


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_plain_lines_when_not_a_terminal():
    stream = io.StringIO()
    bar = progress.ProgressBar(100, stream)
    for done in range(1, 101):
        bar.update(done, 100.0 - done, f"step {done}")
    bar.close()
    lines = stream.getvalue().splitlines()
    assert len(lines) == 10 and lines[0].startswith(" 10% after 0:00, 1:30 left: step 10")
    assert "\r" not in stream.getvalue()


def test_one_line_on_a_terminal():
    stream = Terminal()
    bar = progress.ProgressBar(2, stream)
    bar.update(1, 61.0, "half")
    bar.update(2, 0.0, "whole")
    bar.close()
    text = stream.getvalue()
    assert text.count("\n") == 1 and text.count("\r") == 2 and "1:01 left  half" in text and "100%" in text


@pytest.mark.parametrize("seconds, text", [(0, "0:00"), (59.6, "1:00"), (3661, "1:01:01"), (-5, "0:00")])
def test_clock(seconds, text):
    assert progress.clock(seconds) == text


def test_bar_has_constant_width():
    assert {len(progress.bar(share)) for share in np.linspace(0, 1, 50)} == {len(progress.bar(1.0))}


def test_options_scale_with_the_particles():
    assert options.parse([]).particles == options.DEFAULT_PARTICLES
    full = options.parse(["--full", "--rolling", "0", "--threads", "3", "--seed", "9"])
    assert (full.particles, full.seconds, full.rolling_m, full.threads, full.seed) == (10_000, 15.0, 0.0, 3, 9)
    assert (options.parse([]).tolerance, full.tolerance) == (None, 1e-3)
    assert options.parse(["--full", "--tolerance", "1e-5"]).tolerance == 1e-5
    assert options.parse(["--particles", "800"]).seconds == 3.5
    assert options.parse(["--seconds", "2"]).seconds == 2.0


@pytest.mark.parametrize(
    "arguments",
    [["--particles", "0"], ["--particles", "x"], ["--rolling", "-1"], ["--rolling", "nan"], ["--law", "mlcp"], ["--seed", "-1"]],
)
def test_senseless_options_end_with_status_2(arguments, capsys):
    with pytest.raises(SystemExit) as ended:
        options.parse(arguments)
    assert ended.value.code == 2 and arguments[0] in capsys.readouterr().err


def camera(width=200, height=120):
    return look(np.array([0.0, -1.0, 0.0]), np.array([0.0, 0.0, 0.3]), 100.0, width, height)


def test_the_nearest_sphere_covers_the_others():
    positions = np.array([[0.0, 0.0, 0.3], [0.0, -0.5, 0.3]])
    colors = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    for order in ([0, 1], [1, 0]):
        surface = rasterize(positions[order], np.array([0.2, 0.2]), colors[order], np.array([1.0, 1.0]), 0.1, camera())
        assert surface.color[60, 100].tolist() == [0.0, 1.0, 0.0]
        assert surface.toward[60, 100] == pytest.approx(0.7, abs=1e-3)
        assert surface.normal[60, 100] == pytest.approx([0.0, -1.0, 0.0], abs=0.05)


def test_a_picture_has_light_and_transparency():
    picture = render(np.array([[0.0, 0.0, 0.2]]), np.array([0.2]), np.ones((1, 3)), np.array([0.8, 0.5]), 0.1, camera())
    assert picture.shape == (120, 200, 4) and np.isfinite(picture).all()
    assert picture[5, 5, 3] == 0.0 and picture[70, 100, 3] == 1.0
    assert 0.1 < picture[70, 100, :3].mean() < 1.0


def test_reduce_and_fade():
    picture = np.ones((40, 60, 4), dtype=np.float32)
    assert reduce(picture, 2).shape == (20, 30, 4) and reduce(picture, 2).min() == 1.0
    faded = fade(picture, 0.1)
    assert faded[0, 30, 3] == 0.0 and faded[20, 30, 3] == 1.0 and (picture[..., 3] == 1.0).all()
