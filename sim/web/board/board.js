// The board page: drives, flashes and tests a board at this computer's USB port, and changes its pins.
//
// The port has one user at a time: the link to the unit (`greet`, `hush`), or the board's REPL (`withRepl`),
// which stops the unit and restarts the board when it is done. The page then waits for the board to come
// back, possibly at a new port, and for its unit to answer.

import { clock, find, later, make, say, speak } from "../page/words.js";
import { AUCTION, BUILD, Fingers } from "../page/face.js";
import { keptLanguage } from "../page/storage.js";
import { CityUnit } from "./city_unit.js";
import { boardOf, compared, look, putMicroPython, refuseOld, remove, update, write } from "./flash.js";
import { Line, Repl, BoardError, wait } from "./repl.js";
import { selfTest } from "./selftest.js";
import { called, choices, draw, isPico, lineOf, linesOf, loadRules, pairOf, parsed, usual, withLine, written } from "./pins.js";

/** @typedef {import("./pins.js").Wires} Wires */
/** @typedef {{message: string, starts?: boolean}} Outcome message: a message for people; starts: whether a unit should answer afterwards */

const STEP_MS = 50;
const BACK_MS = 15_000; // timeout for a board to restart and reappear at its port
const LOOK_MS = 100; // between two checks whether a unit has answered
const ANSWER_MS = 2000; // timeout for a running unit to answer
const RESET_MS = 500; // by then a restarting board has left its port
const SHORTEST_PRESS_MS = 40; // longer than the debounce, so that the shortest click counts
const PINS_FILE = "pins.txt";
const CRASH_FILE = "crash.txt";
const NAME_FILE = "name.txt";
const NAME = /^[A-Za-z0-9.-]{1,16}$/;

class Desk {
  /** @param {BoardFacts} facts */
  constructor(facts) {
    this.facts = facts;
    this.port = /** @type {SerialPort | null} */ (null);
    this.line = /** @type {Line | null} */ (null);
    this.unit = /** @type {CityUnit | null} */ (null);
    this.board = "pico";
    this.wires = usual(facts.chips.rp2040);
    this._timer = 0;
    this._busy = false;
    this._boardWires = /** @type {Wires | null} */ (null); // as read from the board, if they were
    this._turn = 0; // number of the latest use of the REPL; waits of earlier ones end
    this._returning = -1; // the turn after which the board is restarting
    this._diagnosis = /** @type {Promise<void> | null} */ (null);
    this._greeted = ""; // the message about the device at the port, removed when a unit answers
    this._rules = /** @type {Promise<import("./pins.js").Judge> | null} */ (null);
    this._connect();
  }

  // The line, and its user: the unit's link, or the REPL.

  /** Open a port and greet a unit there. @param {SerialPort} port */
  async open(port) {
    this.port = port;
    try {
      this.line = await Line.open(port, () => this._lost());
    } catch (error) {
      this.port = null;
      tell(say("The port cannot be opened: close other programs that use it. ({why})", { why: String(error) }), true);
      return;
    }
    document.body.classList.add("open");
    this._boardWires = null;
    this.greet();
    this._tellOfPort(say("The port is open. A unit would answer now; if there is none, put it on the board below."));
    this._diagnosis = this._diagnose(this.line);
  }

  /** @param {string} text */
  _tellOfPort(text) {
    this._greeted = text;
    tell(text);
  }

  /** If no unit answers, report what the REPL shows, without stopping a program. @param {Line} line */
  async _diagnose(line) {
    const turn = this._turn;
    const isOver = () => turn !== this._turn || line !== this.line;
    for (let ms = 0; ms < ANSWER_MS; ms += LOOK_MS) {
      await wait(LOOK_MS);
      if (isOver() || this.unit?.online) return;
    }
    this.hush();
    const names = await new Repl(line).names().catch(() => null);
    if (isOver()) return;
    this.greet();
    if (names) this._tellOfPort(whoIsThere(names));
  }

