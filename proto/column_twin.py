#!/usr/bin/python3
"""Makes the column twin of a schema.

A packed repeated field of fixed-width numbers and a `bytes` field have the same wire form: one length-delimited record.
Decoding the first costs an object or a function call a number in Python and JavaScript, the second costs one copy. The
twin is the schema with every column (a repeated fixed-width field of a message whose name ends in `Columns`) declared
as `bytes` with the same name and number; everything else is untouched. Clients that hand out array views are generated
from the twin and talk to servers built from the schema.

Usage: column_twin.py SCHEMA.binpb TWIN.binpb    (serialized google.protobuf.FileDescriptorSet)
"""

import sys
from typing import Iterator

from google.protobuf import descriptor_pb2

COLUMNS_SUFFIX = "Columns"

_Field = descriptor_pb2.FieldDescriptorProto
# Bytes per element of the types whose wire form is an array of fixed-width little-endian numbers.
FIXED_WIDTHS = {
    _Field.TYPE_DOUBLE: 8,
    _Field.TYPE_FIXED64: 8,
    _Field.TYPE_SFIXED64: 8,
    _Field.TYPE_FLOAT: 4,
    _Field.TYPE_FIXED32: 4,
    _Field.TYPE_SFIXED32: 4,
}


class NotAColumn(ValueError):
    """A field of a Columns message has no fixed-width packed form."""


def column_messages(
    messages: "Iterator[descriptor_pb2.DescriptorProto]",
) -> "Iterator[descriptor_pb2.DescriptorProto]":
    """Yields every message whose name ends in `Columns`, nested ones included."""
    for message in messages:
        if message.name.endswith(COLUMNS_SUFFIX):
            yield message
        yield from column_messages(iter(message.nested_type))


def make_twin(schema: descriptor_pb2.FileDescriptorSet) -> descriptor_pb2.FileDescriptorSet:
    """Returns the twin; the argument stays as it is."""
    twin = descriptor_pb2.FileDescriptorSet()
    twin.CopyFrom(schema)
    for file in twin.file:
        for message in column_messages(iter(file.message_type)):
            for field in message.field:
                _make_bytes(file, message, field)
    return twin


def _make_bytes(
    file: descriptor_pb2.FileDescriptorProto,
    message: descriptor_pb2.DescriptorProto,
    field: descriptor_pb2.FieldDescriptorProto,
) -> None:
    name = f"{file.package}.{message.name}.{field.name}"
    if field.label != _Field.LABEL_REPEATED or field.type not in FIXED_WIDTHS:
        raise NotAColumn(f"{name} must be a repeated fixed-width field: it stands in a *Columns message")
    packed = file.syntax == "proto3"
    if field.options.HasField("packed"):
        packed = field.options.packed
    if not packed:
        raise NotAColumn(f"{name} must be packed, else it is one record an element")
    field.label = _Field.LABEL_OPTIONAL
    field.type = _Field.TYPE_BYTES
    field.options.ClearField("packed")
    if not field.options.ByteSize():
        field.ClearField("options")


def main(arguments: "list[str]") -> int:
    if len(arguments) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    schema = descriptor_pb2.FileDescriptorSet()
    with open(arguments[1], "rb") as source:
        schema.ParseFromString(source.read())
    try:
        twin = make_twin(schema)
    except NotAColumn as error:
        print(f"column_twin: {error}", file=sys.stderr)
        return 1
    with open(arguments[2], "wb") as target:
        target.write(twin.SerializeToString(deterministic=True))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
