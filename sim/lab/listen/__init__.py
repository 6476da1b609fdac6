"""What a recorded unit does: its beeps, found in noise, and the cadence that they keep."""
