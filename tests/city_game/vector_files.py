"""Vectors of rules: files of steps that players do, and of the facts before and after."""

import sys
from pathlib import Path

from city_game.kernel import Illegal, State, apply
from city_game.saves.notation import read

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


def vectors(folder: Path) -> dict[str, list[dict]]:
    """Return the vectors of each file of a folder, by the file's name without its ending."""
    return {
        path.stem: tomllib.loads(path.read_text(encoding="utf-8"))["vector"]
        for path in sorted(folder.glob("*.toml"))
    }


def reason_after(vector: dict, state: State) -> str:
    """Do the steps of a vector; return why the last was refused, "" if it was not."""
    reason = ""
    for line in vector.get("do", ()):
        assert not reason, f"{vector['rule']}: {line}: refused before it: {reason}"
        try:
            apply(state, read(line, state.board))
        except Illegal as illegal:
            reason = str(illegal)
    return reason
