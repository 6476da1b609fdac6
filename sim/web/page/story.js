// The unit in time: its clock, made of the browser's, the log and the plan, and its lamps and texts
// at any moment between.

// An event is believed if it is told at most so late. So the unit itself, without an input, is never
// taken nearer to the present than this: it could not go back for such an event.
export const OLDEST_MS = 5000;

const SLEPT_MS = 1000; // a difference that small is the clocks' own

/** Counts ms from the moment at which a life of the unit began, on and on through any sleep. */
export class UnitTime {
  /** @param {number} origin when it began, as performance.now() counts */
  constructor(origin) {
    this._origin = origin;
    this._lead = Date.now() - performance.now();
  }

  now() {
    return performance.now() - this._origin;
  }

  /** When something happened, by the time stamp of its event. @param {number} stamp */
  at(stamp) {
    const now = performance.now();
    const known = Number.isFinite(stamp) && stamp > 0 && stamp <= now && now - stamp < OLDEST_MS;
    return (known ? stamp : now) - this._origin;
  }

  /** The same moment as performance.now() counts. @param {number} ms */
  performance(ms) {
    return ms + this._origin;
  }

  /** The moment 0 as Date.now() counts, to be kept. */
  epoch() {
    return this._lead + this._origin;
  }

  /**
   * Set the unit's time right after the device slept; return for how many ms it did.
   *
   * In sleep performance.now() stands still, but on Windows; the calendar does not. A person or a
   * time server may also set the calendar: that is no sleep, and moves the stored epoch alone.
   *
   * @param {boolean} wasAwake whether something else shows that the device did not sleep
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
 * The time of a life that goes on; it never goes back, whatever was done to the calendar meanwhile.
 *
 * @param {number} epoch as Date.now() counts @param {number} least the shortest time that has passed, ms
 */
export function since(epoch, least) {
  return new UnitTime(performance.now() - Math.max(least, Date.now() - epoch));
}

/**
 * @typedef {import("./types").Answer} Answer @typedef {import("./types").Line} Line
 * @typedef {import("./types").Note} Note @typedef {import("./types").Snapshot} Snapshot
 */

const REMEMBERED = 400; // lines

/** Events that only answer a finger, and so replace nothing that was said. */
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
    this.latest = /** @type {Line | null} */ (null); // the event that is news
    this.aside = /** @type {Line | null} */ (null);
    this.asidesFrom = 0; // ms; earlier ones are no news
    this.auctionEnds = /** @type {number | null} */ (null); // null while it is secret
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
      if (line.unit.state !== this.unit.state) this.aside = null; // its moment is over
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

/** The log and the plan of one life; `shown` is the moment of the last call. */
export class Story {
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

  /** Take the next part of the plan. @param {Pick<Answer, "plan" | "until">} part */
  lengthen(part) {
    this.plan.push(...part.plan);
    this.until = part.until;
  }

  /** Forget the answers to a finger before `ms`. @param {number} ms */
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

  /** The time of the next change after the moment of the last `at`. */
  next() {
    return this._place < this.plan.length ? this.plan[this._place].ms : null;
  }

  /** The next event of one of the kinds, of those to come. @param {...string} kinds */
  coming(...kinds) {
    return this.plan.slice(this._place).find((line) => kinds.includes(line.event ?? ""));
  }

  /** The lines of the log and of the plan within a stretch of time. @param {number} from @param {number} to */
  lines(from, to) {
    return [...this.log, ...this.plan].filter((line) => line.ms >= from && line.ms <= to);
  }

  /** All notes to come, from the tone that sounds at the last input on. @returns {Note[]} */
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
