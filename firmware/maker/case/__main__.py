"""`python -m firmware.maker.case`: write the files and the picture of the case; see `--help`."""

import sys
from dataclasses import replace
from pathlib import Path

try:
    from city_unit.desktop import errors
    from city_unit.desktop.catalogue import _, lazy
    from city_unit.desktop.command import Parser, add_force_overwrite, start
    from city_unit.desktop.errors import FAILURE, UserError
    from city_unit.desktop.files import ask_before_overwriting, make_folder
    from firmware.maker.case.export import export, file_names, keep
    from firmware.maker.case.parameters import HOLDERS, Parameters, dimension_errors
    from firmware.tool.remote import START
except KeyboardInterrupt:  # later ones are handled by `start`
    sys.exit(130)

ABOUT = lazy(
    "Write the files of the case: an STL for each printed part in its printing position, a 3MF of"
    " all parts, a STEP of the whole disc, and with --picture a picture. Dimensions are in"
    " millimetres."
)

SIZE = (2400, 1300)  # pixels
# The colour of each part, and its upward shift in mm in the exploded view.
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
ASIDE = {"build": 26.0, "build switch": 13.0}  # outward shifts in the exploded view
# For each view: exploded or not, rotation in degrees; distance, height and aim of the camera in mm.
VIEWS = ((False, 22, 335, 325, 12), (True, 16, 640, 300, 42))


def main(words: list[str] | None = None) -> int:
    return start("case", run, words)


def run(words: list[str]) -> int:
    parser = Parser(prog=f"{START} case", description=str(ABOUT))  # no text: typed as it is
    out = _("folder for the STL, 3MF and STEP files")
    parser.add_argument("--out", type=Path, metavar=_("FOLDER"), help=out)
    picture = _("a PNG of the case, assembled and exploded")
    parser.add_argument("--picture", type=Path, metavar=_("FILE"), help=picture)
    board = _("for our printed board (firmware/maker/pcb) instead of loose parts")
    parser.add_argument("--own-board", action="store_true", help=board)
    kept = _("rebuild the files stored in the repository")
    parser.add_argument("--keep", action="store_true", help=kept)
    cells = _("the number of AAA cells (default: 2)")
    parser.add_argument("--cells", type=int, choices=sorted(HOLDERS), default=2, help=cells)
    add_force_overwrite(parser)
    options = parser.read(words)
    parameters = replace(Parameters(), cells=options.cells, own_board=options.own_board)
    if wrong := dimension_errors(parameters):
        raise UserError(wrong[0])
    if not (options.out or options.picture or options.keep):
        parser.error(_("nothing to write; add --out FOLDER or --picture FILE"))
    models = [options.out / name for name in file_names(parameters)] if options.out else []
    ask_before_overwriting(options.force, *models, options.picture)
    try:
        written = export(parameters, options.out) if options.out else []
        written += keep() if options.keep else []
        if options.picture:
            draw(parameters, options.picture)
            written.append(options.picture)
    except ImportError as error:
        install = errors.install_command("build123d", "pyvista")
        missing = _("{name} is missing: {command}").format(name=error.name, command=install)
        raise UserError(missing, FAILURE) from None
    print(*written, sep="\n")
    return 0


def draw(p: Parameters, path: Path) -> None:
    """Write a PNG of the disc, assembled on the left and exploded on the right."""
    import numpy as np
    import pyvista as pv

    from firmware.maker.case.parts import cap_paint, contents, paint, parts, screws

    solids = {**parts(p), **contents(p), "screws": screws(p)}
    solids |= {"paint": paint(p), "cap paint": cap_paint(p)}
    make_folder(path.parent)
    view = pv.Plotter(
        off_screen=True, window_size=SIZE, lighting="none", shape=(1, 2), border=False
    )
    for place, (apart, turn, distance, height, middle) in enumerate(VIEWS):
        view.subplot(0, place)
        for name, part in solids.items():
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
        view.set_background("#dbe3ee", top="#fbfcfe")
        for position, strength in LIGHTS:
            view.add_light(pv.Light(position=position, focal_point=(0, 0, 0), intensity=strength))
        view.enable_anti_aliasing("ssaa")
        view.enable_ssao(radius=10, bias=0.3, kernel_size=128)
        view.camera.position = (0, -distance, height)  # from the player's side
        view.camera.focal_point = (0, 0, middle)
        view.camera.up = (0, 0, 1)
        view.camera.view_angle = 22
    view.screenshot(str(path))
    view.close()


if __name__ == "__main__":
    sys.exit(main())
