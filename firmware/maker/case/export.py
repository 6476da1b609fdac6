"""Write the case as STL, 3MF and STEP, and update the files stored in the repository."""

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

from city_unit.desktop.files import make_folder, write_whole
from firmware.maker.case.parameters import HOLDERS, Parameters

FINE_MM = 0.02  # the largest distance of a triangle from the true surface
FINE_RAD = 0.2  # the largest angle between neighbouring triangles on a curved surface
GRID_MM = 0.001  # corners closer than this are merged
UNIX, READABLE = 3, 0o100644  # a regular file, readable by all users
YEAR = (2026, 1, 1, 0, 0, 0)  # a fixed time, so that the same parts give the same bytes

Corner = tuple[float, float, float]
Triangle = tuple[int, int, int]


class Mesh(NamedTuple):
    """Corners, and triangles as indices of corners, counter-clockwise seen from outside."""

    corners: list[Corner]
    triangles: list[Triangle]


def mesh(part) -> Mesh:
    """Return the surface of a part.

    Where two faces meet in one point, the tessellation has triangles without area whose corners
    differ by rounding. These corners are merged; otherwise the mesh would have a hole.
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
    """Return a 3MF with all parts side by side, each with its name."""
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
    """Return a ZIP archive of files by name."""
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
# The sources of the solids; a change in one of them makes the stored files out of date.
SOURCES = ("parameters.py", "parts.py", "export.py")

# The rotation of each part for printing without supports, in degrees about x, y, z.
PRINTED = {
    "base": (0, 0, 0),
    "lid": (180, 0, 0),  # its top on the bed
    "auction": (180, 0, 0),
    "build": (0, -90, 0),  # on its back
    "door": (0, 0, 0),
}


def printed(name: str, part):
    """Return the part as it lies on the print bed at z = 0."""
    from build123d import Pos, Rot

    turned = Rot(*PRINTED[name]) * part
    box = turned.bounding_box()
    return Pos(-box.center().X, -box.center().Y, -box.min.Z) * turned


def made(parameters: Parameters) -> dict[str, bytes]:
    """Return an STL for each part, and one 3MF and one STEP of all parts, by file name.

    The names contain the number of cells, so two cases can share a folder.
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
    # Replace the time of writing, so that the same parts give the same file.
    step = re.sub(r"'\d{4}-\d\d-\d\dT[\d:]+'", "'2026-01-01T00:00:00'", step)
    files[f"city-unit-{bay}.step"] = step.encode()
    return files


def file_names(parameters: Parameters) -> list[str]:
    """Return the names of the files that `made` returns."""
    bay = bay_of(parameters)
    models = [f"city-unit-{bay}.3mf", f"city-unit-{bay}.step"]
    return [*(f"{name}-{bay}.stl" for name in PRINTED), *models]


def bay_of(parameters: Parameters) -> str:
    """Return the part of a file name that identifies the variant of the case."""
    return f"{parameters.cells}-cells" + ("-own-board" if parameters.own_board else "")


def export(parameters: Parameters, folder: Path) -> list[Path]:
    """Write all files of a case; return their paths."""
    make_folder(folder)
    written = []
    for name, content in made(parameters).items():
        written.append(folder / name)
        write_whole(written[-1], content)
    return written


def keep() -> list[Path]:
    """Write the files stored in the repository: for each case a 3MF, and an archive of the rest."""
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
    """Return a line with the SHA-256 of each source of the stored files."""
    digests = [
        hashlib.sha256((HERE / name).read_bytes().replace(b"\r\n", b"\n")).hexdigest()
        for name in SOURCES
    ]
    return "".join(f"{digest}  {name}\n" for digest, name in zip(digests, SOURCES, strict=True))
