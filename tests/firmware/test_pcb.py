"""The board of our own: its nets are those of the wiring, its copper keeps apart, its files agree.

KiCad itself is too large for a test: `firmware/maker/pcb/check.py` asks it when the board is
made, and what it said is kept.
"""

import math
import re
import zipfile
from itertools import combinations

import pytest

from firmware.boards import describe
from firmware.maker.case.parameters import HOLES_MM
from firmware.maker.pcb.__main__ import MADE, NAME, files
from firmware.maker.pcb.circuit import GROUND, PINS, Leg, outline, pieces, to_edge
from firmware.maker.pcb.kicad import MIDDLE_MM
from firmware.maker.pcb.route import CLEARANCE_MM, PAD_MM, TRACK_MM, VIA_MM
from firmware.maker.wiring.branches import branches

Place = tuple[float, float]
LAYOUT = (MADE / f"{NAME}.kicad_pcb").read_text(encoding="utf-8")
SCHEMATIC = (MADE / f"{NAME}.kicad_sch").read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_kept_files_are_up_to_date():
    for name, text in files().items():
        kept = (MADE / name).read_text(encoding="utf-8")
        assert kept == text, "run: python -m firmware.maker.pcb, then check.py beside it"


def legs() -> dict[str, set[str]]:
    """Return for each net the legs on it, as PART.LEG."""
    found: dict[str, set[str]] = {}
    for piece in pieces():
        for leg in piece.legs:
            if leg.net:
                found.setdefault(leg.net, set()).add(f"{piece.key}.{leg.name}")
    return found


def test_each_branch_of_the_wiring_leads_from_its_pin_over_its_resistor_to_its_part():
    joined = legs()
    for branch in branches("pico", describe("pico", PINS)):
        others = {name for name in joined[branch.pin] if not name.startswith("U1.")}
        assert len(joined[branch.pin]) - len(others) == 1  # the Pico's one pin
        (first,) = others
        if not branch.ohms:
            assert first.startswith(("SW1", "J1"))
            continue
        (resistor,) = (piece for piece in pieces() if piece.key == first.split(".")[0])
        assert resistor.value == str(branch.ohms)
        (beyond,) = joined[resistor.legs[1].net] - {f"{resistor.key}.2"}
        part, leg = beyond.split(".")
        if branch.kind == "lamp":
            assert (leg, f"{part}.2" in joined[GROUND]) == ("1", True)
        else:
            assert part == "BZ1"
    assert joined["SWITCHED"] == {"J3.2", "D1.2"} and joined["VSYS"] == {"D1.1", "U1.39"}
    assert joined["CELLS"] == {"J2.1", "J3.1"} and "J2.2" in joined[GROUND]


def test_the_schematic_has_the_nets_of_the_board():
    labels = re.findall(r'\(global_label "([^"]+)"', SCHEMATIC)
    assert sorted(labels) == sorted(leg.net for piece in pieces() for leg in piece.legs if leg.net)
    placed = re.findall(r'\(symbol \(lib_id "city-unit:(\w+)"\)', SCHEMATIC)
    assert placed == [piece.key for piece in pieces()]
    for text in (SCHEMATIC, LAYOUT):
        bare = re.sub(r'"[^"]*"', "", text)
        assert bare.count("(") == bare.count(")")


def copper() -> list[tuple[str, str, Place, Place, float]]:
    """Return (net, layers, begin, end, half its width) of all that the layout has."""
    number = r"(-?[\d.]+)"
    names = dict(re.findall(r'\(net (\d+) "([^"]*)"\)\n', LAYOUT))
    found = []
    track = rf"\(segment \(start {number} {number}\) \(end {number} {number}\) \(width {number}\)"
    for x, y, far_x, far_y, width, layer, net in re.findall(
        rf'{track} \(layer "(\w)\.Cu"\) \(net (\d+)\)', LAYOUT
    ):
        ends = (float(x), float(y)), (float(far_x), float(far_y))
        found.append((names[net], layer, *ends, float(width) / 2))
    for x, y, net in re.findall(rf"\(via \(at {number} {number}\).*?\(net (\d+)\)", LAYOUT):
        found.append((names[net], "FB", *[(float(x), float(y))] * 2, VIA_MM / 2))
    for piece in pieces():
        for leg in piece.legs:
            found.append((leg.net or str(leg), "FB", *[on_the_sheet(leg)] * 2, PAD_MM / 2))
    return found


def on_the_sheet(leg: Leg) -> Place:
    return MIDDLE_MM + leg.at[0], MIDDLE_MM + leg.at[1]


def apart(one: tuple[Place, Place], other: tuple[Place, Place]) -> float:
    """Return how near two level or upright stretches come to each other."""
    sides = []
    for axis in (0, 1):
        low, high = sorted(place[axis] for place in one)
        other_low, other_high = sorted(place[axis] for place in other)
        sides.append(max(0.0, other_low - high, low - other_high))
    return math.hypot(*sides)


def test_copper_of_two_nets_keeps_apart_and_all_of_it_off_the_edge():
    every = copper()
    assert len(every) > 150
    for one, other in combinations(every, 2):
        if one[0] != other[0] and set(one[1]) & set(other[1]):
            gap = apart(one[2:4], other[2:4]) - one[4] - other[4]
            assert gap >= CLEARANCE_MM - 1e-6, (one, other)
    corners = outline()
    for _net, _layers, *ends, half in every:
        for x, y in ends:
            at = x - MIDDLE_MM, y - MIDDLE_MM
            assert to_edge(at, corners) - half >= 0.35, at
            assert all(math.dist(at, hole) > 3.0 for hole in HOLES_MM)


def test_each_net_is_one_piece_of_copper():
    """The ground is not: what KiCad fills joins it, and KiCad has said that it does."""
    every = copper()
    for net, names in legs().items():
        if net == GROUND:
            continue
        mine = [piece for piece in every if piece[0] == net]
        reached, waiting = set(), [len(mine) - 1]
        while waiting:
            here = waiting.pop()
            reached.add(here)
            for place, other in enumerate(mine):
                meets = set(mine[here][1]) & set(other[1])
                if place not in reached and meets and apart(mine[here][2:4], other[2:4]) < 1e-6:
                    waiting.append(place)
        assert len(reached) == len(mine), (net, names)
    assert TRACK_MM == 0.4


def test_what_kicad_said_of_the_schematic_is_kept():
    """Its symbols stand in the file itself: that they are in no library is all it warns of."""
    report = (MADE / "electrical.txt").read_text(encoding="utf-8")
    assert "Errors 0 " in report
    assert set(re.findall(r"^\[(\w+)\]", report, re.MULTILINE)) == {"lib_symbol_issues"}
    told = set(re.findall(r"\[(\w+)\]$", report, re.MULTILINE))
    assert told == {piece.key for piece in pieces()}


def test_what_kicad_said_is_kept_beside_what_it_drew():
    report = (MADE / "rules.txt").read_text(encoding="utf-8")
    assert "Found 0 DRC violations" in report and "Found 0 unconnected pads" in report
    with zipfile.ZipFile(MADE / "gerbers.zip") as archive:
        names = archive.namelist()
        for layer in ("F_Cu", "B_Cu", "F_Mask", "B_Mask", "F_Silk", "Edge_Cuts"):
            (name,) = (name for name in names if layer in name)
            assert archive.read(name).rstrip().endswith(b"M02*")
        assert any(name.endswith(".drl") for name in names)
