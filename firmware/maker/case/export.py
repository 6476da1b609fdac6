"""The files that a 3D printer's software reads, and those that are kept with the project."""

import hashlib
import io
import re
import struct
import tempfile
import zipfile
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import NamedTuple

from firmware.maker.case.parameters import HOLDERS, Parameters

FINE_MM = 0.02  # how far a triangle may lie from the surface that it stands for
FINE_RAD = 0.2  # and how far apart the directions of two neighbours
GRID_MM = 0.001  # corners that are nearer to each other are one
UNIX, READABLE = 3, 0o100644  # a file from an archive, which all users may read
YEAR = (2026, 1, 1, 0, 0, 0)  # of each file in an archive: the same parts make the same bytes

Corner = tuple[float, float, float]
Triangle = tuple[int, int, int]


class Mesh(NamedTuple):
    """Corners, and triangles by their numbers, seen from outside against the clock."""

    corners: list[Corner]
    triangles: list[Triangle]


def mesh(part) -> Mesh:
    """Return the surface of a part.

    Where two of its faces meet in one point the triangles between them have no area, and
    corners that are a hair apart: they are laid together, else the mesh would have a hole.
    """
    vertices, triangles = part.tessellate(FINE_MM, FINE_RAD)
    numbers: dict[Corner, int] = {}
    number_of = []
    for vertex in vertices:
        x, y, z = (round(round(value / GRID_MM) * GRID_MM, 3) + 0.0 for value in vertex)
        number_of.append(numbers.setdefault((x, y, z), len(numbers)))
    whole = []
    for triangle in triangles:
        a, b, c = (number_of[corner] for corner in triangle)
        if len({a, b, c}) == 3:
            whole.append((a, b, c))
    return Mesh(list(numbers), whole)


def stl(surface: Mesh) -> bytes:
    """Return a binary STL."""
    facets = [struct.pack("<80xI", len(surface.triangles))]
    for triangle in surface.triangles:
        places = [surface.corners[corner] for corner in triangle]
        facets.append(struct.pack("<12f2x", 0, 0, 0, *(value for at in places for value in at)))
    return b"".join(facets)


TYPES = """<?xml version="1.0" encoding="UTF-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Default Extension="model" ContentType="application/vnd.ms-package.3dmanufacturing-3dmodel+xml"/>
</Types>
"""  # no text: the frame of a file
RELATIONS = """<?xml version="1.0" encoding="UTF-8"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
<Relationship Id="model" Target="/3D/3dmodel.model"
 Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"/>
</Relationships>
"""  # no text: the frame of a file
MODEL = """<?xml version="1.0" encoding="UTF-8"?>
<model unit="millimeter" xmlns="http://schemas.microsoft.com/3dmanufacturing/core/2015/02">
<resources>
{objects}</resources>
<build>
{items}</build>
</model>
"""  # no text: the frame of a file
APART_MM = 6


def three_mf(surfaces: dict[str, Mesh]) -> bytes:
    """Return a 3MF with all parts beside each other, each under its name."""
    objects, items = [], []
    right = 0.0
    for number, (name, surface) in enumerate(surfaces.items(), 1):
        xs = [corner[0] for corner in surface.corners]
        corners = "".join(
            f'<vertex x="{x:g}" y="{y:g}" z="{z:g}"/>\n' for x, y, z in surface.corners
        )
        triangles = "".join(
            f'<triangle v1="{a}" v2="{b}" v3="{c}"/>\n' for a, b, c in surface.triangles
        )
        objects.append(
            f'<object id="{number}" type="model" name="{name}"><mesh>\n<vertices>\n{corners}'
            f"</vertices>\n<triangles>\n{triangles}</triangles>\n</mesh></object>\n"
        )
        shift = right - min(xs)
        items.append(f'<item objectid="{number}" transform="1 0 0 0 1 0 0 0 1 {shift:g} 0 0"/>\n')
        right += max(xs) - min(xs) + APART_MM
    model = MODEL.format(objects="".join(objects), items="".join(items))
    return archive(
        {
            "[Content_Types].xml": TYPES.encode(),
            "_rels/.rels": RELATIONS.encode(),
            "3D/3dmodel.model": model.encode(),
        }
    )


