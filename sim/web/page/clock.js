// The unit's time, made of the browser's.

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