  greet() {
    if (!this.line) return;
    const { line } = this;
    const unit = new CityUnit((text) => line.say(text).catch(() => {}));
    this.unit = unit;
    line.heard = (text) => unit.receive(text);
    unit.on("connected", () => {
      unit.send("watch on").catch(() => {});
      if (messageArea.textContent === this._greeted) tell("");
      this.paint();
    });
    for (const news of ["state", "event", "disconnected"]) unit.on(news, () => this.paint());
    unit.on("event", ({ kind }) => {
      find("#events").prepend(make("li", { textContent: `${new Date().toLocaleTimeString()} ${kind}` }));
      while (find("#events").children.length > 30) find("#events").lastElementChild?.remove();
      unit.send("state").catch(() => {});
    });
    unit.on("edge", ({ what, value }) => this.edge(what, value));
    unit.opened();
    this._timer = window.setInterval(() => unit.step(), STEP_MS);
    this.paint();
  }

  /** Close the link but not the line. */
  hush() {
    clearInterval(this._timer);
    if (this.unit?.online) this.unit.close();
    this.unit = null;
    this.paint();
  }

  _lost() {
    clearInterval(this._timer);
    this.unit?.lost("the connection is lost");
    this.unit = this.line = null;
    document.body.classList.remove("open");
    if (!this._busy && this._returning !== this._turn) {
      this.begin(find("#connect"));
      tell(say("The board was disconnected. Connect it again."), true);
    }
    this.paint();
  }

  // The view.

  paint() {
    const unit = this.unit;
    const online = Boolean(unit?.online);
    document.body.classList.toggle("online", online);
    for (const button of document.querySelectorAll("[data-needs]")) {
      const has = { unit: online, port: Boolean(this.line), serial: Boolean(navigator.serial) };
      const needs = /** @type {keyof typeof has} */ (button.getAttribute("data-needs"));
      /** @type {HTMLButtonElement} */ (button).disabled = this._busy || !has[needs];
    }
    if (!unit?.about || !online || !unit.snapshot) {
      find("#state").textContent = find("#about").textContent = "";
      for (const lamp of Object.keys(this.facts.lamps)) this.edge(lamp, 0);
      return;
    }
    const { state, program, lamps, clock_left_ms } = unit.snapshot;
    const { body, version, name } = unit.about;
    find("#about").textContent = say("{name}: {body}, version {version}", { name, body, version });
    const left = clock_left_ms ? ` · ${clock(Math.ceil(clock_left_ms / 1000))}` : "";
    find("#state").textContent = `${say(STATES[state] ?? state)} · ${program}${left}`;
    Object.keys(this.facts.lamps).forEach((lamp, place) => this.edge(lamp, (lamps >> place) & 1));
    find(".disc").classList.toggle("switched-on", state !== "off");
    find(".slide").setAttribute("aria-checked", String(state !== "off"));
  }

  /** @param {string} what a lamp, or "tone" @param {number} value */
  edge(what, value) {
    if (what === "tone") find(".disc").classList.toggle("sounding", value > 0);
    document.querySelector(`[data-lamp="${what}"]`)?.classList.toggle("on", Boolean(value));
  }

  // Actions.

  /** Clear the last message; the next one appears in the section of the button that is used. @param {HTMLElement} used */
  begin(used) {
    if (this._busy) return; // messages of the current action stay in its section
    tell("");
    messageArea = /** @type {HTMLElement} */ (used.closest("section")?.querySelector(".message"));
  }

  /** Let the user choose a port; if none is chosen, say so and return null. */
  async _choose() {
    const port = await navigator.serial.requestPort().catch(() => null);
    if (!port) tell(say("No port was chosen. Is the board connected with a cable that carries data?"));
    return port;
  }

  /** @param {string} command */
  async drive(command) {
    try {
      await this.unit?.send(command);
    } catch (error) {
      tell(/** @type {Error} */ (error).message, true);
    }
  }

