"""A picture of the disc, whole on the left, taken apart on the right; and the electronics in it.

These are plain solids, which show as well that they fit.
"""

from pathlib import Path

import numpy as np
import pyvista as pv
from build123d import Align, Box, Cone, Cylinder, Part, Pos, Rot, Sphere

from firmware.maker.case.parameters import SCREW_HEAD, Parameters
from firmware.maker.case.parts import FLANGE, SCREW_HOLE, UP, engraved, on_ring, parts


def contents(p: Parameters) -> dict[str, Part]:
    """Return the electronics by name, where they sit."""
    found = {
        "pico": pico(p),
        "holder": holder(p),
        "auction switch": Pos(0, 0, p.auction_seat) * tactile(p),
        "build switch": Pos(p.build_back - p.switch_height, 0, p.build_middle)
        * Rot(0, 90, 0)
        * tactile(p),
        "slide switch": slide(p),
        "buzzer": Pos(0, -p.lamp_ring, p.ceiling - p.buzzer[1])
        * Cylinder(p.buzzer[0] / 2, p.buzzer[1], align=UP),
    }
    for name, angle in p.lamps:
        found[f"lamp {name}"] = on_ring(p.lamp_ring, angle, p.ceiling - 1.7) * led()
    return found


def pico(p: Parameters) -> Part:
    board = Box(p.pico_width, p.pico_length, p.pico_thick, align=UP)
    for x in (-p.pico_hole_apart / 2, p.pico_hole_apart / 2):
        for y in (-1, 1):
            end = y * (p.pico_length / 2 - p.pico_hole_inset)
            board -= Pos(x, end, -1) * Cylinder(1.05, 5, align=UP)
    socket = Pos(0, -p.pico_length / 2 + 1.5, p.pico_thick) * Box(7.6, 5.6, 2.7, align=UP)
    chip = Pos(0, 2, p.pico_thick) * Box(7, 7, 0.9, align=UP)
    return Pos(0, p.pico_middle, p.pico_bottom) * (board + socket + chip)


def holder(p: Parameters) -> Part:
    x, y, z = p.holder
    box = Box(x, y, z, align=UP)
    for cell in range(p.cells):
        middle = (cell - (p.cells - 1) / 2) * 11.7
        box -= Pos(0, middle, 0) * Rot(0, 90, 0) * Cylinder(5.5, 46)
        box += Pos(0, middle, 5.4) * Rot(0, 90, 0) * Cylinder(5.2, 44)
    return Pos(p.tongue / 2, p.bay_middle, p.floor) * box


def tactile(p: Parameters) -> Part:
    body = Box(p.switch_side, p.switch_side, p.switch_body, align=UP)
    body += Cylinder(3.4, p.switch_height, align=UP)
    for x in (-6.0, 6.0):
        for y in (-2.5, 2.5):
            body += Pos(x, y, -3.0) * Box(0.6, 1.0, 4.0, align=UP)
    return body


def slide(p: Parameters) -> Part:
    x, y, z = p.slide_body
    lever = p.slide_lever
    seat = Pos(*p.slide_at, lever[2] + 0.8)
    body = Box(x, y, z, align=UP)
    knob = Box(lever[0], lever[1], lever[2], align=(Align.CENTER, Align.CENTER, Align.MAX))
    return seat * (body + Pos(p.slide_travel / 2, 0, 0) * knob)


def led() -> Part:
    """A 5 mm lamp, its flange's underside at z = 0."""
    dome = Cylinder(2.5, 6.1, align=UP) + Pos(0, 0, 6.1) * (Sphere(2.5) & Box(6, 6, 6, align=UP))
    legs = Pos(1.27, 0, -4) * Box(0.5, 0.5, 4.2, align=UP)
    legs += Pos(-1.27, 0, -4) * Box(0.5, 0.5, 4.2, align=UP)
    return dome + Cylinder(FLANGE, 1.0, align=UP) + legs


