"""A simulated logic analyser on the pins of a unit."""

import random
import zipfile
from bisect import insort
from collections import Counter

from city_unit.facts import LAMPS
from sim.engine import scenario, virtual
from sim.engine.trace import spans


class Analyser:
    """Captures a scenario's trace.

    moved       the time of a change in ms, of its line ("tone" for the buzzer) and due time
    before_ms   time from the start of the capture to that of the scenario
    drift_ppm   how much faster its clock runs than the unit's
    late_us     largest random lateness of an edge
    inverted    lamps that are active low
    """

    def __init__(
        self,
        path,
        moved=lambda _line, ms: ms,
        before_ms=730.0,
        drift_ppm=0.0,
        late_us=300,
        inverted=(),
        seed=1,
    ):
        self.told = scenario.load(str(path))
        self._before = before_ms
        self._rate = 1 + drift_ppm / 1e6
        self._random = random.Random(seed)
        self._late_us = late_us
        self.lines = {}  # (initial level, edges in ns) by name
        shown = virtual.run(self.told)
        for lamp in LAMPS:
            turns = sorted(self.ns(moved(lamp, ms)) for ms, _ in shown.lamps[lamp])
            self.lines[lamp] = (int(lamp in inverted), turns)
        tones = [(moved("tone", ms), hz) for ms, hz in shown.tones]
        self.lines["buzzer"] = (0, self._swings(spans(tones, shown.end_ms)))
        self.end_ns = self.ns(self.told.end_ms + 500)

    def ns(self, ms):
        late = self._random.random() * self._late_us / 1000
        return round((self._before + ms + late) * 1e6 * self._rate)

    def _swings(self, tones):
        """Return the edges of square waves, slightly off pitch like those of the chip's divider."""
        turns = []
        for start, end, hz in tones:
            half = 1e9 / 2 / (hz * 1.0004) * self._rate
            first, last = self.ns(start), self.ns(end)
            count = 2 * int((last - first) / half / 2)
            turns += [round(first + place * half) for place in range(count)]
        return turns

    def glitch(self, name, ms, us):
        """Add a pulse of some microseconds."""
        turns = self.lines[name][1]
        at = round((self._before + ms) * 1e6)
        insort(turns, at)
        insort(turns, at + us * 1000)

    def renamed(self, names):
        self.lines = {names.get(name, name): line for name, line in self.lines.items()}

    def changes(self):
        """Yield (ns, levels of all lines), starting at 0."""
        names = list(self.lines)
        levels = [self.lines[name][0] for name in names]
        yield 0, tuple(levels)
        turns = sorted(
            (ns, place) for place, name in enumerate(names) for ns in self.lines[name][1]
        )
        for ns, place in turns:
            levels[place] ^= 1
            yield ns, tuple(levels)

    def sampled(self, hertz):
        """Sample the lines at this rate: each edge moves to the next sample."""
        for name, (first, turns) in self.lines.items():
            samples = Counter(-(-ns * hertz // 1_000_000_000) for ns in turns)
            odd = sorted(sample for sample, count in samples.items() if count % 2)
            self.lines[name] = (first, [sample * 1_000_000_000 // hertz for sample in odd])
        return self

    def saleae(self, path, has_end=True):
        """Write the capture as Saleae's software exports it."""
        with open(path, "w") as file:
            file.write(f"Time [s],{','.join(self.lines)}\n")
            for ns, levels in self.changes():
                file.write(f"{ns / 1e9:.9f},{','.join(map(str, levels))}\n")
            if has_end:
                file.write(f"{self.end_ns / 1e9:.9f},{','.join(map(str, levels))}\n")
        return path

    def sigrok(self, path, hertz):
        """Write the capture as a sigrok session with one byte per sample."""
        samples = bytearray(self.end_ns * hertz // 1_000_000_000)
        for ns, levels in self.changes():
            at = -(-ns * hertz // 1_000_000_000)
            value = sum(level << place for place, level in enumerate(levels))
            samples[at:] = bytes([value]) * (len(samples) - at)
        names = "".join(f"probe{place}={name}\n" for place, name in enumerate(self.lines, 1))
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as session:
            about = f"[device 1]\ncapturefile=logic-1\nunitsize=1\nsamplerate={hertz} Hz\n{names}"
            session.writestr("metadata", about)
            session.writestr("logic-1", bytes(samples))
        return path

    def vcd(self, path, tick_ns=1000, as_vectors=False, wide=None, has_end=True):
        """Write the capture as PulseView exports it.

        as_vectors  write each bit as a vector of length 1
        wide        a line to write as a bus of eight bits
        """
        tick = f"{tick_ns // 1000} us" if tick_ns < 1_000_000 else f"{tick_ns // 1_000_000} ms"
        mark = "b{} {}\n" if as_vectors or wide else "{}{}\n"
        with open(path, "w") as file:
            file.write(f"$timescale {tick} $end\n$scope module libsigrok $end\n")
            for place, name in enumerate(self.lines):
                size = 8 if name == wide else 1
                file.write(f"$var wire {size} {chr(33 + place)} {name} $end\n")
            file.write("$upscope $end\n$enddefinitions $end\n")
            last = None
            for ns, levels in self.changes():
                file.write(f"#{ns // tick_ns}\n")
                for place, level in enumerate(levels):
                    if last is None or level != last[place]:
                        file.write(mark.format(level, chr(33 + place)))
                last = levels
            if has_end:
                file.write(f"#{self.end_ns // tick_ns}\n")
        return path
