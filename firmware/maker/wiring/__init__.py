"""Wiring diagrams and simulator projects, made from the boards' descriptions."""
