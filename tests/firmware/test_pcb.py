"""The printed board: its nets match the wiring, and its parts are labelled.

KiCad is too large for a test. `firmware/maker/pcb/check.py` makes it check the design rules and
export the board, and its report is stored.
"""

import csv
import re
import zipfile

from firmware.boards import describe
from firmware.maker.case.parameters import HOLES_MM
from firmware.maker.wiring.circuit import branches
from tests.helpers.printed_board import FOLDER, every, parsed, parts

MADE = FOLDER / "made"
PINS = "opposite = 17\n"  # the buzzer is between two pins
GROUND = "GND"


def nets() -> dict[str, set[str]]:
    """Return the legs on each net of the board, as PART.LEG."""
    found: dict[str, set[str]] = {}
    for part in parts():
        for leg in part.legs:
            if leg.net:
                found.setdefault(leg.net, set()).add(f"{part.key}.{leg.name}")
    return found


def test_each_branch_of_the_wiring_leads_from_its_pin_over_its_resistor_to_its_part():
    joined = nets()
    wired = branches("pico", describe("pico", PINS))
    assert {branch.pin for branch in wired} <= set(joined)
    for branch in wired:
        others = {name for name in joined[branch.pin] if not name.startswith("U1.")}
        assert len(joined[branch.pin]) - len(others) == 1  # the Pico's one pin
        (first,) = others
        if not branch.ohms:
            assert first.startswith(("SW1", "J1"))
            continue
        (resistor,) = (part for part in parts() if part.key == first.split(".")[0])
        assert resistor.value == str(branch.ohms)
        (beyond,) = joined[resistor.legs[1].net] - {f"{resistor.key}.2"}
        part, leg = beyond.split(".")
        if branch.kind == "lamp":  # leg 1 of a diode is the cathode, pad 1 of the wires is plus
            assert (part[0], leg) in (("D", "2"), ("J", "1"))
            assert f"{part}.{3 - int(leg)}" in joined[GROUND]
        else:
            assert part == "BZ1"
    assert joined["SWITCHED"] == {"J3.2", "D1.2"} and joined["VSYS"] == {"D1.1", "U1.39"}
    assert joined["CELLS"] == {"J2.1", "J3.1"} and "J2.2" in joined[GROUND]


def test_the_schematic_has_the_nets_of_the_board():
    schematic = parsed(FOLDER / "disc.kicad_sch")
    labels = [label[1] for label in every(schematic, "global_label")]
    assert sorted(labels) == sorted(leg.net for part in parts() for leg in part.legs if leg.net)
    (instances,) = every(schematic, "symbol_instances")
    named = [
        tuple(every(path, field)[0][1] for field in ("reference", "value"))
        for path in every(instances, "path")
    ]
    assert named == [(part.key, part.value) for part in parts()]


def test_every_part_has_an_outline_a_courtyard_a_value_and_its_name_on_the_print():
    for part in parts():
        side = "B" if part.key == "U1" else "F"  # the Pico hangs below the board
        assert {f"{side}.CrtYd", f"{side}.Fab", "F.SilkS"} <= part.layers, part.key
        assert part.key in part.names and part.value, part.key
        assert [leg.name for leg in part.legs if leg.shape == "rect"] == ["1"], part.key
    printed = {part.key: part.names for part in parts()}
    values = {part.key: part.value for part in parts() if part.key[0] in "RJ" or part.key == "D1"}
    assert [key for key, value in values.items() if value not in printed[key]] == []
    assert {"PICO BELOW", "USB", "GP0"} <= printed["U1"]


def test_the_list_of_parts_has_all_that_is_soldered_to_the_board_or_to_its_wires():
    with (MADE / "parts.csv").open(encoding="utf-8", newline="") as file:
        listed = {
            row["on the board"]: (int(row["count"]), row["part"]) for row in csv.DictReader(file)
        }
    assert listed["U1 (its pins)"][0] == 2 and "20 pins" in listed["U1 (its pins)"][1]
    assert listed["H1 H2 H3 H4"] == (len(HOLES_MM), "screw M3 x 8")
    for key, part in (("J1", "switch"), ("J2", "AAA"), ("J3", "slide switch"), ("J4", "LED")):
        assert part in listed[f"{key} (at two wires)"][1]
    values = {key: value for keys, (_, value) in listed.items() for key in keys.split()}
    soldered = [part for part in parts() if part.key[0] in "RDSB"]
    assert [part.key for part in soldered if values[part.key] != part.value] == []
    named = {key for keys in listed for key in re.findall(r"[A-Z]+\d+", keys)}
    assert named == {part.key for part in parts()} | {"H1", "H2", "H3", "H4"}


def test_the_stored_report_of_kicad_is_clean_and_the_export_complete():
    report = (MADE / "rules.txt").read_text(encoding="utf-8")
    assert "Found 0 DRC violations" in report and "Found 0 unconnected pads" in report
    with zipfile.ZipFile(MADE / "gerbers.zip") as archive:
        assert {info.external_attr >> 16 for info in archive.infolist()} == {0o100644}
        names = archive.namelist()
        for layer in ("F_Cu", "B_Cu", "F_Mask", "B_Mask", "F_Silk", "Edge_Cuts"):
            (name,) = (name for name in names if layer in name)
            assert archive.read(name).rstrip().endswith(b"M02*")
        assert any(name.endswith(".drl") for name in names)
