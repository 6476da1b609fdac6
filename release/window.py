"""The start of a window without Python: the program is named like the file that was started."""

import os
import sys
from pathlib import Path

# A program without a console has no streams on Windows; those who print must not fail.
for name in ("stdout", "stderr"):
    if getattr(sys, name) is None:
        setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 - for good

if Path(sys.executable).stem == "city-game":
    from city_game.cli import main
else:
    from sim.cli import main

if __name__ == "__main__":
    sys.exit(main())
