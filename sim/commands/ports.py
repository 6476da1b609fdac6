"""`city-unit ports`: which units can be reached, and what they say of themselves."""

import json
from dataclasses import asdict

from city_unit import host
from sim import texts_link as texts


def arguments(parser) -> None:
    parser.add_argument("--json", action="store_true", help=texts.HELP_JSON)


def run(options) -> int:
    found = host.find()
    for unit in found:
        print(_as_json(unit) if options.json else _as_text(unit), flush=True)
    if not found and not options.json:
        print(texts.NO_UNITS)
    return 0


def _as_json(unit: host.Found) -> str:
    try:
        about, snapshot = host.greet(unit.port)
    except host.NoUnit as error:
        return json.dumps({**asdict(unit), "answers": False, "why": str(error)})
    said = {"answers": True, "about": asdict(about), "snapshot": asdict(snapshot)}
    return json.dumps({**asdict(unit), **said})


def _as_text(unit: host.Found) -> str:
    try:
        about, snapshot = host.greet(unit.port)
    except host.Busy:
        return texts.IN_USE % (unit.port, unit.kind)
    except host.NoUnit as error:
        return f"{unit.port}  {unit.kind}, {texts.SILENT}: {error}"
    kind = f"{unit.kind}, version {about.version}"
    return texts.UNIT % (unit.port, about.name, kind, snapshot.program, snapshot.state)
