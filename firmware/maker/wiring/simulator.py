"""A project for the simulator Wokwi, made from a board's description.

The simulator's names of parts and pins are those of its documentation. Its Pico
is a plain one with MicroPython 1.24; what it simulates has no battery. An ESP32 is given
none by its version: others report that one named there restarts for ever, and that
without it the simulator takes its own.
"""

import json

from city_unit.desktop.lamp_words import WORDS
from firmware.maker.wiring.branches import Branch, branches
from firmware.tool.image import sources

# board: (the simulator's part, its attributes)
SIMULATED = {
    "pico": ("wokwi-pi-pico", {"env": "micropython-20241129-v1.24.1"}),
    "esp32": ("board-esp32-devkit-c-v4", {}),
}
SUPPLIES = {"pico": {"GND": "GND.1", "3V3": "3V3"}, "esp32": {"GND": "GND.1", "3V3": "3V3"}}
# What joins the board to the simulator's terminal; a Pico has its USB for that.
TERMINAL = {
    "pico": [],
    "esp32": [
        ["board:TX", "$serialMonitor:RX", "", []],
        ["board:RX", "$serialMonitor:TX", "", []],
    ],
}

KEYS = {"auction-button": "a", "build-button": "b"}
COLOURS = {"auction-button": "red", "build-button": "yellow", "GND": "black", "3V3": "red"}
# What the simulator writes beside them; a project has no language.
LABELS = {
    "auction-button": "AUCTION",
    "build-button": "BUILD",
    **{words.key: words.part.english.removesuffix(" lamp") for words in WORDS},
}
TYPES = {
    "button": "pushbutton",
    "switch": "slide-switch",
    "buzzer": "buzzer",
    "lamp": "led",
}


def project(board: str, description: dict) -> str:
    """Return the text of `diagram.json`."""
    kind, attributes = SIMULATED[board]
    parts = [_part(kind, "board", 0, 0, attributes)]
    wires: list[list] = [*TERMINAL[board]]
    for place, branch in enumerate(branches(board, description)):
        left, top = (-260, 60 + 120 * place) if branch.kind == "button" else (260, 46 * place)
        name = branch.key
        parts.append(_part(f"wokwi-{TYPES[branch.kind]}", name, left, top, _attributes(branch)))
        near, far = _terminals(branch)
        start = f"board:{branch.pin}"
        if branch.ohms:
            value = {"value": str(branch.ohms)}
            parts.append(_part("wokwi-resistor", f"{name}-r", left - 90, top + 16, value))
            wires.append([start, f"{name}-r:1", "green", []])
            start = f"{name}-r:2"
        wires.append([start, f"{name}:{near}", "green", []])
        end = f"board:{SUPPLIES[board][branch.end]}"
        wires.append([f"{name}:{far}", end, COLOURS[branch.end], []])
    head = {"version": 1, "author": "City Unit", "editor": "wokwi"}
    return json.dumps({**head, "parts": parts, "connections": wires}, indent=2) + "\n"


def _part(kind: str, name: str, left: int, top: int, attributes: dict[str, str]) -> dict:
    return {"type": kind, "id": name, "top": top, "left": left, "attrs": attributes}


def _attributes(branch: Branch) -> dict[str, str]:
    if branch.kind == "button":
        key = branch.key
        return {"color": COLOURS[key], "label": LABELS[key], "key": KEYS[key]}
    if branch.kind == "lamp":
        return {"color": "red", "label": LABELS[branch.key]}
    return {}


def _terminals(branch: Branch) -> tuple[str, str]:
    """Return the part's terminal towards the pin, and the other."""
    towards_ground = branch.end == "GND"
    if branch.kind == "lamp":
        return ("A", "C") if towards_ground else ("C", "A")
    if branch.kind == "buzzer":
        return ("2", "1") if towards_ground else ("1", "2")
    if branch.kind == "switch":
        return "2", "3"
    return "1.l", "2.r"


BUNDLE = '''"""The City Unit in one file, for a simulator: at the first start it unpacks itself.

It leaves its place to a short `main.py` and starts again: of this file, which is larger
than the unit, nothing stays in memory.
"""

import os

FILES = {files}


def unpack():
    for path in FILES:
        folder = ""
        for part in path.split("/")[:-1]:
            folder += part
            try:
                os.mkdir(folder)
            except OSError:
                pass  # it is there already
            folder += "/"
        with open(path, "w") as file:
            file.write(FILES[path])


unpack()
import machine

machine.soft_reset()
'''  # no text: a program for the board


def bundle() -> str:
    """Return a `main.py` that holds every file of the unit; the short one comes last."""
    found = sources()
    found["main.py"] = found.pop("main.py")
    contents = {path: source.read_text(encoding="utf-8") for path, source in found.items()}
    listed = "".join(f"    {path!r}: {text!r},\n" for path, text in contents.items())
    return BUNDLE.replace("{files}", "{\n" + listed + "}")
