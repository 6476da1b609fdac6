"""For people who build a unit: wiring diagrams, the case, the printed board."""