def archive(files: dict[str, bytes]) -> bytes:
    """Return a ZIP of files by their names."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as whole:
        for name, data in files.items():
            info = zipfile.ZipInfo(name, YEAR)
            info.create_system, info.external_attr = UNIX, READABLE << 16
            whole.writestr(info, data, zipfile.ZIP_DEFLATED, 9)
    return content.getvalue()


HERE = Path(__file__).parent
KEPT = HERE / "made"
SEAL = "made-from.txt"
# The sources of the solids: a change in one of these makes the kept files old.
SOURCES = ("parameters.py", "parts.py", "export.py")

# How each part is turned so that it prints without supports, in degrees about x, y, z.
PRINTED = {
    "base": (0, 0, 0),
    "lid": (180, 0, 0),  # its top on the bed
    "auction": (180, 0, 0),
    "build": (0, -90, 0),  # stands on its back
    "door": (0, 0, 0),
}


def printed(name: str, part):
    """Return the part as it lies on the printer's bed, at z = 0."""
    from build123d import Pos, Rot

    turned = Rot(*PRINTED[name]) * part
    box = turned.bounding_box()
    return Pos(-box.center().X, -box.center().Y, -box.min.Z) * turned


def made(parameters: Parameters) -> dict[str, bytes]:
    """Return an STL for each part, one 3MF and one STEP of all, by their names.

    The names tell the number of cells, so that two cases fit into one folder.
    """
    from build123d import Compound, export_step

    from firmware.maker.case.parts import parts

    bay = bay_of(parameters)
    solids = parts(parameters)
    surfaces = {name: mesh(printed(name, part)) for name, part in solids.items()}
    files = {f"{name}-{bay}.stl": stl(surface) for name, surface in surfaces.items()}
    files[f"city-unit-{bay}.3mf"] = three_mf(surfaces)
    for name, part in solids.items():
        part.label = name
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "whole.step")
        export_step(Compound(label="City Unit", children=list(solids.values())), str(path))
        step = path.read_text(encoding="utf-8")
    # The time at which it was written is nobody's business, and the same parts are the same file.
    step = re.sub(r"'\d{4}-\d\d-\d\dT[\d:]+'", "'2026-01-01T00:00:00'", step)
    files[f"city-unit-{bay}.step"] = step.encode()
    return files


def bay_of(parameters: Parameters) -> str:
    """Return the part of a file's name that tells one case from another."""
    return f"{parameters.cells}-cells" + ("-own-board" if parameters.own_board else "")


def export(parameters: Parameters, folder: Path) -> list[Path]:
    """Write all files of a case; return their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name, content in made(parameters).items():
        written.append(folder / name)
        written[-1].write_bytes(content)
    return written


def keep() -> list[Path]:
    """Write the files that are kept with the project: a 3MF a case, and the rest in one archive."""
    KEPT.mkdir(exist_ok=True)
    written = []
    for cells, own_board in product(HOLDERS, (False, True)):
        parameters = replace(Parameters(), cells=cells, own_board=own_board)
        files = made(parameters)
        whole = files.pop(f"city-unit-{bay_of(parameters)}.3mf")
        for ending, content in (("3mf", whole), ("zip", archive(files))):
            written.append(KEPT / f"disc-{bay_of(parameters)}.{ending}")
            written[-1].write_bytes(content)
    written.append(KEPT / SEAL)
    written[-1].write_text(seal(), encoding="utf-8")
    return written


def seal() -> str:
    """Return the sources of the kept files: a line for each, with its SHA-256."""
    digests = [
        hashlib.sha256((HERE / name).read_bytes().replace(b"\r\n", b"\n")).hexdigest()
        for name in SOURCES
    ]
    return "".join(f"{digest}  {name}\n" for digest, name in zip(digests, SOURCES, strict=True))
