"""The board page, with a real Web Serial API and the real firmware on a virtual board."""

import contextlib
import hashlib
import json
import os
import random
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from city_unit.desktop import catalogue
from city_unit.facts import LAMP_COUNT, VERSION
from firmware.board.pins import DEFAULTS, WIRES, PinError
from firmware.boards import describe
from firmware.tool import for_page, image
from firmware.virtual import launch
from sim.web import bundle
from tests.helpers.fake_esp32 import FakeEsp32
from tests.helpers.needs import needs
from tests.helpers.pin_files import lamps
from tests.helpers.quick import some_quick
from tests.sim.web.conftest import opened, served

pytestmark = pytest.mark.real_time

# A Chromium whose Web Serial API finds a pty, so that the real API is tested without hardware.
#
# Chromium lists the kernel's serial ports. The pty is bind-mounted over one of them in a mount
# namespace for the browser only; a policy grants the page access without a prompt. Nothing outside
# that namespace changes. Linux only, as root.
OVER = "/dev/ttyS0"
SETTINGS = "/etc/chromium"


def can_have_a_port() -> bool:
    """Return whether such a namespace can be created here."""
    if not (shutil.which("unshare") and Path(OVER).exists() and os.geteuid() == 0):
        return False
    done = subprocess.run(["unshare", "-m", "mount", "--bind", "/dev/null", OVER], check=False)
    return done.returncode == 0 and Path(SETTINGS).is_dir()


def launcher(folder: Path, chromium: str, port: str, site: str) -> Path:
    """Write a program that starts the browser in its namespace; return its path.

    port  the pty, which need not exist before the start
    """
    policies = folder / "chromium/policies/managed"
    policies.mkdir(parents=True)
    allowed = {"SerialAllowAllPortsForUrls": [site.rstrip("/")]}
    (policies / "serial.json").write_text(json.dumps(allowed))
    words = {
        "settings": shlex.quote(str(folder / "chromium")),
        "port": shlex.quote(port),
        "chromium": shlex.quote(chromium),
    }
    program = folder / "chromium-with-a-port"
    inside = (
        f"mount --bind {words['settings']} {SETTINGS} && mount --bind {words['port']} {OVER} && "
        f'exec {words["chromium"]} "$@"'
    )
    program.write_text(f'#!/bin/sh\nexec unshare -m sh -c {shlex.quote(inside)} sh "$@"\n')
    program.chmod(0o755)
    return program


@pytest.fixture(scope="module")
def of_firmware():
    return for_page.files([])


@pytest.fixture(scope="module")
def shop(of_firmware, files):
    """Serve the board page; return its address."""
    with served({**files, **bundle.board_page(of_firmware)}) as server:
        yield f"http://127.0.0.1:{server.port}/"


class Bench:
    """A virtual board behind a pty, and a browser that has the pty as a serial port."""

    def __init__(self, folder, shop, people, chromium_path, with_unit, pins, crash, world):
        self.folder = folder / "board"
        self.folder.mkdir()
        if with_unit:
            launch.lay(self.folder)
        for name, text in (("pins.txt", pins), ("crash.txt", crash)):
            if text:
                (self.folder / name).write_text(text, encoding="utf-8")
        board = launch.VirtualBoard(self.folder, world={**launch.SWITCHED_ON, **world})
        self.supervised = launch.Supervised(board, folder / "world")
        self.port = self.supervised.__enter__()
        program = launcher(folder, chromium_path, self.port, shop)
        self.page = opened(people(program, viewport=WIDE), shop + "board.html")

    def close(self):
        self.page.context.close()
        self.supervised.__exit__()

    def waits_for(self, words):
        self.page.wait_for_function(
            "words => [...document.querySelectorAll('.message')].some(message => "
            "message.textContent.includes(words))",
            arg=words,
        )

    def click(self, name):
        self.page.get_by_role("button", name=name).click()

    def online(self):
        self.page.wait_for_selector("body.online")

    def files(self):
        return {
            path.relative_to(self.folder).as_posix(): path.read_bytes()
            for path in self.folder.rglob("*")
            if path.is_file()
        }


WIDE = {"width": 1000, "height": 1400}


