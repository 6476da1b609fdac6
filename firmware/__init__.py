"""The unit in a real board: the files on it, and the tools that put them there."""
