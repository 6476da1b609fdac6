"""The files on a board beside the unit itself, under the same names; for MicroPython.

`main.py` alone is put elsewhere: in the root of the board.
"""
