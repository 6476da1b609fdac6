"""The case without build123d: checks of the dimensions, and the stored files."""

import struct
import zipfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from city_unit.facts import LAMPS
from firmware.maker.case.export import KEPT, PRINTED, SEAL, seal
from firmware.maker.case.parameters import HOLDERS, Parameters, dimension_errors
from tests.helpers.quick import some_quick

PARAMETERS = Parameters()


# A changed dimension, and a word in the error it causes.
BAD = [
    ({"wall": 0.8}, "wall"),
    ({"top": 1.5}, "top"),
    ({"screw_wall": 0.8}, "screw_wall"),
    ({"gap": 0.1}, "gap"),
    ({"cells": 4}, "cells"),
    ({"diameter": 100.0}, "diameter"),
    ({"pico_length": 58.0}, "Pico"),
    ({"auction_radius": 38.0}, "lamps"),
    ({"lamps": (("auction", 90), ("station", -90))}, "lamp station"),  # where the buzzer is
    ({"lamps": (("auction", 90), ("1", 80))}, "lamp 1"),
    ({"seam": 18.0}, "AUCTION"),
]


def test_the_measures_are_sound_and_a_bad_one_is_named():
    for cells in HOLDERS:
        assert dimension_errors(replace(PARAMETERS, cells=cells)) == []
    for change, word in BAD:
        found = dimension_errors(replace(PARAMETERS, **change))
        assert any(word in mistake for mistake in found), found


def test_each_lamp_of_the_unit_has_its_angle():
    names = [name for name, _angle in PARAMETERS.lamps]
    assert names == [lamp.removeprefix("permit-") for lamp in LAMPS]


def test_the_stored_files_are_up_to_date():
    assert (KEPT / SEAL).read_text(encoding="utf-8") == seal(), (
        "run: python -m firmware.maker.case --keep (it needs the extra `case`)"
    )


BAYS = [f"{cells}-cells{board}" for cells in HOLDERS for board in ("-own-board", "")]


@pytest.mark.parametrize("bay", some_quick(BAYS, 1))
def test_the_stored_files_are_complete_and_their_surfaces_closed(bay):
    for path in (*KEPT.glob("*.zip"), *KEPT.glob("*.3mf")):  # readable by all users
        with zipfile.ZipFile(path) as archive:
            assert {info.external_attr >> 16 for info in archive.infolist()} == {0o100644}, path
    with zipfile.ZipFile(KEPT / f"disc-{bay}.zip") as archive:
        names = archive.namelist()
        parts = {name.split("-")[0]: archive.read(name) for name in names if name.endswith("stl")}
    assert f"city-unit-{bay}.step" in names
    assert set(parts) == set(PRINTED)
    with zipfile.ZipFile(KEPT / f"disc-{bay}.3mf") as archive:
        model = ElementTree.fromstring(archive.read("3D/3dmodel.model"))
    space = {"": model.tag[1:].partition("}")[0]}
    objects = {found.get("name"): found for found in model.iterfind(".//object", space)}
    assert set(objects) == set(PRINTED)
    for name, content in parts.items():
        corners = [tuple(map(float, at.attrib.values()))
                   for at in objects[name].iterfind(".//vertex", space)]  # fmt: skip
        listed = [[corners[int(side.get(f"v{place}", ""))] for place in (1, 2, 3)]
                for side in objects[name].iterfind(".//triangle", space)]  # fmt: skip
        printed = [[tuple(round(v, 3) for v in at) for at in side] for side in triangles(content)]
        assert [[tuple(round(v, 3) for v in at) for at in side] for side in listed] == printed
        edges = Counter(edge for a, b, c in listed for edge in ((a, b), (b, c), (c, a)))
        assert all(count == edges[end, begin] for (begin, end), count in edges.items()), name


def triangles(stl: bytes) -> Iterator[list[tuple[float, ...]]]:
    """Yield the three corners of each triangle of a binary STL."""
    (count,) = struct.unpack_from("<80xI", stl)
    assert len(stl) == 84 + 50 * count
    for place in range(count):
        values = struct.unpack_from("<9f", stl, 84 + 50 * place + 12)
        yield [values[0:3], values[3:6], values[6:9]]
