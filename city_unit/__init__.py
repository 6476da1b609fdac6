"""The electronic unit of Monopoly City, without I/O, for MicroPython and CPython."""
