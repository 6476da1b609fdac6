"""The board of our own: its nets are those of the wiring, its copper keeps apart, its files agree.

KiCad itself is too large for a test: `firmware/maker/pcb/check.py` asks it when the board is
made, and what it said is kept.
"""

import csv
import math
import re
import zipfile
from itertools import combinations, product
from xml.etree import ElementTree

import pytest

from firmware.boards import describe
from firmware.maker.case.parameters import HOLES_MM
from firmware.maker.pcb.__main__ import MADE, NAME, files
from firmware.maker.pcb.circuit import GROUND, PINS, Leg, outline, pieces, to_edge
from firmware.maker.pcb.kicad import MIDDLE_MM
from firmware.maker.pcb.picture import on_the_picture
from firmware.maker.pcb.route import CLEARANCE_MM, PAD_MM, TRACK_MM, VIA_MM
from firmware.maker.wiring.branches import branches

Place = tuple[float, float]
LAYOUT = (MADE / f"{NAME}.kicad_pcb").read_text(encoding="utf-8")
PICTURE = (MADE / f"{NAME}.svg").read_text(encoding="utf-8")
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


def rooms(tag: str) -> list[tuple[str, Place, Place]]:
    """Return each text, or each pad, of the picture with the corners of its room."""
    found = []
    for node in ElementTree.fromstring(PICTURE).iter():
        if tag == "text" and node.tag.endswith("text"):
            size, words = float(node.attrib["font-size"]), node.text or ""
            half = 0.36 * size * len(words)
            x, y = (float(node.attrib[name]) for name in ("x", "y"))
            assert node.get("text-anchor") == "middle"
            found.append((words, (x - half, y - 0.76 * size), (x + half, y + 0.02 * size)))
        elif tag == "pad" and node.get("class") == "pad":
            x, y, wide = (float(node.attrib[name]) for name in ("x", "y", "width"))
            found.append((tag, (x, y), (x + wide, y + wide)))
    return found


def test_no_name_in_the_picture_lies_over_a_pad_or_another_name():
    pads, names = rooms("pad"), rooms("text")
    assert len(pads) == sum(len(piece.legs) for piece in pieces())
    assert {piece.key for piece in pieces()} <= {words for words, *_ in names}
    corners = [on_the_picture(corner) for corner in outline()]
    for number, (words, low, high) in enumerate(names):
        assert min(to_edge(at, corners) for at in product(*zip(low, high, strict=True))) > 0, words
        for other, other_low, other_high in [*pads, *names[number + 1 :]]:
            clear = any(
                high[axis] <= other_low[axis] or other_high[axis] <= low[axis] for axis in (0, 1)
            )
            assert clear, (words, other, low)


def test_the_picture_shows_which_way_round_each_part_sits():
    names = [words for words, *_ in rooms("text")]
    with_poles = [piece for piece in pieces() if piece.value.startswith(("LED", "AUCTION LAMP"))]
    assert names.count("+") == len(with_poles) + 1 == 6  # and the cells
    assert names.count("-") == 2  # of what hangs at wires
    assert {"PICO BELOW", "USB", "GP0"} <= set(names)
    (ring,) = (
        node for node in ElementTree.fromstring(PICTURE).iter() if node.get("class") == "ring"
    )
    (diode,) = (piece for piece in pieces() if piece.key == "D1")
    middle = [float(ring.attrib[name]) + float(ring.attrib[size]) / 2
              for name, size in (("x", "width"), ("y", "height"))]  # fmt: skip
    ends = [on_the_picture(leg.at) for leg in diode.legs]
    assert [leg.net for leg in diode.legs] == ["VSYS", "SWITCHED"]
    assert math.dist(middle, ends[0]) < math.dist(middle, ends[1])


def test_the_list_of_parts_has_all_that_is_soldered_to_the_board_or_to_its_wires():
    with (MADE / "parts.csv").open(encoding="utf-8", newline="") as file:
        listed = {
            row["on the board"]: (int(row["count"]), row["part"]) for row in csv.DictReader(file)
        }
    assert listed["U1 (its pins)"][0] == 2 and "20 pins" in listed["U1 (its pins)"][1]
    assert listed["H1 H2 H3 H4"] == (len(HOLES_MM), "screw M3 x 8")
    for key, part in (("J1", "switch"), ("J2", "AAA"), ("J3", "slide switch"), ("J4", "LED")):
        assert part in listed[f"{key} (at two wires)"][1]
    named = {key for keys in listed for key in re.findall(r"[A-Z]+\d+", keys)}
    assert named == {piece.key for piece in pieces()} | {"H1", "H2", "H3", "H4"}


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
        assert {info.external_attr >> 16 for info in archive.infolist()} == {0o100644}
        names = archive.namelist()
        for layer in ("F_Cu", "B_Cu", "F_Mask", "B_Mask", "F_Silk", "Edge_Cuts"):
            (name,) = (name for name in names if layer in name)
            assert archive.read(name).rstrip().endswith(b"M02*")
        assert any(name.endswith(".drl") for name in names)
