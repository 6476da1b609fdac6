// The meaning of a text for pins, or its mistake: by the very files that the desktop judges by,
// in Python.

import { say } from "../page/words.js";
import { wiresOf } from "./pins.js";

/** @typedef {[string, [string, Record<string, string | number>][]]} Mistake what is wrong; why: texts with fields */
/** @typedef {{mistake: string, what: string, wires: import("./pins.js").Wires | null}} Judgement mistake: "" if nothing is wrong; what: the line that is, without its comment */
/** @typedef {(board: string, text: string) => Judgement} Judge */

const HEAP_BYTES = 1 << 20;

/** Start the interpreter with the rules in it; it is large, and wanted by who changes pins alone. */
/** @returns {Promise<Judge>} */
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
    const { mistake, uses } = JSON.parse(judge(board, text));
    if (mistake) {
      const [what, whys] = /** @type {Mistake} */ (mistake);
      const words = whys.reduce((before, [why, fields]) => say("{what}: {why}", { what: before, why: say(why, fields) }), what);
      return { mistake: words, what, wires: null };
    }
    return { mistake: "", what: "", wires: wiresOf(uses) };
  };
}
