"""How soon the page of the boards notices a device that is no board, and a restart."""

import json
import shutil
import subprocess

import pytest

from tests.helpers.needs import needs
from tests.sim.web.conftest import lay_scripts

# Time that passes only by waits, and a line whose other end is a function.
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
def staged(tmp_path):
    needs(shutil.which("node"), "node")
    lay_scripts(tmp_path)

    def run(script):
        (tmp_path / "run.js").write_text(STAGE + script)
        done = subprocess.run(["node", "run.js"], cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return run


def test_a_silent_device_is_rejected_soon(staged):
    found = staged("await staged(() => {}, (repl) => repl.begin());")
    assert "does not answer as MicroPython" in found["error"]
    assert found["now"] <= 2200


def test_a_unit_that_still_has_another_client_is_waited_for(staged):
    """It takes a Ctrl-C for noise until it has let go of the silent one after 5 s."""
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
    "says", ['seal("hello 1 unit")', '"NameError: \\r\\n>>> "'], ids=["a unit", "a prompt"]
)
def test_a_board_that_restarts_in_a_step_is_noticed_soon(staged, says):
    """Its port stays, and nothing more is said of the step."""
    found = staged(
        f"""
        const board = (text, answer) => {{
            if (text === "\\x04") answer("OK[1, ");
            if (text === seal("watch 1 page") && now > 1500) answer({says});
        }};
        await staged(board, (repl) => repl.ask("print([1, 2])"));
        """
    )
    assert found["error"] == "The board has restarted; do it again."
    assert found["now"] <= 3100


def test_a_long_step_is_waited_for_and_the_next_one_is_whole(staged):
    """Output not read meanwhile is forgotten before the next script."""
    found = staged(
        """
        let read = "";
        let free = 0;
        const board = (text, answer) => {
            read += text;
            if (text === "\\x03") read = "";
            if (text !== "\\x04") return;
            const long = read.includes("long");
            const whole = read === "long()\\x04" || read === "short()\\x04";
            read = "";
            free = now + (long ? 5500 : 1);
            answer("OK");
            answer(`${whole}\\x04\\x04>`, free - now + 1);
        };
        const work = async (repl) => [await repl.ask("long()"), await repl.ask("short()")];
        await staged(board, work);
        """
    )
    assert found["value"] == [True, True]
    assert 5500 < found["now"] < 6000