  /**
   * Run `work` on the board's REPL, show its outcome, and return the line to the unit.
   *
   * @param {(repl: Repl) => Promise<Outcome>} work
   */
  async withRepl(work) {
    const { line } = this;
    if (!line || this._busy) return;
    this._busy = true;
    const turn = ++this._turn;
    this.hush();
    tell(say("Stopping the program on the board ..."));
    await this._diagnosis;
    const repl = new Repl(line);
    let outcome = /** @type {Outcome} */ ({ message: "" });
    try {
      await repl.begin();
      outcome = await work(repl);
      tell(outcome.starts ? `${outcome.message} ${say("Waiting for the unit ...")}` : outcome.message);
    } catch (error) {
      const why = String(error);
      outcome.message =
        error instanceof BoardError
          ? say(error.message, error.fields)
          : say("The connection to the board was lost: close other programs that use it, and try again. ({why})", { why });
      tell(outcome.message, true);
    }
    await Promise.race([repl.tell(this.facts.scripts.restart).catch(() => {}), wait(ANSWER_MS)]);
    await wait(RESET_MS);
    this._returning = turn;
    this._busy = false;
    this.paint();
    await this._back(turn, outcome);
  }

  /**
   * Greet the board once it has restarted; its port may have disappeared in between.
   *
   * @param {number} turn @param {Outcome} outcome
   */
  async _back(turn, { message, starts }) {
    const place = messageArea;
    const before = place.textContent;
    for (let ms = 0; ms < BACK_MS && !this.unit?.online; ms += LOOK_MS) {
      if (!this.line) await this._reopen();
      if (this.line && !this.unit) this.greet();
      await wait(LOOK_MS);
      if (turn !== this._turn) return;
    }
    this._returning = -1;
    if (place.textContent !== before) return; // there is a newer message
    if (!this.line) tell(`${message} ${say("The board was disconnected. Connect it again.")}`, true);
    if (!this.line || !starts) return;
    const has = say("The unit has started.");
    const hasNot = say("The files are on the board, but the unit has not answered yet. Disconnect and reconnect the board's power. If it then keeps blinking three times, its pins are wrong; with link = uart it answers on its two pins, not here.");
    tell(`${message} ${this.unit?.online ? has : hasNot}`, !this.unit?.online);
  }

  async _reopen() {
    for (const port of this.port ? [this.port, ...(await navigator.serial.getPorts())] : [])
      try {
        this.line = await Line.open(port, () => this._lost());
        this.port = port;
        document.body.classList.add("open");
        return;
      } catch {
        // It is not there yet, or another program uses it.
      }
  }

  /** @param {Repl} repl */
  async _look(repl) {
    const found = await look(repl, this.facts);
    refuseOld(found, this.facts);
    this.show(boardOf(found.machine, this.facts), found.pins);
    this._boardWires = { ...this.wires };
    return found;
  }

  flash() {
    return this.withRepl(async (repl) => {
      const found = await this._look(repl);
      const judgement = found.pins ? (await this.rules())(this.board, found.pins) : null;
      const wrong = judgement && inLine(PINS_FILE, found.pins, judgement);
      if (wrong) {
        find("#others").focus(); // where to correct them: with wrong pins the unit does not start
        throw new BoardError(later("{why}. Correct it under \"Its pins\", write it to the board, and then put the unit on it. Nothing was changed."), { why: wrong });
      }
      const { chip, title } = this.facts.boards[this.board];
      const firmware = await (await fetch(`firmware-${chip}.json`)).json();
      const stands = compared(found, this.facts, firmware);
      const which = stands ? `${say(stands.key, stands.words)} ` : "";
      if (stands?.isNewer && !confirm(which + say("Replace it with the older one?")))
        return { message: which + say("Nothing was changed."), starts: true };
      if (found.isMarked) await write(repl, this.facts, PINS_FILE, found.pins);
      const { copied, movedTo } = await update(repl, this.facts, found, firmware, (done, all, name) => {
        find("#progress").setAttribute("value", String(done / all));
        tell(which + say("{number} of {all}: {name}", { number: done + 1, all, name }));
      });
      find("#progress").setAttribute("value", "1");
      if (!copied) return { message: say("{board}: all files are up to date.", { board: title }), starts: true };
      const message = which + say("{board}: {count} files copied and verified.", { board: title, count: copied });
      const moved = movedTo && ` ${say("Your main.py was moved to {name}.", { name: movedTo })}`;
      return { message: message + moved, starts: true };
    });
  }

