"""Paths into messages, as transcripts write them: `frame.bodies.positions_world_m[2]`, `[1].frame.step_index`."""

import re
from typing import Any, List, Union

import numpy as np
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

INDEX_COLUMNS = ("body_a_rows", "body_b_rows", "shape_a", "shape_b", "features", "modes", "rows", "shapes")
ID_COLUMNS = ("body_ids",)
_TOKEN = re.compile(r"\[(\d+|\*)\]\.?|([a-z][a-z0-9_]*)\.?")


class UsageError(Exception):
    """The transcript asks for what does not exist."""


class _Absent:
    def __repr__(self) -> str:
        return "absent"


ABSENT = _Absent()


class EnumValue(int):
    """An enumerator's number that knows its enum."""

    def __new__(cls, number: int, descriptor: Any) -> "EnumValue":
        value = super().__new__(cls, number)
        value.descriptor = descriptor
        return value


class Path:
    """The steps of a path: field names, indices and `*`."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.steps: List[Union[str, int]] = []
        position = 0
        while position < len(text):
            match = _TOKEN.match(text, position)
            if match is None:
                raise UsageError(f"'{text}' is no path")
            index, name = match.groups()
            self.steps.append(name if name is not None else "*" if index == "*" else int(index))
            position = match.end()


def find(root: Any, path: Path) -> Any:
    """What stands at the path; ABSENT as README.md defines it. UsageError: it names no field."""
    steps = path.steps
    if steps and steps[0] == "*":
        return b"".join(_find(message, steps[1:], path.text) for message in root)
    return _find(root, steps, path.text)


def _find(value: Any, steps: List[Union[str, int]], text: str) -> Any:
    for position, step in enumerate(steps):
        if isinstance(step, int):
            if isinstance(value, (Message, str, int, float)):
                raise UsageError(f"'{text}' takes an element of what is no list")
            if step >= len(value):
                return ABSENT
            value = _plain(value[step])
            continue
        if not isinstance(value, Message) or step not in value.DESCRIPTOR.fields_by_name:
            raise UsageError(f"'{text}' names no field at '{step}'")
        field = value.DESCRIPTOR.fields_by_name[step]
        if field.label != FieldDescriptor.LABEL_REPEATED and field.has_presence and not value.HasField(step):
            _expect_fields(field, steps[position + 1 :], text)
            return ABSENT
        value = _read(value, field)
    return value


def _expect_fields(field: FieldDescriptor, steps: List[Union[str, int]], text: str) -> None:
    """UsageError when the rest of a path below an absent message names what its type does not have."""
    for step in steps:
        if isinstance(step, int):
            continue
        if field.message_type is None or step not in field.message_type.fields_by_name:
            raise UsageError(f"'{text}' names no field at '{step}'")
        field = field.message_type.fields_by_name[step]


def _read(message: Message, field: FieldDescriptor) -> Any:
    value = getattr(message, field.name)
    if message.DESCRIPTOR.name.endswith("Columns") and field.type == FieldDescriptor.TYPE_BYTES:
        floats = "<f4" if message.DESCRIPTOR.name.startswith("Float") else "<f8"
        integers = "<u4" if field.name in INDEX_COLUMNS else "<u8"
        return np.frombuffer(value, dtype=integers if field.name in INDEX_COLUMNS + ID_COLUMNS else floats)
    if field.type == FieldDescriptor.TYPE_ENUM:
        if field.label == FieldDescriptor.LABEL_REPEATED:
            return [EnumValue(number, field.enum_type) for number in value]
        return EnumValue(value, field.enum_type)
    return value


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def assign(message: Message, path: Path, value: Any) -> None:
    """Overwrites the field at the path, making messages on the way; an index one past the end appends."""
    target: Any = message
    for step in path.steps[:-1]:
        if isinstance(step, int):
            if step == len(target):
                target.add()
            target = target[step]
        else:
            if step not in target.DESCRIPTOR.fields_by_name:
                raise UsageError(f"'{path.text}' names no field at '{step}'")
            target = getattr(target, step)
            if isinstance(target, Message):
                target.SetInParent()
    last = path.steps[-1]
    if isinstance(last, int):
        if last == len(target):
            target.append(value)
        else:
            target[last] = value
    elif last in target.DESCRIPTOR.fields_by_name:
        setattr(target, last, value)
    else:
        raise UsageError(f"'{path.text}' names no field at '{last}'")