@pytest.fixture
def bench(tmp_path, shop, people, chromium_path):
    needs(can_have_a_port(), "a mount namespace of its own, as root", "web-serial")
    needs(image.unix(), "the unix MicroPython")
    made = []

    def make(with_unit=True, pins="", crash="", **world):
        made.append(Bench(tmp_path, shop, people, chromium_path, with_unit, pins, crash, world))
        return made[-1]

    yield make
    for each in made:
        each.close()


# The page saw the event, or connected after it and so does not list it.
PERMIT_HAS_STARTED = """() => desk.unit?.snapshot?.events >= 2
    || document.body.textContent.includes("permit-started")"""
CRASH = "Traceback (most recent call last):\nOSError: the wire brøke\n"


def test_the_self_test_names_the_button_shows_the_crash_and_measures_the_cells(bench):
    """A held button, nearly empty cells, and a crash log that can be cleared."""
    held = [[0, 4], [10_000, 6]]  # the board has started by then
    board = bench(pins="battery = 29\n", crash=CRASH, battery_mv=1900, changes=held)
    page = board.page
    page.wait_for_function(PERMIT_HAS_STARTED)
    board.click("Self-test")
    page.get_by_text("Now look and listen").wait_for()
    assert page.locator("#results .bad").all_inner_texts() == [
        "BAD: no button is pressed; closed: BUILD (GP15, unless pins.txt says otherwise)",
        "BAD: the supply voltage is 1900 mV",
        "BAD: its crash log is empty",
    ]
    assert page.locator("#crash").text_content() == CRASH
    board.click("Clear the log")
    board.waits_for("Its crash log is now empty.")
    assert "crash.txt" not in board.files() and page.locator("#crashes").is_hidden()


def whole(of_firmware, chip="rp2040"):
    firmware = json.loads(of_firmware[f"firmware-{chip}.json"])
    return {name: file["sha256"] for name, file in firmware.items()}


def sums(bench):
    return {name: hashlib.sha256(content).hexdigest() for name, content in bench.files().items()}


def test_a_board_becomes_a_unit_that_is_driven_tested_named_and_wired_anew(
    bench, of_firmware, tmp_path
):
    board = bench(with_unit=False, pins="# mine\nlamps = 6 7 8\n")
    page, pins = board.page, board.folder / "pins.txt"
    others, auction = page.get_by_label("Other lines"), page.locator("select[data-part=auction]")
    # The board is inspected without stopping a program. Its wrong pins are reported with their
    # line, by the rules of the desktop, and corrected in the form before anything is copied.
    board.waits_for("The board has MicroPython but no unit")
    board.click("Put it on")
    board.waits_for("pins.txt, line 2: lamps = 6 7 8: too many or too few")
    assert board.files() == {"pins.txt": b"# mine\nlamps = 6 7 8\n"}
    page.wait_for_function("() => document.activeElement.id === 'others'")
    assert "lamps = 6 7 8" in page.locator("#error").inner_text()
    others.fill("# mine")
    board.click("Write them")
    board.waits_for("pins.txt is written.")
    assert board.files() == {"pins.txt": b"# mine\n"}
    # Flashing removes a byte order mark from pins.txt, which the board cannot read.
    pins.write_text("\ufeffauction = 14\n", encoding="utf-8")
    board.click("Put it on")
    board.waits_for("copied and verified. The unit has started.")
    assert pins.read_bytes() == b"auction = 14\n"
    assert {name: sum for name, sum in sums(board).items() if name != "pins.txt"} == whole(
        of_firmware
    )
    board.online()
    board.click("Put it on")
    board.waits_for("all files are up to date. The unit has started.")
    # Drive and test it.
    board.online()
    page.wait_for_function("() => desk.unit.snapshot.state === 'ready'")
    page.locator(".press-auction").click()
    page.get_by_text("auction-started").wait_for()
    page.wait_for_selector("[data-lamp=auction].on")
    page.locator(".press-build").press("Enter")  # no permit during an auction
    page.locator("#events").get_by_text("refused").wait_for()
    board.click("Self-test")
    page.get_by_text("its crash log is empty").wait_for()
    page.screenshot(path=tmp_path / "board.png", full_page=True)
    assert page.locator("#results .bad").count() == 0, page.inner_text("#results")
    assert page.locator("#results .good").count() == 5
    assert page.locator("#crashes").is_hidden()
    # Name it.
    board.online()
    page.get_by_label("Its name").fill("kitchen-2")
    board.click("Name it")
    board.waits_for("Its name is now kitchen-2.")
    page.get_by_text("kitchen-2: ").wait_for()
    # Change its pins: a clash is drawn and refused; comments may contain any characters.
    auction.select_option("15")
    page.get_by_text("auction = 15: used by build too").wait_for()
    assert page.locator("#drawing .clash").count() == 1
    board.click("Write them")
    board.waits_for("These pins are not possible: auction = 15: used by build too")
    assert pins.read_bytes() == b"auction = 14\n"
    auction.select_option("2")
    page.wait_for_function("() => !document.querySelector('#error').textContent")
    assert page.locator("#drawing").get_by_text("AUCTION", exact=True).count() == 1
    mine = "watchdog = off # Küche, cuisine à côté: 5 €"
    others.fill(mine)
    board.click("Write them")
    board.waits_for("pins.txt is written. The unit has started.")
    assert pins.read_text(encoding="utf-8") == f"auction = 2\n{mine}\n"
    page.screenshot(path=tmp_path / "pins.png", full_page=True)
    auction.select_option("3")
    board.click("Read them")
    board.waits_for("The pins were read from the board.")
    assert (auction.input_value(), others.input_value()) == ("2", mine)
    # Wrong pins on a board with a unit.
    pins.write_text("lamps = 6 7 8\n")
    before = board.files()
    board.click("Put it on")
    board.waits_for("pins.txt, line 1: lamps = 6 7 8: too many or too few")
    assert board.files() == before


