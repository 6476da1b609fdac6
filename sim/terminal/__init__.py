"""The unit in a terminal: where there is no display, or where somebody likes it better."""

from sim.terminal.session import run

__all__ = ["run"]
