"""Check the board with KiCad and export it: `/usr/bin/python3 firmware/maker/pcb/check.py`.

The sources are KiCad's own files in this folder. Open `disc.kicad_pro`, edit them in KiCad, then
run this script. It needs KiCad 6 or later and the Python with its module `pcbnew`. It fills the
ground planes in memory and writes the design rule report, an archive of Gerber and drill files, and
the picture for the README.

KiCad 6 has no command for schematic rules. `made/electrical.txt` is the report saved from its
editor (Inspect, Electrical Rules Checker, Save), without the first line.
"""

import re
import sys
import tempfile
import zipfile
from pathlib import Path

import pcbnew  # type: ignore  # KiCad's own

HERE = Path(__file__).parent
MADE = HERE / "made"
LAYERS = ("F.Cu", "B.Cu", "F.Mask", "B.Mask", "F.SilkS", "B.SilkS", "Edge.Cuts")
UNIX, READABLE = 3, 0o100644  # regular files, readable by all users
DAY = (2026, 1, 1, 0, 0, 0)
PLATE, HOLE = "#14683c", "#22262e"
COLOURS = {"F.Cu": "#2a8a55", "F.Mask": "#d9b44a", "F.SilkS": "#ffffff"}
UNIT = 10_000  # nm per unit of the picture
VIEW = (4900, 3900, 10200, 8500)  # in units: left, top, width, height


def plot(board, folder: str, layers, kind: int) -> None:
    """Write a file for each layer."""
    control = pcbnew.PLOT_CONTROLLER(board)
    options = control.GetPlotOptions()
    options.SetOutputDirectory(folder)
    options.SetUseGerberX2format(True)
    options.SetPlotFrameRef(False)
    for layer in layers:
        control.SetLayer(board.GetLayerID(layer))
        control.OpenPlotfile(layer.replace(".", "_"), kind, layer)
        control.PlotLayer()
    control.ClosePlot()


def archive(board) -> None:
    with tempfile.TemporaryDirectory() as folder:
        plot(board, folder, LAYERS, pcbnew.PLOT_FORMAT_GERBER)
        drills = pcbnew.EXCELLON_WRITER(board)
        drills.SetOptions(False, False, board.GetDesignSettings().GetAuxOrigin(), False)
        drills.SetFormat(True)
        drills.CreateDrillandMapFilesSet(folder, True, False)
        with zipfile.ZipFile(MADE / "gerbers.zip", "w") as packed:
            for path in sorted(Path(folder).iterdir()):
                info = zipfile.ZipInfo(path.name, DAY)
                info.create_system, info.external_attr = UNIX, READABLE << 16
                packed.writestr(info, path.read_bytes(), zipfile.ZIP_DEFLATED, 9)


def picture(board) -> str:
    """Return an SVG of the board from above, from KiCad's plots: copper, pads, print and holes."""
    edge = pcbnew.SHAPE_POLY_SET()
    board.GetBoardPolygonOutlines(edge)
    corners = [edge.Outline(0).CPoint(place) for place in range(edge.Outline(0).PointCount())]
    points = " ".join(f"{corner.x // UNIT},{corner.y // UNIT}" for corner in corners)
    parts = [f'<polygon points="{points}" fill="{PLATE}" stroke="{HOLE}" stroke-width="20"/>']
    with tempfile.TemporaryDirectory() as folder:
        plot(board, folder, COLOURS, pcbnew.PLOT_FORMAT_SVG)
        for layer, colour in COLOURS.items():
            (path,) = Path(folder).glob(f"*{layer.replace('.', '_')}.svg")
            text = path.read_text(encoding="utf-8").partition("</desc>")[2].rpartition("</svg>")[0]
            text = re.sub("<text.*?</text>", "", text, flags=re.DOTALL)  # also drawn as paths
            parts.append(re.sub(r"\d{4,}(\.\d+)?", _in_units, text.replace("#000000", colour)))
    for pad in board.GetPads():
        at, wide = pad.GetPosition(), pad.GetDrillSize().x // UNIT
        parts.append(
            f'<circle cx="{at.x // UNIT}" cy="{at.y // UNIT}" r="{wide / 2}" fill="{HOLE}"/>'
        )
    view = " ".join(map(str, VIEW))
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{view}" width="1020" height="850">'
    lines = "\n".join(parts).splitlines()
    return "\n".join([head, *(line.strip() for line in lines if line.strip()), "</svg>\n"])


def _in_units(number: re.Match) -> str:
    """Convert nanometres to units of the picture; small numbers keep one decimal."""
    units = float(number[0]) / UNIT
    return f"{units:.0f}" if units >= 1000 else f"{units:.1f}"


def main() -> int:
    board = pcbnew.LoadBoard(str(HERE / "disc.kicad_pcb"))
    pcbnew.ZONE_FILLER(board).Fill(board.Zones())
    board.BuildConnectivity()
    loose = board.GetConnectivity().GetUnconnectedCount()
    report = MADE / "rules.txt"
    pcbnew.WriteDRCReport(board, str(report), pcbnew.EDA_UNITS_MILLIMETRES, True)
    lines = report.read_text(encoding="utf-8").splitlines(keepends=True)[2:]  # no path, no day
    report.write_text("".join(lines), encoding="utf-8")
    archive(board)
    (MADE / "disc.svg").write_text(picture(board), encoding="utf-8")
    print(report.read_text(encoding="utf-8"))
    print(loose, "unconnected pads")  # no text: for people who work on the project
    return 1 if loose else 0


if __name__ == "__main__":
    sys.exit(main())