# Records every message: one between two others would be gone before a test reads it.
KEEP_MESSAGES = """() => {
    window.kept = [];
    const keep = () => {
        const texts = [...document.querySelectorAll(".message")].map((each) => each.textContent);
        for (const text of texts) if (text && text !== kept.at(-1)) kept.push(text);
    };
    new MutationObserver(keep).observe(document.body, { childList: true, subtree: true });
}"""


@pytest.mark.slow
def test_the_files_on_a_board_are_compared_first_and_each_step_reports_its_outcome(
    bench, of_firmware
):
    board = bench()
    page, main = board.page, board.folder / "main.py"
    ours = main.read_text()
    asked = []

    def no(dialog):
        asked.append(dialog.message)
        dialog.dismiss()

    # A newer unit is replaced only after a confirmation; the answer no changes nothing.
    board.online()
    main.write_text(f"# City Unit 0.10.0, by hand\n{ours}")
    before = board.files()
    page.once("dialog", no)
    board.click("Put it on")
    board.waits_for("Nothing was changed.")
    said = f"The board has City Unit 0.10.0, newer than this one, {VERSION}."
    assert asked == [said + " Replace it with the older one?"]
    assert board.files() == before
    page.on("dialog", lambda dialog: (asked.append(dialog.message), dialog.accept()))
    for there, compared in (
        ("# City Unit 0.10.0, by hand\n", said),
        ("# City Unit 0.0.9\n", "The board has City Unit 0.0.9; this one, "),
        (
            f"# City Unit {VERSION}\n",
            f"The board already has City Unit {VERSION}, but with different",
        ),
        ("", "The files on the board are incomplete or damaged; repairing them."),
    ):
        board.online()
        main.write_text(there + ours)
        board.click("Put it on")
        board.waits_for(compared)
        board.waits_for("copied and verified")
        assert sums(board) == whole(of_firmware)
    # Read, refused and removed; the page does not wait for a removed unit.
    board.online()
    page.wait_for_function("() => document.querySelector('#about').textContent")
    page.evaluate(KEEP_MESSAGES)
    board.click("Read them")
    board.waits_for("The pins were read from the board.")
    board.online()
    page.get_by_label("Other lines").fill("strip = none none")
    board.click("Write them")
    board.waits_for("These pins are not possible")
    board.online()  # a refusal leaves it running
    (board.folder / "pins.txt").write_text("auction = 14\n")
    board.click("Take it off")
    board.waits_for("The unit was removed")
    assert page.locator("#about").inner_text() == ""
    assert asked[-1] == "Take the unit off the board?"
    assert board.files() == {"pins.txt": b"auction = 14\n"}
    page.wait_for_function("() => !document.querySelector('#remove').disabled")
    stopping = "Stopping the program on the board ..."
    kept = [text.split(":")[0].split(";")[0] for text in page.evaluate("kept")]
    assert kept == [
        *(stopping, "The pins were read from the board."),
        *(stopping, "These pins are not possible"),
        *(stopping, "The unit was removed"),
    ]


