"""The vectors of docs/protocol.md, read by both ends; and lines that nobody should send."""

import random
import sys
from pathlib import Path

import pytest

from city_unit.draws import Draws
from city_unit.host.core import Core
from city_unit.link import COMMANDS, Link
from city_unit.settings import Settings
from city_unit.unit import SWITCH, Unit
from city_unit.wire import LONGEST, cut, seal, unseal

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parent.parent.parent
VECTORS = tomllib.loads((Path(__file__).parent / "vectors" / "link.toml").read_text("utf-8"))
PAGE = (ROOT / "docs" / "protocol.md").read_text("utf-8")


def linked() -> Link:
    link = Link(Unit(Settings(), Draws(7).below), 4711, "0.1.0 test unit")
    for ms in range(1000):
        link.step(ms, SWITCH)
    return link


def said(link: Link) -> list[str]:
    data = b""
    while link.unsent:
        data += link.unsent
        link.sent(len(link.unsent))
    return [unseal(line) for line in data.splitlines()]


@pytest.mark.parametrize("frame", VECTORS["frames"], ids=lambda frame: frame["text"])
def test_frames(frame):
    assert seal(frame["text"]) == frame["line"].encode() + b"\n"
    assert unseal(frame["line"].encode()) == frame["text"]


@pytest.mark.parametrize("damaged", VECTORS["damaged"], ids=lambda damaged: damaged["why"])
def test_what_is_no_frame(damaged):
    assert unseal(damaged["line"].encode("latin-1")) == ""


def test_a_talk_as_the_page_has_it():
    link = linked()
    for line in VECTORS["talk"]:
        link.step(line["ms"], SWITCH)
        link.receive(line["ms"], seal(line["text"]))
        assert said(link) == line["answers"], line


def test_the_page_names_every_command():
    for command in COMMANDS:
        assert f"`{command}" in PAGE


def test_the_longest_lines_fit():
    link = linked()
    link.unit.settings.program.name = "x" * 16
    try:
        link.boot = (1 << 30) - 1
        link._sessions = 99998
        link.receive(1 << 29, seal("hello 1 " + "c" * 16))
        assert all(len(seal(line)) <= LONGEST for line in said(link))
    finally:
        link.unit.settings.program.name = "city"


def test_a_typed_command_needs_no_checksum_while_nobody_talks():
    link = linked()
    link.receive(1000, b"tap auction\r\n")
    assert said(link) == ["done - 0"]
    link.step(1016, SWITCH)
    assert link.unit.state == "auction"
    link.receive(1017, seal("hello 1 abc") + seal("ping 4711.1 1"))
    said(link)
    link.receive(1018, b"stop\n")
    assert said(link) == []
    assert link.unit.state == "auction"


def test_a_program_without_a_clock_gets_none():
    link = linked()
    link.receive(1000, b"program world 3600000\nprogram world 0\n")
    assert said(link) == ["refused - 0 bad-word", "done - 0"]
    assert link.unit.settings.clock_ms == 0


def test_lines_come_in_any_pieces():
    whole = b"".join(seal(f"ping 1.1 {place}") for place in range(20))
    for size in (1, 2, 7, 63, 1000):
        got, rest = [], b""
        for place in range(0, len(whole), size):
            *lines, rest = cut(rest + whole[place : place + size])
            got += lines
        assert (got, rest) == (whole.splitlines(), b"")


def test_identify_shows_and_an_event_ends_it():
    link = linked()
    link.receive(1000, b"identify\n")
    assert (link.lamps, link.tone) == (30, 2700)
    link.receive(1001, b"start\n")
    assert link.lamps == 1


def test_edges_tell_due_and_done():
    link = linked()
    link.receive(1000, seal("hello 1 abc") + seal("do 4711.1 1 watch on"))
    said(link)
    link.unit.command(1001, "start auction")
    link.step(1001, SWITCH)
    link.shown(1001250)
    link.step(1002, SWITCH)
    assert "edge 4711.1 0 1001 auction 1 1001250" in said(link)


def mutated(rng: random.Random, line: bytes) -> bytes:
    data = bytearray(line)
    for _ in range(rng.randrange(1, 4)):
        place = rng.randrange(len(data) + 1)
        kind = rng.randrange(3)
        if kind == 0 or not data:
            data.insert(place, rng.randrange(256))
        elif kind == 1:
            data[place % len(data)] = rng.randrange(256)
        else:
            del data[place % len(data)]
    return bytes(data)


def fuzz(count: int) -> None:
    """Feed both parsers random lines, mutated ones, and well sealed nonsense."""
    rng = random.Random(5)
    link = linked()
    core = Core("abc")
    core.opened(0)
    real = [text for line in VECTORS["talk"] for text in (line["text"], *line["answers"])]
    real.append("welcome abc 4711.1 1 0.1.0 test unit")
    for place in range(count):
        ms = 2000 + place % 100000
        kind = rng.randrange(3)
        if kind == 0:
            data = rng.randbytes(rng.randrange(200)) + b"\n"
        elif kind == 1:
            data = mutated(rng, seal(rng.choice(real)))
        else:
            words = [rng.choice(rng.choice(real).split(" ")) for _ in range(rng.randrange(1, 9))]
            data = seal(" ".join(words))
        link.receive(ms, data)
        core.receive(ms, data)
        core.sent(len(core.unsent))
        core.news.clear()
        assert len(link.unsent) <= 512
        link.sent(rng.randrange(len(link.unsent) + 1))


def test_no_line_breaks_either_parser():
    fuzz(50000)
