"""Exports a trace in the format of the file's suffix.

.jsonl  one change per line, as `city-unit trace` prints them
.csv    one row for each time with a change, for spreadsheets and our own `--capture`
.vcd    a waveform for GTKWave, PulseView and sigrok-cli
.wav    the sound
.svg    a time line

The waveform contains single bits only: most readers skip anything else, and libsigrok up to 0.5.2
rejects a file with a vector. An event is therefore a bit that toggles at each occurrence, and each
pitch has its own bit. All lines are low before the run starts.
"""

import csv
import heapq
import io
from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from itertools import groupby, starmap
from pathlib import Path
from typing import Any, TextIO

from city_unit import trace
from city_unit.desktop import errors
from city_unit.desktop.catalogue import _
from city_unit.desktop.command import Progress
from city_unit.desktop.errors import UNCHECKED, UserError
from city_unit.desktop.files import cannot_write, require_folders, write_whole, writing_whole
from city_unit.desktop.forms import number
from sim.engine.trace import Change, Trace
from sim.face import tones
from sim.lab import picture
from sim.lab.instrument.digital import EVENTS, PITCH

KINDS = (".jsonl", ".csv", ".vcd", ".wav", picture.KIND)
_LONGEST_WAV_MS = 0xFFFF_0000 // 2 * 1000 // tones.RATE  # a WAV file holds 4 GiB


def refuse(path: str, end_ms: int) -> None:
    """Raise UserError if a trace of this length cannot be written to this path."""
    kind = Path(path).suffix.lower()
    require_folders(path)
    if kind not in KINDS:
        words = _("{path}: the format must be one of {kinds}")
        raise UserError(words.format(path=path, kinds=", ".join(KINDS)))
    if kind == ".vcd" and find_spec("vcd") is None:
        words = _("a VCD needs pyvcd: {install}")
        raise UserError(words.format(install=errors.install_command("pyvcd")), UNCHECKED)
    if kind == ".wav" and end_ms > _LONGEST_WAV_MS:
        words = _("{path}: a WAV file holds at most {hours} h; end the scenario earlier")
        raise UserError(words.format(path=path, hours=number(_LONGEST_WAV_MS / 3_600_000, 1)))


def save(
    path: str, shown: Trace, title: str, start_ms: int = 0, end_ms: "int | None" = None
) -> None:
    """Write a trace in the format of the file's suffix; raises UserError.

    title, start_ms, end_ms  for a picture: its title, and the part to draw
    """
    refuse(path, shown.end_ms)
    kind = Path(path).suffix.lower()
    if kind == picture.KIND:
        write_whole(path, picture.text(picture.timeline(shown, title, start_ms, end_ms)))
        return
    try:
        if kind == ".wav":
            line = Progress(patience_s=1)

            def show(part: float) -> None:
                line.show(_("writing the sound: {percent} %").format(percent=int(part * 100)), part)

            tones.write_wav(path, shown.tones, shown.end_ms, progress=show)
            return
        write = {".jsonl": _write_lines, ".csv": _write_table, ".vcd": _write_waveform}[kind]
        with writing_whole(path) as file:
            text = io.TextIOWrapper(file, encoding="utf-8", newline="\n")
            write(text, shown)
            text.detach()
    except OSError as error:
        raise cannot_write(path, error) from None


def _by_time(changes: Iterable[Iterable[tuple]]) -> Iterator[tuple]:
    """Merge lists of changes without holding a copy of them: a month has millions."""
    return heapq.merge(*changes, key=lambda change: change[0])


def _named(name: str, changes: Iterable[Change]) -> Iterator[tuple[int, str, int]]:
    return ((ms, name, value) for ms, value in changes)


def _switched(shown: Trace) -> list[Iterator[tuple[int, str, int]]]:
    return [_named(_name(lamp), changes) for lamp, changes in shown.lamps.items()]


def _write_lines(file: TextIO, shown: Trace) -> None:
    """Write a trace's lines: of each millisecond the events, then the lamps, then the tone."""

    def events() -> Iterator[tuple]:
        for ms, kind, fields in shown.events:
            value, why, *_rest = (*fields.values(), None, None)
            yield ms, kind, value, why

    lamps = starmap(_named, shown.lamps.items())
    for ms, what, value, *why in _by_time([events(), *lamps, _named("tone", shown.tones)]):
        file.write(f"{trace.line(ms, what, value, *why)}\n")


def _write_table(file: TextIO, shown: Trace) -> None:
    """Write the CSV. Its last row marks the end of the run."""
    names = [*map(_name, shown.lamps), "buzzer"]
    changes = _by_time(
        [
            *_switched(shown),
            _named(PITCH, shown.tones),
            ((ms, EVENTS, event_name(kind, fields)) for ms, kind, fields in shown.events),
            [(0, "", 0), (shown.end_ms, "", 0)],
        ]
    )
    table = csv.writer(file, lineterminator="\n")
    table.writerow(["Time [s]", *names, PITCH, EVENTS])  # no text: as Saleae's software writes it
    level: dict[str, Any] = dict.fromkeys([*names, PITCH, ""], 0)
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


def _write_waveform(file: TextIO, shown: Trace) -> None:
    """Write the VCD, with lamps, buzzer, pitches and events."""
    from vcd import VCDWriter

    def tone(name: str, pitches: Iterable[int]) -> Iterator[tuple[int, str, int]]:
        return _named(name, ((ms, int(hz in pitches)) for ms, hz in shown.tones))

    levels = {event_name(kind, fields): 0 for _ms, kind, fields in shown.events}
    names = [*map(_name, shown.lamps), "buzzer"]

    def events() -> Iterator[tuple[int, str, int]]:
        for ms, kind, fields in shown.events:
            name = event_name(kind, fields)
            levels[name] = 1 - levels[name]
            yield ms, name, levels[name]

    pitches = sorted({hz for _ms, hz in shown.tones if hz})
    of_pitch = {f"buzzer_{hz}_hz": tone(f"buzzer_{hz}_hz", [hz]) for hz in pitches}
    changes = _by_time([*_switched(shown), tone("buzzer", pitches), *of_pitch.values(), events()])
    with VCDWriter(file, timescale="1 ms", date="", comment="City Unit") as vcd:
        bits = {
            name: vcd.register_var("unit", name, "wire", size=1, init=0)
            for name in (*names, *of_pitch, *levels)
        }
        for ms, name, value in changes:
            vcd.change(bits[name], ms, value)
        vcd.close(shown.end_ms)


def event_name(kind: str, fields: dict) -> str:
    """Return the name of an event's line: its kind and its string values."""
    return _name(" ".join([kind, *(value for value in fields.values() if isinstance(value, str))]))


def _name(words: str) -> str:
    return words.replace("-", "_").replace(" ", "_")
