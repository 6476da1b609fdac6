"""Holds a unit, emulated or soldered, against what a scenario expects."""
