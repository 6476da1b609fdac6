"""How to install the packages that only some commands need: a line that can be copied."""

import sys


def command(*packages: str) -> str:
    """Return the command that installs packages for the Python that is running."""
    python = f'"{sys.executable}"' if " " in sys.executable else sys.executable
    return f"{python} -m pip install {' '.join(packages)}"  # no text: a command
