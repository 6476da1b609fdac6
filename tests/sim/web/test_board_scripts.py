"""The board page's scripts without a browser: the REPL, interrupted flashing, checksums."""

import base64
import hashlib
import json
import random

import pytest

from city_unit.desktop.errors import UserError
from firmware.tool import for_page, image
from firmware.virtual.launch import VirtualBoard
from tests.helpers.needs import needs

# How soon the page notices that a device is not a board, or has restarted.

# A clock that advances only by waits, and a line whose other end is a function.
STAGE = """
import { Repl } from "./board/repl.js";
import { seal } from "./board/city_unit.js";

let now = 0;
let count = 0;
let alarms = [];
const breathe = setImmediate;
globalThis.setTimeout = (call, ms) => {
  alarms.push({ at: now + ms, call, number: ++count });
  return count;
};
globalThis.clearTimeout = (number) => (alarms = alarms.filter((alarm) => alarm.number !== number));

async function staged(answers, work) {
  let over = false;
  const line = { hasSpoken: false, heard() {}, async say(text) { answers(text, answer); } };
  const answer = (text, ms = 1) =>
    setTimeout(() => {
      line.hasSpoken = true;
      line.heard(text);
    }, ms);
  const outcome = work(new Repl(line)).then(
    (value) => ({ value }),
    (error) => ({ error: error.message }),
  );
  outcome.then(() => (over = true));
  while (!over) {
    for (let turn = 0; turn < 20; turn++) await new Promise(breathe);
    if (over || !alarms.length) break;
    alarms.sort((one, other) => one.at - other.at || one.number - other.number);
    const next = alarms.shift();
    now = Math.max(now, next.at);
    next.call();
  }
  console.log(JSON.stringify({ ...(await outcome), now }));
}

const BANNER = "raw REPL; CTRL-B to exit\\r\\n>";
"""


@pytest.fixture
def staged(run):
    return lambda script: run(STAGE + script)


def test_a_silent_device_is_rejected_soon(staged):
    found = staged("await staged(() => {}, (repl) => repl.begin());")
    assert "does not answer like MicroPython" in found["error"]
    assert found["now"] <= 2200


def test_a_unit_that_still_has_another_client_is_waited_for(staged):
    """It ignores Ctrl-C as noise until it drops the silent client after 5 s."""
    found = staged(
        """
        let spoken = false;
        const unit = (text, answer) => {
            if (!spoken) answer(seal("event 1 2 3"));
            spoken = true;
            if (now > 5000 && (text === "\\r\\x01" || text === "\\x04")) answer(BANNER);
        };
        await staged(unit, (repl) => repl.begin());
        """
    )
    assert "error" not in found and 5000 < found["now"] < 7000


@pytest.mark.parametrize(
    ("says", "told", "by_ms"),
    [
        ('seal("hello 1 unit")', "has restarted: try again.", 3100),
        ('"NameError: \\r\\n>>> "', "has restarted: try again.", 3100),
        ('""', "no longer answers: close other programs that use it, and try again.", 31_000),
    ],
    ids=["a unit", "a prompt", "nothing"],
)
def test_a_board_that_restarts_in_a_step_or_is_silent_is_noticed(staged, says, told, by_ms):
    """Its port stays open, but the script's output never ends."""
    found = staged(
        f"""
        const board = (text, answer) => {{
            if (text === "\\x04") answer("OK[1, ");
            if (text === seal("watch 1 page") && now > 1500) answer({says});
        }};
        await staged(board, (repl) => repl.ask("print([1, 2])"));
        """
    )
    assert found["error"] == f"The board {told}"
    assert found["now"] <= by_ms


def test_a_long_step_is_waited_for_and_the_next_one_is_whole(staged):
    """Unread output is discarded before the next script."""
    found = staged(
        """
        const LONG = `long()${"#".repeat(600)}`;
        let read = "";
        let free = 0;
        const board = (text, answer) => {
            if (text.length > 256) throw new Error("a board without flow control has less room");
            read += text;
            if (text === "\\x03") read = "";
            if (text !== "\\x04") return;
            const long = read.includes("long");
            const whole = [LONG, "short()"].includes(read.slice(0, -1));
            read = "";
            free = now + (long ? 5500 : 1);
            answer("OK");
            answer(`${whole}\\x04\\x04>`, free - now + 1);
        };
        const work = async (repl) => [await repl.ask(LONG), await repl.ask("short()")];
        await staged(board, work);
        """
    )
    assert found["value"] == [True, True]
    assert 5500 < found["now"] < 6000


