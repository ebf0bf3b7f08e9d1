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


def runtime_stage():
    """What the Dockerfile says of the image itself."""
    return (SOURCE / "Dockerfile").read_text(encoding="utf-8").rsplit("\nFROM ", 1)[1]


def image_environment():
    """The variables that the image sets."""
    lines = re.findall(r"^ENV (.*)$", runtime_stage(), re.MULTILINE)
    return dict(word.split("=", 1) for line in lines for word in line.split())


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


def test_scenes_come_back_without_being_asked_to():
    assert image_environment()["TALUS_DATA_DIR"] == "/data"
    assert int(image_environment()["TALUS_AUTOSAVE_SECONDS"]) > 0
    assert "TALUS_AUTOSAVE_SECONDS" in SERVICES["server"]["environment"]
    assert value_of(readme_command("docker run"), "-v").endswith(":/data")
    assert [volume.split(":")[1] for volume in SERVICES["server"]["volumes"]] == ["/data"]


def test_a_drain_has_time_to_end():
    drain = re.search(r"int64_t drain_seconds = (\d+);", (SOURCE / "server/app/options.h").read_text(encoding="utf-8"))
    for given in (value_of(readme_command("docker run"), "--stop-timeout"), SERVICES["server"]["stop_grace_period"]):
        assert int(given.removesuffix("s")) >= int(drain.group(1)) + 3, "OPERATIONS.md says so"


def test_where_the_root_is_read_only_temporary_files_have_a_place():
    for service in SERVICES.values():
        assert service["read_only"] and service["tmpfs"] == ["/tmp"]
    words = readme_command("docker run")
    assert "--read-only" in words
    assert value_of(words, "--tmpfs") == "/tmp"


def test_the_health_check_asks_where_the_server_listens():
    assert re.search(r"^HEALTHCHECK .*\n? +CMD (.*)$", runtime_stage(), re.MULTILINE).group(1) == \
        '["talus_server", "--health-check"]'
