"""Levels that the pins of a unit must show in a scenario."""

import json

from tests.scenarios import expected


def at_the_pins(name: str) -> list[str]:
    """Return a trace as the pins of a board show it: without the tone of a muted unit."""
    if name != "setup-volume":
        return expected(name)
    lines = [(json.loads(line), line) for line in expected(name)]
    return [
        line for change, line in lines if "tone" not in change or not 5016 <= change["ms"] < 6016
    ]