# A board whose scripts run in its folder. Its cable is pulled and reconnected until the unit is
# complete: after a number of scripts, one more each time, or before each file except the first.
FLASH = """
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { look, update } from "./board/flash.js";

const [, , when] = process.argv;
const { command, environment, folder } = JSON.parse(readFileSync("board.json", "utf8"));
const facts = JSON.parse(readFileSync("boards.json", "utf8"));
const firmware = JSON.parse(readFileSync("firmware.json", "utf8"));
const mains = [];
let left = 0;
const pull = () => { throw new Error("pulled"); };
const repl = {
  async ask(script) {
    if (when === "scripts" && left-- <= 0) pull();
    const words = command.slice(1).map((word) => word.replace("SCRIPT", () => script));
    const how = { cwd: folder, env: environment, encoding: "utf8" };
    const shown = execFileSync(command[0], words, how);
    return JSON.parse(shown.trim().split("\\n").at(-1));
  },
};
facts.scripts.stand_down = 'print("null")'; // it is for a chip
for (;;) {
  left = mains.length + 1;
  try {
    const found = await look(repl, facts);
    await update(repl, facts, found, firmware, (done) => when === "files" && done && pull());
    break;
  } catch (error) {
    if (error.message !== "pulled") throw error;
    mains.push(readFileSync(`${folder}/main.py`, "utf8"));
  }
}
console.log(JSON.stringify(mains));
"""


@pytest.mark.slow
@pytest.mark.parametrize("when", ["scripts", "files"])
def test_a_flash_that_is_cut_off_again_and_again_ends(run, tmp_path, when):
    of_firmware = for_page.files([])
    (tmp_path / "boards.json").write_bytes(of_firmware["boards.json"])
    (tmp_path / "firmware.json").write_bytes(of_firmware["firmware-rp2040.json"])
    firmware = json.loads(of_firmware["firmware-rp2040.json"])
    needs(image.unix(), "the unix MicroPython")
    board = tmp_path / "lies-on-it"
    (board / "city_unit").mkdir(parents=True)
    (board / "city_unit/old.mpy").write_text("of an earlier version")
    own = "# somebody's own"
    (board / "main.py").write_text(own)
    virtual = VirtualBoard(board)
    command, environment = virtual.command(tmp_path / "world", "-c", "SCRIPT")
    how = {"command": command, "environment": dict(environment), "folder": str(board)}
    (tmp_path / "board.json").write_text(json.dumps(how))
    mains = run(FLASH, when)
    assert set(mains) == {own}
    assert len(mains) == len(firmware) - 1 if when == "files" else len(mains) >= 10
    there = {path.relative_to(board).as_posix(): path for path in board.rglob("*.*")}
    assert there.pop("main.py.before").read_text() == own
    sums = {name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in there.items()}
    assert sums == {name: file["sha256"] for name, file in firmware.items()}


SUMS = """
import { md5 } from "./board/flash.js";
const texts = JSON.parse(process.argv[2]);
console.log(JSON.stringify(texts.map((text) => md5(Buffer.from(text, "base64")))));
"""


def test_the_checksum_for_an_esp32_is_that_of_everybody(run):
    lengths = (0, 1, 55, 56, 57, 63, 64, 65, 119, 120, 3000)
    contents = [random.Random(length).randbytes(length) for length in lengths]
    texts = json.dumps([base64.b64encode(content).decode() for content in contents])
    assert run(SUMS, texts) == [hashlib.md5(content).hexdigest() for content in contents]


def test_what_is_no_micropython_is_told(tmp_path):
    (tmp_path / "no.uf2").write_bytes(b"nothing")
    with pytest.raises(UserError, match="is not MicroPython for a Pico"):
        for_page.files([str(tmp_path / "no.uf2")])


REFUSED = """
import { boardOf, refuseOld, update } from "./board/flash.js";
import { readFileSync } from "node:fs";
const known = JSON.parse(readFileSync("boards.json", "utf8"));
const toldOf = ({ machine, chip }) => `${machine} with ${chip.toUpperCase()}`;
const named = Object.values(known.boards).map((board) => boardOf(toldOf(board), known));
const facts = { least: [1, 24, 0], mpy: 6, kept: [], spare_blocks: 1, scripts: { prepare: "" } };
const file = (text) => ({ sha256: "new", content: btoa(text) });
const firmware = { "main.py": file("x".repeat(4097)), "empty.py": file("") };
const repl = { ask() { throw new Error("begun"); } };
const why = (work) => Promise.resolve().then(work).then(() => "", ({ message }) => message);
const room = (free) => why(() => update(repl, facts, { files: {}, block: 4096, free }, firmware));
const old = (version, mpy) => why(() => refuseOld({ version, mpy }, facts));
const boards = [old([1, 23, 99], 6), old([1, 24, 0], 6), old([2, 0, 0], 6), old([1, 24, 0], 5)];
console.log(JSON.stringify([named, ...await Promise.all([room(16383), room(16384), ...boards])]));
"""


def test_a_board_without_room_or_with_another_micropython_is_refused_before_anything(run, tmp_path):
    """The files need three blocks, an empty one included, and one is spare."""
    facts = for_page.facts([])
    (tmp_path / "boards.json").write_text(json.dumps(facts))
    named, full, begins, old, least, newer, compiled = run(REFUSED)
    assert named == list(facts["boards"])
    assert full.startswith("The unit needs {needed} bytes") and begins == "begun"
    assert old.startswith("The board has MicroPython {there}") and least == newer == ""
    assert compiled.startswith("This MicroPython ({there}) needs compiled files of another format")
