"""The MicroPython files that run on a board, besides the unit itself.

They keep their paths on the board, except `main.py`, which goes into its root.
"""
