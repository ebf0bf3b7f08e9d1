"""Checks a JSON file of rows that programs read: a list of objects with the given fields, each of the given kind.

Usage: check_rows.py FILE FIELD:KIND...   with KIND text, count, number or flag
"""

import json
import math
import sys

KINDS = {
    "text": lambda value: isinstance(value, str) and value != "",
    "count": lambda value: type(value) is int and value >= 0,
    "number": lambda value: type(value) in (int, float) and math.isfinite(value),
    "flag": lambda value: isinstance(value, bool),
}


def complaints(rows: object, fields: dict[str, str]) -> list[str]:
    if not isinstance(rows, list) or not rows:
        return ["not a list with rows in it"]
    found = []
    for index, row in enumerate(rows):
        for field, kind in fields.items():
            if field not in row:
                found.append(f"row {index}: no {field}")
            elif not KINDS[kind](row[field]):
                found.append(f"row {index}: {field} = {row[field]!r} is no {kind}")
    return found


def main() -> int:
    path, *fields = sys.argv[1:]
    with open(path, encoding="utf-8") as file:
        rows = json.load(file)
    found = complaints(rows, dict(field.split(":") for field in fields))
    print("\n".join(found) or f"{len(rows)} rows")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
