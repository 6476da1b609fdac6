"""A trace as a file, of the kind that its name says."""

import io
from importlib.util import find_spec
from pathlib import Path

from city_unit.desktop import install_hint
from city_unit.desktop.catalogue import _
from city_unit.desktop.errors import FAILURE, UserError
from city_unit.desktop.files import cannot_write, write_whole
from sim.engine.edges import Edges
from sim.face import tones
from sim.lab.picture import picture_file, timeline


def save(path: str, shown: Edges, title: str) -> None:
    """Write a waveform (.vcd), the sound (.wav) or a time line (.svg, .png); raises UserError."""
    kind = Path(path).suffix.lower()
    if kind == ".vcd":
        write_whole(path, waveform(shown))
    elif kind == ".wav":
        try:
            tones.write_wav(path, shown.tones, shown.end_ms)
        except OSError as error:
            raise cannot_write(path, error) from None
    elif picture_file.is_picture(path):
        picture_file.save(path, timeline.draw(shown, title))
    else:
        words = _("{path}: a trace is written as .vcd, .wav, .svg or .png")
        raise UserError(words.format(path=path))


def refuse_no_waveform() -> None:
    """Raise UserError where no waveform can be written."""
    if find_spec("vcd") is None:
        words = _("a VCD needs pyvcd: {install}")
        raise UserError(words.format(install=install_hint.command("pyvcd")), FAILURE)


def waveform(shown: Edges) -> bytes:
    """Return a trace as a VCD; raises UserError."""
    refuse_no_waveform()
    from sim.lab.picture import waveform as vcd

    text = io.StringIO()
    vcd.write(shown, text)
    return text.getvalue().encode()