def screws(p: Parameters) -> Part:
    """The four screws of the lid."""
    cone = SCREW_HEAD - SCREW_HOLE
    screw = Cone(SCREW_HEAD - 0.2, 1.5, cone, align=UP) + Cylinder(1.5, p.screw_length, align=UP)
    seat = p.ceiling - 0.6 - p.screw_length
    every = Part()
    for angle in p.screw_angles:
        every += on_ring(p.screw_ring, angle, seat + 0.2) * screw
    return every


def paint(p: Parameters) -> Part:
    """The signs, filled in with a paint marker."""
    half = p.engraving / 2
    filled = Part()
    for name, angle in p.lamps:
        filled += Pos(0, 0, -half) * engraved(p, name, on_ring(p.sign_ring, angle, p.height))
    return filled


def cap_paint(p: Parameters) -> Part:
    return engraved(p, "cap", Pos(0, 0, p.height + p.auction_rise - p.engraving / 2))


SIZE = (2400, 1300)  # pixels
# The colour of each part, and how far up it goes when the disc is taken apart, in mm.
SHOWN = {
    "lamp": ("#ff5a4d", 62.0),
    "base": ("#2b3f5c", 0.0),
    "lid": ("#34507a", 92.0),
    "auction": ("#d8392b", 128.0),
    "build": ("#f0b429", 0.0),
    "door": ("#3d5a86", -62.0),
    "pico": ("#1f8a4c", 26.0),
    "holder": ("#2b2d33", -42.0),
    "slide switch": ("#c9ced6", 0.0),
    "auction switch": ("#4a4e57", 26.0),
    "build switch": ("#4a4e57", 0.0),
    "buzzer": ("#17181c", 36.0),
    "screws": ("#b8bec8", -28.0),
    "paint": ("#ffffff", 92.0),
    "cap paint": ("#ffffff", 128.0),
}
LIGHTS = (((-300, -300, 500), 0.62), ((400, -200, 250), 0.36), ((0, 400, 300), 0.3))
ASIDE = {"build": 26.0, "build switch": 13.0}  # and how far outwards


def show(view: pv.Plotter, p: Parameters, apart: bool, turn: float) -> None:
    painted = {"paint": paint(p), "cap paint": cap_paint(p)}
    for name, part in {**parts(p), **contents(p), "screws": screws(p), **painted}.items():
        vertices, triangles = part.tessellate(0.03, 0.15)
        points = np.array([tuple(vertex) for vertex in vertices])
        faces = np.hstack([np.full((len(triangles), 1), 3), np.array(triangles)])
        surface = pv.PolyData(points, faces.ravel())
        surface = surface.compute_normals(feature_angle=25, split_vertices=True)
        kind = name.split()[0] if name.startswith("lamp") else name
        colour, lift = SHOWN[kind]
        if apart:
            surface = surface.translate((ASIDE.get(name, 0.0), 0, lift))
        glows = kind == "lamp" or name.endswith("paint")
        view.add_mesh(
            surface.rotate_z(180 + turn),
            color=colour,
            smooth_shading=True,
            specular=0.25,
            specular_power=20,
            ambient=0.6 if glows else 0.14,
            diffuse=0.85,
        )


def draw(p: Parameters, path: Path) -> None:
    """Write the picture as a PNG."""
    path.parent.mkdir(parents=True, exist_ok=True)
    view = pv.Plotter(
        off_screen=True, window_size=SIZE, lighting="none", shape=(1, 2), border=False
    )
    show(view, p, apart=False, turn=22)
    look(view, distance=335, height=325, middle=12)
    view.subplot(0, 1)
    show(view, p, apart=True, turn=16)
    look(view, distance=640, height=300, middle=42)
    view.screenshot(str(path))
    view.close()


def look(view: pv.Plotter, distance: float, height: float, middle: float) -> None:
    """Light the scene and look at it from the player's side."""
    view.set_background("#dbe3ee", top="#fbfcfe")
    for position, strength in LIGHTS:
        view.add_light(pv.Light(position=position, focal_point=(0, 0, 0), intensity=strength))
    view.enable_anti_aliasing("ssaa")
    view.enable_ssao(radius=10, bias=0.3, kernel_size=128)
    view.camera.position = (0, -distance, height)
    view.camera.focal_point = (0, 0, middle)
    view.camera.up = (0, 0, 1)
    view.camera.view_angle = 22
