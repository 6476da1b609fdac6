// The unit itself: the same Python files as on a board, in MicroPython.

import { loadMicroPython } from "./micropython.mjs";

/**
 * @typedef {import("./types").Answer} Answer @typedef {import("./types").Deed} Deed
 * @typedef {import("./types").Facts} Facts
 */

const HEAP_BYTES = 4 << 20;
const RELIVED_AT_ONCE = 50; // garbage is collected between calls only

/** Start the interpreter with the unit's files in it. */
export async function load() {
  const [python, brought] = await Promise.all([
    loadMicroPython({ heapsize: HEAP_BYTES, stdout: (/** @type {string} */ text) => console.log(text) }),
    /** @type {Promise<Pick<Facts, "files" | "lamps" | "sound">>} */ (fetch("core.json").then((answer) => answer.json())),
  ]);
  performance.mark("interpreter"); // where the time of a start goes; the tests print it
  for (const [path, text] of Object.entries(brought.files)) {
    const folders = path.split("/").slice(0, -1);
    folders.forEach((_, depth) => makeFolder(python, "/" + folders.slice(0, depth + 1).join("/")));
    python.FS.writeFile("/" + path, text);
  }
  python.runPython("import sys\nsys.path.insert(0, '/')\nfrom sim.web.body import facts");
  performance.mark("code");
  const facts = /** @type {Facts} */ ({ ...brought, ...JSON.parse(python.globals.get("facts")()) });
  return { python, facts };
}

/** @param {any} python @param {string} path */
function makeFolder(python, path) {
  if (!python.FS.analyzePath(path).exists) python.FS.mkdir(path);
}

/** One unit's life, from switching on to switching off. */
export class Core {
  /** @param {any} python @param {object} kept what sim/web/body.py takes */
  constructor(python, kept) {
    python.globals.set("kept", JSON.stringify(kept));
    python.runPython("from sim.web.body import Body\nbody = Body(kept)\ndo = body.do\nrelive = body.relive");
    this._do = python.globals.get("do");
    this._relive = python.globals.get("relive");
  }

  /** @param {Deed} deed @param {number} ahead_ms @returns {Answer} */
  do(deed, ahead_ms) {
    return JSON.parse(this._do(JSON.stringify([...deed, Math.ceil(ahead_ms)])));
  }

  /** @param {Deed[]} journal */
  relive(journal) {
    for (let first = 0; first < journal.length; first += RELIVED_AT_ONCE)
      this._relive(JSON.stringify(journal.slice(first, first + RELIVED_AT_ONCE)));
  }
}
