"""The twin is the schema with every column declared as bytes, and both have the same wire form."""

import functools
import importlib.util
import os
import random
import struct

import pytest
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from google.protobuf.internal import wire_format

_SOURCE = os.path.join(os.environ["TALUS_SOURCE_DIR"], "proto", "column_twin.py")
_specification = importlib.util.spec_from_file_location("column_twin", _SOURCE)
column_twin = importlib.util.module_from_spec(_specification)
_specification.loader.exec_module(column_twin)

Field = descriptor_pb2.FieldDescriptorProto
CODES = {
    Field.TYPE_DOUBLE: "d",
    Field.TYPE_FIXED64: "Q",
    Field.TYPE_SFIXED64: "q",
    Field.TYPE_FLOAT: "f",
    Field.TYPE_FIXED32: "I",
    Field.TYPE_SFIXED32: "i",
}


def read(variable):
    files = descriptor_pb2.FileDescriptorSet()
    with open(os.environ[variable], "rb") as source:
        files.ParseFromString(source.read())
    return files


SCHEMA = read("TALUS_SCHEMA")
TWIN = read("TALUS_TWIN_SCHEMA")


def all_messages(messages, prefix):
    for message in messages:
        name = f"{prefix}.{message.name}"
        yield name, message
        yield from all_messages(message.nested_type, name)


@functools.lru_cache(maxsize=None)
def message_classes(variable):
    files = read(variable)
    pool = descriptor_pool.DescriptorPool()
    for file in files.file:
        pool.Add(file)
    factory = message_factory.MessageFactory(pool)
    return lambda name: factory.GetPrototype(pool.FindMessageTypeByName(name))


def columns_of(files):
    for file in files.file:
        for name, message in all_messages(file.message_type, file.package):
            if message.name.endswith("Columns"):
                yield name, message


COLUMN_MESSAGES = [name for name, _ in columns_of(SCHEMA)]


def test_there_are_columns():
    assert "talus.v1.BodyColumns" in COLUMN_MESSAGES
    assert "talus.v1.ContactColumns" in COLUMN_MESSAGES


def test_twin_differs_from_schema_in_columns_only():
    restored = descriptor_pb2.FileDescriptorSet()
    restored.CopyFrom(TWIN)
    schema_columns = dict(columns_of(SCHEMA))
    changed = 0
    for name, message in columns_of(restored):
        for field, original in zip(message.field, schema_columns[name].field):
            assert field.type == Field.TYPE_BYTES and field.label == Field.LABEL_OPTIONAL
            assert original.label == Field.LABEL_REPEATED and original.type in CODES
            field.type, field.label = original.type, original.label
            changed += 1
    assert changed >= 16
    assert restored == SCHEMA


def random_columns(make, name, generator, count):
    """A message of the schema whose columns hold `count` random bit patterns each, and the same as packed bytes."""
    message, packed = make(name)(), {}
    for field in message.DESCRIPTOR.fields:
        code = CODES[field.type]
        size = struct.calcsize("<" + code)
        values = []
        while len(values) < count:
            (value,) = struct.unpack("<" + code, generator.randbytes(size))
            if value == value:  # a NaN's payload may be lost on its way through Python
                values.append(value)
        getattr(message, field.name).extend(values)
        packed[field.name] = struct.pack(f"<{count}{code}", *values)
    return message, packed


@pytest.mark.parametrize("name", COLUMN_MESSAGES)
@pytest.mark.parametrize("count", [0, 1, 2, 37, 1000])
def test_wire_bytes_are_identical(name, count):
    seed = 20240131 + count
    print("seed", seed)
    schema_message, packed = random_columns(message_classes("TALUS_SCHEMA"), name, random.Random(seed), count)
    twin_message = message_classes("TALUS_TWIN_SCHEMA")(name)(**packed)
    wire = schema_message.SerializeToString(deterministic=True)
    assert twin_message.SerializeToString(deterministic=True) == wire
    decoded = message_classes("TALUS_TWIN_SCHEMA")(name).FromString(wire)
    for field, column in packed.items():
        assert getattr(decoded, field) == column
    assert message_classes("TALUS_SCHEMA")(name).FromString(twin_message.SerializeToString()) == schema_message


@pytest.mark.parametrize("name", COLUMN_MESSAGES)
def test_each_column_is_one_length_delimited_record(name):
    message, packed = random_columns(message_classes("TALUS_SCHEMA"), name, random.Random(5), 50)
    numbers = {field.number: field.name for field in message.DESCRIPTOR.fields}
    seen = []
    wire = message.SerializeToString()
    position = 0
    while position < len(wire):
        tag, position = read_varint(wire, position)
        number, wire_type = wire_format.UnpackTag(tag)
        assert wire_type == wire_format.WIRETYPE_LENGTH_DELIMITED
        size, position = read_varint(wire, position)
        assert wire[position : position + size] == packed[numbers[number]]
        position += size
        seen.append(number)
    assert sorted(seen) == sorted(numbers)


def read_varint(wire, position):
    value = shift = 0
    while True:
        byte = wire[position]
        value |= (byte & 0x7F) << shift
        position += 1
        shift += 7
        if byte < 0x80:
            return value, position


def schema_with(field, syntax="proto3"):
    file = descriptor_pb2.FileDescriptorProto(name="x.proto", package="x", syntax=syntax)
    file.message_type.add(name="ThingColumns").field.append(field)
    return descriptor_pb2.FileDescriptorSet(file=[file])


@pytest.mark.parametrize(
    "field",
    [
        Field(name="ids", number=1, label=Field.LABEL_REPEATED, type=Field.TYPE_INT64),
        Field(name="one", number=1, label=Field.LABEL_OPTIONAL, type=Field.TYPE_DOUBLE),
        Field(name="flags", number=1, label=Field.LABEL_REPEATED, type=Field.TYPE_BOOL),
        Field(
            name="loose",
            number=1,
            label=Field.LABEL_REPEATED,
            type=Field.TYPE_DOUBLE,
            options=descriptor_pb2.FieldOptions(packed=False),
        ),
    ],
)
def test_what_has_no_fixed_width_packed_form_is_refused(field):
    with pytest.raises(column_twin.NotAColumn, match=field.name):
        column_twin.make_twin(schema_with(field))


def test_nested_columns_are_found_and_the_schema_stays():
    field = Field(name="xs", number=1, label=Field.LABEL_REPEATED, type=Field.TYPE_FLOAT)
    schema = schema_with(field)
    schema.file[0].message_type.add(name="Outer").nested_type.add(name="InnerColumns").field.append(field)
    before = schema.SerializeToString()
    twin = column_twin.make_twin(schema)
    assert twin.file[0].message_type[1].nested_type[0].field[0].type == Field.TYPE_BYTES
    assert schema.SerializeToString() == before


def test_the_generated_package_is_the_twin():
    from talus.v1 import frame_pb2

    fields = frame_pb2.BodyColumns.DESCRIPTOR.fields_by_name
    assert fields["positions_world_m"].type == Field.TYPE_BYTES
    assert not hasattr(frame_pb2.BodyColumns().positions_world_m, "append")
