"""A trace as a waveform for logic-analyser programs (VCD), as GTKWave and PulseView read it.

Every line is low before the run begins. libsigrok up to 0.5.2, which is in most PulseViews,
reads single bits only and drops a whole file for one vector of them: therefore an event is a
bit that turns over each time the event happens, and the pitch is a real, which it leaves out.
The string says the same as the bits, but cannot say the same event twice in a row.
"""

from typing import TextIO

from vcd import VCDWriter

from sim.engine.edges import Edges


def write(edges: Edges, file: TextIO) -> None:
    """Write the lamps, the buzzer and its pitch in Hz, and the events as bits and as a string."""
    with VCDWriter(file, timescale="1 ms", date="", comment="City Unit") as vcd:
        changes = []
        for lamp, switched in edges.lamps.items():
            variable = vcd.register_var("unit", _name(lamp), "wire", size=1, init=0)
            changes += [(ms, variable, int(lit)) for ms, lit in switched]
        buzzer = vcd.register_var("unit", "buzzer", "wire", size=1, init=0)
        pitch = vcd.register_var("unit", "pitch_hz", "real", init=0)
        for ms, hz in edges.tones:
            changes += [(ms, buzzer, int(hz > 0)), (ms, pitch, hz)]
        event = vcd.register_var("unit", "event", "string", init="")
        levels: dict[str, int] = {}
        bits = {}
        for ms, kind, fields in edges.events:
            name = event_name(kind, fields)
            if name not in bits:
                bits[name] = vcd.register_var("unit", name, "wire", size=1, init=0)
            levels[name] = 1 - levels.get(name, 0)
            changes += [(ms, event, name), (ms, bits[name], levels[name])]
        for ms, variable, value in sorted(changes, key=lambda change: change[0]):
            vcd.change(variable, ms, value)
        vcd.close(edges.end_ms)


def event_name(kind: str, fields: dict) -> str:
    """Return what an event is called: its kind and the words that it carries, not its times."""
    return _name(" ".join([kind, *(value for value in fields.values() if isinstance(value, str))]))


def _name(words: str) -> str:
    return words.replace("-", "_").replace(" ", "_")