WIDTH_OF = """size => {
    document.documentElement.style.fontSize = size;
    return document.documentElement.scrollWidth;
}"""
WIRED = """() => Object.fromEntries([...document.querySelectorAll("#drawing .part")]
    .map((part) => [part.previousElementSibling.previousElementSibling.textContent,
        part.textContent]))"""


CUT_OFF = """() => {
    const drawing = document.querySelector("#drawing");
    const { x, width } = drawing.viewBox.baseVal;
    const within = (box) => box.x >= x && box.x + box.width <= x + width;
    const texts = [...drawing.querySelectorAll("text")].filter((text) => !within(text.getBBox()));
    return texts.map((text) => text.textContent);
}"""


def test_the_other_lines_are_judged_in_the_words_of_the_desktop_and_drawn(people, shop):
    """The page runs the same rules in its MicroPython."""
    page = opened(people(locale="fr"), shop + "board.html")
    for percent in ("200%", "100%"):
        assert page.evaluate(WIDTH_OF, percent) == 390, percent  # a telephone's width
    assert page.title() == page.locator("h1").inner_text()
    links = page.locator("#no-files a").all_inner_texts()  # for a new Pico
    assert links == ["RPI_PICO", "RPI_PICO_W", "RPI_PICO2", "RPI_PICO2_W"]
    usual = page.evaluate(WIRED)
    assert usual["GP16"] == "buzzer" and len(usual) == LAMP_COUNT + 3
    others = page.get_by_label("Autres lignes")
    others.fill("opposite = 18\n" + lamps(2))
    with catalogue.spoken("fr"), pytest.raises(PinError) as refused:
        describe("pico", "opposite = 18\n" + lamps(2))
    with catalogue.spoken("fr"):
        said = str(refused.value)
    assert "must be" not in said
    page.get_by_text(said).wait_for()
    others.fill("# mine\n\nlink = uart\nbild = 3 # oh\n")
    page.get_by_text("Autres lignes de pins.txt, ligne 4\u202f: bild = 3\u202f: ").wait_for()
    others.fill("\nauction 14")
    page.get_by_text("Autres lignes de pins.txt, ligne 2\u202f: auction 14\u202f: ").wait_for()
    others.fill("build = 3\nbuild = 4")
    page.get_by_text("Autres lignes de pins.txt, ligne 2\u202f: build = 4\u202f: ").wait_for()
    others.fill("")
    page.locator("select[data-part=auction]").select_option("15")
    page.locator("#error", has_text="auction = 15").wait_for()
    assert page.locator("#error").inner_text().startswith("auction = 15")
    page.locator("select[data-part=auction]").select_option("14")
    others.fill("opposite = 17")
    page.locator("#drawing").get_by_text("L’autre patte du buzzer").wait_for()
    assert page.evaluate(WIRED) == usual | {"GP17": "L’autre patte du buzzer"}
    strip = f"Ruban de {LAMP_COUNT} voyants"
    others.fill("strip = 2\nbattery = 26\nlink = uart")
    page.locator("#drawing").get_by_text(strip).wait_for()
    wired = page.evaluate(WIRED)
    assert wired == {
        **{label: usual[label] for label in ("GP14", "GP15", "GP16")},
        "GP2": strip,
        "GP26": "Mesure piles",
        "GP0": "UART TX",
        "GP1": "UART RX",
    }
    assert page.evaluate(CUT_OFF) == []
    assert page.locator("#wires select:visible").count() == 4  # the buttons, switch and buzzer
    others.fill("auction = 3")
    page.wait_for_function(f"() => ({WIRED})().GP3")
    assert page.evaluate(WIRED) == {
        label.replace("GP14", "GP3"): part for label, part in usual.items()
    }
    others.fill("")
    page.wait_for_function(f"() => ({WIRED})().GP14")
    assert page.evaluate(WIRED) == usual
    assert page.locator("#wires select:visible").count() == LAMP_COUNT + 4


