"""Any device, described in a file and judged by an instrument.

device = "kitchen timer"

[lines]                              # names of yours, and the analyser's lines
lamp = "D0"
button = "!D1"                       # low is on

[tones]
ready = { hz = 3000, within = "3 %" }   # line = "D2" where an analyser sees it swing

[limits]
glitch = "20 us"                     # a shorter pulse is none
tick = "1 ms"                        # the unit of its timestamps, on a serial line

[[expect]]                           # see `sim.lab.check.relations`
every = "lamp"
period = "1 s"
within = "5 ms"
"""

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from typing import NamedTuple

from city_unit.desktop import toml_reader
from city_unit.desktop.catalogue import _
from city_unit.desktop.errors import UserError, did_you_mean
from city_unit.desktop.toml_reader import integer, text
from sim.engine.edges import Changes, Edges, Events
from sim.lab.check import checking, relations
from sim.lab.check.checking import Result
from sim.lab.check.relations import Expectation, Measured
from sim.lab.instrument import device_source
from sim.lab.instrument.device_source import Device, Seen, Sound
from sim.lab.instrument.digital import Signals
from sim.lab.instrument.pins import Pin

_MOST_RETRIES = 100


class Description(NamedTuple):
    """A device's file: its name, its signals and its expectations."""

    path: str
    name: str
    device: Device
    expected: list[Expectation]


class Source(NamedTuple):
    """Where the signals come from: one of the first four is given.

    capture    the file of a logic analyser
    recording  of its sound
    serial     a serial port, or a file, of timestamps
    analyser   the driver of a live one, as sigrok-cli has it: "fx2lafw"
    seconds    how long to look at a live source
    hertz      samples a second of a live analyser
    """

    capture: str | None = None
    recording: str | None = None
    serial: str | None = None
    analyser: str | None = None
    seconds: float = 10.0
    hertz: int = 1_000_000


class Report(NamedTuple):
    """The outcome of checking a device.

    result   as of a scenario, for exit status and JUnit
    signals  as they were seen
    notes    lines for people
    retries  how often it was measured again
    """

    result: Result
    signals: Signals
    notes: tuple[str, ...]
    retries: int

    @property
    def measured(self) -> list[Measured | None]:
        """Of each expectation, in order; None where the source cannot see it."""
        return [judged.found for judged in self.result.judged]

    def of(self, words: str) -> Measured:
        """Return the measurements of the expectation with these words; raises UserError."""
        known = {each.expectation.words: each.found for each in self.result.judged}
        if words not in known:
            told = _('{path}: no expectation is called "{words}"{hint}')
            hint = did_you_mean(words, known)
            raise UserError(told.format(path=self.result.path, words=words, hint=hint))
        found = known[words]
        if found is None:
            told = _('{path}: this source cannot see "{words}"')
            raise UserError(told.format(path=self.result.path, words=words))
        return found


def is_device(path: str) -> bool:
    """Return whether a file describes a device; one that cannot be read does not."""
    try:
        return "device" in toml_reader.load(path)
    except UserError:
        return False


def load(path: str) -> Description:
    """Read a device's file; raises UserError."""
    table = toml_reader.load(path)
    name = table.take("device", text)
    lines = table.table("lines")
    pins = {line: lines.take(line, _pin(line)) for line in lines.names()}
    sounds = {}
    tones = table.table("tones")
    for tone in tones.names():
        if tone in pins:
            raise tones.error(tone, _("{name}: this is a line already").format(name=tone))
        sound = tones.table(tone)
        hz = sound.take("hz", integer(1, 20_000))
        within = sound.take("within", relations.part, 0.03)
        sounds[tone] = Sound(hz, within, sound.take("line", _pin(tone), None))
        sound.finish()
    if not (pins or sounds):
        raise table.error(None, _("a device has [lines] or [tones]; there are none"))
    limits = table.table("limits")
    glitch_ms = limits.take("glitch", relations.time, 0.02)
    tick_ms = limits.take("tick", relations.time, 1.0)
    limits.finish()
    expected = [relations.read(block, (*pins, *sounds)) for block in table.tables("expect")]
    if not expected:
        raise table.error(None, _("nothing is expected; write [[expect]] blocks"))
    table.finish()
    return Description(path, name, Device(pins, sounds, glitch_ms * 1000, tick_ms), expected)


def _pin(name: str) -> Callable[[object], Pin]:
    def read(value: object) -> Pin:
        line = text(value)
        if not line.removeprefix("!"):
            raise ValueError(_('write the analyser\'s line, as "D0", or "!D0" if low is on'))
        return Pin(name, line.removeprefix("!"), line.startswith("!"))

    return read


def check(description: Description, source: Source, retries: int = 0) -> Report:
    """Look at a device, and up to `retries` times again while it fails; raises UserError."""
    if not 0 <= retries <= _MOST_RETRIES:
        raise UserError(_("retries: a number from 0 to {most}").format(most=_MOST_RETRIES))
    if retries and not (source.serial or source.analyser):
        raise UserError(_("only a live source can be measured again; a file stays as it is"))
    report = None
    while report is None or (report.result.broken and report.retries < retries):
        seen = _look(description.device, source)
        spans = frozenset(seen.signals.spans)
        judged = checking.judge(description.expected, seen.signals, spans)
        again = 0 if report is None else report.retries + 1
        report = Report(Result(description.path, judged), seen.signals, seen.notes, again)
    return report


def _look(device: Device, source: Source) -> Seen:
    given = [each for each in source[:4] if each is not None]
    if len(given) != 1:
        words = _("a device is seen by one of --capture, --recording, --serial and --analyser")
        raise UserError(words)
    if source.capture is not None:
        return device_source.of_capture(source.capture, device)
    if source.recording is not None:
        from sim.lab.check import by_instrument

        beeps, seconds = by_instrument.heard(source.recording)
        return device_source.of_recording(beeps, seconds, device)
    if source.serial is not None:
        return device_source.of_timestamps(source.serial, device, source.seconds)
    return device_source.of_analyser(source.analyser or "", device, source.seconds, source.hertz)


def shown(signals: Signals, start_ms: float = 0.0, end_ms: float = math.inf) -> Edges:
    """Return signals, or the part from `start_ms` to `end_ms`, as a trace to be drawn."""
    lamps: dict[str, Changes] = {}
    for name, spans in signals.spans.items():
        changes = lamps[name] = Changes()
        first, last = bisect_left(spans.ends, start_ms), bisect_right(spans.starts, end_ms)
        for start, end in spans[first:last]:
            changes.append((round(start), 1))
            changes.append((round(end), 0))
    return Edges(lamps, Changes(), Events(), math.ceil(signals.end_ms))
