"""A logic analyser on the pins of a unit that does what a trace says, with faults of its own."""

import random
from bisect import insort

from city_unit.facts import LAMPS
from sim.engine import virtual
from sim.engine.edges import spans
from sim.files import scenario


class Analyser:
    """Captures a scenario's trace.

    before_ms   the capture begins so long before the scenario
    drift_ppm   by how much its clock is faster than the unit's
    late_us     each edge is shown late by a time up to this
    inverted    lamps that are lit when their line is low
    """

    def __init__(self, path, before_ms=730.0, drift_ppm=0.0, late_us=300, inverted=(), seed=1):
        self.told = scenario.load(str(path))
        self._before = before_ms
        self._rate = 1 + drift_ppm / 1e6
        self._random = random.Random(seed)
        self._late_us = late_us
        self.lines = {}  # name: (first level, turns in ns)
        shown = virtual.shown(self.told)
        for lamp in LAMPS:
            turns = [self.ns(ms) for ms, _ in shown.lamps[lamp]]
            self.lines[lamp] = (int(lamp in inverted), turns)
        self.lines["buzzer"] = (0, self._swings(spans(shown.tones, shown.end_ms)))
        self.end_ns = self.ns(self.told.end_ms + 500)

    def ns(self, ms):
        late = self._random.random() * self._late_us / 1000
        return round((self._before + ms + late) * 1e6 * self._rate)

    def _swings(self, tones):
        """Return the turns of a square wave, which the chip's divider puts a little off pitch."""
        turns = []
        for start, end, hz in tones:
            half = 1e9 / 2 / (hz * 1.0004) * self._rate
            first, last = self.ns(start), self.ns(end)
            count = 2 * int((last - first) / half / 2)
            turns += [round(first + place * half) for place in range(count)]
        return turns

    def glitch(self, name, ms, us):
        """Turn a line over for some microseconds."""
        turns = self.lines[name][1]
        at = round((self._before + ms) * 1e6)
        insort(turns, at)
        insort(turns, at + us * 1000)

    def renamed(self, names):
        self.lines = {names.get(name, name): line for name, line in self.lines.items()}

    def changes(self):
        """Yield `(ns, the levels of all lines)`, the first at 0."""
        names = list(self.lines)
        levels = [self.lines[name][0] for name in names]
        yield 0, tuple(levels)
        turns = sorted(
            (ns, place) for place, name in enumerate(names) for ns in self.lines[name][1]
        )
        for ns, place in turns:
            levels[place] ^= 1
            yield ns, tuple(levels)

    def saleae(self, path):
        """Write the capture as Saleae's program exports its digital lines."""
        with open(path, "w") as file:
            file.write(f"Time [s],{','.join(self.lines)}\n")
            for ns, levels in self.changes():
                file.write(f"{ns / 1e9:.9f},{','.join(map(str, levels))}\n")
            file.write(f"{self.end_ns / 1e9:.9f},{','.join(map(str, levels))}\n")
        return path

    def vcd(self, path, tick_ns=1000):
        """Write the capture as PulseView exports it, to the tick."""
        with open(path, "w") as file:
            file.write(f"$timescale {tick_ns // 1000} us $end\n$scope module libsigrok $end\n")
            for place, name in enumerate(self.lines):
                file.write(f"$var wire 1 {chr(33 + place)} {name} $end\n")
            file.write("$upscope $end\n$enddefinitions $end\n")
            last = None
            for ns, levels in self.changes():
                file.write(f"#{ns // tick_ns}\n")
                for place, level in enumerate(levels):
                    if last is None or level != last[place]:
                        file.write(f"{level}{chr(33 + place)}\n")
                last = levels
            file.write(f"#{self.end_ns // tick_ns}\n")
        return path
