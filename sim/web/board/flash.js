// Puts the unit onto a board, as firmware/tool/flash.py does, by the same scripts.
//
// Safe to interrupt at any moment and to run again: our main.py is the first file that goes and
// the last that comes. In between the board starts into its REPL, and the next run finds the
// missing files by checksum. A main.py of the owner stays until all our files are there.

import { later } from "../page/words.js";
import { Trouble } from "./repl.js";

/**
 * @typedef {import("./repl.js").Repl} Repl
 * @typedef {{machine: string, version: number[], mpy: number, files: Record<string, string>, head: string, pins: string, ours: boolean, block: number, free: number, sizes: Record<string, number>, isMarked: boolean}} Found ours: whether main.py is; block, free, sizes: bytes of the file system; isMarked: whether its pins begin with the mark of some editors, over which no board reads; head: the first bytes of main.py, in which our version stands, in hexadecimal digits
 * @typedef {Record<string, {sha256: string, content: string}>} Firmware content: in base64
 * @typedef {import("./boards").Facts} Facts
 */

const PIECE = 3072; // letters of base64 in one script: a multiple of 4
const MAIN = "main.py";
const ARRIVED = `${MAIN}.new`;

/** Look at a board: what it is, and the checksums of its files. @param {Repl} repl @param {Facts} facts */
export async function look(repl, facts) {
  await repl.ask(facts.scripts.stand_down);
  const found = /** @type {Found} */ (await repl.ask(facts.scripts.look));
  const pins = found.pins.replace(/^\ufeff/, "");
  return { ...found, pins, isMarked: pins !== found.pins };
}

/** Return the name of the board that MicroPython calls so, "NAME with CHIP"; raises Trouble. */
/** @param {string} machine @param {Facts} facts */
export function boardOf(machine, facts) {
  const [, name, chip] = /^(.*) with (\S+)$/.exec(machine) ?? ["", "", ""];
  const alike = Object.keys(facts.boards).filter((board) => facts.boards[board].chip === chip.toLowerCase());
  if (!alike.length) throw new Trouble(later("Nothing is known about this board: {machine}."), { machine });
  return alike.find((board) => facts.boards[board].machine === name) ?? alike[0];
}

/** Refuse a MicroPython that cannot run the unit. @param {Found} found @param {Facts} facts */
export function refuseOld(found, facts) {
  const number = (/** @type {number[]} */ [major, minor, patch]) => (major * 1000 + minor) * 1000 + patch;
  const words = { there: found.version.join("."), least: facts.least.join(".") };
  if (number(found.version) < number(facts.least))
    throw new Trouble(later("The board has MicroPython {there}; {least} or later is needed."), words);
  if (found.mpy !== facts.mpy)
    throw new Trouble(later("This MicroPython ({there}) reads compiled files of another kind; update it."), words);
}

