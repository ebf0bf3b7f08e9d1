"""README, Dockerfile and compose file agree about the container."""

import os
import pathlib
import re
import shlex

import pytest
import yaml

SOURCE = pathlib.Path(os.environ["TALUS_SOURCE_DIR"])
COMPOSE = yaml.safe_load((SOURCE / "deploy/compose.yaml").read_text(encoding="utf-8"))
SERVICES = COMPOSE["services"]


def readme_command(beginning):
    """The words of README's one command that begins so."""
    found = re.findall(rf"^{beginning} .*$", (SOURCE / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert len(found) == 1, found
    return shlex.split(found[0])


def value_of(words, option):
    """What stands behind `option`."""
    return words[words.index(option) + 1]


def image_without_variables(image):
    """`name:${VARIABLE:-tag}` where the variable is not set."""
    return re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", image)


def test_compose_runs_the_image_that_the_readme_builds():
    built = value_of(readme_command("docker build"), "-t")
    assert {image_without_variables(service["image"]) for service in SERVICES.values()} == {f"{built}:latest"}
    assert readme_command("docker run")[-1] == built


@pytest.mark.parametrize("name", SERVICES)
def test_every_service_can_be_built_where_there_is_no_image_yet(name):
    context = SOURCE / "deploy" / SERVICES[name]["build"]["context"]
    assert (context / SERVICES[name]["build"]["dockerfile"]).is_file()
    assert SERVICES[name]["build"] == SERVICES["server"]["build"], "one image, one way to build it"


def test_the_readme_runs_a_service_of_the_compose_file():
    words = readme_command("docker compose")
    assert (SOURCE / value_of(words, "-f")).samefile(SOURCE / "deploy/compose.yaml")
    assert words[-1] in SERVICES
