"""A picture as a file, of the kind that its name says."""

from pathlib import Path

from city_unit.desktop import errors
from city_unit.desktop.catalogue import _
from city_unit.desktop.errors import FAILURE, UserError
from city_unit.desktop.files import write_whole
from sim.lab.picture import svg
from sim.lab.picture.shapes import Picture

KINDS = (".svg", ".png")


def is_picture(path: str) -> bool:
    """Return whether a picture can be written to a file of this name."""
    return Path(path).suffix.lower() in KINDS


def save(path: str, picture: Picture) -> None:
    """Write a picture, as the file's name says; raises UserError."""
    if Path(path).suffix.lower() == ".svg":
        write_whole(path, svg.text(picture))
        return
    try:
        from sim.lab.picture import png
    except ImportError:
        raise UserError(
            _("a PNG needs pygame-ce (an .svg does not): {install}").format(
                install=errors.install_command("pygame-ce")
            ),
            FAILURE,
        ) from None
    write_whole(path, png.content(picture))
