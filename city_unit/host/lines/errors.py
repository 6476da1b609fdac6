"""What can go wrong with a port: the errors that whoever finds a unit and whoever talks share.

What a unit itself may answer stands in `city_unit/host/errors.py`.
"""


class LinkError(Exception):
    """Something is wrong with the link to a unit; the base of all the others."""


class NoUnit(LinkError):
    """There is no unit at a port, or none that could be found."""


class Busy(NoUnit):
    """There is a unit at a port, but another program has it."""
