"""The compiled firmware on an emulated RP2040.

The chip runs an official MicroPython image and the firmware exactly as on a Pico, instruction by
instruction in its own time. The npm package rp2040js emulates the processor. `chip.mjs`, in Node,
adds flash memory, pins and USB; `pico.py` drives it from Python.

Limits: reads of flash memory never wait for a cache miss, the second core sleeps, the boot ROM is
skipped at power-on (a few ms), and nothing is analog.
"""
