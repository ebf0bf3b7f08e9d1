"""The examples of clients/python/README.md run as they stand."""

import os
import re


def test_examples_run(capsys):
    path = os.path.join(os.environ["TALUS_SOURCE_DIR"], "clients", "python", "README.md")
    with open(path, encoding="utf-8") as file:
        examples = re.findall(r"```python\n(.*?)```", file.read(), re.DOTALL)
    assert len(examples) == 5
    exec(compile("\n".join(examples), path, "exec"), {})
    printed = capsys.readouterr().out
    assert "bodies[0].mass_kg -2 must be > 0" in printed
    assert "5 robot.transmission nothing comes of it" in printed
    assert "CONVERGED [[" in printed
