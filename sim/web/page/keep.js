// What outlives the page: the journal of the game that runs, the person's programs and settings.

/** @typedef {import("./types").Kept} Kept */

const KEY = "city-unit";
const VERSION = 1;

/** @returns {Kept} */
export function nothing() {
  return {
    version: VERSION,
    epoch: 0,
    seed: 0,
    memory: { program: "city", clock_ms: null, volume: 2 },
    journal: [],
    own: [],
    options: { language: "", seconds: false, calm: false },
  };
}

/** Whether something can be kept at all, and what is: never an exception, whatever lies there. */
/** @returns {{kept: Kept, trouble: "" | "forbidden" | "broken"}} */
export function read() {
  let text;
  try {
    text = localStorage.getItem(KEY);
  } catch {
    return { kept: nothing(), trouble: "forbidden" };
  }
  if (text === null) return { kept: nothing(), trouble: "" };
  try {
    return { kept: checked(JSON.parse(text)), trouble: "" };
  } catch {
    rescue(text);
    return { kept: nothing(), trouble: "broken" };
  }
}

/** The language that the person chose, "" for the browser's: all that another page wants to know. */
export function keptLanguage() {
  try {
    return text(JSON.parse(localStorage.getItem(KEY) ?? "").options.language);
  } catch {
    return "";
  }
}

/** Keep it; return whether that was possible. @param {Kept} kept */
export function write(kept) {
  try {
    localStorage.setItem(KEY, JSON.stringify(kept));
    return true;
  } catch {
    return false;
  }
}

/** Leave beside what could not be read: nothing that somebody made is thrown away. */
/** @param {string} text */
function rescue(text) {
  try {
    localStorage.setItem(`${KEY}-broken`, text);
    localStorage.removeItem(KEY);
  } catch {
    // there is no room; then it stays where it is
  }
}

const DEEDS = ["press", "release", "tap", "switch", "set up", "program", "volume", "live"];

/** Take only what can be right. @param {any} found @returns {Kept} */
function checked(found) {
  const kept = nothing();
  if (found?.version !== VERSION) throw new Error("not of this version");
  kept.epoch = number(found.epoch);
  kept.seed = number(found.seed);
  kept.memory.program = text(found.memory.program);
  kept.memory.clock_ms = found.memory.clock_ms === null ? null : number(found.memory.clock_ms);
  kept.memory.volume = Math.min(3, number(found.memory.volume));
  kept.own = list(found.own).map(text);
  kept.options.language = text(found.options.language);
  kept.options.seconds = found.options.seconds === true;
  kept.options.calm = found.options.calm === true;
  kept.journal = list(found.journal).map(([ms, what, value, more]) => {
    if (!DEEDS.includes(what)) throw new Error("no deed");
    if (value !== null && typeof value !== "string") number(value);
    return [number(ms), what, value, more === null ? null : number(more)];
  });
  return kept;
}

/** @param {unknown} value */
function number(value) {
  if (!Number.isSafeInteger(value) || Number(value) < 0) throw new Error("no number");
  return Number(value);
}

/** @param {unknown} value */
function text(value) {
  if (typeof value !== "string") throw new Error("no text");
  return value;
}

/** @param {unknown} value @returns {any[]} */
function list(value) {
  if (!Array.isArray(value)) throw new Error("no list");
  return value;
}
