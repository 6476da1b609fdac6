"""The behaviour of a recorded unit: its beeps, found in noise, and the cadence that they keep."""
