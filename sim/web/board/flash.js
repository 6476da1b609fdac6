// Puts the unit onto a board, with the same scripts as firmware/tool/flash.py, and MicroPython onto a new
// ESP32, with the library of its maker.
//
// Safe to interrupt at any moment and to run again: our main.py is removed first and written last. In
// between the board starts into its REPL, and the next run finds the missing files by checksum. The
// owner's own main.py stays until all our files have arrived.

import { later } from "../page/words.js";
import { BoardError, wait } from "./repl.js";

/**
 * @typedef {import("./repl.js").Repl} Repl
 * @typedef {{machine: string, version: number[], mpy: number, files: Record<string, string>, head: string, pins: string, ours: boolean, block: number, free: number, sizes: Record<string, number>, isMarked: boolean}} Found ours: whether main.py is ours; block, free, sizes: of the file system, in bytes; isMarked: whether pins.txt starts with a byte order mark, which the board cannot read; head: the first bytes of main.py, which contain our version, in hexadecimal
 * @typedef {Record<string, {sha256: string, content: string}>} Firmware content: in base64
 */

const PIECE = 3072; // characters of base64 per script, a multiple of 4
const MAIN = "main.py";
const ARRIVED = `${MAIN}.new`;

/** Inspect a board: its kind, and the checksums of its files. @param {Repl} repl @param {BoardFacts} facts */
export async function look(repl, facts) {
  await repl.ask(facts.scripts.stand_down);
  const found = /** @type {Found} */ (await repl.ask(facts.scripts.look));
  const pins = found.pins.replace(/^\ufeff/, "");
  return { ...found, pins, isMarked: pins !== found.pins };
}

/**
 * Return our name of a board by MicroPython's, "NAME with CHIP"; throws BoardError.
 *
 * @param {string} machine @param {BoardFacts} facts
 */
export function boardOf(machine, facts) {
  const [, name, chip] = /^(.*) with (\S+)$/.exec(machine) ?? ["", "", ""];
  const alike = Object.keys(facts.boards).filter((board) => facts.boards[board].chip === chip.toLowerCase());
  if (!alike.length) throw new BoardError(later("This board is not supported: {machine}."), { machine });
  return alike.find((board) => facts.boards[board].machine === name) ?? alike[0];
}

/** Throw BoardError if the board's MicroPython cannot run the unit. @param {Found} found @param {BoardFacts} facts */
export function refuseOld(found, facts) {
  const number = (/** @type {number[]} */ [major, minor, patch]) => (major * 1000 + minor) * 1000 + patch;
  const words = { there: found.version.join("."), least: facts.least.join(".") };
  if (number(found.version) < number(facts.least))
    throw new BoardError(later("The board has MicroPython {there}; {least} or later is needed."), words);
  if (found.mpy !== facts.mpy)
    throw new BoardError(later("This MicroPython ({there}) needs compiled files of another format: update it."), words);
}

/**
 * Compare the unit on a board with the firmware: a message, and whether the board's is newer; null if both are equal or the board has none.
 *
 * @param {Found} found @param {BoardFacts} facts @param {Firmware} firmware
 */
