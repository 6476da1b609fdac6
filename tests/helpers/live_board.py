"""A virtual board with the whole firmware, which lives for a while."""

import json
import subprocess
from pathlib import Path

from firmware.virtual.launch import VirtualBoard
from tests.helpers.patience import PATIENCE_S


def live(
    board: VirtualBoard,
    tmp_path: Path,
    changes: list[list[int]],
    end_ms: int,
    code: str | None = None,
    pins: str | None = None,
) -> tuple[str, str]:
    """Let the board live; return its output, and the errors in it.

    pins  the text of the file on the board, if it is not the one that it was wired after
    """
    board.world.update(changes=changes, end_ms=end_ms)
    (board.folder / "pins.txt").write_text(board.pin_text if pins is None else pins)
    command, environment = board.command(tmp_path / "world.json", *(("-c", code) if code else ()))
    done = subprocess.run(
        command,
        cwd=board.folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
    )
    return done.stdout, done.stderr


def at_rest(tmp_path: Path) -> bool:
    """Return whether the board was dark and silent when it ended."""
    report = json.loads((tmp_path / "report.json").read_text())
    return report["lamps"] == 0 and report["tone"] == 0
