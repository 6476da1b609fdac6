"""A trace as a file, of the kind that its name says.

.jsonl  a change a line, as `city-unit trace` prints it
.csv    a row for each time at which something changes, read by our `--capture` and by spreadsheets
.vcd    a waveform for GTKWave, PulseView and sigrok-cli
.wav    the sound
.svg, .png  a time line

A waveform has single bits only, since readers skip everything else and libsigrok up to 0.5.2 drops
a whole file for one vector. An event is therefore a bit that turns over each time the event
happens, and each pitch has a bit of its own. Every line is low before the run begins.
"""

import csv
import io
from collections.abc import Iterator
from importlib.util import find_spec
from itertools import groupby
from pathlib import Path

from city_unit import trace
from city_unit.desktop import errors
from city_unit.desktop.catalogue import _
from city_unit.desktop.command import Progress
from city_unit.desktop.errors import UNCHECKED, UserError
from city_unit.desktop.files import cannot_write, refuse_no_folder, write_whole
from city_unit.desktop.forms import number
from sim.engine.edges import Edges
from sim.face import tones
from sim.lab import picture
from sim.lab.instrument.digital import EVENTS, PITCH

KINDS = (".jsonl", ".csv", ".vcd", ".wav", *picture.KINDS)
_LONGEST_WAV_MS = 0xFFFF_0000 // 2 * 1000 // tones.RATE  # a WAV file holds 4 GiB


def refuse(path: str, end_ms: int) -> None:
    """Raise UserError if a trace of this length cannot be written to a file of this name."""
    kind = Path(path).suffix.lower()
    refuse_no_folder(path)
    if kind not in KINDS:
        words = _("{path}: a trace is written as {kinds}")
        raise UserError(words.format(path=path, kinds=", ".join(KINDS)))
    if kind == ".vcd" and find_spec("vcd") is None:
        words = _("a VCD needs pyvcd: {install}")
        raise UserError(words.format(install=errors.install_command("pyvcd")), UNCHECKED)
    if kind == ".wav" and end_ms > _LONGEST_WAV_MS:
        words = _("{path}: a WAV file holds {hours} h at most; end the scenario sooner")
        raise UserError(words.format(path=path, hours=number(_LONGEST_WAV_MS / 3_600_000, 1)))


def save(
    path: str, shown: Edges, title: str, start_ms: int = 0, end_ms: "int | None" = None
) -> None:
    """Write a trace as the file's name says; raises UserError.

    title, start_ms, end_ms  of a picture: the words above it, and the part that it shows
    """
    refuse(path, shown.end_ms)
    kind = Path(path).suffix.lower()
    if kind == ".jsonl":
        write_whole(path, "".join(f"{line}\n" for line in lines(shown)))
    elif kind == ".csv":
        write_whole(path, _table(shown))
    elif kind == ".vcd":
        write_whole(path, waveform(shown))
    elif kind == ".wav":
        line = Progress(patience_s=1)

        def show(part: float) -> None:
            line.show(_("writing the sound: {percent} %").format(percent=int(part * 100)), part)

        try:
            tones.write_wav(path, shown.tones, shown.end_ms, progress=show)
        except OSError as error:
            raise cannot_write(path, error) from None
    else:
        picture.save(path, picture.timeline(shown, title, start_ms, end_ms))


def lines(shown: Edges) -> Iterator[str]:
    """Yield a trace's lines: of one millisecond the events first, then the lamps, then the tone."""
    changes = [
        (ms, 0, kind, (*fields.values(), None)[0], (*fields.values(), None, None)[1])
        for ms, kind, fields in shown.events
    ]
    for place, (lamp, switched) in enumerate(shown.lamps.items(), 1):
        changes += [(ms, place, lamp, on, None) for ms, on in switched]
    changes += [(ms, len(shown.lamps) + 1, "tone", hz, None) for ms, hz in shown.tones]
    changes.sort(key=lambda change: change[:2])
    for ms, _rank, what, value, why in changes:
        yield trace.line(ms, what, value, why)


def _table(shown: Edges) -> str:
    """Return the CSV; the last row tells when the run ended."""
    names = [*map(_name, shown.lamps), "buzzer"]
    changes: list[tuple[int, str, int | str]] = [*_switched(shown)]
    changes += [(ms, PITCH, hz) for ms, hz in shown.tones]
    changes += [(ms, EVENTS, event_name(kind, fields)) for ms, kind, fields in shown.events]
    changes += [(0, "", 0), (shown.end_ms, "", 0)]
    changes.sort(key=lambda change: change[0])
    file = io.StringIO()
    table = csv.writer(file, lineterminator="\n")
    table.writerow(["Time [s]", *names, PITCH, EVENTS])  # no text: as analysers' programs write it
    level: dict[str, int | str] = dict.fromkeys([*names, PITCH, ""], 0)
    for ms, group in groupby(changes, key=lambda change: change[0]):
        events = []
        for _ms, name, value in group:
            if name == EVENTS:
                events.append(value)
            else:
                level[name] = value
        level["buzzer"] = int(level[PITCH] != 0)
        row = (level[name] for name in (*names, PITCH))
        table.writerow([f"{ms / 1000:.3f}", *row, " ".join(events)])
    return file.getvalue()


def _switched(shown: Edges) -> Iterator[tuple[int, str, int]]:
    return ((ms, _name(lamp), on) for lamp, changes in shown.lamps.items() for ms, on in changes)


def waveform(shown: Edges) -> bytes:
    """Return a trace as a VCD with the lamps, the buzzer, its pitches and the events."""
    from vcd import VCDWriter

    changes = [*_switched(shown), *((ms, "buzzer", int(hz > 0)) for ms, hz in shown.tones)]
    pitches = sorted({hz for _ms, hz in shown.tones if hz})
    for pitch in pitches:
        changes += [(ms, f"buzzer_{pitch}_hz", int(hz == pitch)) for ms, hz in shown.tones]
    levels: dict[str, int] = {}
    for ms, kind, fields in shown.events:
        name = event_name(kind, fields)
        levels[name] = 1 - levels.get(name, 0)
        changes.append((ms, name, levels[name]))
    names = [*map(_name, shown.lamps), "buzzer", *(f"buzzer_{hz}_hz" for hz in pitches), *levels]
    text = io.StringIO()
    with VCDWriter(text, timescale="1 ms", date="", comment="City Unit") as vcd:
        bits = {name: vcd.register_var("unit", name, "wire", size=1, init=0) for name in names}
        for ms, name, value in sorted(changes, key=lambda change: change[0]):
            vcd.change(bits[name], ms, value)
        vcd.close(shown.end_ms)
    return text.getvalue().encode()


def event_name(kind: str, fields: dict) -> str:
    """Return the name of an event's line: its kind and the words that it carries, not its times."""
    return _name(" ".join([kind, *(value for value in fields.values() if isinstance(value, str))]))


def _name(words: str) -> str:
    return words.replace("-", "_").replace(" ", "_")
