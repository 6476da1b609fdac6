"""What a double click starts, on each desktop: which files those are, and what is in them."""

from pathlib import Path
from typing import NamedTuple

from city_unit.desktop.catalogue import Lazy


class Starter(NamedTuple):
    """A program that is to be started by a double click.

    name     a-z and hyphens: of its files
    title    what people call it
    about    what it is
    command  the words that start it
    icon     a PNG of 256 px
    """

    name: str
    title: str
    about: Lazy
    command: tuple[str, ...]
    icon: bytes


class File(NamedTuple):
    """A file that belongs to a starter."""

    path: Path
    content: bytes
    is_executable: bool = False
