"""How far long work is: one line on a terminal, nothing anywhere else."""

import sys


def show(text: str, part: float) -> None:
    """Show `text` on standard error while `part` (0 to 1) of the work is done; wipe it at 1."""
    if not sys.stderr.isatty():
        return
    wiped = "\r\x1b[K"
    sys.stderr.write(wiped if part >= 1 else f"{wiped}{text}")
    sys.stderr.flush()
