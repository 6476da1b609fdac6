"""Makes an environment as the `venv` of Python does, in a few files."""

import os
import shutil
import sys
from pathlib import Path

from writing import SITE, VENV, delete, write

for folder, _, files in os.walk(VENV):
    for name in sorted(files, reverse=True):  # what is unfinished is forgotten first
        delete(Path(folder, name))
shutil.rmtree(VENV)
write(VENV / "pyvenv.cfg", f"home = {os.path.dirname(sys.executable)}\n")
SITE.mkdir(parents=True)
(VENV / "bin").mkdir()
(VENV / "bin/python").symlink_to(sys.executable)
