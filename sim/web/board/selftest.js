// The self-test of a unit: the checks that need no person. Afterwards the unit identifies itself, for a person.

import { find, make, say } from "../page/words.js";
import { called, usual } from "./pins.js";
import { wait } from "./repl.js";

/** @typedef {import("./city_unit.js").CityUnit} CityUnit */
/** @typedef {import("./pins.js").Wires} Wires */

const PINGS = 20;
const BUTTONS = ["auction", "build"]; // by their bits
const LOW_MV = 2000; // least supply voltage, as in firmware/board/start.py
const LEAST_FREE = 16_000; // bytes of memory, more than a link in full use needs
const SHOWN_MS = 60_000;

/**
 * Run the checks and list their results; return the instruction for the person, "" if a check broke off.
 *
 * @param {CityUnit} unit @param {BoardFacts} facts @param {Wires | null} wires of the board, if known
 */
export async function selfTest(unit, facts, wires) {
  const results = find("#results");
  results.textContent = "";
  const note = (/** @type {string} */ what, /** @type {boolean} */ good) => {
    const textContent = `${good ? say("good") : say("BAD")}: ${what}`;
    results.append(make("li", { className: good ? "good" : "bad", textContent }));
  };
  try {
    await rest(unit);
    const before = performance.now();
    for (let ping = 0; ping < PINGS; ping++) await unit.send("counters");
    const trip = ((performance.now() - before) / PINGS).toFixed(0);
    note(say("the link answers every request, in {ms} ms", { ms: trip }), true);
    const board = await boardSays(unit);
    const buttons = closedButtons(unit, board.contacts, facts, wires).join(", ");
    const check = say("no button is pressed");
    note(buttons ? say("{check}; closed: {buttons}", { check, buttons }) : check, !buttons);
    note(say("the pins of the lamps follow, one at a time"), await lampsFollow(unit, Object.keys(facts.lamps).length));
    note(say("{free} bytes of memory are free", { free: board.free }), board.free >= LEAST_FREE);
    if (board.battery) note(say("the supply voltage is {mv} mV", { mv: board.battery }), board.battery >= LOW_MV);
    note(say("its crash log is empty"), board.crash === 0);
    find("#crashes").hidden = board.crash === 0;
    find("#crash").textContent = await crashLog(unit, board.crash);
    await unit.send("identify");
    return say("Now look and listen: all permit lamps blink, and it beeps four times.");
  } catch (error) {
    note(/** @type {Error} */ (error).message, false);
    return "";
  }
}

/**
 * The names of the closed buttons, with their pins if these are known.
 *
 * @param {CityUnit} unit @param {number} contacts @param {BoardFacts} facts @param {Wires | null} wires
 */
function closedButtons(unit, contacts, { boards, chips, lamps }, wires) {
  const board = Object.values(boards).find(({ body }) => body === unit.about?.body);
  return BUTTONS.filter((_, place) => (contacts >> place) & 1).map((part) => {
    const button = called(part, lamps);
    if (!board) return button;
    if (wires) return `${button} (${board.labels[String(wires[part])]})`;
    return say("{button} ({pin}, unless pins.txt says otherwise)", { button, pin: board.labels[String(usual(chips[board.chip])[part])] });
  });
}

/** Bring the unit to rest, so that it shows nothing but the test. @param {CityUnit} unit */
async function rest(unit) {
  for (let attempt = 0; attempt < 30; attempt++) {
    await unit.send("state");
    const state = unit.snapshot?.state;
    if (state === "auction" || state === "warning") await unit.send("stop");
    else if (state !== "drawing") return;
    await wait(100);
  }
}

/** The board's own figures, by name. @param {CityUnit} unit @returns {Promise<Record<string, number>>} */
async function boardSays(unit) {
  const words = (await unit.send("board")).split(" ").map((word) => word.split("="));
  return Object.fromEntries(words.map(([name, value]) => [name, Number(value)]));
}

/** Read the board's crash log. @param {CityUnit} unit @param {number} size in bytes */
async function crashLog(unit, size) {
  let digits = "";
  for (let piece = " "; digits.length < 2 * size && piece; digits += piece) piece = await unit.send(`crash ${digits.length / 2}`);
  const bytes = (digits.match(/../g) ?? []).map((pair) => parseInt(pair, 16));
  return new TextDecoder().decode(Uint8Array.from(bytes));
}

/**
 * Light the lamps one at a time; return whether the board reads back the right level at each pin.
 * @param {CityUnit} unit @param {number} count
 */
async function lampsFollow(unit, count) {
  for (let place = 0; place < count; place++) {
    await unit.send(`show ${1 << place} 0 ${SHOWN_MS}`);
    await unit.send("state");
    const { lamps } = await boardSays(unit);
    if (lamps !== ((1 << place) | unit.snapshot?.lamps)) return false;
  }
  await unit.send("show 0 0 1");
  return true;
}
