"""Expectations of what lasts: a lamp that is lit, dark or blinking, and silence."""

import re
from itertools import pairwise

from city_unit.trace import LAMPS
from sim.lab.edges import Edges, spans
from sim.lab.expect_block import Block, Check, Failure
from sim.toml_reader import choice, text

_BLINKS = re.compile(r"(\d+(?:\.\d+)?) per s")


def lamp(block: Block) -> Check:
    table = block.table
    name = table.take("lamp", choice(LAMPS))
    if "blinks" in table:
        return _blinks(block, name)
    lit = table.take("is", choice(("on", "off"))) == "on"
    if "at" in table:
        return _shows_at(name, lit, block.moment("at"), block.off)
    return _shows(name, lit, *block.certain_span())


def _shows_at(name: str, lit: bool, at: int, off: int) -> Check:
    always = _shows(name, lit, at, at)

    def keeps(edges: Edges) -> Failure | None:
        if any(abs(ms - at) <= off and on == lit for ms, on in edges.lamps[name]):
            return None
        return always(edges)

    return keeps


def _shows(name: str, lit: bool, start: int, end: int) -> Check:
    words = {True: "on", False: "off"}

    def keeps(edges: Edges) -> Failure | None:
        changes = edges.lamps[name]
        at_start = ([False] + [on for ms, on in changes if ms <= start])[-1]
        later = [ms for ms, _ in changes if start < ms < end]
        if at_start == lit and not later:
            return None
        at = later[0] if at_start == lit else start
        expected = f"{name} {words[lit]} from {start} to {end} ms"
        return Failure(expected, f"{words[not lit]} at {at} ms", at)

    return keeps


def _blinks(block: Block, name: str) -> Check:
    rate = block.table.take("blinks", _rate)
    half = 500 / rate
    first, last = block.span()
    if last - first < 2 * half:
        raise block.table.error("blinks", f"blinks: one period is {2 * half:g} ms, the span less")
    start, end = block.certain_span()
    expected = f"{name} blinks {rate:g} times a second from {start} to {end} ms"

    def keeps(edges: Edges) -> Failure | None:
        inside = [ms for ms, _ in edges.lamps[name] if start <= ms <= end]
        for a, b in pairwise(inside):
            if abs(b - a - half) >= 1 + block.loose:
                return Failure(expected, f"from {a} ms it stayed for {b - a} ms", a)
        if len(inside) < (end - start) // (half + block.loose):
            return Failure(expected, f"{len(inside)} changes", start)
        return None

    return keeps


def _rate(value: object) -> float:
    found = _BLINKS.fullmatch(text(value))
    if not found or not float(found[1]):
        raise ValueError(f'"{value}" is no rate; write "4 per s"')
    return float(found[1])


def silence(block: Block) -> Check:
    block.table.take("silence", _true)
    start, end = block.certain_span()

    def keeps(edges: Edges) -> Failure | None:
        for begin, stop, hz in spans(edges.tones, edges.end_ms):
            if begin < end and stop > start:
                return Failure(
                    f"silence from {start} to {end} ms",
                    f"{hz} Hz from {begin} to {stop} ms",
                    max(begin, start),
                )
        return None

    return keeps


def _true(value: object) -> bool:
    if value is not True:
        raise ValueError("write silence = true")
    return True
