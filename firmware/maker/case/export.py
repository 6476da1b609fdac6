"""The files that a 3D printer's software reads, and those that are kept with the project."""

import hashlib
import re
import tempfile
from dataclasses import replace
from itertools import product
from pathlib import Path

from firmware.maker.case.parameters import HOLDERS, Parameters

HERE = Path(__file__).parent
KEPT = HERE / "made"
SEAL = "made-from.txt"
# The sources of the solids: a change in one of these makes the kept files old.
SOURCES = ("parameters.py", "parts.py", "signs.py", "meshes.py")

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

    from firmware.maker.case.meshes import mesh, stl, three_mf
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
    from firmware.maker.case.meshes import archive

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
