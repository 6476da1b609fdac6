"""Find the beeps of a recorded unit in noise, and learn the unit's program from them."""
