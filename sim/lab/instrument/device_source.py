"""The signals of any device: from a capture, a recording, a line of timestamps, or live.

A board prints a line of timestamps for each edge: `1234.5 lamp 1`, a time, the name of a signal,
and 1 or 0 (or on or off), between blanks or commas. `#` begins a comment.
"""

import shutil
import subprocess
import tempfile
from array import array
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from time import monotonic
from typing import NamedTuple

from city_unit.desktop.catalogue import _
from city_unit.desktop.errors import MISTAKE, UNCHECKED, UserError, at
from city_unit.desktop.files import reason
from city_unit.desktop.forms import number, shortest
from sim.engine.edges import UNKNOWN_HZ
from sim.lab.instrument import capture_file, pins
from sim.lab.instrument.digital import MOST_EDGES, Signals, Stretches
from sim.lab.instrument.pins import Pin

_LEVELS = {"1": 1, "on": 1, "0": 0, "off": 0}
_LONGEST_LINE = 200


class Sound(NamedTuple):
    """A tone of a device: its pitch, the part by which that may be off, and its line, if any."""

    hz: int
    part: float
    pin: Pin | None = None


class Device(NamedTuple):
    """The signals of a device.

    lines      its lines, each with its place on an analyser
    tones      its tones
    glitch_us  a pulse shorter than this is none
    tick_ms    the unit of its timestamps
    """

    lines: Mapping[str, Pin]
    tones: Mapping[str, Sound]
    glitch_us: float = 20.0
    tick_ms: float = 1.0


class Seen(NamedTuple):
    """The signals that a source can see, and notes for people."""

    signals: Signals
    notes: tuple[str, ...] = ()


def of_capture(path: str, device: Device, name: str = "") -> Seen:
    """Read a capture's file, which people know by this name, or its own; raises UserError."""
    capture = capture_file.load(path)
    glitch_ns = round(device.glitch_us * 1000)
    end_ms = capture.end_ns / 1e6
    spans: dict[str, Stretches] = {}
    pitches: dict[str, list[float]] = {}
    glitches = 0
    for name, pin in device.lines.items():
        line, left_out = pins.without_glitches(capture.line(pin.line), glitch_ns)
        glitches += left_out
        is_on = line.first ^ pin.is_inverted
        found = spans[name] = Stretches([(0.0, 0.0)][:is_on])
        found.ends = array("d", (ns / 1e6 for ns in line.turns[1 - is_on :: 2]))
        found.starts.extend(ns / 1e6 for ns in line.turns[is_on::2])
        if len(found.ends) < len(found.starts):
            found.ends.append(end_ms)
    for name, sound in device.tones.items():
        if sound.pin is None:
            continue
        line = capture.line(sound.pin.line)
        grain_ns = pins.grain_of(line, capture.grain_ns)
        if grain_ns * 2 * sound.hz > 1e9:
            words = _("{path}: sampled too slowly to tell {hz} Hz; record at {least} kHz or more")
            least = shortest(2 * sound.hz / 1000, 3)
            raise UserError(words.format(path=name or path, hz=sound.hz, least=least))
        tones = pins.tones(line, sound.pin, capture.end_ns, glitch_ns, grain_ns)
        mine = [t for t in tones if t.hz == UNKNOWN_HZ or abs(t.hz / sound.hz - 1) <= sound.part]
        spans[name] = Stretches((tone.start / 1e6, tone.end / 1e6) for tone in mine)
        pitches[name] = [tone.hz for tone in mine if tone.hz != UNKNOWN_HZ]
    notes = []
    if glitches:
        words = _("left out as glitches: {count} pulses shorter than {us} µs")
        notes.append(words.format(count=number(glitches), us=shortest(device.glitch_us, 3)))
    return Seen(Signals(spans, pitches, end_ms), tuple(notes))


def of_recording(
    beeps: Iterable[tuple[float, float, float]], seconds: float, device: Device
) -> Seen:
    """Take the beeps of a recording, `(onset ms, length ms, Hz)`; beeps of no tone are counted."""
    spans = {name: Stretches() for name in device.tones}
    pitches: dict[str, list[float]] = {name: [] for name in device.tones}
    strange = []
    for onset, length, hz in beeps:
        off = {name: abs(hz / sound.hz - 1) for name, sound in device.tones.items()}
        near = min(off, key=lambda name: off[name], default="")
        if not near or off[near] > device.tones[near].part:
            strange.append(f"{shortest(hz, 0)} Hz")
            continue
        spans[near].append(onset, onset + length)
        pitches[near].append(hz)
    notes = []
    if strange:
        words = _("like none of its tones: {count} beeps, of {pitches}")
        told = ", ".join(dict.fromkeys(strange[:6]))
        notes.append(words.format(count=len(strange), pitches=told))
    return Seen(Signals(spans, pitches, seconds * 1000), tuple(notes))


