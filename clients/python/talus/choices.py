"""What a caller chooses by name."""

from __future__ import annotations

from typing import Mapping, TypeVar

Choice = TypeVar("Choice")


def choose(what: str, name: str, choices: Mapping[str, Choice]) -> Choice:
    """What stands under the name. ValueError, with the names there are: it is none of them."""
    if name not in choices:
        raise ValueError(f"{what} {name!r} must be one of {', '.join(choices)}")
    return choices[name]
