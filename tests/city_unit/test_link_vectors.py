"""Both ends of the link against the vectors of docs/protocol.md, and against invalid lines."""

import dataclasses
import json
import random
import shutil
import subprocess
from pathlib import Path

import pytest

from city_unit import host
from city_unit.desktop import toml_reader
from city_unit.draws import Draws
from city_unit.facts import PERMIT_LAMPS, PERMITS, SWITCH
from city_unit.host import requests
from city_unit.host.core import Core
from city_unit.host.news import Event
from city_unit.link import COMMANDS, OTHER_COMMANDS, Link
from city_unit.programs import PROGRAMS, Program, span
from city_unit.settings import Settings
from city_unit.unit import Unit
from city_unit.wire import LONGEST, seal, unseal
from tests.helpers.needs import needs
from tests.helpers.patience import PATIENCE_S

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
VECTORS = toml_reader.read((HERE / "vectors" / "link.toml").read_text("utf-8"))[0]
PAGE = (ROOT / "docs" / "protocol.md").read_text("utf-8")


# The program used in the documentation, independent of changes to the unit's own.
AS_ON_THE_PAGE = Program(
    **{
        **vars(PROGRAMS[0]),
        "auction_ms": (50000, 50000),
        "warning_ms": 5000,
        "cancel_hold_ms": 2000,
    },
)


def test_the_documentation_names_each_command():
    for command in (*COMMANDS, *OTHER_COMMANDS):
        assert f"`{command}" in PAGE


@pytest.mark.parametrize("line", ["direct", "serial"])
def test_the_javascript_client_passes_the_vectors(line):
    """city_unit.js with the same vectors, directly and over a serial port of the browser."""
    needs(shutil.which("node"), "Node")
    done = subprocess.run(
        ["node", str(HERE / "judge.mjs"), line],
        input=json.dumps(VECTORS).encode("latin-1"),
        capture_output=True,
        timeout=PATIENCE_S,
    )
    assert done.stdout == b"city_unit.js is right\n", done.stderr.decode()


def linked(*programs: Program) -> Link:
    settings = Settings(programs or PROGRAMS)
    link = Link(Unit(settings, Draws(7).below), 4711, "0.1.0 test unit")
    for ms in range(1000):
        link.step(ms, SWITCH)
    return link


def said(link: Link) -> list[str]:
    data = b""
    while link.unsent:
        data += link.unsent
        link.sent(len(link.unsent))
    return [unseal(line) for line in data.splitlines()]


def test_valid_and_damaged_frames():
    for frame in VECTORS["frames"]:
        assert seal(frame["text"]) == frame["line"].encode() + b"\n"
        assert unseal(frame["line"].encode()) == frame["text"]
    for damaged in VECTORS["damaged"]:
        assert unseal(damaged["line"].encode("latin-1")) == "", damaged["why"]


def test_the_unit_passes_the_vectors():
    link = linked(AS_ON_THE_PAGE)
    for line in VECTORS["talk"]:
        link.step(line["ms"], SWITCH)
        link.receive(line["ms"], seal(line["text"]))
        assert said(link) == line["answers"], line
    link.receive(1019, seal("bye 4711.2"))
    said(link)
    for line in VECTORS["typed"]:
        link.step(line["ms"], SWITCH)
        link.receive(line["ms"], line["text"].encode() + b"\r\n")
        assert said(link) == line["answers"], line


def greeted(words: str = "") -> Core:
    """Return a client that is connected to the unit of the vectors, before its event 1."""
    core = Core("a1b2c3")
    core.opened(0)
    core.receive(0, seal("welcome a1b2c3 4711.1 1 0.1.0 test unit" + words))
    core.receive(0, seal("state 4711.1 1000 ready city 3600000 3599000 0 0 0 2 1" + words))
    return core