def test_a_louder_buzzer_is_a_choice_and_every_name_of_a_pin_file_is_offered(people, shop):
    page = opened(people(), shop + "board.html")
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    assert page.evaluate(CUT_OFF) == []
    louder, others = page.get_by_label("Louder"), page.get_by_label("Other lines")
    louder.check()
    page.locator("#drawing").get_by_text("The buzzer's other leg").wait_for()
    assert others.input_value() == "opposite = 17"
    assert "GP17" in page.evaluate(WIRED)
    page.locator("select[data-part=buzzer]").select_option("3")
    assert others.input_value() == "opposite = 2"
    others.fill("watchdog = on\nopposite = none")
    assert not louder.is_checked()
    others.fill("watchdog = on\nopposite = 2")
    assert louder.is_checked()
    louder.uncheck()
    assert others.input_value() == "watchdog = on"
    # The form writes the text, and reads it back.
    others.fill("watchdog = on\nswitch = none")
    page.locator("select[data-part='lamp 1']").select_option("17")
    page.locator("select[data-part=switch]").select_option("7")
    text = page.evaluate("desk.pinText()")
    pins = list(describe("pico")["lamps"])
    pins[1] = 17
    lit = ", ".join(map(str, pins))
    assert text == f"switch = 7\nbuzzer = 3\nlamps = {lit}\nwatchdog = on\nswitch = none\n"
    page.evaluate("text => desk.show('pico', text)", text)
    assert page.evaluate("desk.pinText()") == text.replace("switch = 7\n", "").replace(
        "\nswitch = none", ""
    )
    page.locator("#board").select_option("esp32")
    assert louder.is_hidden()
    others.fill("")
    # All other names that a board reads are offered, with valid examples.
    page.get_by_text("The possible lines").click()
    named = {*DEFAULTS, *WIRES} - {"auction", "build", "switch", "buzzer", "lamps"}
    for board in ("pico", "pico-2-w", "esp32", "esp32-s3"):
        page.locator("#board").select_option(board)
        lines = page.locator("#lines button").all_inner_texts()
        of_pico = set() if board.startswith("pico") else {"opposite", "battery"}
        assert {line.split(" = ")[0] for line in lines} == named - of_pico
        for line in lines:
            if (board, line) != (
                "pico-2-w",
                "closed = high",
            ):  # forbidden because of the RP2350's erratum E9
                assert describe(board, line)
    page.get_by_role("button", name="brightness = 80").click()
    page.get_by_role("button", name="strip = 7").click()
    page.get_by_role("button", name="brightness = 80").click()
    assert others.input_value() == "strip = 7\nbrightness = 80"


def micropython_for(number):
    """Return a file with the header of MicroPython for an ESP32, and arbitrary content."""
    head = bytes([0xE9, 3, 2, 0x20]) + bytes(8) + number.to_bytes(2, "little") + bytes(10)
    return head + random.Random(number).randbytes(20_001) + bytes(range(256)) * 150


def put(page, content):
    named = {"name": "ESP32.bin", "mimeType": "application/octet-stream", "buffer": content}
    page.get_by_label("The file, ending in .bin").set_input_files(named)
    page.get_by_role("button", name="Put MicroPython on it").click()


@pytest.fixture
def esp32(people, shop, chromium_path, tmp_path):
    """Make a chip without MicroPython, and a page connected to it."""
    needs(can_have_a_port(), "a mount namespace of its own, as root", "web-serial")
    with contextlib.ExitStack() as stack:

        def make(chip):
            fake = stack.enter_context(contextlib.closing(FakeEsp32(chip)))
            context = people(launcher(tmp_path, chromium_path, fake.port, shop))
            stack.callback(context.close)
            page = opened(context, shop + "board.html")
            page.wait_for_selector("body.open")
            return fake, page

        yield make


@pytest.mark.parametrize("kind", some_quick([("ESP32", 0, 0x1000), ("ESP32-C3", 5, 0)], 1))
def test_micropython_goes_onto_an_esp32_and_is_checked_there(esp32, kind):
    """By Espressif's own library; the fake flash memory keeps everything that is not erased."""
    chip, number, address = kind
    fake, page = esp32(chip)
    before = bytes(fake.flash)
    put(page, b"UF2\n" + bytes(508))
    page.get_by_text(
        "This is not MicroPython for an ESP32, which is a file ending in .bin."
    ).wait_for()
    assert fake.flash == before
    content = micropython_for(number)
    put(page, content)
    page.get_by_text("MicroPython is on the board and verified.").wait_for()
    filled = content + b"\xff" * (-len(content) % 4)
    empty = len(fake.flash) - address - len(filled)
    assert fake.flash == b"\xff" * address + filled + b"\xff" * empty
    page.wait_for_selector("body.open")
    assert page.get_by_role("button", name="Put it on", exact=True).is_enabled()


