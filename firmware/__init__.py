"""The unit in a real board: what lies on it, and the tools that put it there."""