def test_the_client_parses_events():
    for vector in VECTORS["told"]:
        core = greeted()
        core.news.clear()
        core.receive(1, seal(vector["line"]))
        (event,) = core.news
        assert isinstance(event, Event)
        told = {"kind": event.kind, "fields": event.fields, "more": list(event.more)}
        assert told == {name: vector[name] for name in told}, vector
        core.receive(2, seal("event 4711.1 2 5000 hour-ended"))
        assert [news.number for news in core.news if isinstance(news, Event)] == [1, 2]


def test_the_client_parses_a_description():
    expected = VECTORS["described"]
    read = requests.parse(expected["pages"])
    assert {**dataclasses.asdict(read), "pages": expected["pages"]} == {
        key: tuple(value) if isinstance(value, list) and key not in ("pages", "marks") else value
        for key, value in expected.items()
    } | {"marks": tuple(tuple(mark) for mark in expected["marks"])}
    assert requests.pages(expected["pages"][0]) == len(expected["pages"])
    for lacking in range(3):
        pages = list(expected["pages"])
        pages[lacking] = "colour=red"
        with pytest.raises(host.LinkError):
            requests.pages(pages[0])
            requests.parse(pages)


def test_the_longest_lines_and_the_longest_description_fit():
    longest = 86400000
    program = Program(
        "p" * 20,
        clock_ms=longest,
        clock_choices_ms=(longest,) * 10,
        marks=(span("phase-started", longest, longest, longest, "l" * 20),) * 300,
        auction_ms=(3600000, 3600000),
        warning_ms=3600000,
        cancel_hold_ms=3600000,
        odds=(1000,) * 4,
        permit_hops_ms=(longest,),
        permit_shown_ms=longest,
    )
    link = linked()
    link.unit.settings.choose(program)
    link.boot = (1 << 30) - 1
    link.receive(1 << 29, seal("hello 1 " + "c" * 16))
    lines = said(link)
    tag = lines[0].split(" ")[2]
    assert len(lines) > 1
    for line in lines:
        assert tag in line and len(seal(line.replace(tag, f"{link.boot}.99999"))) <= LONGEST
    pages = []
    while not lines[-1].startswith("refused"):
        link.receive(
            1 << 29, seal(f"do {tag} {(1 << 30) - 400 + len(pages)} describe {len(pages)}")
        )
        lines = said(link)
        assert len(seal(lines[-1])) <= LONGEST
        pages.append(lines[-1].split(" ", 3)[3])
    read = requests.parse(pages[:-1])
    assert (read.program, len(read.marks)) == ("p" * 20, 300)
    assert set(read.marks) == {("phase-started", longest, longest, longest, "l" * 20)}
    assert (read.clock_choices_ms, read.odds) == ((longest,) * 10, dict.fromkeys(PERMITS, 1000))


def test_a_description_starts_over_if_the_program_changes():
    memory = host.Memory(seed=3)
    asked = []

    def meddling(text):
        asked.append(text)
        if len(asked) == 3:
            memory.unit.settings.choose(memory.unit.settings.programs[2])
        return memory.client.ask(text)

    describing = requests.Describing(meddling)
    while not describing.finished:
        memory.client.turn(0.0)
    assert describing.result() == memory.client.describe()
    assert describing.result().program == "timed"


def resumed(vector: dict) -> tuple[list[str], list[str]]:
    """Return the lines and the news of a client that receives all lines of a vector."""
    after = vector.get("after")
    core = Core("a1b2c3", history=after is None, after=after and tuple(after))
    core.opened(0)
    said = []
    for line in vector["talk"]:
        if line.startswith("="):
            core.closed("gone")
            core.opened(0)
        elif line.startswith("<"):
            core.receive(0, seal(line[2:]))
        core.step(0)
        said += [unseal(frame) for frame in core.unsent.splitlines()]
        core.sent(len(core.unsent))
    lines = [f"> {text}" for text in said if not text.startswith("ping")]
    return lines, [worded(news) for news in core.news]


def worded(news: host.News) -> str:
    """Format news as in the vectors."""
    kind = type(news).__name__.lower()
    if isinstance(news, Event):
        return f"{kind} {news.boot} {news.number} {news.kind}"
    if isinstance(news, host.Missed):
        return f"{kind} {news.first} {news.count}"
    return f"{kind} {news.boot}" if isinstance(news, host.Restarted) else kind


