// The unit itself: the same Python files as on a board, in MicroPython.

import { loadMicroPython } from "./micropython.mjs";
import { texts } from "./words.js";

/**
 * @typedef {import("./types").Answer} Answer @typedef {import("./types").Deed} Deed
 * @typedef {import("./types").Facts} Facts
 */

const HEAP_BYTES = 4 << 20;
const RELIVED_AT_ONCE = 50; // garbage is collected between calls only

// The letters of all scripts, which MicroPython does not know: as much as names of programs need.
const KINDS = /** @type {[string, RegExp][]} */ ([["L", /\p{L}/u], ["N", /\p{N}/u], ["C", /\p{C}/u], ["Z", /\p{Z}/u]]);
const LETTERS = {
  normalize: (/** @type {string} */ form, /** @type {string} */ text) => text.normalize(form),
  combining: (/** @type {string} */ sign) => /\p{Mn}/u.test(sign),
  category: (/** @type {string} */ sign) => KINDS.find(([, pattern]) => pattern.test(sign))?.[0] ?? "S",
};

/** Start the interpreter with the unit's files in it. */
export async function load() {
  const [python, brought] = await Promise.all([
    loadMicroPython({ heapsize: HEAP_BYTES, stdout: (/** @type {string} */ text) => console.log(text) }),
    /** @type {Promise<Pick<Facts, "files" | "lamps" | "sound">>} */ (fetch("core.json").then((answer) => answer.json())),
  ]);
  performance.mark("interpreter"); // where the time of a start goes; the tests print it
  for (const [path, text] of Object.entries(brought.files)) {
    python.FS.mkdirTree(`/${path.split("/").slice(0, -1).join("/")}`);
    python.FS.writeFile("/" + path, text);
  }
  python.registerJsModule("unicodedata", LETTERS);
  python.runPython("import sys\nsys.path.insert(0, '/')\nfrom sim.web.body import facts");
  performance.mark("code");
  const facts = /** @type {Facts} */ ({ ...brought, ...JSON.parse(python.globals.get("facts")()) });
  return { python, facts };
}

/**
 * Read a program file by the rules of the desktop, which begin to run when they are first needed.
 *
 * @param {any} python @param {string} text @param {string} file its name
 * @returns {import("./types").Program & { mistake?: string }} a mistake for people, and else the program
 */
export function readProgram(python, text, file = "") {
  python.runPython("from sim.web.reading import read");
  return JSON.parse(python.globals.get("read")(JSON.stringify([text, file, texts()])));
}

/** One unit's life, from switching on to switching off. */
export class Core {
  /** @param {any} python @param {object} kept as sim/web/body.py takes it */
  constructor(python, kept) {
    python.globals.set("kept", JSON.stringify(kept));
    python.runPython("from sim.web.body import Body\nbody = Body(kept)");
    const method = (/** @type {string} */ name) => (python.runPython(`method = body.${name}`), python.globals.get("method"));
    this._do = method("do");
    this._further = method("further");
    this._relive = method("relive");
  }

  /** @param {Deed} deed @param {number} ahead_ms @returns {Answer} */
  do(deed, ahead_ms) {
    return JSON.parse(this._do(JSON.stringify([...deed, Math.ceil(ahead_ms)])));
  }

  /** The next part of the plan. @param {number} until @param {number} lines at most about so many @returns {Pick<Answer, "plan" | "until">} */
  further(until, lines) {
    return JSON.parse(this._further(JSON.stringify([Math.ceil(until), lines])));
  }

  /** @param {Deed[]} journal */
  relive(journal) {
    for (let first = 0; first < journal.length; first += RELIVED_AT_ONCE)
      this._relive(JSON.stringify(journal.slice(first, first + RELIVED_AT_ONCE)));
  }
}
