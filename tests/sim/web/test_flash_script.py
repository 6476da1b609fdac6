"""The page's steps to flash a board, without a line: cut off before and within every file."""

import base64
import hashlib
import importlib
import json
import random
import shutil
import subprocess

import pytest

from city_unit.desktop.errors import UserError
from tests.helpers.needs import needs
from tests.sim.web.conftest import lay_scripts

pytestmark = pytest.mark.slow

RUN = """
import { readFileSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { look, update } from "./board/flash.js";

const [, , steps, pulls] = process.argv;
const { command, environment, folder } = JSON.parse(readFileSync("board.json", "utf8"));
const facts = JSON.parse(readFileSync("boards.json", "utf8"));
const firmware = JSON.parse(readFileSync("firmware.json", "utf8"));
let left = Number(steps);

// A board whose scripts run in its folder; somebody pulls the cable when no step is left.
const repl = {
  async ask(script) {
    if (left-- <= 0) process.exit(9);
    const words = command.slice(1).map((word) => word.replace("SCRIPT", () => script));
    const how = { cwd: folder, env: environment, encoding: "utf8" };
    const shown = execFileSync(command[0], words, how);
    return JSON.parse(shown.trim().split("\\n").at(-1));
  },
};
facts.scripts.stand_down = 'print("null")'; // it is for a chip
// Pulls: also before each file but the first, to be put in again at once.
for (let cuts = 0; ; cuts++) {
  try {
    const found = await look(repl, facts);
    await update(repl, facts, found, firmware, (done) => {
      if (pulls && done) throw new Error("pulled");
    });
    console.log(cuts);
    break;
  } catch (error) {
    if (error.message !== "pulled") throw error;
  }
}
"""

ALL = 1000  # steps: more than there are


@pytest.fixture(scope="module")
def of_firmware():
    return importlib.import_module("firmware.tool.for_page").files([])


@pytest.fixture
def bench(tmp_path, of_firmware):
    needs(shutil.which("node"), "node")
    lay_scripts(tmp_path)
    (tmp_path / "run.js").write_text(RUN)
    (tmp_path / "boards.json").write_bytes(of_firmware["boards.json"])
    (tmp_path / "firmware.json").write_bytes(of_firmware["firmware-rp2040.json"])
    needs(importlib.import_module("firmware.tool.image").unix(), "the unix MicroPython")
    folder = tmp_path / "lies-on-it"
    folder.mkdir()
    board = importlib.import_module("firmware.virtual.launch").VirtualBoard(folder)
    command, environment = board.command(tmp_path / "world", "-c", "SCRIPT")
    how = {"command": command, "environment": dict(environment), "folder": str(folder)}
    (tmp_path / "board.json").write_text(json.dumps(how))
    return tmp_path


def test_a_flash_that_is_cut_off_again_and_again_ends(bench, of_firmware):
    board = bench / "lies-on-it"
    firmware = json.loads(of_firmware["firmware-rp2040.json"])
    (board / "main.py").write_text("# somebody's own")
    (board / "city_unit").mkdir()
    (board / "city_unit/old.mpy").write_text("of an earlier version")
    for steps in range(1, ALL):  # then the cable is pulled
        done = subprocess.run(
            ["node", "run.js", str(steps)], cwd=bench, capture_output=True, text=True
        )
        if done.returncode == 0:
            break
        assert done.returncode == 9, done.stderr
        assert (board / "main.py").read_text() == "# somebody's own"
    assert steps > 10
    there = {path.relative_to(board).as_posix() for path in board.rglob("*") if path.is_file()}
    assert there == {*firmware, "main.py.before"}
    assert (board / "main.py.before").read_text() == "# somebody's own"


def test_a_flash_that_is_cut_off_before_every_single_file_ends(bench, of_firmware):
    """The cable is pulled when one file is there and the next is to come, again and again."""
    board = bench / "lies-on-it"
    firmware = json.loads(of_firmware["firmware-rp2040.json"])
    command = ["node", "run.js", str(ALL), "pulls"]
    done = subprocess.run(command, cwd=bench, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) == len(firmware) - 1
    for name, file in firmware.items():
        assert hashlib.sha256((board / name).read_bytes()).hexdigest() == file["sha256"]


SUMS = """
import { md5 } from "./board/esp32.js";
const texts = JSON.parse(process.argv[2]);
console.log(JSON.stringify(texts.map((text) => md5(Buffer.from(text, "base64")))));
"""


def test_the_checksum_for_an_esp32_is_that_of_everybody(tmp_path):
    needs(shutil.which("node"), "node")
    lay_scripts(tmp_path)
    (tmp_path / "run.js").write_text(SUMS)
    lengths = (0, 1, 55, 56, 57, 63, 64, 65, 119, 120, 3000)
    contents = [random.Random(length).randbytes(length) for length in lengths]
    texts = json.dumps([base64.b64encode(content).decode() for content in contents])
    command = ["node", "run.js", texts]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == [hashlib.md5(content).hexdigest() for content in contents]


def test_what_is_no_micropython_is_told(tmp_path):
    (tmp_path / "no.uf2").write_bytes(b"nothing")
    with pytest.raises(UserError, match="is no MicroPython for a Pico"):
        importlib.import_module("firmware.tool.for_page").files([str(tmp_path / "no.uf2")])
