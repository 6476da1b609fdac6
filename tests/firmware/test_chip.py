"""The compiled firmware in the official MicroPython on an emulated RP2040, measured at its pins.

The emulation runs at about real time, so only the most telling short scenario runs by default.
CITY_UNIT_ALL_SCENARIOS=1 runs every scenario of at most a minute.
"""

import cmath
import contextlib
import json
import math
import os
import random
import re
from itertools import pairwise

import pytest

from city_unit.desktop.errors import UserError
from city_unit.facts import SWITCH, VERSION
from firmware.board.store import SETTINGS
from firmware.chip import pico
from firmware.chip.pico import Chip, Tone
from firmware.tool import flash, one_file, remote, uf2
from firmware.tool.image import FIRST
from sim import cli
from tests.helpers.needs import needs
from tests.helpers.pin_files import lamps
from tests.scenarios import NAMES, at_the_pins, scenario

with contextlib.suppress(ImportError):  # where there are ptys
    from tests.helpers.plugged import Plugged

pytestmark = pytest.mark.slow

CHOSEN = ["slide-that-chatters"]
if os.environ.get("CITY_UNIT_ALL_SCENARIOS"):
    CHOSEN = [name for name in NAMES if scenario(name).end_ms <= 60_000]
# Changes within this time after a move of the slide switch belong to it: the tune of switching on.
FOLLOWS_MS = 1200
CHATTERS_MS = 15  # the longest bounce


@pytest.fixture(scope="module", autouse=True)
def image():
    """The MicroPython image; without it, or without the emulation, all tests are skipped."""
    needs(os.environ.get(pico.IMAGE), f"{pico.IMAGE}, the MicroPython of a Pico,", "chip-image")
    try:
        pico.check()
        return pico.micropython()
    except pico.NotThere as missing:
        needs(False, str(missing))


@contextlib.contextmanager
def alive(content: bytes):
    """Provide a running Pico whose unit answers over USB."""
    with Chip(content) as board:
        board.power()
        board.run(pico.LISTENS_MS)
        yield board


@pytest.fixture(scope="module")
def firmware():
    """The files of a Pico with a unit."""
    return pico.firmware()


@pytest.mark.parametrize("name", CHOSEN)
def test_the_pins_follow_the_trace_of_a_scenario(name):
    """Each change is due to the millisecond, and at its pin within the promised time.

    The effects of the slide switch are due when a read notices its move, all delayed equally.
    """
    one = scenario(name)
    lived = pico.trace(None, one.program, one.seed, one.changes, one.end_ms)
    seen, wanted = by_kind(lived.lines), by_kind(at_the_pins(name))
    assert [line for _, line in seen] == [line for _, line in wanted]
    slides = pico.slides(one.changes)
    first = [
        ms
        for ms, before in zip(slides, [-FOLLOWS_MS, *slides], strict=False)
        if ms - before > CHATTERS_MS
    ]
    shifts: dict[int | None, set[int]] = {}  # by the move that may have caused the change
    for (ms, line), (due, _) in zip(seen, wanted, strict=True):
        slide = max((slide for slide in first if 0 <= due - slide <= FOLLOWS_MS), default=None)
        assert ms - due in {0, *lags(one.changes, slide)}, line
        shifts.setdefault(slide, {0}).add(ms - due)
    assert all(len(found) <= 2 for found in shifts.values()), shifts
    for change in lived.changes:
        assert change.due is not None
        assert 0 <= change.late <= pico.allowed_ms(one.changes, change.due), change


def lags(changes: pico.Changes, slide: int | None) -> set[int]:
    """Return the possible delays in ms until a read notices a move of the slide switch.

    While it bounces, a level shorter than the time between two reads may go unnoticed.
    """
    found: set[int] = set()
    if slide is None:
        return found
    new = dict(changes)[slide]
    ends = [*(ms for ms, _ in changes[1:]), math.inf]
    for (ms, levels), end in zip(changes, ends, strict=True):
        if ms >= slide and not (levels ^ new) & SWITCH:
            found |= {ms - slide, ms - slide + pico.LOOK_MS}
            if end - ms > pico.LOOK_MS:
                break
    return found


def by_kind(lines: list[str]) -> list[tuple[int, str]]:
    """Return the time and the rest of each line, sorted into events, lamps and tones."""
    parsed = [json.loads(line) for line in lines]
    kinds = ("event", "lamp", "tone")
    ordered = sorted(
        parsed, key=lambda line: next(place for place, kind in enumerate(kinds) if kind in line)
    )
    return [(change.pop("ms"), json.dumps(change)) for change in ordered]


