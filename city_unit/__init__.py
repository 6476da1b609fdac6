"""The electronic unit of Monopoly City: pure, for MicroPython and CPython alike."""
