"""The firmware on an emulated RP2040: the chip itself as an instrument.

It runs MicroPython as downloaded, and the compiled firmware as it lies on a Pico, instruction
by instruction at the chip's own time. The processor is that of the npm package rp2040js;
`chip.mjs` is this project's surroundings of it, and runs in Node; `pico.py` is its Python end.

Limits: its flash memory is read without the waits of a cache that misses, its second
processor sleeps, its boot ROM is left out at power-on (a few ms), and nothing in it is analog.
"""