def of_timestamps(path: str, device: Device, seconds: float = 10.0) -> Seen:
    """Read a file of timestamps, or a serial port for `seconds`; raises UserError."""
    is_file = Path(path).is_file()
    lines = _of_file(path) if is_file else _of_port(path, seconds)
    return _of_rows(path, lines, device, is_live=not is_file)


def _of_file(path: str) -> Iterator[str]:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            while line := file.readline(_LONGEST_LINE):
                yield line
    except OSError as error:
        raise UserError(at(path, reason(error))) from None


def _of_port(name: str, seconds: float) -> Iterator[str]:
    from city_unit.host.lines import ports

    left = b""
    until = monotonic() + seconds
    try:
        port = ports.open_port(name)
        try:
            while (rest := until - monotonic()) > 0:
                *whole, left = (left + port.read(min(rest, 0.5))).split(b"\n")
                yield from (line.decode(errors="replace") for line in whole)
                left = left[-_LONGEST_LINE:]
        finally:
            port.close()
    except OSError as error:
        raise UserError(at(name, error), UNCHECKED) from None


def _of_rows(path: str, lines: Iterable[str], device: Device, is_live: bool) -> Seen:
    level: dict[str, float | None] = {}  # since when each is on
    names = {*device.lines, *device.tones}
    spans = {name: Stretches() for name in names}
    first: float | None = None
    now = edges = 0.0
    for place, line in enumerate(lines, 1):
        words = line.partition("#")[0].replace(",", " ").split()
        if not words:
            continue
        try:
            stamp, name, state = words
            ms, value = float(stamp) * device.tick_ms, _LEVELS[state.lower()]
        except (ValueError, KeyError):
            if is_live and place == 1:
                continue  # a port may be opened in the middle of a line
            told = _('{path}, line {line}: "{words}" is no time, name and 1 or 0')
            raise UserError(told.format(path=path, line=place, words=line.strip()[:60])) from None
        first = ms if first is None else first
        edges += 1
        if not ms - first >= now or ms - first > 1e14 or edges > MOST_EDGES:
            told = _("{path}, line {line}: the time goes backwards, or too far ahead")
            raise UserError(told.format(path=path, line=place))
        now = ms - first
        if name not in names:
            continue
        if name not in level:
            level[name] = None
            if not value:  # it was on before the first line
                level[name] = 0.0
        since = level[name]
        if value and since is None:
            level[name] = now or 1e-9  # the first line is an edge, not the beginning
        elif not value and since is not None:
            spans[name].append(since, now)
            level[name] = None
    if first is None:
        raise UserError(
            at(path, _("there is no timestamp in it")), UNCHECKED if is_live else MISTAKE
        )
    for name, since in level.items():
        if since is not None:
            spans[name].append(since, now)
    return Seen(Signals(spans, {}, now))


def of_analyser(driver: str, device: Device, seconds: float, hertz: int) -> Seen:
    """Capture with `sigrok-cli` for `seconds` at `hertz` samples a second; raises UserError."""
    if shutil.which("sigrok-cli") is None:
        words = _("a live analyser needs sigrok-cli; Debian and Ubuntu: apt install sigrok-cli")
        raise UserError(words, UNCHECKED)
    wires = [pin.line for pin in device.lines.values()]
    wires += [sound.pin.line for sound in device.tones.values() if sound.pin]
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "live.sr")
        command = ["sigrok-cli", "--driver", driver, "--config", f"samplerate={hertz}"]
        command += ["--channels", ",".join(dict.fromkeys(wires))]
        command += ["--time", str(round(seconds * 1000)), "-O", "srzip", "-o", path]
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, timeout=seconds * 3 + 30, check=False
            )
        except subprocess.TimeoutExpired:
            raise UserError(_("sigrok-cli: no answer in time"), UNCHECKED) from None
        if done.returncode or not Path(path).is_file():
            said = (done.stderr.strip() or done.stdout.strip() or "?").splitlines()[-1]
            raise UserError(at("sigrok-cli", said), UNCHECKED)
        return of_capture(path, device, driver)
