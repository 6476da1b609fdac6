"""Checks any device, described in a file, with an instrument.

The file names the signals of the device and its expectations:

device = "kitchen timer"

[lines]                              # your names for the analyser's lines
lamp = "D0"
button = "!D1"                       # active low

[tones]
ready = { hz = 3000, within = "3 %" }   # and line = "D2" to read it from an analyser

[limits]
glitch = "20 us"                     # shorter pulses are ignored
tick = "1 ms"                        # unit of timestamps on a serial line

[[expect]]                           # see `sim.lab.check.relations`
every = "lamp"
period = "1 s"
within = "5 ms"

A source is a capture, a recording, a live analyser, or a serial port to which a board prints one
line per edge, such as `1234.5 lamp 1`: a time, the name of a signal, and 1 or 0 (or on or off),
separated by blanks or commas. `#` starts a comment.
"""

import math
import shutil
import subprocess
import tempfile
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from time import monotonic
from typing import NamedTuple

from city_unit.desktop import toml_reader
from city_unit.desktop.catalogue import _
from city_unit.desktop.errors import INVALID, UNCHECKED, UserError, at, did_you_mean
from city_unit.desktop.files import reason
from city_unit.desktop.forms import shortest
from city_unit.desktop.toml_reader import integer, text
from sim.engine.trace import UNKNOWN_HZ, Changes, Events, Trace
from sim.lab.check import checking, relations
from sim.lab.check.checking import Result
from sim.lab.check.relations import Expectation, Measured
from sim.lab.instrument import capture_file, digital, witness
from sim.lab.instrument.digital import MOST_EDGES, Intervals, Pin, Signals

_MOST_RETRIES = 100
_LEVELS = {"1": 1, "on": 1, "0": 0, "off": 0}
_LONGEST_LINE = 200


class Sound(NamedTuple):
    """A tone of a device: its pitch, the relative tolerance, and its line, if any."""

    hz: int
    part: float
    pin: Pin | None = None


class Device(NamedTuple):
    """A parsed device file.

    lines      the lines with their pins on an analyser
    expected   the expectations
    glitch_us  shorter pulses are ignored
    tick_ms    the unit of timestamps
    """

    path: str
    name: str
    lines: Mapping[str, Pin]
    tones: Mapping[str, Sound]
    expected: list[Expectation]
    glitch_us: float
    tick_ms: float


class Source(NamedTuple):
    """The source of the signals: exactly one of the first four.

    capture    a file of a logic analyser
    recording  an audio file
    serial     a serial port or a file with timestamps
    analyser   sigrok-cli's driver of a live analyser, such as "fx2lafw"
    seconds    how long to observe a live source
    hertz      sample rate of a live analyser
    """

    capture: str | None = None
    recording: str | None = None
    serial: str | None = None
    analyser: str | None = None
    seconds: float = 10.0
    hertz: int = 1_000_000


class Report(NamedTuple):
    """The outcome of checking a device.

    result   the outcome, as for a scenario
    signals  the observed signals
    retries  the number of repeated measurements
    """

    result: Result
    signals: Signals
    retries: int

    @property
    def measured(self) -> list[Measured | None]:
        """The measurements of each expectation, None if the source cannot see it."""
        return [judged.found for judged in self.result.judged]

    def of(self, words: str) -> Measured:
        """Return the measurements of the expectation with this text; raises UserError."""
        known = {each.expectation.words: each.found for each in self.result.judged}
        if words not in known:
            template = _('{path}: no expectation is called "{words}"{hint}')
            hint = did_you_mean(words, known)
            raise UserError(template.format(path=self.result.path, words=words, hint=hint))
        found = known[words]
        if found is None:
            template = _('{path}: this source cannot see "{words}"')
            raise UserError(template.format(path=self.result.path, words=words))
        return found


def is_device(path: str) -> bool:
    """Return whether a file describes a device, False also if it cannot be read."""
    try:
        return "device" in toml_reader.load(path, is_head=True)
    except UserError:
        return False


