// The pins of a board: the content of pins.txt as the form's wires and other lines, its validation by the
// desktop's own rules, in Python, and the drawing.

import { later, say, shape } from "../page/words.js";

// The part at the end of each wire, by its name in pins.txt, where the lamps are a list.
const PARTS = /** @type {Record<string, string>} */ ({
  auction: later("AUCTION"),
  build: later("BUILD"),
  switch: later("slide switch"),
  buzzer: later("buzzer"),
  opposite: later("The buzzer's other leg"),
  strip: later("Strip of {count} lamps"),
  battery: later("Battery sense"),
  tx: later("UART TX"),
  rx: later("UART RX"),
});
/** The name of a part. @param {string} part @param {Record<string, string>} lamps by their names */
export function called(part, lamps) {
  const words = Object.values(lamps);
  const text = part.startsWith("lamp ") ? words[Number(part.slice(5))] : PARTS[part];
  return say(text, { count: words.length });
}

// Other entries of pins.txt, as firmware/board/pins.py reads them: an example, and its meaning.
// LAMP and PAIR stand for pins of the current board.
const LINES = /** @type {[string, string][]} */ ([
  ["opposite = PAIR", later("the pin of a passive buzzer's other leg: louder; on a Pico")],
  ["buzzer_kind = active", later("the buzzer has a pitch of its own (default: passive)")],
  ["buzzer_on = low", later("a low level sounds the buzzer, as in many modules (default: high)")],
  ["strip = LAMP", later("the pin of a strip of WS2812 lamps, which replaces the single ones")],
  ["brightness = 80", later("of that strip, from 1 to 255 (default: 40)")],
  ["lamp_on = low", later("a low level lights a lamp (default: high)")],
  ["closed = high", later("the buttons connect their pins to 3.3 V (default: low, to ground)")],
  ["pull = outside", later("external resistors pull the open buttons (default: inside, by the board)")],
  ["battery = 26", later("the pin that measures a third of the supply voltage; on a Pico")],
  ["watchdog = on", later("a unit that hangs for 8 s is restarted (default: off)")],
  ["link = uart", later("programs reach the unit over two pins, not over USB (default: usb)")],
  ["uart = 1", later("the number of that UART")],
  ["tx = 4", later("its transmit pin")],
  ["rx = 5", later("its receive pin")],
]);
const OF_PICO = ["opposite", "battery"];

/**
 * The possible lines of a board's pins.txt, each with an example and its use.
 *
 * @param {Board} board @param {Wires} wires the board's default ones
 */
export function linesOf(board, wires) {
  const pins = { PAIR: String(pairOf(wires)), LAMP: String(wires["lamp 0"]) };
  const offered = LINES.map(([line, use]) => ({ name: nameIn(line), line, use }));
  return offered
    .filter(({ name }) => isPico(board) || !OF_PICO.includes(name))
    .map(({ name, line, use }) => ({ name, use, line: line.replace("PAIR", pins.PAIR).replace("LAMP", pins.LAMP) }));
}

/** Whether a board's pins share PWM generators in pairs. @param {Board} board */
export const isPico = ({ chip }) => chip.startsWith("rp");

/** The pin that shares the buzzer's PWM generator. @param {Wires} wires */
export const pairOf = ({ buzzer }) => Number(buzzer) ^ 1;

const CONTACTS = ["auction", "build", "switch"];

/** @typedef {Record<string, number | null>} Wires the pin of each part; null: the part is absent */

/** The default wires of a chip. @param {Chip} chip @returns {Wires} */
export function usual(chip) {
  const { auction, build, buzzer, lamps } = chip.wires;
  const lit = Object.fromEntries(lamps.map((pin, place) => [`lamp ${place}`, pin]));
  return { auction, build, switch: null, buzzer, ...lit };
}

/** The pins that a part may use. @param {string} part @param {Chip} chip */
export function choices(part, chip) {
  const free = chip.free.filter((pin) => !chip.inputs.includes(pin));
  return part === "switch" ? [null, ...free] : free;
}

