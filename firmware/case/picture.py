"""A picture of the disc: whole on the left, taken apart on the right."""

from pathlib import Path

import numpy as np
import pyvista as pv
from build123d import Part

from firmware.case.contents import contents, screws
from firmware.case.parameters import Parameters
from firmware.case.parts import parts

SIZE = (2400, 1350)  # pixels
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
    "lamp auction": "#ff5a4d",
    "screws": "#b8bec8",
}
LAMP = "#ffe08a"
# How far up each part goes when the disc is taken apart, in mm.
LIFTS = {
    "auction": 92.0,
    "lid": 62.0,
    "lamp": 40.0,
    "buzzer": 40.0,
    "auction switch": 22.0,
    "pico": 22.0,
    "holder": -34.0,
    "door": -52.0,
    "screws": -26.0,
}
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


def show(view: pv.Plotter, p: Parameters, apart: bool, at: tuple[float, float, float]) -> None:
    everything = {**parts(p), **contents(p), "screws": screws(p)}
    for name, part in everything.items():
        surface = mesh(part)
        if apart:
            surface = surface.translate((ASIDE.get(name, 0.0), 0, lift(name)))
        lamp = name.startswith("lamp")
        view.add_mesh(
            surface.rotate_z(180).translate(at),
            color=colour(name),
            smooth_shading=True,
            specular=0.5 if lamp else 0.25,
            specular_power=20,
            ambient=0.55 if lamp else 0.12,
            diffuse=0.85,
        )


def draw(p: Parameters, path: Path) -> None:
    """Write the picture as a PNG."""
    path.parent.mkdir(parents=True, exist_ok=True)
    view = pv.Plotter(off_screen=True, window_size=SIZE, lighting="none")
    view.set_background("#eef2f7", top="#ffffff")
    show(view, p, apart=False, at=(-115, 0, 0))
    show(view, p, apart=True, at=(95, 20, 0))
    light(view)
    view.enable_anti_aliasing("ssaa")
    view.enable_ssao(radius=12, bias=0.4, kernel_size=128)
    view.camera.position = (-20, -420, 330)
    view.camera.focal_point = (-12, 0, 22)
    view.camera.up = (0, 0, 1)
    view.camera.view_angle = 28
    view.screenshot(str(path))
    view.close()


def light(view: pv.Plotter) -> None:
    for position, strength in (
        ((-300, -300, 500), 0.75),
        ((400, -200, 250), 0.4),
        ((0, 400, 300), 0.3),
    ):
        lamp = pv.Light(position=position, focal_point=(0, 0, 0), intensity=strength)
        view.add_light(lamp)
