// The unit in the page: the interpreter, which runs the same Python files as a board; the unit's time,
// from the browser's clocks; and its history, made of log and plan, which gives its state at any moment.

import { loadMicroPython } from "./micropython.mjs";
import { texts } from "./words.js";

const HEAP_BYTES = 4 << 20;
const REPLAYED_AT_ONCE = 50; // inputs; MicroPython collects garbage between calls only

// Python's unicodedata, which MicroPython lacks, as far as the rules for program names use it.
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
  performance.mark("interpreter"); // the tests print these marks
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
 * Read a program file by the rules of the desktop, which are imported on first use.
 *
 * @param {any} python @param {string} text @param {string} file its name
 * @returns {Program & { error?: string }} the program, or only an error message for people
 */
export function readProgram(python, text, file = "") {
  python.runPython("from sim.web.reading import read");
  return JSON.parse(python.globals.get("read")(JSON.stringify([text, file, texts()])));
}

/** One session of the unit, from switching on to switching off: a `Body` of sim/web/body.py. */
export class Core {
  /** @param {any} python @param {object} kept the argument of `Body` */
  constructor(python, kept) {
    python.globals.set("kept", JSON.stringify(kept));
    python.runPython("from sim.web.body import Body\nbody = Body(kept)");
    const method = (/** @type {string} */ name) => (python.runPython(`method = body.${name}`), python.globals.get("method"));
    this._do = method("do");
    this._further = method("further");
    this._replay = method("replay");
  }

  /** @param {Deed} deed @param {number} ahead_ms @returns {Answer} */
  do(deed, ahead_ms) {
    return JSON.parse(this._do(JSON.stringify([...deed, Math.ceil(ahead_ms)])));
  }

  /** The next part of the plan. @param {number} until @param {number} lines about its length @returns {Pick<Answer, "plan" | "until">} */
  further(until, lines) {
    return JSON.parse(this._further(JSON.stringify([Math.ceil(until), lines])));
  }

  /** @param {Deed[]} journal */
  replay(journal) {
    for (let first = 0; first < journal.length; first += REPLAYED_AT_ONCE)
      this._replay(JSON.stringify(journal.slice(first, first + REPLAYED_AT_ONCE)));
  }
}

// The greatest age at which an event's time stamp is accepted. Without an input, the unit itself is
// advanced no nearer to the present than this, since it cannot go back for a late event.
export const OLDEST_MS = 5000;

const SLEPT_MS = 1000; // a smaller difference is jitter of the clocks

/** Counts ms from the start of a session, including any sleep of the device. */
export class UnitTime {
  /** @param {number} origin the start of the session, as performance.now() counts */
  constructor(origin) {
    this._origin = origin;
    this._lead = Date.now() - performance.now();
  }

  now() {
    return performance.now() - this._origin;
  }

  /** Convert an event's time stamp; an implausible one counts as now. @param {number} stamp */
  at(stamp) {
    const now = performance.now();
    const known = Number.isFinite(stamp) && stamp > 0 && stamp <= now && now - stamp < OLDEST_MS;
    return (known ? stamp : now) - this._origin;
  }

  /** The same moment as performance.now() counts. @param {number} ms */
  performance(ms) {
    return ms + this._origin;
  }

  /** The start of the session as Date.now() counts, for the storage. */
  epoch() {
    return this._lead + this._origin;
  }

  /**
   * Correct the unit's time after a sleep of the device; return the length of the sleep in ms.
   *
   * During sleep performance.now() stops, except on Windows; the system clock does not. A user or a time
   * server may also set the system clock: that is not a sleep, and only moves the stored epoch.
   *
   * @param {boolean} wasAwake whether other evidence shows that the device did not sleep
   */
  wake(wasAwake) {
    const lead = Date.now() - performance.now();
    const gained = lead - this._lead;
    this._lead = lead;
    if (gained < SLEPT_MS || wasAwake) return 0;
    this._origin -= gained;
    return gained;
  }
}

/**
 * The time of a restored session; it never goes back, even if the system clock was set back.
 *
 * @param {number} epoch its start, as Date.now() counts @param {number} least ms that have passed at least
 */