def load(path: str) -> Device:
    """Read a device file; raises UserError."""
    table = toml_reader.load(path)
    name = table.take("device", text)
    lines = table.table("lines")
    wires = {line: lines.take(line, _pin(line)) for line in lines.names()}
    sounds = {}
    tones = table.table("tones")
    for tone in tones.names():
        if tone in wires:
            raise tones.error(tone, _("{name}: is the name of a line already").format(name=tone))
        sound = tones.table(tone)
        hz = sound.take("hz", integer(1, 20_000))
        within = sound.take("within", relations.part, 0.03)
        sounds[tone] = Sound(hz, within, sound.take("line", _pin(tone), None))
        sound.finish()
    if not (wires or sounds):
        raise table.error(None, _("a device needs [lines] or [tones]"))
    limits = table.table("limits")
    glitch_ms = limits.take("glitch", relations.time, 0.02)
    tick_ms = limits.take("tick", relations.time, 1.0)
    limits.finish()
    expected = relations.read(table, relations.readers((*wires, *sounds)))
    if not expected:
        raise table.error(None, _("nothing is expected; write [[expect]] blocks"))
    table.finish()
    return Device(path, name, wires, sounds, expected, glitch_ms * 1000, tick_ms)


def _pin(name: str) -> Callable[[object], Pin]:
    def read(value: object) -> Pin:
        line = text(value)
        if not line.removeprefix("!"):
            raise ValueError(_('write the analyser\'s line, such as "D0", or "!D0" if low is on'))
        return Pin(name, line.removeprefix("!"), line.startswith("!"))

    return read


def check(device: Device, source: Source, retries: int = 0) -> Report:
    """Check a device, up to `retries` more times while it fails; raises UserError."""
    if not 0 <= retries <= _MOST_RETRIES:
        raise UserError(_("retries: must be from 0 to {most}").format(most=_MOST_RETRIES))
    if retries and not (source.serial or source.analyser):
        raise UserError(_("retries: only a live source can be measured again"))
    if sum(each is not None for each in source[:4]) != 1:
        words = _("a device needs one of --capture, --recording, --serial and --analyser")
        raise UserError(words)
    again = 0
    while True:
        if source.capture is not None:
            seen = of_capture(source.capture, device)
        elif source.recording is not None:
            seen = of_recording(*witness.heard(source.recording), device)
        elif source.serial is not None:
            seen = of_timestamps(source.serial, device, source.seconds)
        else:
            seen = of_analyser(source.analyser or "", device, source.seconds, source.hertz)
        # Neither timestamps nor a line that is simply high during a tone show its pitch.
        pitches = [name for name, hz in seen.hz.items() if not hz or set(hz) != {UNKNOWN_HZ}]
        sees = frozenset([*seen.spans, *map(relations.pitch_of, pitches)])
        result = Result(device.path, checking.judge(device.expected, seen, sees))
        if again == retries or not result.broken:
            return Report(result, seen, again)
        again += 1


def of_capture(path: str, device: Device, source: str = "") -> Signals:
    """Read a capture; raises UserError, which names `source`, by default the path."""
    capture = capture_file.load(path)
    glitch_ns = round(device.glitch_us * 1000)
    end_ms = capture.end_ns / 1e6
    spans: dict[str, Intervals] = {}
    pitches: dict[str, list[float]] = {}
    glitches = 0
    for name, pin in device.lines.items():
        line, left_out = digital.deglitched(capture.line(pin.line), pin, glitch_ns)
        glitches += left_out
        spans[name] = line.intervals(end_ms)
    for name, sound in device.tones.items():
        if sound.pin is None:
            continue
        line = capture.line(sound.pin.line)
        grain_ns = digital.grain_of(line, capture.grain_ns)
        if grain_ns * 2 * sound.hz > 1e9:
            words = _("{path}: sampled too slowly for {hz} Hz; record at {least} kHz or more")
            least = shortest(2 * sound.hz / 1000, 3)
            raise UserError(words.format(path=source or path, hz=sound.hz, least=least))
        tones = digital.tones(line, sound.pin, capture.end_ns, glitch_ns, grain_ns)
        spans[name], pitches[name] = Intervals(), []
        for start, end, hz in tones:
            if hz == UNKNOWN_HZ or abs(hz / sound.hz - 1) <= sound.part:
                spans[name].append(start / 1e6, end / 1e6)
                pitches[name].append(hz)
    notes = digital.glitch_note(glitches, device.glitch_us)
    return Signals(spans, pitches, end_ms, tuple(notes))