  /** Install MicroPython on a new ESP32, so that the rest of the page can use it. */
  async putMicroPython() {
    const file = field("#image").files?.[0];
    if (!file) return tell(say("Choose MicroPython's file first."), true);
    this.port ??= await this._choose();
    if (!this.port) return;
    this._busy = true;
    this._turn++;
    this.hush();
    await this._diagnosis;
    await this.line?.close();
    this.line = null;
    this.paint();
    tell(say("Waiting for the ESP32 ..."));
    try {
      await putMicroPython(this.port, new Uint8Array(await file.arrayBuffer()), (part) => {
        find("#put").setAttribute("value", String(part));
        tell(say("Writing MicroPython to the board ..."));
      });
      tell(say("MicroPython is on the board and verified. If it does not answer, press RESET. Then put the unit on it."));
    } catch (error) {
      const failure = /** @type {BoardError} */ (error);
      tell(say(failure.message, failure.fields ?? {}), true);
    }
    await this._reopen();
    this._busy = false;
    this.paint();
  }

  name() {
    const name = field("#name").value.trim();
    if (!NAME.test(name)) return tell(say("A name is 1 to 16 letters, digits, dots and hyphens."), true);
    return this.withRepl(async (repl) => {
      await write(repl, this.facts, NAME_FILE, `${name}\n`);
      return { message: say("Its name is now {name}.", { name }) };
    });
  }

  writePins() {
    return this.withRepl(async (repl) => {
      const { wires } = this;
      const { value } = field("#others");
      const found = await look(repl, this.facts);
      const board = boardOf(found.machine, this.facts);
      const { chip } = this.facts.boards[board];
      const text = written(wires, value, this.facts.chips[chip]);
      const error = inLine(say("Other lines of pins.txt"), value, (await this.rules())(board, text));
      if (error) throw new BoardError(later("These pins are not possible: {why}"), { why: error });
      const starts = "main.py" in found.files; // without it there is no unit to check them too
      const check = this.facts.scripts.check.replace("CHIP", JSON.stringify(chip));
      const refused = starts && (await repl.ask(check.replace("TEXT", JSON.stringify(text))));
      if (refused) throw new BoardError(later("The board rejects these pins: {why}"), { why: refused });
      await write(repl, this.facts, PINS_FILE, text);
      this.show(board, text);
      this._boardWires = { ...this.wires };
      return { message: say("{file} is written.", { file: PINS_FILE }), starts };
    });
  }

  // Pins.

  /** @param {string} board @param {string} text of pins.txt */
  show(board, text) {
    this.board = board;
    const { wires, others } = parsed(text, this.facts.chips[this.facts.boards[board].chip]);
    this.wires = wires;
    field("#board").value = board;
    field("#others").value = others;
    this.listPins();
  }

