"""For builders of a unit: the wiring and the case."""