export function since(epoch, least) {
  return new UnitTime(performance.now() - Math.max(least, Date.now() - epoch));
}

const REMEMBERED = 400; // lines

/** Events that are shown briefly, and do not replace the latest event. */
const ASIDE = ["refused", "hour-beep"];

/** The unit at one moment. */
export class Shown {
  /** @param {Snapshot} unit */
  constructor(unit) {
    this.ms = 0;
    this.unit = unit;
    this.lamps = /** @type {Set<string>} */ (new Set());
    this.tone = 0;
    this.toneSince = 0;
    this.latest = /** @type {Line | null} */ (null); // the latest event, except for asides
    this.aside = /** @type {Line | null} */ (null);
    this.asidesFrom = 0; // ms; earlier asides are ignored
    this.auctionEnds = /** @type {number | null} */ (null); // if known
  }

  copy() {
    const copy = Object.assign(new Shown(this.unit), this);
    copy.lamps = new Set(this.lamps);
    return copy;
  }

  /** @param {Line} line */
  take(line) {
    this.ms = line.ms;
    if (line.unit) {
      if (line.unit.state !== this.unit.state) this.aside = null;
      this.unit = line.unit;
    } else if (line.lamp) this.lamps[line.on ? "add" : "delete"](line.lamp);
    else if (line.tone !== undefined) {
      this.tone = line.tone;
      this.toneSince = line.ms;
    } else if (ASIDE.includes(line.event ?? "")) {
      if (line.ms >= this.asidesFrom) this.aside = line;
    } else if (line.event) {
      this.latest = line;
      this.aside = null;
      if (line.event === "auction-started") this.auctionEnds = line.length_ms ? line.ms + line.length_ms : null;
    }
  }
}

/** The log and the plan of one session; `shown` is the state at the last call of `at`. */
export class History {
  /** @param {Snapshot} unit */
  constructor(unit) {
    this._past = new Shown(unit); // up to the last input
    this.shown = this._past.copy();
    this._place = 0; // in the plan: the lines before it are shown
    this.log = /** @type {Line[]} */ ([]);
    this.plan = /** @type {Line[]} */ ([]);
    this.until = /** @type {number | null} */ (0);
    this.since = 0; // the last input
  }

  /** @param {Answer} answer */
  learn(answer) {
    for (const line of answer.log) this._past.take(line);
    this._past.unit = answer.unit;
    this.log = [...this.log, ...answer.log].slice(-REMEMBERED);
    this.plan = answer.plan;
    this.until = answer.until;
    this.since = answer.ms;
    this.shown = this._past.copy();
    this._place = 0;
  }

  /** Append the next part of the plan. @param {Pick<Answer, "plan" | "until">} part */
  lengthen(part) {
    this.plan.push(...part.plan);
    this.until = part.until;
  }

  /** Ignore asides before `ms`. @param {number} ms */
  forgetAsides(ms) {
    for (const shown of [this._past, this.shown]) {
      shown.asidesFrom = ms;
      shown.aside = null;
    }
  }

  /** The unit at `ms`. @param {number} ms */
  at(ms) {
    while (this._place < this.plan.length && this.plan[this._place].ms <= ms)
      this.shown.take(this.plan[this._place++]);
    return this.shown;
  }

  /** The time of the next change after the last call of `at`. */
  next() {
    return this._place < this.plan.length ? this.plan[this._place].ms : null;
  }

  /** The next planned event of one of the kinds. @param {...string} kinds */
  coming(...kinds) {
    return this.plan.slice(this._place).find((line) => kinds.includes(line.event ?? ""));
  }

  /** All planned notes, including one that sounds at the last input. @returns {Note[]} */
  notes() {
    const notes = [];
    let { tone, toneSince } = this._past;
    for (const line of this.plan) {
      if (line.tone === undefined) continue;
      if (tone) notes.push({ ms: toneSince, hz: tone, length: line.ms - toneSince });
      tone = line.tone;
      toneSince = line.ms;
    }
    return notes;
  }
}