  listPins() {
    const board = this.facts.boards[this.board];
    const chip = this.facts.chips[board.chip];
    const form = find("#wires");
    const louder = field("#louder");
    form.textContent = "";
    for (const part of Object.keys(this.wires)) {
      const select = make("select", {});
      select.dataset.part = part;
      const pins = choices(part, chip);
      const own = this.wires[part];
      for (const pin of pins.includes(own) ? pins : [own, ...pins]) {
        const words = pin === null ? say("none") : board.labels[String(pin)] ?? String(pin);
        select.append(new Option(words, String(pin), false, pin === own));
      }
      select.addEventListener("change", () => {
        this.wires[part] = select.value === "null" ? null : Number(select.value);
        if (part === "buzzer" && louder.checked) this.setLine("opposite", `opposite = ${pairOf(this.wires)}`);
        this.drawPins();
      });
      form.append(make("label", {}, called(part, this.facts.lamps), " ", select));
    }
    find("#louder-row").hidden = !isPico(board);
    // The possible other lines; a click adds one.
    find("#lines").textContent = "";
    for (const { name, line, use } of linesOf(board, usual(chip))) {
      const button = make("button", { textContent: line });
      button.addEventListener("click", () => {
        this.begin(button);
        this.setLine(name, line);
      });
      find("#lines").append(make("li", {}, button, " ", say(use)));
    }
    this.drawPins();
  }

  /** Replace the other line that sets `name`; "" removes it. @param {string} name @param {string} line */
  setLine(name, line) {
    field("#others").value = withLine(field("#others").value, name, line);
    this.judgePins();
  }

  /** @param {Wires} wires */
  _draw(wires) {
    const drawing = /** @type {SVGElement} */ (document.querySelector("#drawing"));
    draw(drawing, this.facts.boards[this.board], wires, this.facts.lamps);
  }

  /** Draw the pins of the form at once, and those of the other lines once they are judged. */
  drawPins() {
    this._draw(this.wires);
    return this.judgePins();
  }

  /** The content of pins.txt according to the form. */
  pinText() {
    return written(this.wires, field("#others").value, this.facts.chips[this.facts.boards[this.board].chip]);
  }

  /** Show the error in the pins, or draw them. The default pins are right, and need no rules. */
  async judgePins() {
    const text = this.pinText();
    field("#louder").checked = /^\s*opposite\s*=(?!\s*none)/m.test(text);
    if (!text && !this._rules) return;
    const judge = await this.rules();
    if (text !== this.pinText()) return; // a later call judges the new text
    const judgement = judge(this.board, text);
    const { wires } = judgement;
    find("#error").textContent = inLine(say("Other lines of pins.txt"), field("#others").value, judgement);
    this._draw(wires ?? this.wires);
    if (!wires) return;
    for (const select of document.querySelectorAll("#wires select[data-part^=lamp]"))
      /** @type {HTMLElement} */ (select.closest("label")).hidden = "strip" in wires; // a strip replaces them
  }

  rules() {
    return (this._rules ??= loadRules());
  }

  async test() {
    if (this.unit) tell(await selfTest(this.unit, this.facts, this._boardWires));
  }

  // The controls of the page.

