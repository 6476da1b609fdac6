"""The timing lab: proves of a unit, emulated or soldered, that its beeps are right."""
