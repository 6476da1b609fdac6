"""A picture of the disc: whole on the left, taken apart on the right."""

from pathlib import Path

import numpy as np
import pyvista as pv
from build123d import Part

from firmware.maker.case.contents import cap_paint, contents, paint, screws
from firmware.maker.case.parameters import Parameters
from firmware.maker.case.parts import parts

SIZE = (2400, 1300)  # pixels
COLOURS = {
    "base": "#2b3f5c",
    "lid": "#34507a",
    "auction": "#d8392b",
    "build": "#f0b429",
    "door": "#3d5a86",
    "pico": "#1f8a4c",
    "holder": "#2b2d33",
    "slide switch": "#c9ced6",
    "auction switch": "#4a4e57",
    "build switch": "#4a4e57",
    "buzzer": "#17181c",
    "screws": "#b8bec8",
    "paint": "#ffffff",
    "cap paint": "#ffffff",
}
LAMP = "#ff5a4d"
# How far up each part goes when the disc is taken apart, in mm.
LIFTS = {
    "auction": 128.0,
    "cap paint": 128.0,
    "lid": 92.0,
    "paint": 92.0,
    "lamp": 62.0,
    "buzzer": 36.0,
    "auction switch": 26.0,
    "pico": 26.0,
    "holder": -42.0,
    "door": -62.0,
    "screws": -28.0,
}
LIGHTS = (((-300, -300, 500), 0.62), ((400, -200, 250), 0.36), ((0, 400, 300), 0.3))
ASIDE = {"build": 26.0, "build switch": 13.0}  # and how far outwards


def mesh(part: Part) -> pv.PolyData:
    vertices, triangles = part.tessellate(0.03, 0.15)
    points = np.array([tuple(vertex) for vertex in vertices])
    faces = np.hstack([np.full((len(triangles), 1), 3), np.array(triangles)])
    surface = pv.PolyData(points, faces.ravel())
    return surface.compute_normals(feature_angle=25, split_vertices=True)


def colour(name: str) -> str:
    return COLOURS.get(name, LAMP)


def lift(name: str) -> float:
    return LIFTS.get("lamp" if name.startswith("lamp") else name, 0.0)


def show(view: pv.Plotter, p: Parameters, apart: bool, turn: float) -> None:
    everything = {
        **parts(p),
        **contents(p),
        "screws": screws(p),
        "paint": paint(p),
        "cap paint": cap_paint(p),
    }
    for name, part in everything.items():
        surface = mesh(part)
        if apart:
            surface = surface.translate((ASIDE.get(name, 0.0), 0, lift(name)))
        glows = name.startswith("lamp") or name.endswith("paint")
        view.add_mesh(
            surface.rotate_z(180 + turn),
            color=colour(name),
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
