"""The timing lab: judges scenarios, captures, recordings and live units."""
