// The page's storage: the journal of the current game, the user's programs and settings.

import { LANGUAGES } from "./languages.js";

const KEY = "city-unit";
const ASIDE = `${KEY}-broken`; // invalid state, until the user discards it
const VERSION = 1;
const YEAR_MS = 366 * 86_400_000; // the longest time that a unit stays on
const DAY_MS = 86_400_000; // the longest program
const LONGEST_FILE = 100_000; // characters of a program file
const NAME = /^[a-z][a-z0-9-]{0,19}$/; // of a program

/** @returns {Kept} */
export function nothing() {
  return {
    version: VERSION,
    epoch: 0,
    seed: 0,
    memory: { program: "city", clock_ms: null, volume: 2 },
    journal: [],
    own: [],
    options: { language: "", seconds: false, calm: false, notify: false },
  };
}

/** Read and validate the storage; never throws. @returns {{kept: Kept, trouble: "" | "forbidden" | "broken"}} */
export function read() {
  let text, aside;
  try {
    text = localStorage.getItem(KEY);
    aside = localStorage.getItem(ASIDE);
  } catch {
    return { kept: nothing(), trouble: "forbidden" };
  }
  const { kept, isWhole } = checked(text);
  if (!isWhole) putAside(String(text));
  return { kept, trouble: isWhole && aside === null ? "" : "broken" };
}

/** The language chosen on the unit's page, for the other pages; "" for the browser's. */
export function keptLanguage() {
  try {
    return checked(localStorage.getItem(KEY)).kept.options.language;
  } catch {
    return "";
  }
}

/** Store the state; return whether that was possible. @param {Kept} kept */
export function write(kept) {
  try {
    localStorage.setItem(KEY, JSON.stringify(kept));
    return true;
  } catch {
    return false;
  }
}

/** Store invalid state separately, so that no data of the user is lost unasked. @param {string} text */
export function putAside(text) {
  try {
    localStorage.setItem(ASIDE, text);
  } catch {
    // There is no room for it; the next `write` replaces it.
  }
}

/** Delete the invalid state. */
export function discard() {
  localStorage.removeItem(ASIDE);
}

/**
 * Parse the stored state; an invalid part keeps its default.
 *
 * @param {string | null} text @returns {{kept: Kept, isWhole: boolean}}
 */
function checked(text) {
  const kept = nothing();
  if (text === null) return { kept, isWhole: true };
  let isWhole = true;
  const take = (/** @type {() => void} */ part) => {
    try {
      part();
    } catch {
      isWhole = false;
    }
  };
  let found = /** @type {any} */ (null);
  take(() => (found = JSON.parse(text)));
  if (found?.version !== VERSION) return { kept, isWhole: false };
  take(() => {
    let last = 0;
    const journal = list(found.journal).map(([ms, what, value, more]) => {
      const isOurs = Object.hasOwn(VALUES, what) && VALUES[what](value);
      if (!isOurs || !(more === null || (what === "program" && whole(more, 0, DAY_MS)))) throw new Error(what);
      last = number(ms, last, YEAR_MS);
      return /** @type {Deed} */ ([ms, what, value, more]);
    });
    Object.assign(kept, { epoch: number(found.epoch), seed: number(found.seed, 0, 2 ** 32 - 1), journal });
  });
  take(() => {
    const { program, clock_ms, volume } = found.memory;
    if (!VALUES.program(program)) throw new Error("no program");
    kept.memory = { program, clock_ms: clock_ms === null ? null : number(clock_ms, 0, DAY_MS), volume: number(volume, 0, 3) };
  });
  take(() =>
    list(found.own).forEach((text) =>
      take(() => {
        if (typeof text !== "string" || text.length > LONGEST_FILE) throw new Error("no text");
        kept.own.push(text);
      }),
    ),
  );
  take(() => {
    const { language, seconds, calm, notify } = found.options;
    if (language !== "" && !Object.hasOwn(LANGUAGES, language)) throw new Error("no language");
    kept.options = { language, seconds: seconds === true, calm: calm === true, notify: notify === true };
  });
  return { kept, isWhole };
}

const isButton = (/** @type {unknown} */ value) => whole(value, 1, 2);

// The valid values of each kind of input.
const VALUES = /** @type {Record<string, (value: unknown) => boolean>} */ ({
  press: isButton,
  release: isButton,
  tap: isButton,
  switch: (value) => whole(value, 0, 1),
  "set up": (value) => value === null,
  program: (value) => typeof value === "string" && NAME.test(value),
  volume: (value) => whole(value, 0, 3),
  live: (value) => value === null,
});

/** @param {unknown} value @param {number} least @param {number} most */
function whole(value, least, most) {
  return Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most;
}

/** @param {unknown} value @param {number} [least] @param {number} [most] */
function number(value, least = 0, most = Number.MAX_SAFE_INTEGER) {
  if (!whole(value, least, most)) throw new Error("no number");
  return Number(value);
}

/** @param {unknown} value @returns {any[]} */
function list(value) {
  if (!Array.isArray(value)) throw new Error("no list");
  return value;
}