def test_the_client_resumes_after_disconnects_and_restarts():
    for vector in VECTORS["resumed"]:
        said = [line for line in vector["talk"] if line.startswith(">")]
        assert resumed(vector) == (said, vector["told"]), vector["why"]


def after(data: bytes) -> tuple:
    """Return the reactions of a client with a request in flight to `data`."""
    core = greeted()
    core.news.clear()
    request = core.ask("state", 5000)
    core.step(1)
    core.sent(len(core.unsent))
    core.receive(200, data)
    numbers = [getattr(news, "number", news) for news in core.news]
    error = str(request.error)
    return numbers, core.unsent, core.snapshot, core.ignored, request.answer, error


def test_further_words_at_the_end_of_a_line_are_ignored():
    for line in VECTORS["lengthened"]:
        assert after(seal(line)) == after(seal(line + " more words")), line
        assert after(seal(line)) != after(b""), line
    assert greeted(" more words").online
    assert list(greeted(" more words").news) == list(greeted().news)


def test_typed_commands_need_no_checksum_without_a_session():
    link = linked()
    link.receive(1000, b"identify\nprogram world 3600000\n")
    assert (link.lamps & PERMIT_LAMPS, link.tone) == (PERMIT_LAMPS, 2700)
    link.receive(1001, b"program world 0\n")
    assert said(link) == ["done - 0", "refused - 0 bad-word", "done - 0"]
    link.receive(1002, b"start\n")
    shown = link.lamps & (PERMIT_LAMPS | 1)
    assert (shown, link.unit.settings.clock_ms) == (1, 0)  # an event ends the pattern
    link.receive(1002, b"identify\ntap build\ntap build\n")
    refused = ["refused - 0 auction", "done - 0", "refused - 0 busy"]
    assert said(link) == ["done - 0", *refused]
    link.receive(1003, seal("hello 1 abc") + seal("ping 4711.1 1") + seal("do 4711.1 1 watch on"))
    link.step(1050, SWITCH)
    said(link)
    link.receive(1050, b"stop\n")
    assert (said(link), link.unit.state) == ([], "auction")
    link.unit.command(1051, "stop auction")
    link.step(1051, SWITCH)
    link.note_shown(1051250)
    link.step(1052, SWITCH)
    assert "edge 4711.1 0 1051 auction 0 1051250" in said(link)


def mutated(rng: random.Random, line: bytes) -> bytes:
    """Return a line with up to three bytes inserted, changed or deleted."""
    data = bytearray(line)
    for _ in range(rng.randrange(1, 4)):
        place = rng.randrange(len(data) + 1)
        new = rng.choice((b"", rng.randbytes(1)))
        data[place : place + rng.randrange(2)] = new
    return bytes(data)


def test_no_input_breaks_a_parser_and_no_answer_is_too_long():
    """Random lines, mutated lines, and nonsense with valid checksums."""
    rng = random.Random(5)
    link = linked()
    core = Core("abc")
    core.opened(0)
    real = [text for line in VECTORS["talk"] for text in (line["text"], *line["answers"])]
    real.append("welcome abc 4711.1 1 0.1.0 test unit")
    for place in range(6000):
        ms = 2000 + place % 100000
        kind = rng.randrange(3)
        if kind == 0:
            data = rng.randbytes(rng.randrange(200)) + b"\n"
        elif kind == 1:
            data = mutated(rng, seal(rng.choice(real)))
        else:
            words = [rng.choice(rng.choice(real).split(" ")) for _ in range(rng.randrange(1, 9))]
            words[-1] *= rng.choice((1, 1, 1, 9))
            data = seal(" ".join(words))
        link.receive(ms, data)
        core.receive(ms, data)
        core.sent(len(core.unsent))
        core.news.clear()
        assert len(link.unsent) <= 512
        assert all(len(line) <= LONGEST for line in link.unsent.splitlines(True))
        link.sent(rng.randrange(len(link.unsent) + 1))