def test_a_file_for_another_chip_changes_nothing(esp32):
    fake, page = esp32("ESP32")
    before = bytes(fake.flash)
    put(page, micropython_for(9))
    page.get_by_text("The file is for ESP32-S3, but this board is ESP32.").wait_for()
    assert fake.flash == before


# The page reloads itself at that message, since polling could miss the moment.
GO_AT_THE_SECOND = """() => {
    const areas = [...document.querySelectorAll(".message")];
    const go = () => areas.some((each) => each.textContent.includes("2 of ")) && location.reload();
    new MutationObserver(go).observe(document.body, { childList: true, subtree: true });
}"""


@pytest.mark.slow
def test_a_flash_that_is_broken_off_is_done_again_until_the_unit_answers(bench, of_firmware):
    board = bench(with_unit=False)
    page = board.page
    # The page is closed half-way; the board starts into its REPL, and the next run completes it.
    page.evaluate(GO_AT_THE_SECOND)
    with page.expect_event("load"):
        board.click("Put it on")
    page.wait_for_selector("body.alive")
    assert "main.py" not in board.files()
    board.waits_for("The board has MicroPython and an incomplete unit")
    board.supervised.pull()
    board.click("Put it on")
    board.waits_for("copied and verified")
    assert sums(board) == whole(of_firmware)
    # The page does not report a start if the unit does not answer.
    board.online()
    (board.folder / "pins.txt").write_text("link = uart\n")
    board.click("Put it on")
    board.waits_for("all files are up to date. Waiting for the unit ...")
    board.waits_for(
        "all files are up to date. The files are on the board, but the unit has not answered"
    )


def test_a_browser_that_reaches_no_boards_says_so(people, shop):
    context = people()
    context.add_init_script("Object.defineProperty(navigator, 'serial', { value: undefined })")
    page = context.new_page()
    page.goto(shop + "board.html")
    page.get_by_text("This browser cannot connect to boards").wait_for()
    assert "`" not in page.inner_text("main")
    assert page.get_by_role("button", name="Connect a board").is_disabled()
    page.get_by_text("the command city-unit uf2 makes it").wait_for()
    page.get_by_role("link", name="A new Pico, without MicroPython").click()
    assert page.url.endswith("board.html#new-pico")
    assert page.locator("#new-pico").bounding_box()["y"] < page.viewport_size["height"]


# Another program uses the port, and the user chooses none.
REFUSING = """
    const port = { open: () => Promise.reject(new DOMException("Failed to open", "NetworkError")) };
    Object.defineProperty(navigator, "serial", { value: {
        getPorts: () => Promise.resolve([port]), addEventListener() {},
        requestPort: () => Promise.reject(new DOMException("no", "NotFoundError")) } });
"""
A_HAND_PX = 150


def test_a_message_stands_beside_its_button_until_the_next_action(people, shop):
    context = people()
    context.add_init_script(REFUSING)
    page = opened(context, shop + "board.html")
    page.get_by_text("The port cannot be opened: close other programs").wait_for()
    button = page.get_by_role("button", name="Put MicroPython on it")
    message = page.get_by_text("Choose MicroPython's file first.")
    button.click()
    message.wait_for()
    assert message.get_attribute("role") == "status"
    pressed, words = button.bounding_box(), message.bounding_box()
    assert 0 < words["y"] - pressed["y"] < A_HAND_PX
    put(page, b"")
    page.get_by_text("No port was chosen").wait_for()
    assert message.count() == 0
    assert page.get_by_text("No port was chosen").bounding_box()["y"] == words["y"]
    page.get_by_role("button", name="Connect a board").click()
    page.wait_for_function(
        "() => document.querySelector('#connect').closest('section')"
        ".querySelector('.message').textContent"
    )
    assert page.get_by_text("No port was chosen").count() == 1
    page.locator("select[data-part=auction]").select_option("2")
    assert page.get_by_text("No port was chosen").count() == 0