CHECKED = """\
program = "city"
[[steps]]
at = "0 s"
do = "switch on"
[[steps]]
at = "1 s"
do = "tap auction"
bounce = "3 ms"
[[steps]]
at = "2 s"
do = "end"
[[expect]]
event = "auction-started"
at = "1016 ms"
[[expect]]
tone = 2700
from = "1 s"
to = "2 s"
[[expect]]
lamp = "auction"
is = "on"
from = "1.1 s"
to = "1.4 s"
"""


def test_check_runs_a_scenario_on_the_chip(tmp_path, capsys):
    path = tmp_path / "one.toml"
    path.write_text(CHECKED)
    assert cli.main(["check", str(path), "--on", "chip"]) == 0
    output = capsys.readouterr()
    assert output.out.startswith("pass")
    assert "the largest lateness of an edge" in output.err


def test_a_chip_without_its_image_says_where_to_get_it(tmp_path, capsys, monkeypatch):
    monkeypatch.delenv(pico.IMAGE)
    path = tmp_path / "one.toml"
    path.write_text(CHECKED)
    assert cli.main(["check", str(path), "--on", "chip"]) == 3
    assert "micropython.org/download/RPI_PICO" in capsys.readouterr().err
    path.with_suffix(".uf2").write_bytes(b"UF2\n" + bytes(508))
    words = ["check", str(path), "--on", "chip", "--image", str(path.with_suffix(".uf2"))]
    assert cli.main(words) == 3
    assert "is not MicroPython for a Pico: not a UF2 file" in capsys.readouterr().err


