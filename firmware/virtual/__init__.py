"""A virtual board: the unchanged firmware in MicroPython's Unix port.

`lib`, first on MicroPython's path, replaces the board's own modules (`machine`, `time`, `os`,
`neopixel`). `lib/world.py` limits the file system to the board's folder and documents the settings
of the simulation; `launch.py` writes these settings and starts the board.
"""
