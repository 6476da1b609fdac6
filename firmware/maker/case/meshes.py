"""Surfaces of triangles without a hole, and the two files in which printers take them."""

import io
import struct
import zipfile
from collections import Counter
from typing import NamedTuple

from build123d import Part

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


def mesh(part: Part) -> Mesh:
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


def holes(surface: Mesh) -> int:
    """Return how many edges do not lie between two triangles, once each way."""
    edges: Counter = Counter()
    for a, b, c in surface.triangles:
        edges.update([(a, b), (b, c), (c, a)])
    return sum(count != edges[(end, begin)] for (begin, end), count in edges.items())


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
