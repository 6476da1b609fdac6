"""For whoever builds a unit: the wiring and the case."""
