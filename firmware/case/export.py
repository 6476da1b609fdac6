"""The files that a 3D printer's software reads."""

from pathlib import Path

from build123d import Compound, Part, Pos, Rot, export_step, export_stl

from firmware.case.parameters import Parameters
from firmware.case.parts import parts

# How each part is turned so that it prints without supports.
PRINTED = {
    "base": Rot(0, 0, 0),
    "lid": Rot(180, 0, 0),  # its top on the bed
    "auction": Rot(180, 0, 0),
    "build": Rot(0, -90, 0),  # stands on its back
    "door": Rot(0, 0, 0),
}


def printed(name: str, part: Part) -> Part:
    """Return the part as it lies on the printer's bed, at z = 0."""
    turned = PRINTED[name] * part
    box = turned.bounding_box()
    return Pos(-box.center().X, -box.center().Y, -box.min.Z) * turned


def export(parameters: Parameters, folder: Path) -> list[Path]:
    """Write an STL a part and one STEP of all; return their paths.

    Their names tell the number of cells, so that two cases fit into one folder.
    """
    folder.mkdir(parents=True, exist_ok=True)
    bay = f"{parameters.cells}-cells"
    written = []
    solids = parts(parameters)
    for name, part in solids.items():
        written.append(folder / f"{name}-{bay}.stl")
        export_stl(printed(name, part), str(written[-1]), tolerance=0.02, angular_tolerance=0.2)
    for name, part in solids.items():
        part.label = name
    written.append(folder / f"city-unit-{bay}.step")
    export_step(Compound(label="City Unit", children=list(solids.values())), str(written[-1]))
    return written
