"""The unit in a terminal: where there is no display, or where somebody likes it better."""
