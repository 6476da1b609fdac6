"""A virtual board: the firmware, unchanged, in the Unix port of MicroPython.

`lib` holds what stands for the board's own modules (`machine`, `time`, `os`); it
comes first on MicroPython's path. `lib/world.py` says what can be set up, and
`launch.py` sets it up from the desktop.
"""
