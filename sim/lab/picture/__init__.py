"""A trace as a picture, a waveform, or text."""
