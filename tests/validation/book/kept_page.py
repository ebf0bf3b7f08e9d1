"""What VALIDATION.md says already: a figure of which there are too few runs here stays as it is there,
and so do the claims."""

from __future__ import annotations

import pathlib
import re
from typing import Dict

_SECTION = re.compile(r'\n<a id="([^"]+)"></a>\n')
_STATE = re.compile(r"^\| \[.*\]\(#([^)]+)\) \|.*\| (.*) \|$", re.MULTILINE)
_CLAIMS = "\n## Claims\n"
_NOT_RUN = re.compile("^Not run", re.MULTILINE)


class KeptPage:
    def __init__(self, path: pathlib.Path) -> None:
        text = path.read_text(encoding="utf-8") if path.is_file() else ""
        head, *rest = _SECTION.split(text)
        self._states: Dict[str, str] = dict(_STATE.findall(head))
        self._sections = {name: f'\n<a id="{name}"></a>\n{body}' for name, body in zip(rest[::2], rest[1::2])}
        self._claims = _CLAIMS + head.partition(_CLAIMS)[2]

    def section(self, name: str) -> str:
        """The figure as the page shows it; empty where it shows no runs."""
        text = self._sections.get(name, "")
        return "" if _NOT_RUN.search(text) else text

    def state(self, name: str) -> str:
        """Its cell of the table of figures."""
        return self._states.get(name, "")

    def claims(self) -> str:
        """The section of the claims; empty where they were not run."""
        return self._claims if "| claim |" in self._claims else ""