/** How the unit on a board stands to the firmware, in words, and whether it is newer; null if they do not differ, or none is there. */
/** @param {Found} found @param {Facts} facts @param {Firmware} firmware */
export function compared(found, facts, firmware) {
  const there = Object.keys(found.files).filter((name) => ![ARRIVED, ...facts.kept].includes(name) && !isMain(name));
  const names = Object.keys(firmware);
  if (!there.length || [...names, ...there].every((name) => found.files[name] === firmware[name]?.sha256)) return null;
  const letters = found.head.replace(/../g, (digits) => String.fromCharCode(parseInt(digits, 16)));
  const whole = (found.ours && /^# City Unit (\d+\.\d+\.\d+)/.exec(letters)?.[1]) || ""; // of a unit that lies there
  const words = { there: whole, here: facts.version };
  if (!words.there) return { key: later("The files on the board are not whole, and are mended."), words, isNewer: false };
  const [theirs, ours] = [numbers(words.there), numbers(words.here)];
  const place = theirs.findIndex((number, part) => number !== ours[part]);
  const key =
    place < 0
      ? later("City Unit {here} lies on the board already, but with other files than here: another build, or changed by hand.")
      : theirs[place] < ours[place]
        ? later("City Unit {there} lies on the board; this one is newer: {here}.")
        : later("City Unit {there} lies on the board and is newer than this one, {here}.");
  return { key, words, isNewer: theirs[place] > ours[place] };
}

/** @param {string} version */
const numbers = (version) => (version.match(/\d+/g) ?? []).slice(0, 3).map(Number);

/**
 * Make the board's files equal to the firmware's; return how many were copied, and the new name of the owner's main.py, or "".
 *
 * @param {Repl} repl @param {Facts} facts @param {Found} found @param {Firmware} firmware
 * @param {(done: number, all: number, name: string) => void} progress
 */
export async function update(repl, facts, found, firmware, progress) {
  const changed = Object.keys(firmware).filter((name) => found.files[name] !== firmware[name].sha256);
  const unwanted = Object.keys(found.files).filter(
    (name) => !facts.kept.includes(name) && !isMain(name) && found.files[name] !== firmware[name]?.sha256,
  );
  if (!changed.length && !unwanted.length) return { copied: 0, movedTo: "" };
  // Refuse to begin if the files take more room than there is, in whole blocks.
  const { block, free, sizes } = found;
  const taken = (/** @type {number[]} */ bytes) => bytes.reduce((sum, size) => sum + Math.max(1, Math.ceil(size / block)) * block, 0);
  const needed = taken(changed.map((name) => atob(firmware[name].content).length)) + facts.spare_blocks * block;
  const there = free + taken(unwanted.map((name) => sizes[name]));
  if (needed > there)
    throw new Trouble(later("The unit takes {needed} bytes and {free} are free on the board: delete files there. Nothing was changed."), { needed, free: there });
  const parts = changed.filter((name) => name !== MAIN);
  await prepare(repl, facts, unwanted);
  const all = parts.length + 1;
  for (const [place, name] of parts.entries()) {
    progress(place, all, name);
    await copy(repl, facts, name, firmware[name].content);
  }
  progress(parts.length, all, MAIN);
  await copy(repl, facts, ARRIVED, firmware[MAIN].content);
  const { files } = /** @type {Found} */ (await repl.ask(facts.scripts.look));
  for (const [name, { sha256 }] of Object.entries(firmware))
    if (files[name === MAIN ? ARRIVED : name] !== sha256)
      throw new Trouble(later("{name} arrived damaged; do it again."), { name });
  return { copied: all, movedTo: /** @type {string} */ (await repl.ask(facts.scripts.finish)) };
}

/** Whether a file on the board is its main.py, or an earlier one of the owner. @param {string} name */
const isMain = (name) => name === MAIN || name.startsWith(`${MAIN}.before`);

/** Take the unit off a board, main.py first. @param {Repl} repl @param {Facts} facts @param {Found} found */
export async function remove(repl, facts, found) {
  const pins = facts.kept[0];
  await prepare(repl, facts, Object.keys(found.files).filter((name) => name !== pins && !isMain(name)));
  await repl.ask(facts.scripts.restore);
}

/** Write a file whole: it has its name when all of it has arrived. */
/** @param {Repl} repl @param {Facts} facts @param {string} name @param {string} text */
export async function write(repl, facts, name, text) {
  const bytes = new TextEncoder().encode(text);
  await copy(repl, facts, `${name}.new`, btoa(String.fromCharCode(...bytes)));
  await repl.run(`import os\nos.rename(${JSON.stringify(`${name}.new`)}, ${JSON.stringify(name)})`);
}

/** @param {Repl} repl @param {Facts} facts @param {string[]} unwanted */
const prepare = (repl, facts, unwanted) => repl.ask(facts.scripts.prepare.replace("UNWANTED", JSON.stringify(unwanted)));

/** @param {Repl} repl @param {Facts} facts @param {string} name @param {string} content in base64 */
async function copy(repl, facts, name, content) {
  for (let at = 0; at === 0 || at < content.length; at += PIECE) {
    const piece = content.slice(at, at + PIECE);
    const pieces = [[name, at ? "ab" : "wb", piece]];
    await repl.ask(facts.scripts.copy.replace("PIECES", JSON.stringify(pieces)));
  }
}