  _connect() {
    navigator.serial?.addEventListener("connect", async (event) => {
      if (this.line || this._busy || this._returning === this._turn) return;
      this.begin(find("#connect"));
      await this.open(/** @type {SerialPort} */ (event.target));
    });
    const clicks = /** @type {Record<string, () => unknown>} */ ({
      "#connect": async () => {
        const port = await this._choose();
        if (port) await this.open(port);
      },
      "#flash": () => this.flash(),
      "#put-micropython": () => this.putMicroPython(),
      "#remove": () =>
        confirm(say("Take the unit off the board?")) &&
        this.withRepl(async (repl) => {
          await remove(repl, this.facts, await this._look(repl));
          return { message: say("The unit was removed; {file} and your own earlier files stay.", { file: PINS_FILE }) };
        }),
      "#test": () => this.test(),
      "#forget": () =>
        this.withRepl(async (repl) => {
          await repl.run(`import os\nos.remove("${CRASH_FILE}")`);
          find("#crashes").hidden = true;
          return { message: say("Its crash log is now empty.") };
        }),
      "#rename": () => this.name(),
      "#identify": () => this.drive("identify"),
      "#read-pins": () =>
        this.withRepl(async (repl) => {
          await this._look(repl);
          return { message: say("The pins were read from the board.") };
        }),
      "#write-pins": () => this.writePins(),
      ".slide": () => this.drive(this.unit?.snapshot?.state === "off" ? "switch on" : "switch off"),
    });
    for (const [selector, act] of Object.entries(clicks))
      find(selector).addEventListener("click", () => {
        this.begin(find(selector));
        act();
      });
    find("main").addEventListener("input", ({ target }) => this.begin(/** @type {HTMLElement} */ (target)));
    let done = /** @type {Promise<unknown>} */ (Promise.resolve());
    const fingers = new Fingers((what, bit) => {
      const button = bit === AUCTION ? "auction" : "build";
      this.begin(find(`.press-${button}`));
      if (what === "release") done = done.then(() => wait(SHORTEST_PRESS_MS));
      done = done.then(() => this.drive(`${what} ${button}`));
    });
    fingers.follow(find(".press-auction"), AUCTION);
    fingers.follow(find(".press-build"), BUILD);
    const boards = field("#board");
    for (const [name, { title }] of Object.entries(this.facts.boards)) boards.append(new Option(title, name));
    boards.addEventListener("change", () => this.show(boards.value, ""));
    find("#others").addEventListener("input", () => this.judgePins());
    const louder = field("#louder");
    louder.addEventListener("change", () => this.setLine("opposite", louder.checked ? `opposite = ${pairOf(this.wires)}` : ""));
    this.show("pico", "");
    const { files } = this.facts; // UF2 files; a page may be published without them
    for (const name of files)
      find("#files").append(make("li", {}, make("a", { href: name, download: name, textContent: name })));
    find("#drag").hidden = !files.length;
    find("#no-files").hidden = Boolean(files.length);
    this.paint();
  }
}

const STATES = /** @type {Record<string, string>} */ ({
  off: later("Off"),
  setup: later("Set up"),
  ready: later("Ready"),
  auction: later("Auction"),
  warning: later("Last bids!"),
  drawing: later("Permit…"),
  over: later("The hour is over!"),
});

/** Describe a board whose unit does not answer. @param {string[]} names in its root folder */
function whoIsThere(names) {
  if (!names.some((name) => name.startsWith("city_unit") || name === "firmware"))
    return say("The board has MicroPython but no unit: put it on below.");
  if (!names.includes("main.py"))
    return say("The board has MicroPython and an incomplete unit: put it on below, which resumes the interrupted transfer.");
  return say("The board has MicroPython and a unit that was stopped: disconnect and reconnect the board's power.");
}

/**
 * The error in a judgement, with its line in the file; "" if there is none.
 *
 * @param {string} file @param {string} text @param {import("./pins.js").Judgement} judgement
 */
function inLine(file, text, { error, what }) {
  const line = error && lineOf(text, what);
  return line ? say("{file}, line {line}: {error}", { file, line, error }) : error;
}

/** An input, or another element with a value. @param {string} selector */
const field = (selector) => /** @type {HTMLInputElement} */ (find(selector));

let messageArea = find(".message"); // the message area of the section that was used last

/** @param {string} text @param {boolean} [wrong] */
function tell(text, wrong = false) {
  messageArea.textContent = text;
  messageArea.classList.toggle("bad", wrong);
}

async function start() {
  await speak(keptLanguage(), "board-");
  const facts = await (await fetch("boards.json")).json();
  const desk = new Desk(facts);
  find("main").inert = false; // earlier input would have been lost
  if (!navigator.serial) {
    find("#no-serial").hidden = false;
    field("#connect").disabled = true;
  } else {
    const [known] = await navigator.serial.getPorts();
    if (known) await desk.open(known);
  }
  Object.assign(window, { desk }); // for the console, and for our tests
  document.body.classList.add("alive");
}

start();
