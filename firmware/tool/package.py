"""The list of files by which `mpremote mip install` puts the unit onto a board.

`python -m firmware.tool.package` writes `package.json` in the root of the project
anew; a test holds it against the firmware as it is. It installs sources:

    mpremote mip install --target / github:OWNER/REPOSITORY
"""

import json

from city_unit.facts import VERSION
from firmware.tool.image import ROOT, sources

PACKAGE = ROOT / "package.json"


def text() -> str:
    """Return the right content of `package.json`."""
    files = [[name, path.relative_to(ROOT).as_posix()] for name, path in sources().items()]
    return json.dumps({"version": VERSION, "deps": [], "urls": files}, indent=2) + "\n"


if __name__ == "__main__":
    PACKAGE.write_text(text(), encoding="utf-8", newline="\n")
    print(f"{PACKAGE.name} written")  # no text: for people who work on the project