export function compared(found, facts, firmware) {
  const there = Object.keys(found.files).filter((name) => ![ARRIVED, ...facts.kept].includes(name) && !isMain(name));
  const names = Object.keys(firmware);
  if (!there.length || [...names, ...there].every((name) => found.files[name] === firmware[name]?.sha256)) return null;
  const letters = found.head.replace(/../g, (digits) => String.fromCharCode(parseInt(digits, 16)));
  const whole = (found.ours && /^# City Unit (\d+\.\d+\.\d+)/.exec(letters)?.[1]) || ""; // the version of a complete unit
  const words = { there: whole, here: facts.version };
  if (!words.there) return { key: later("The files on the board are incomplete or damaged; repairing them."), words, isNewer: false };
  const [theirs, ours] = [numbers(words.there), numbers(words.here)];
  const place = theirs.findIndex((number, part) => number !== ours[part]);
  const key =
    place < 0
      ? later("The board already has City Unit {here}, but with different files: another build, or changed by hand.")
      : theirs[place] < ours[place]
        ? later("The board has City Unit {there}; this one, {here}, is newer.")
        : later("The board has City Unit {there}, newer than this one, {here}.");
  return { key, words, isNewer: theirs[place] > ours[place] };
}

/** @param {string} version */
const numbers = (version) => (version.match(/\d+/g) ?? []).slice(0, 3).map(Number);

/**
 * Make the board's files equal to the firmware's; return how many were copied, and the new name of the owner's main.py, or "".
 *
 * @param {Repl} repl @param {BoardFacts} facts @param {Found} found @param {Firmware} firmware
 * @param {(done: number, all: number, name: string) => void} progress
 */
export async function update(repl, facts, found, firmware, progress) {
  const changed = Object.keys(firmware).filter((name) => found.files[name] !== firmware[name].sha256);
  const unwanted = Object.keys(found.files).filter(
    (name) => !facts.kept.includes(name) && !isMain(name) && found.files[name] !== firmware[name]?.sha256,
  );
  if (!changed.length && !unwanted.length) return { copied: 0, movedTo: "" };
  // Refuse to start if the files do not fit, counted in whole blocks.
  const { block, free, sizes } = found;
  const taken = (/** @type {number[]} */ bytes) => bytes.reduce((sum, size) => sum + Math.max(1, Math.ceil(size / block)) * block, 0);
  const needed = taken(changed.map((name) => atob(firmware[name].content).length)) + facts.spare_blocks * block;
  const there = free + taken(unwanted.map((name) => sizes[name]));
  if (needed > there)
    throw new BoardError(later("The unit needs {needed} bytes, but the board has only {free} free: delete files there. Nothing was changed."), { needed, free: there });
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
      throw new BoardError(later("{name} was damaged on the way: try again."), { name });
  return { copied: all, movedTo: /** @type {string} */ (await repl.ask(facts.scripts.finish)) };
}

/** Whether a file is main.py, or the owner's earlier one. @param {string} name */
const isMain = (name) => name === MAIN || name.startsWith(`${MAIN}.before`);

/** Take the unit off a board, main.py first. @param {Repl} repl @param {BoardFacts} facts @param {Found} found */
export async function remove(repl, facts, found) {
  const pins = facts.kept[0];
  await prepare(repl, facts, Object.keys(found.files).filter((name) => name !== pins && !isMain(name)));
  await repl.ask(facts.scripts.restore);
}

/**
 * Write a file atomically: it gets its name when all of it has arrived.
 *
 * @param {Repl} repl @param {BoardFacts} facts @param {string} name @param {string} text
 */
export async function write(repl, facts, name, text) {
  const bytes = new TextEncoder().encode(text);
  await copy(repl, facts, `${name}.new`, btoa(String.fromCharCode(...bytes)));
  await repl.run(`import os\nos.rename(${JSON.stringify(`${name}.new`)}, ${JSON.stringify(name)})`);
}

/** @param {Repl} repl @param {BoardFacts} facts @param {string[]} unwanted */
const prepare = (repl, facts, unwanted) => repl.ask(facts.scripts.prepare.replace("UNWANTED", JSON.stringify(unwanted)));

/** @param {Repl} repl @param {BoardFacts} facts @param {string} name @param {string} content in base64 */
async function copy(repl, facts, name, content) {
  for (let at = 0; at === 0 || at < content.length; at += PIECE) {
    const piece = content.slice(at, at + PIECE);
    const pieces = [[name, at ? "ab" : "wb", piece]];
    await repl.ask(facts.scripts.copy.replace("PIECES", JSON.stringify(pieces)));
  }
}

// The chip number in an image's header, and the image's address in flash memory.
const CHIPS = /** @type {Record<string, {number: number, address: number}>} */ ({
  ESP32: { number: 0, address: 0x1000 },
  "ESP32-S3": { number: 9, address: 0 },
  "ESP32-C3": { number: 5, address: 0 },
});
const IMAGE = 0xe9; // the first byte of an image
const NUMBER_AT = 12; // offset of the chip number
const BAUD = 115200; // of the boot loader in ROM
const FAST_BAUD = 460800; // of the loader that is sent to it first
const RESET_MS = 100;
const SILENT = { clean() {}, write() {}, writeLine() {} };

/**
 * Erase a chip, write an image to it, verify it, and start it; throws BoardError.
 *
 * @param {SerialPort} port closed @param {Uint8Array} image
 * @param {(part: number) => void} progress
 */
export async function putMicroPython(port, image, progress) {
  const number = image[NUMBER_AT] | (image[NUMBER_AT + 1] << 8);
  const wanted = Object.keys(CHIPS).find((chip) => CHIPS[chip].number === number);
  if (image[0] !== IMAGE || !wanted)
    throw new BoardError(later("This is not MicroPython for an ESP32, which is a file ending in .bin."));
  const { ESPLoader, Transport } = await import("./esptool.js");
  // A port that ignores missing control lines: without them a person presses the board's buttons.
  const device = {
    get readable() { return port.readable; },
    get writable() { return port.writable; },
    open: (/** @type {SerialOptions} */ options) => port.open(options),
    close: () => port.close(),
    getInfo: () => port.getInfo(),
    setSignals: (/** @type {SerialSignals} */ signals) => port.setSignals(signals).catch(() => {}),
  };
  const transport = new Transport(device);
  const loader = new ESPLoader({ transport, baudrate: FAST_BAUD, romBaudrate: BAUD, terminal: SILENT });
  try {
    await loader.main().catch((/** @type {Error} */ { message }) => {
      throw new BoardError(later("No ESP32 in download mode answers: hold BOOT, press RESET, release BOOT, and try again. ({why})"), { why: message });
    });
    const chip = loader.chip.CHIP_NAME;
    if (chip !== wanted) throw new BoardError(later("The file is for {wanted}, but this board is {chip}."), { wanted, chip });
    await loader.writeFlash({
      fileArray: [{ data: image, address: CHIPS[chip].address }],
      flashSize: "keep",
      flashMode: "keep",
      flashFreq: "keep",
      eraseAll: true,
      compress: true,
      reportProgress: (_file, done, all) => progress(done / all),
      calculateMD5Hash: md5,
    });
    // Reset the chip through the control lines that most boards connect to it.
    await device.setSignals({ dataTerminalReady: false, requestToSend: true });
    await wait(RESET_MS);
    await device.setSignals({ dataTerminalReady: false, requestToSend: false });
  } catch (error) {
    if (error instanceof BoardError) throw error;
    throw new BoardError(later("It was interrupted: try again. ({why})"), { why: /** @type {Error} */ (error).message });
  } finally {
    await transport.disconnect().catch(() => {});
  }
}

// MD5 (RFC 1321), by which an ESP32 verifies its flash memory; browsers offer only newer checksums.

const SHIFTS = [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]];
const SINES = Array.from({ length: 64 }, (_, step) => Math.floor(Math.abs(Math.sin(step + 1)) * 2 ** 32));
// For each of the four rounds: its mixing function, and the word of the block that a step uses.
const MIXES = /** @type {((b: number, c: number, d: number) => number)[]} */ ([
  (b, c, d) => (b & c) | (~b & d),
  (b, c, d) => (b & d) | (c & ~d),
  (b, c, d) => b ^ c ^ d,
  (b, c, d) => c ^ (b | ~d),
]);
const WORDS = /** @type {((step: number) => number)[]} */ ([
  (step) => step,
  (step) => 5 * step + 1,
  (step) => 3 * step + 5,
  (step) => 7 * step,
]);

/** Return the checksum as 32 hexadecimal digits. @param {Uint8Array} bytes */
export function md5(bytes) {
  const filled = new Uint8Array(((bytes.length + 8) >> 6 << 6) + 64);
  filled.set(bytes);
  filled[bytes.length] = 0x80;
  const view = new DataView(filled.buffer);
  view.setBigUint64(filled.length - 8, BigInt(bytes.length) * 8n, true);
  const sum = new Int32Array([0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476]);
  for (let at = 0; at < filled.length; at += 64) addBlock(sum, view, at);
  return Array.from(new Uint8Array(sum.buffer), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** @param {Int32Array} sum @param {DataView} view @param {number} at */
function addBlock(sum, view, at) {
  let [a, b, c, d] = sum;
  for (let step = 0; step < 64; step++) {
    const round = step >> 4;
    const word = view.getInt32(at + (WORDS[round](step) & 15) * 4, true);
    const mixed = (a + MIXES[round](b, c, d) + SINES[step] + word) | 0;
    const shift = SHIFTS[round][step & 3];
    [a, d, c, b] = [d, c, b, (b + ((mixed << shift) | (mixed >>> (32 - shift)))) | 0];
  }
  [a, b, c, d].forEach((part, place) => (sum[place] += part));
}
