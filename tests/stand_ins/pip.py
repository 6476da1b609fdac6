"""Installs the project, editable, and a package that it needs, as pip would.

A folder with a METADATA counts as installed, even if the rest of it is not there. An extra
needs a later version of that package.
"""

import os
import sys

from writing import HERE, SITE, install, uninstall

if "OFFLINE" in os.environ:
    print("  WARNING: Retrying (Retry(total=4, connect=None)) after connection broken")
    print("      ERROR: Could not find a version that satisfies the requirement needed")
    raise SystemExit("note: This error originates from a subprocess")
print(f"Obtaining {sys.argv[-1]}")
print("Collecting needed>=1 (from project)")
print("Installing collected packages: needed, project")
if "[" in sys.argv[-1] and (SITE / "needed-1.dist-info").exists():
    uninstall("needed")
if not (SITE / "needed-1.dist-info/METADATA").exists():
    parts = {f"needed/part_{number}.py": "IS_WHOLE = True\n" for number in range(3)}
    install("needed", {"needed/__init__.py": "", **parts})
if (SITE / "project-1.dist-info").exists():
    uninstall("project")
install("project", {"project.pth": f"{HERE}\n"})
