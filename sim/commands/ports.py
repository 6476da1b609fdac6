"""`city-unit ports`: the reachable units, and their descriptions of themselves."""

import argparse
import json
from dataclasses import asdict

from city_unit import host
from city_unit.desktop.arguments import add_json_lines
from city_unit.desktop.catalogue import lazy

NO_UNITS = lazy("No unit can be reached. Start one with: city-unit play --listen 127.0.0.1:0")
SILENT = lazy("{port}  {kind}, does not answer: {why}")
IN_USE = lazy("{port}  {kind}, in use: another program has it")
UNIT = lazy("{port}  {name}, {kind}, version {version}, program {program}, {state}")


def arguments(parser: argparse.ArgumentParser) -> None:
    add_json_lines(parser)


def run(options: argparse.Namespace) -> int:
    found = host.find()
    for unit in found:
        line = IN_USE.format(port=unit.port, kind=unit)
        said = {**asdict(unit), "answers": False}
        try:
            about, snapshot = host.greet(unit.port)
        except host.NoUnit as error:
            said["why"] = str(error)
            if not isinstance(error, host.Busy):
                line = SILENT.format(port=unit.port, kind=unit, why=error)
        else:
            said |= {"answers": True, "about": asdict(about), "snapshot": asdict(snapshot)}
            line = UNIT.format(
                port=unit.port,
                name=about.name,
                kind=unit,
                version=about.version,
                program=snapshot.program,
                state=snapshot.state,
            )
        print(json.dumps(said) if options.json else line, flush=True)
    if not found and not options.json:
        print(NO_UNITS)
    return 0
