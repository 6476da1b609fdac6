"""Benchmarks, and the form of their findings."""

from typing import NamedTuple


class NotMeasured(Exception):
    """The reason why this machine cannot measure something."""


class Figure(NamedTuple):
    """One figure.

    what       its subject
    value      with its unit, as it is to be read
    target     its goal, "" without one
    reached    whether the value reaches it; None without a target
    beside     the reference that was measured in the same run, "" if there is none
    """

    what: str
    value: str
    target: str = ""
    reached: bool | None = None
    beside: str = ""
