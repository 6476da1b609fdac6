"""Read the printed board from its KiCad files: parts, legs, nets, and the outline."""

import re
from pathlib import Path
from typing import NamedTuple

from firmware.tool.image import ROOT

FOLDER = ROOT / "firmware/maker/pcb"
MIDDLE_MM = 100.0  # the centre of the disc on the sheet, x and y
Place = tuple[float, float]


class Leg(NamedTuple):
    """A leg of a part: `at` in mm right and down from the centre of the disc, `net` "" for none."""

    name: str
    at: Place
    net: str
    shape: str


class Part(NamedTuple):
    key: str
    value: str
    legs: list[Leg]
    layers: set[str]  # layers of its outline
    names: set[str]  # its texts on the silkscreen


def parsed(path: Path) -> list:
    """Return an S-expression as lists of words."""
    stack: list[list] = [[]]
    for word in re.findall(r'"(?:[^"\\]|\\.)*"|[()]|[^\s()]+', path.read_text(encoding="utf-8")):
        if word == "(":
            stack.append([])
        elif word == ")":
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(word.strip('"'))
    assert len(stack) == 1
    return stack[0][0]


def every(node: list, name: str) -> list[list]:
    """Return the children of a node with a name."""
    return [child for child in node if isinstance(child, list) and child[:1] == [name]]


def place(node: list, name: str = "at") -> Place:
    x, y, *_turned = every(node, name)[0][1:]
    return float(x), float(y)


def board() -> list:
    return parsed(FOLDER / "disc.kicad_pcb")


def parts() -> list[Part]:
    """Return the parts, without the holes for screws."""
    found = [_part(footprint) for footprint in every(board(), "footprint")]
    return [part for part in found if not part.key.startswith("H")]


def _part(footprint: list) -> Part:
    x, y = place(footprint)
    legs = []
    for pad in every(footprint, "pad"):
        right, down = place(pad)
        at = x + right - MIDDLE_MM, y + down - MIDDLE_MM
        net = every(pad, "net")
        legs.append(Leg(pad[1], at, net[0][2] if net else "", pad[3]))
    texts = every(footprint, "fp_text")
    words = {text[1]: text[2] for text in texts}
    drawn = [child for child in footprint if child[0] in ("fp_line", "fp_circle", "fp_arc")]
    printed = {text[2] for text in texts if every(text, "layer")[0][1] == "F.SilkS"}
    layers = {every(shape, "layer")[0][1] for shape in drawn}
    return Part(words["reference"], words["value"], legs, layers, printed)


def outline() -> list[Place]:
    """Return the corners of the board, in mm from the middle of the disc."""
    lines = [line for line in every(board(), "gr_line") if ["layer", "Edge.Cuts"] in line]
    corners = [place(line, "start") for line in lines]
    ends = [place(line, "end") for line in lines]
    assert ends == corners[1:] + corners[:1]
    return [(x - MIDDLE_MM, y - MIDDLE_MM) for x, y in corners]
