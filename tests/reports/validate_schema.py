"""Validates reports against the schema, and the schema against reports that no writer makes.

Usage: validate_schema.py SCHEMA REPORT...
"""

import copy
import json
import sys

import jsonschema


def places(value, path=()):
    """Paths of all objects and arrays within a JSON value."""
    if isinstance(value, (dict, list)):
        yield path
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places(inner, path + (key,))


def at(value, path):
    for key in path:
        value = value[key]
    return value


def spoiled(report):
    """Copies of the report with one defect each, and the name of the defect."""
    for path in places(report):
        if isinstance(at(report, path), dict):
            copied = copy.deepcopy(report)
            at(copied, path)["an unknown key"] = 0
            yield f"unknown key in {path}", copied
            for key in at(report, path):
                copied = copy.deepcopy(report)
                at(copied, path)[key] = {"of": "another type"}
                yield f"wrong type of {path + (key,)}", copied
    for key in report:
        if key != "run":
            yield f"without {key}", {k: v for k, v in report.items() if k != key}


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
        failures += [f"{path}: accepted {defect}" for defect, bad in spoiled(report) if validator.is_valid(bad)]
    print("\n".join(failures) or f"{len(report_paths)} reports are valid")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
