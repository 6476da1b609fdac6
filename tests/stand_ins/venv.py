"""Makes an environment as the `venv` of Python does, in a few files, with something called pip."""

import os
import shutil
import sys
from pathlib import Path

from writing import SITE, VENV, delete, install, write

for folder, _, files in os.walk(VENV):
    for name in sorted(files, reverse=True):  # unfinished files are forgotten first
        delete(Path(folder, name))
shutil.rmtree(VENV)
write(VENV / "pyvenv.cfg", f"home = {os.path.dirname(sys.executable)}\n")
SITE.mkdir(parents=True)
(VENV / "bin").mkdir()
(VENV / "bin/python").symlink_to(sys.executable)
if "WITHOUT_PIP" in os.environ:
    raise SystemExit("Error: Command '[..., '-m', 'ensurepip']' returned non-zero exit status 1.")
# As `pip check`: fails unless all is there that an installed package needs.
CHECK = "from importlib.metadata import version\nversion('needed')\nversion('project')\n"
files = {"__init__": "import pip.part\n", "part": "IS_WHOLE = True\n", "__main__": CHECK}
install("pip", {f"pip/{name}.py": text for name, text in files.items()})
