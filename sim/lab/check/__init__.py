"""Holds a unit, emulated or soldered, against the expectations of a scenario."""
