"""Scenarios for every rule of the unit, each with the trace that it must give.

`python -m tests.scenarios` writes the traces anew, for a new scenario or a rule
that was changed on purpose: then read the difference before you commit it.
"""

import json
from pathlib import Path

from sim.engine import virtual
from sim.engine.scenario import Scenario, load

FOLDER = Path(__file__).parent
NAMES = sorted(path.stem for path in FOLDER.glob("*.toml"))


def scenario(name: str) -> Scenario:
    return load(str(FOLDER / f"{name}.toml"))


def expected(name: str) -> list[str]:
    """Return the lines that the scenario must give."""
    return (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()


def at_the_pins(name: str) -> list[str]:
    """Return a trace as the pins of a board show it: without the tone of a muted unit."""
    if name != "setup-volume":
        return expected(name)
    lines = [(json.loads(line), line) for line in expected(name)]
    return [
        line for change, line in lines if "tone" not in change or not 5016 <= change["ms"] < 6016
    ]


def traced(name: str, start_ms: int = 0) -> list[str]:
    """Return the lines that the scenario gives on this interpreter."""
    lines: list[str] = []
    virtual.write_trace(scenario(name), start_ms, lines.append)
    return lines


def record(name: str) -> None:
    text = "".join(f"{line}\n" for line in traced(name))
    (FOLDER / f"{name}.jsonl").write_text(text, encoding="utf-8", newline="\n")
