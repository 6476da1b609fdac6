"""The starters for a double click, on each desktop: their files with their contents."""

from pathlib import Path
from typing import NamedTuple

from city_unit.desktop.catalogue import Lazy


class Starter(NamedTuple):
    """A program that is to be started by a double click.

    name     a-z and hyphens: of its files
    title    its name for people
    about    a description
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