def test_the_boot_rom_lacks_its_floating_point_whose_licence_allows_only_real_chips():
    """The range of floats and doubles, from the ROM's own tables, has only breakpoints."""
    rom = pico.PROGRAM.with_name("bootrom.bin").read_bytes()
    at = int.from_bytes(rom[0x16:0x18], "little")
    places = {}
    while rom[at]:
        places[rom[at : at + 2]] = int.from_bytes(rom[at + 2 : at + 4], "little")
        at += 4
    floats = rom[places[b"FS"] : places[b"DE"]]
    assert floats == b"\xf0\xbe" * (len(floats) // 2)


def test_a_program_that_uses_floats_ends_with_a_message(image):
    with Chip(pico.memory(image, {})) as board:
        board.power()
        board.run(500)
        with pytest.raises(pico.Broken, match="cannot calculate with floats"):
            board.send(b"print(1.5 * len('ab'))\r")
            board.run(600)


def test_a_tone_shorter_than_its_period_is_ignored():
    tones = [Tone(0.0, 16, 2700.0, 0.5), Tone(0.2, 16, 2000.0, 0.5), Tone(60.0, 16, 0.0, 0.0)]
    assert pico.audible(tones) == tones[1:] and pico.audible([]) == []


AUCTION, AUCTION_LAMP, BUZZER = 14, 18, 16
# The settings are saved when nothing is due. The tune of `stop` lasts 290 ms, and the next check
# follows within 440 ms (measured at 30 phases: 491 to 729 ms after `stop`).
STARTS, SAVED_MS = 2, 290 + 450
FIRST_NOTE_MS = 150  # after power-on
FREE_BYTES = 160_000  # of the heap, in an auction: it limits nothing, but reveals growth
HELD = b"AUCTION is held: here is the REPL."


def test_a_buzzer_between_two_pins_is_6_db_louder(image):
    """Compares the first harmonic of the voltage between its legs with that of a single pin."""
    volts = {}
    for pins in ((BUZZER,), (BUZZER, BUZZER + 1)):
        opposite = f"opposite = {BUZZER + 1}\n" if pins[1:] else ""
        with alive(pico.memory(image, pico.firmware(opposite))) as board:  # at the middle volume
            board.watch(*pins)
            board.tones.clear()
            board.send(b"identify\r")
            board.run(board.now + 60)
            tone = next(tone for tone in board.tones if tone.hz)
            begin, lasts_ms = tone.ms + 1, 20 / tone.hz * 1000
            strength = 0j
            for sign, pin in zip((1, -1), pins, strict=False):
                edges = [edge for edge in board.edges if edge.pin == pin]
                edges = [edge for edge in edges if begin <= edge.ms < begin + lasts_ms]
                for rise, fall in pairwise(edges):
                    if rise.level:
                        turns = [2j * math.pi * tone.hz * edge.ms / 1000 for edge in (rise, fall)]
                        strength += sign * (cmath.exp(turns[1]) - cmath.exp(turns[0]))
            volts[pins] = 3.3 * abs(strength) / math.pi / 20
    alone, paired = (20 * math.log10(strength) for strength in volts.values())
    assert alone == pytest.approx(20 * math.log10(2 / math.pi * 3.3) - 10, abs=0.3)
    assert paired - alone == pytest.approx(6.02, abs=0.3)


def test_a_truncated_file_hangs_the_chip_and_holding_auction_leads_to_the_repl(image, firmware):
    """Without the button the chip could not be reached."""
    short = {**firmware, f"{FIRST}.mpy": firmware[f"{FIRST}.mpy"][:9000]}
    content = pico.memory(image, short)
    with Chip(content) as board:
        board.power()
        board.run(600)
        board.send(b"\r\x03\r\x03")
        board.run(1000)
        assert b">>>" not in board.take_output()
    with Chip(content) as board:
        board.power()
        board.drive(0, AUCTION, 0)
        board.run(600)
        output = board.take_output()
        assert HELD in output and output.endswith(b">>> ")


def test_one_file_dragged_over_anything_makes_a_unit_that_plays(image, firmware):
    content = one_file.one_file(image, "pico", {})
    memory = bytearray(random.Random(1).randbytes(pico.FLASH_SIZE))
    uf2.drag(memory, uf2.blocks(content))
    with alive(bytes(memory)) as board:
        assert [round(tone.hz) for tone in board.tones] == [2000, 0, 2700, 0]
        assert board.tones[0].ms <= FIRST_NOTE_MS
        # Loading the link while the first note sounds delays the end of no note.
        begun = board.tones[3].ms - 160
        assert [round(tone.ms - begun) for tone in board.tones[1:]] == [60, 100, 160]
        board.press(700, AUCTION)
        board.run(800)
        assert any(edge.pin == AUCTION_LAMP and edge.level for edge in board.edges)
        board.send(b"board\rstate\r")  # as typed in a terminal
        board.run(900)
        output = board.take_output()
        assert b"done - 0 contacts=4 lamps=1 awake=" in output and b" auction city " in output
        assert int(re.findall(rb" free=(\d+) ", output)[0]) > FREE_BYTES
        assert pico.files(image, board.flash()) == firmware


def test_saving_the_settings_erases_nothing_while_the_unit_runs(image, firmware):
    """The file system erases its log's next block at power-on, where this delays no press."""
    content = pico.memory(image, firmware)
    early, late = [], []
    for _start in range(STARTS):
        with alive(content) as board:
            for volume in 1, 2, 1, 2, 1:
                board.send(b"volume %d\r" % volume)
                board.run(board.now + SAVED_MS)
            erased = [write.ms for write in board.writes if write.what == "erase"]
            saves = [write.ms for write in board.writes if write.ms > pico.LISTENS_MS]
            assert len(saves) >= 4
            early += [ms for ms in erased if ms < pico.LISTENS_MS]
            late += [ms for ms in erased if ms >= pico.LISTENS_MS]
            content = board.flash()
    assert late == []
    assert early
    assert set(pico.files(image, content)) == {*firmware, SETTINGS}


HALF, FULL = 2048, 3840  # bytes of a log: at its second half, at its last page
CYCLES = 100  # erases of its first blocks, after which MicroPython's file system moves its log
OLD, NEW = b"city 0 1\n", b"city 0 2\n"  # settings
TOUCHED = "main.py.new"  # written at power-on to compact the log of the root


def log_of(disk: bytes) -> bytes:
    """Return the log of a file system's root, from the newer of its two blocks."""
    pair = disk[: uf2.SECTOR], disk[uf2.SECTOR :][: uf2.SECTOR]
    return max(pair, key=lambda block: int.from_bytes(block[:4], "little")).rstrip(b"\xff")


def with_log(image, files, saves=1, fill=False, longer=HALF) -> bytes:
    """Return the memory of a Pico whose settings were saved at least `saves` times.

    fill    leave no block free
    longer  save until the log of the root is longer than this, in bytes
    """
    import littlefs

    content = bytearray(pico.memory(image, files))
    about = uf2.about(image)
    place = about.address - uf2.FLASH
    blocks = about.size // uf2.SECTOR
    context = littlefs.UserContext(buffer=content[place : place + about.size])
    disk = littlefs.LittleFS(context, block_count=blocks, block_cycles=CYCLES, **uf2.layout())
    if fill:
        pointers = 8 * blocks  # of a long file, two per block on average
        free = (blocks - disk.used_block_count) * uf2.SECTOR - pointers
        with disk.open("films.bin", "wb") as file:
            file.write(b"x" * free)
        assert disk.used_block_count == blocks
    while saves > 0 or len(log_of(context.buffer)) <= longer:
        with disk.open(SETTINGS, "wb") as file:
            file.write(OLD)
        saves -= 1
    disk.unmount()
    content[place : place + about.size] = context.buffer
    return bytes(content)


def plays(board: Chip) -> bool:
    """Return whether the unit responds to a press after power-on."""
    began = board.now
    board.run(began + pico.LISTENS_MS)
    board.press(board.now, AUCTION)
    board.run(board.now + 60)
    return any(edge.pin == AUCTION_LAMP and edge.level for edge in board.edges if edge.ms > began)


def started(image, content: bytes) -> list[pico.Write]:
    """Start a Pico, check that it compacts its log, and return its writes."""
    place = uf2.about(image).address - uf2.FLASH
    with Chip(content) as board:
        before = pico.files(image, content)
        board.power()
        board.run(pico.LISTENS_MS)
        assert "erase" in [write.what for write in board.writes]
        assert len(log_of(board.flash()[place:])) <= HALF
        assert pico.files(image, board.flash()) == before
        return list(board.writes)


def test_a_power_cut_in_any_write_of_the_compaction_does_no_harm(image, firmware):
    """After a cut in the middle of a write the next start plays, and no file has changed.

    Tries every second write, including an erase.
    """
    content = with_log(image, firmware, longer=FULL)
    writes = started(image, content)
    assert len(writes) > 3
    assert {write.what for write in writes[::2]} == {write.what for write in writes}
    wanted = {**firmware, SETTINGS: OLD}
    for number, write in list(enumerate(writes))[::2]:
        lasts_ms = 45 if write.what == "erase" else 0.4
        with Chip(content, seed=number + 1) as board:
            board.cut(write.ms + lasts_ms / 2)
            board.power()
            board.run(pico.LISTENS_MS)
            assert not board.has_power
            assert len(board.writes) == number + 1
            torn = pico.files(image, board.flash())
            assert {**torn, TOUCHED: b""} == {**wanted, TOUCHED: b""}
            board.power()
            assert plays(board)
            assert {**pico.files(image, board.flash()), TOUCHED: b""} == {**wanted, TOUCHED: b""}


def test_a_unit_with_full_memory_still_compacts_its_log_and_plays(image, firmware):
    with Chip(with_log(image, firmware, fill=True)) as board:
        before = pico.files(image, board.flash())
        board.power()
        assert plays(board)
        assert "erase" in [write.what for write in board.writes]
        assert pico.files(image, board.flash()) == before
        board.send(b"stop\rvolume 2\r")
        board.run(board.now + SAVED_MS)
        assert pico.files(image, board.flash()) == {**before, SETTINGS: NEW}


def test_a_log_that_has_moved_after_years_is_left_alone(image, firmware):
    """Nothing is written at power-on, and the settings are still saved."""
    with Chip(with_log(image, firmware, saves=20 * CYCLES, longer=0)) as board:
        board.power()
        assert plays(board)
        assert board.writes == []
        board.send(b"stop\rvolume 2\r")
        board.run(board.now + SAVED_MS)
        assert pico.files(image, board.flash()) == {**firmware, SETTINGS: NEW}


def test_one_file_rescues_a_board_that_hangs_and_can_include_pins_and_settings(image, firmware):
    short = {**firmware, f"{FIRST}.mpy": firmware[f"{FIRST}.mpy"][:9000]}
    memory = bytearray(pico.memory(image, {**short, SETTINGS: b"championship 3000000 1\n"}))
    pins = f"{lamps(2)}\nauction = 10\n".encode()
    kept = {"pins.txt": pins, SETTINGS: b"world 0 3\n"}
    uf2.drag(memory, uf2.blocks(one_file.one_file(image, "pico", kept)))
    with alive(bytes(memory)) as board:
        board.send(b"state\r")  # as typed in a terminal
        board.press(700, 10)
        board.run(800)
        assert b" ready world " in board.take_output()
        assert [edge.pin for edge in board.edges if edge.level] == [2]


@pytest.mark.real_time
def test_flash_over_its_usb_finishes_after_the_power_went_in_the_middle(
    image, firmware, monkeypatch
):
    """It then also reads the version on the board."""
    monkeypatch.setattr(remote, "TRIES", (20, 40))  # seconds: this computer may be slow
    watched = {"pins.txt": b"watchdog = on\n"}
    with Chip(pico.memory(image, watched)) as board:
        plugged = Plugged(board)
        with plugged as port:
            plugged.cut(after_ms=800, first_write=True)  # independent of the time for compiling
            with pytest.raises(UserError):
                flash.flash(flash.Remote(port))
            assert plugged.cuts == 1
            flash.flash(flash.Remote(port))
            monkeypatch.setattr(flash, "VERSION", "0.0.9")
            with pytest.raises(UserError, match=f"the board has City Unit {VERSION}, newer"):
                flash.flash(flash.Remote(port))
        content = board.flash()
    assert pico.files(image, content) == {**firmware, **watched}
    with Chip(content) as board:  # in chip time, since this computer may be slow
        board.power()
        board.run(pico.LISTENS_MS)
        pico.Desktop(board).greet()