/** Split pins.txt into its wires and its other lines. @param {string} text @param {Chip} chip */
export function parsed(text, chip) {
  const wires = usual(chip);
  const others = [];
  for (const line of text.split("\n")) {
    const [, name, value] = /^\s*(\w+)\s*=\s*([^#]*?)\s*(?:#.*)?$/.exec(line) ?? ["", "", ""];
    const pins = value.toUpperCase().replaceAll("GP", "").split(/[\s,]+/).map(Number);
    if (name === "lamps" && pins.length === chip.wires.lamps.length) pins.forEach((pin, place) => (wires[`lamp ${place}`] = pin));
    else if (name === "switch" && value === "none") wires.switch = null;
    else if (name in wires && pins.length === 1) wires[name] = pins[0];
    else if (line.trim()) others.push(line);
  }
  return { wires, others: others.join("\n") };
}

/**
 * The content of pins.txt: the differences from the chip's defaults.
 *
 * @param {Wires} wires @param {string} others @param {Chip} chip
 */
export function written(wires, others, chip) {
  const own = usual(chip);
  const lines = [...CONTACTS, "buzzer"]
    .filter((part) => wires[part] !== own[part])
    .map((part) => `${part} = ${wires[part] ?? "none"}`);
  const lamps = chip.wires.lamps.map((_, place) => wires[`lamp ${place}`]);
  if (lamps.some((pin, place) => pin !== own[`lamp ${place}`])) lines.push(`lamps = ${lamps.join(", ")}`);
  if (others.trim()) lines.push(others.trim());
  return lines.map((line) => `${line}\n`).join("");
}

/** The name that a line sets. @param {string} line */
function nameIn(line) {
  return line.split("#")[0].split("=")[0].trim();
}

/** Replace the line that sets `name`; "" removes it. @param {string} text @param {string} name @param {string} line */
export function withLine(text, name, line) {
  const others = text.split("\n").filter((other) => nameIn(other) !== name);
  return [...others, line].join("\n").trim();
}

/** The number of the last line that sets the same name as `what`, else 0. @param {string} text @param {string} what */
export function lineOf(text, what) {
  return text.split("\n").map(nameIn).lastIndexOf(nameIn(what)) + 1;
}

const ROW = 22; // px in the drawing

/**
 * Draw a board from above, with the part at each pin.
 *
 * @param {SVGElement} svg @param {Board} board @param {Wires} wires @param {Record<string, string>} lamps
 */
export function draw(svg, board, wires, lamps) {
  svg.textContent = "";
  const rows = Math.max(board.left.length, board.right.length);
  svg.setAttribute("viewBox", `-30 0 520 ${rows * ROW + 20}`);
  const add = (/** @type {string} */ kind, /** @type {Record<string, string | number>} */ values, text = "") => {
    const element = shape(kind, values);
    element.textContent = text;
    svg.append(element);
  };
  add("rect", { class: "card", x: 150, y: 2, width: 160, height: rows * ROW + 16, rx: 10 });
  for (const [labels, left] of /** @type {[string[], boolean][]} */ ([[board.left, true], [board.right, false]]))
    labels.forEach((label, row) => {
      const y = 10 + row * ROW + ROW / 2;
      const parts = Object.keys(wires).filter((part) => wires[part] !== null && board.labels[String(wires[part])] === label);
      const x = left ? 162 : 298;
      const kind = ["pin", "pin used"][parts.length] ?? "pin clash";
      add("circle", { class: kind, cx: x, cy: y, r: 5 });
      add("text", { class: "label", x: left ? 172 : 288, y: y + 4, "text-anchor": left ? "start" : "end" }, label);
      if (!parts.length) return;
      add("path", { class: "wire", d: left ? `M${x} ${y}H142` : `M${x} ${y}H318` });
      const words = parts.map((part) => called(part, lamps)).join(" + ");
      add("text", { class: "part", x: left ? 138 : 322, y: y + 4, "text-anchor": left ? "end" : "start" }, words);
    });
}

/** @typedef {[string, [string, Record<string, string | number>][]]} PinError the wrong line; the reasons: texts with fields */
/** @typedef {{error: string, what: string, wires: Wires | null}} Judgement error: a message, else ""; what: the wrong line, without its comment */
/** @typedef {(board: string, text: string) => Judgement} Judge */

const HEAP_BYTES = 1 << 20;

/** Start the interpreter with the rules. It is large, and needed only for changed pins. @returns {Promise<Judge>} */
export async function loadRules() {
  const { loadMicroPython } = await import("./micropython.mjs");
  const python = await loadMicroPython({ heapsize: HEAP_BYTES, stdout: (text) => console.log(text) });
  const files = /** @type {Record<string, string>} */ (await (await fetch("rules.json")).json());
  for (const [path, text] of Object.entries(files)) {
    python.FS.mkdirTree(`/${path.split("/").slice(0, -1).join("/")}`);
    python.FS.writeFile(`/${path}`, text);
  }
  python.runPython("import sys\nsys.path.insert(0, '/')\nfrom judge import judge");
  const judge = /** @type {(board: string, text: string) => string} */ (python.globals.get("judge"));
  return (board, text) => {
    const { error, uses } = JSON.parse(judge(board, text));
    if (error) {
      const [what, reasons] = /** @type {PinError} */ (error);
      const words = reasons.reduce((before, [why, fields]) => say("{what}: {why}", { what: before, why: say(why, fields) }), what);
      return { error: words, what, wires: null };
    }
    // Each use is a name and a pin, as `uses` of firmware/board/pins.py returns them.
    const isLamp = (/** @type {[string, number]} */ [name]) => name === "lamps";
    const others = uses.filter((/** @type {[string, number]} */ use) => !isLamp(use));
    const lamps = uses.filter(isLamp).map((/** @type {[string, number]} */ [, pin], /** @type {number} */ place) => [`lamp ${place}`, pin]);
    return { error: "", what: "", wires: Object.fromEntries([...others, ...lamps]) };
  };
}