def of_recording(
    beeps: Iterable[tuple[float, float, float]], seconds: float, device: Device
) -> Signals:
    """Assign the beeps of a recording, `(onset ms, length ms, Hz)`, to tones by pitch."""
    spans = {name: Intervals() for name in device.tones}
    pitches: dict[str, list[float]] = {name: [] for name in device.tones}
    unmatched = []
    for onset, length, hz in beeps:
        off = {name: abs(hz / sound.hz - 1) for name, sound in device.tones.items()}
        near = min(off, key=lambda name: off[name], default="")
        if not near or off[near] > device.tones[near].part:
            unmatched.append(f"{shortest(hz, 0)} Hz")
            continue
        spans[near].append(onset, onset + length)
        pitches[near].append(hz)
    notes = []
    if unmatched:
        words = _("{count} beeps match none of its tones: {pitches}")
        examples = ", ".join(dict.fromkeys(unmatched[:6]))
        notes.append(words.format(count=len(unmatched), pitches=examples))
    return Signals(spans, pitches, seconds * 1000, tuple(notes))


def _lines(path: str, seconds: float) -> Iterator[str]:
    """Yield the lines of a file, or those received from a serial port within `seconds`."""
    is_file = Path(path).is_file()
    try:
        if is_file:
            with open(path, encoding="utf-8", errors="replace") as file:
                while line := file.readline(_LONGEST_LINE):
                    yield line
            return
        from city_unit.host import ports

        left = b""
        until = monotonic() + seconds
        port = ports.open_port(path)
        try:
            while (rest := until - monotonic()) > 0:
                *whole, left = (left + port.read(min(rest, 0.5))).split(b"\n")
                yield from (line.decode(errors="replace") for line in whole)
                left = left[-_LONGEST_LINE:]
        finally:
            port.close()
    except OSError as error:
        if is_file:
            raise UserError(at(path, reason(error))) from None
        raise UserError(at(path, error), UNCHECKED) from None


def of_timestamps(path: str, device: Device, seconds: float = 10.0) -> Signals:
    """Read a file of timestamps, or a serial port for `seconds`; raises UserError."""
    is_live = not Path(path).is_file()
    spans = {name: Intervals() for name in (*device.lines, *device.tones)}
    since: dict[str, float | None] = {}  # when each signal went on, None while off
    begin: float | None = None
    now = edges = 0.0
    for place, line in enumerate(_lines(path, seconds), 1):
        words = line.partition("#")[0].replace(",", " ").split()
        if not words:
            continue
        try:
            stamp, name, state = words
            ms, value = float(stamp) * device.tick_ms, _LEVELS[state.lower()]
        except (ValueError, KeyError):
            if is_live and place == 1:
                continue  # the port may be opened in the middle of a line
            template = _('{path}, line {line}: "{words}" is not a time, a name and 1 or 0')
            raise UserError(
                template.format(path=path, line=place, words=line.strip()[:60])
            ) from None
        if begin is None:
            begin = now = ms
        edges += 1
        if ms < now or not ms - begin <= 1e14 or edges > MOST_EDGES:
            template = _("{path}, line {line}: the time goes backwards, or too far ahead")
            raise UserError(template.format(path=path, line=place))
        now = ms
        if name not in spans:
            continue
        began = since.get(name, None if value else begin)  # may be on before its first line
        if value:
            # Not `begin`, which would mean that it was on before the start.
            since[name] = max(now, math.nextafter(begin, math.inf)) if began is None else began
        else:
            if began is not None:
                spans[name].append(began, now)
            since[name] = None
    if begin is None:
        why = at(path, _("it contains no timestamps"))
        raise UserError(why, UNCHECKED if is_live else INVALID)
    for name, began in since.items():
        if began is not None:
            spans[name].append(began, now)
    return Signals(spans, {}, now, begin_ms=begin)


def of_analyser(driver: str, device: Device, seconds: float, hertz: int) -> Signals:
    """Capture with `sigrok-cli`; raises UserError."""
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
            raise UserError(_("sigrok-cli: no response in time"), UNCHECKED) from None
        if done.returncode or not Path(path).is_file():
            output = (done.stderr.strip() or done.stdout.strip() or "?").splitlines()[-1]
            raise UserError(at("sigrok-cli", output), UNCHECKED)
        return of_capture(path, device, driver)


def shown(signals: Signals, start_ms: float = 0.0, end_ms: float = math.inf) -> Trace:
    """Convert signals, or the part from `start_ms` to `end_ms`, to a trace for drawing."""
    lamps: dict[str, Changes] = {}
    for name, spans in signals.spans.items():
        changes = lamps[name] = Changes()
        first, last = bisect_left(spans.ends, start_ms), bisect_right(spans.starts, end_ms)
        for start, end in spans[first:last]:
            changes.append((round(start), 1))
            changes.append((round(end), 0))
    return Trace(lamps, Changes(), Events(), math.ceil(signals.end_ms))
