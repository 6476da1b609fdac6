"""A trace as a waveform for logic-analyser programs (VCD), as GTKWave and PulseView read it."""

from typing import TextIO

from vcd import VCDWriter

from sim.lab.edges import Edges


def write(edges: Edges, file: TextIO) -> None:
    """Write the lamps, the buzzer and its pitch in Hz, and the events as strings."""
    with VCDWriter(file, timescale="1 ms", date="", comment="City Unit") as vcd:
        changes = []
        for lamp, switched in edges.lamps.items():
            variable = vcd.register_var("unit", lamp.replace("-", "_"), "wire", size=1, init=0)
            changes += [(ms, variable, int(lit)) for ms, lit in switched]
        buzzer = vcd.register_var("unit", "buzzer", "wire", size=1, init=0)
        pitch = vcd.register_var("unit", "pitch_hz", "integer", size=16, init=0)
        event = vcd.register_var("unit", "event", "string", init="")
        for ms, hz in edges.tones:
            changes += [(ms, buzzer, int(hz > 0)), (ms, pitch, hz)]
        changes += [(ms, event, kind) for ms, kind, _ in edges.events]
        for ms, variable, value in sorted(changes, key=lambda change: change[0]):
            vcd.change(variable, ms, value)
        vcd.close(edges.end_ms)
