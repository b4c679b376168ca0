"""Reads with other people's libraries what jobsmith printed for programs, and prints what they made of it.

    read.py FOLDER      with check.sarif, check.xml, test.xml, job.schema.json, cronjob.schema.json, valid.json and invalid.json

valid.json and invalid.json are lists of objects. Each object of the one has to be valid by the schema of its kind, and none of the other.
"""

import json
import sys
from pathlib import Path

import jsonschema
import junitparser
from sarif import loader

folder = Path(sys.argv[1])


def read(name):
    return json.loads((folder / name).read_text())


sarif = loader.load_sarif_file(str(folder / "check.sarif"))
for record in sarif.get_records():
    print("sarif:", record["Severity"], record["Location"], record["Line"], record["Code"].split()[0])

for name in ["check.xml", "test.xml"]:
    for suite in junitparser.JUnitXml.fromfile(str(folder / name)):
        for case in suite:
            results = ",".join(type(result).__name__ for result in case.result) or "passed"
            print(f"{name}:", suite.name, case.name, results)

validators = {}
for kind in ["Job", "CronJob"]:
    schema = read(f"{kind.lower()}.schema.json")
    jsonschema.Draft7Validator.check_schema(schema)
    validators[kind] = jsonschema.Draft7Validator(schema)

valid = read("valid.json")
for item in valid:
    for error in validators[item["kind"]].iter_errors(item):
        sys.exit(f"{item['metadata'].get('name')}: {error.json_path}: {error.message}")
for item in read("invalid.json"):
    if validators[item["kind"]].is_valid(item):
        sys.exit(f"valid, but must not be: {json.dumps(item)}")
print("schema:", len(valid), "objects are valid")
