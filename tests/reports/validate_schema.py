"""Validates reports against the schema, and the schema against reports that no writer makes.

Usage: validate_schema.py SCHEMA REPORT...
"""

import json
import sys

import jsonschema


def places(value, path=(), kind=()):
    """Paths of all objects within a JSON value, each with its kind: the path without numbers."""
    if isinstance(value, dict):
        yield path, kind
        for key, inner in value.items():
            yield from places(inner, path + (key,), kind + (key,))
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from places(inner, path + (number,), kind)


def at(value, path):
    for key in path:
        value = value[key]
    return value


def is_accepted(validator, report, holder, key, value):
    """Whether the report would be valid with that value in the place of one of its own."""
    missing = object()
    before = holder.get(key, missing)
    holder[key] = value
    accepted = validator.is_valid(report)
    if before is missing:
        del holder[key]
    else:
        holder[key] = before
    return accepted


def is_accepted_without(validator, report, key):
    return validator.is_valid({k: v for k, v in report.items() if k != key})


def accepted_defects(validator, report):
    """Names of defects that the schema lets pass. Each is tried once of a kind: a long report has
    thousands of places, but few kinds of them."""
    tried = set()

    def is_new(defect):
        known = defect in tried
        tried.add(defect)
        return not known

    for path, kind in list(places(report)):
        holder = at(report, path)
        if is_new((kind, None)) and is_accepted(validator, report, holder, "an unknown key", 0):
            yield f"unknown key in {path}"
        for key in list(holder):
            if is_new((kind, key)) and is_accepted(
                validator, report, holder, key, {"of": "another type"}
            ):
                yield f"wrong type of {path + (key,)}"
    for key in validator.schema["required"]:
        if is_accepted_without(validator, report, key):
            yield f"without {key}"


def main(schema_path, *report_paths):
    with open(schema_path, encoding="utf-8") as file:
        schema = json.load(file)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    failures = []
    for path in report_paths:
        with open(path, encoding="utf-8") as file:
            report = json.load(file)
        failures += [f"{path}: {e.json_path}: {e.message}" for e in validator.iter_errors(report)]
        failures += [f"{path}: accepted {d}" for d in accepted_defects(validator, report)]
    print("\n".join(failures) or f"{len(report_paths)} reports are valid")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
