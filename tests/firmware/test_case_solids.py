"""The case's solids are valid, fit together and around their contents, and print as they are.

These tests need the optional extra `case`, which CI installs. It is large and not part of the
product, so they are skipped without it.
"""

from dataclasses import replace
from itertools import combinations

import pytest

pytest.importorskip("build123d", reason="the optional extra `case` is not installed")

import numpy as np
import pyvista
from build123d import Align, Box, Polygon, Pos, extrude

from city_unit.facts import LAMPS
from firmware.maker.case.export import PRINTED, Mesh, export, mesh, printed
from firmware.maker.case.parameters import HOLDERS, Parameters
from firmware.maker.case.parts import contents, parts, screws
from tests.helpers.printed_board import outline

pytestmark = pytest.mark.slow

TOUCH = 0.01  # mm3: parts that only touch share no more
HELD = ("lamp", "buzzer")
STEEP = -0.72  # of a normal's z: flatter than 45 degrees and facing down


@pytest.fixture(scope="module", params=HOLDERS)
def parameters(request):
    return replace(Parameters(), cells=request.param)


@pytest.fixture(scope="module")
def solids(parameters):
    return parts(parameters)


def shared(one, other) -> float:
    common = one.intersect(other)
    return sum(solid.volume for solid in common.solids()) if common else 0.0


def bridged(part) -> float:
    """Return the area in mm2 that is printed over air: bridges and the roofs of holes."""
    vertices, triangles = part.tessellate(0.05, 0.2)
    area = 0.0
    for corners in triangles:
        a, b, c = (vertices[corner] for corner in corners)
        normal = (b - a).cross(c - a)
        twice = normal.length
        if twice and normal.Z / twice < STEEP and min(a.Z, b.Z, c.Z) > 0.2:
            area += twice / 2
    return area


def test_each_part_is_one_valid_solid(solids):
    for name, part in solids.items():
        assert part.is_valid and len(part.solids()) == 1, name


def test_no_part_intersects_another_or_the_contents(parameters, solids):
    everything = {**solids, **contents(parameters), "screws": screws(parameters)}
    for name, part in everything.items():  # nothing protrudes below
        assert part.bounding_box().min.Z > -0.001, name
    for (one, first), (other, second) in combinations(everything.items(), 2):
        if "lid" in (one, other) and any(word in one + other for word in ("screws", *HELD)):
            continue  # screws cut their thread into the lid, and its ribs press on these parts
        assert shared(first, second) < TOUCH, f"{one} and {other}"


def test_the_ribs_of_the_lid_hold_lamps_and_buzzer(parameters, solids):
    """Pressing them in flattens the ribs, but only slightly."""
    held = {name: part for name, part in contents(parameters).items() if name.startswith(HELD)}
    assert len(held) == len(LAMPS) + 1
    for name, part in held.items():
        assert TOUCH < shared(solids["lid"], part) < 1, name


def test_buttons_move_freely_all_their_way(parameters, solids):
    fixed = {**solids, **contents(parameters)}
    ways = {
        "auction": (Pos(0, 0, -parameters.travel), "auction switch"),
        "build": (Pos(-parameters.travel, 0, 0), "build switch"),
    }
    for button, (way, its_switch) in ways.items():
        pressed = way * solids[button]
        assert shared(pressed, fixed[its_switch]) > TOUCH, f"{button} presses its switch"
        for name, part in fixed.items():
            if name not in (button, its_switch):
                assert shared(pressed, part) < TOUCH, f"{button}, pressed, and {name}"


def test_buttons_cannot_fall_out(parameters, solids):
    assert shared(Pos(0, 0, 1) * solids["auction"], solids["lid"]) > TOUCH
    assert shared(Pos(1.5, 0, 0) * solids["build"], solids["base"]) > TOUCH


def test_the_build_button_goes_in_from_inside(parameters, solids):
    """It goes down behind the wall, before its switch is mounted, then out through the window."""
    behind = parameters.wall + parameters.build_rise + 0.2
    steps = [(-behind, 20.0), (-behind, 5.0), (-behind, 0.0), (-behind / 2, 0.0), (0.0, 0.0)]
    for x, z in steps:
        assert shared(Pos(x, 0, z) * solids["build"], solids["base"]) < TOUCH, (x, z)


def test_the_parts_print_without_supports(solids):
    most = {"base": 240, "lid": 120, "auction": 330, "build": 1, "door": 1}  # mm2
    for name, part in solids.items():
        assert bridged(printed(name, part)) <= most[name], name


def thin(surface: Mesh, least: float) -> list[tuple]:
    """Return (mm, place) wherever opposite faces are nearer than `least`.

    Measured inwards from the centre of each triangle.
    """
    corners, triangles = np.array(surface.corners), np.array(surface.triangles)
    sides = np.hstack([np.full((len(triangles), 1), 3), triangles])
    solid = pyvista.PolyData(corners, sides.ravel())
    first, second, third = (corners[triangles[:, place]] for place in range(3))
    normals = np.cross(second - first, third - first)
    areas = np.linalg.norm(normals, axis=1) / 2
    normals /= 2 * areas[:, None] + 1e-12
    found = []
    for triangle in np.where(areas > 0.4)[0]:  # mm2
        normal = normals[triangle]
        begin = (first[triangle] + second[triangle] + third[triangle]) / 3
        for place, other in zip(*solid.ray_trace(begin, begin - normal * least), strict=True):
            deep = float(np.dot(begin - place, normal))
            if deep > 0.002 and np.dot(normal, normals[other]) < -0.95:
                found.append((round(deep, 2), tuple(begin.round(1))))
    return found


def test_no_wall_is_thinner_than_three_lines_of_a_printer(solids):
    for name, part in solids.items():
        assert thin(mesh(printed(name, part)), least=1.19) == [], name


def test_the_board_of_our_own_fits_with_what_hangs_from_it():
    p = replace(Parameters(), own_board=True)
    solids = parts(p)
    under = p.auction_seat - p.board_thick
    corners = [(-x, y) for x, y in outline()]  # the case is drawn with its player above
    plate = Pos(0, 0, under) * extrude(Polygon(*corners, align=None), p.board_thick, dir=(0, 0, 1))
    assert pytest.approx(under) == plate.bounding_box().min.Z
    hanging = Pos(0, p.pico_middle, under - 3.7) * Box(
        p.pico_width, p.pico_length, 3.7, align=(Align.CENTER, Align.CENTER, Align.MIN)
    )
    socket = Pos(0, -p.inside, under - p.pico_thick - 2.7) * Box(
        8.0, 12.0, 2.7, align=(Align.CENTER, Align.CENTER, Align.MIN)
    )
    built = {"plate": plate, "Pico": hanging, "plug": socket}
    loose = {"pico", "auction switch"}
    others = {name: part for name, part in contents(p).items() if name not in loose}
    for name, part in built.items():
        for other, solid in {**solids, **others, "screws": screws(p)}.items():
            if not other.startswith(("lamp", "buzzer")):  # whose legs go into the plate
                assert shared(part, solid) < TOUCH, f"{name} and {other}"
    assert len(solids["base"].solids()) == 1


def test_the_files_are_written(tmp_path):
    """Those for two cells and for three have names of their own."""
    paths = export(Parameters(), tmp_path)
    wanted = {f"{name}-2-cells.stl" for name in PRINTED}
    wanted |= {"city-unit-2-cells.3mf", "city-unit-2-cells.step"}
    assert {path.name for path in paths} == wanted
    assert all(path.stat().st_size > 5000 for path in paths)
