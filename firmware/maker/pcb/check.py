"""Have KiCad check the board and draw it: `/usr/bin/python3 firmware/maker/pcb/check.py`.

Needs KiCad 6 or later, and the Python that has its module `pcbnew`. Beside the layout it
leaves the report of KiCad's rules, and an archive of Gerbers and drills; the ground is
filled in the layout that it draws from, and not in the one that is kept.

KiCad 6 has no command for the rules of a schematic: `made/electrical.txt` is the report of
its editor's own check (Inspect, Electrical Rules Checker, Save), without its first line.
"""

import sys
import tempfile
import zipfile
from pathlib import Path

import pcbnew  # type: ignore  # KiCad's own

MADE = Path(__file__).parent / "made"
NAME = "disc"
LAYERS = ("F.Cu", "B.Cu", "F.Mask", "B.Mask", "F.SilkS", "B.SilkS", "Edge.Cuts")
UNIX, READABLE = 3, 0o100644  # whoever unpacks the archive: a file that all may read
DAY = (2026, 1, 1, 0, 0, 0)


def draw(board, folder: Path) -> None:
    """Write a Gerber a layer, and the drills."""
    control = pcbnew.PLOT_CONTROLLER(board)
    options = control.GetPlotOptions()
    options.SetOutputDirectory(str(folder))
    options.SetUseGerberX2format(True)
    options.SetPlotFrameRef(False)
    for layer in LAYERS:
        control.SetLayer(board.GetLayerID(layer))
        control.OpenPlotfile(layer.replace(".", "_"), pcbnew.PLOT_FORMAT_GERBER, layer)
        control.PlotLayer()
    control.ClosePlot()
    drills = pcbnew.EXCELLON_WRITER(board)
    drills.SetOptions(False, False, board.GetDesignSettings().GetAuxOrigin(), False)
    drills.SetFormat(True)
    drills.CreateDrillandMapFilesSet(str(folder), True, False)


def main() -> int:
    board = pcbnew.LoadBoard(str(MADE / f"{NAME}.kicad_pcb"))
    pcbnew.ZONE_FILLER(board).Fill(board.Zones())
    board.BuildConnectivity()
    loose = board.GetConnectivity().GetUnconnectedCount()
    report = MADE / "rules.txt"
    pcbnew.WriteDRCReport(board, str(report), pcbnew.EDA_UNITS_MILLIMETRES, True)
    lines = report.read_text(encoding="utf-8").splitlines(keepends=True)[2:]  # no path, no day
    report.write_text("".join(lines), encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        draw(board, Path(folder))
        with zipfile.ZipFile(MADE / "gerbers.zip", "w") as archive:
            for path in sorted(Path(folder).iterdir()):
                info = zipfile.ZipInfo(path.name, DAY)
                info.create_system, info.external_attr = UNIX, READABLE << 16
                archive.writestr(info, path.read_bytes(), zipfile.ZIP_DEFLATED, 9)
    print(report.read_text(encoding="utf-8"))
    print(loose, "legs are not joined")  # no text: for whoever works on the project
    return 1 if loose else 0


if __name__ == "__main__":
    sys.exit(main())
