// Fingers, mouse, keys and screen readers, made into presses and releases with their own times.

export const AUCTION = 1;
export const BUILD = 2;
export const SWITCH = 4;

/** @typedef {"press" | "release" | "tap"} Touch */
/** @typedef {(what: Touch, bit: number, stamp: number) => void} Finger */

const KEYS = /** @type {Record<string, number>} */ ({ a: AUCTION, " ": AUCTION, b: BUILD, enter: BUILD });

/** Which fingers are on a button; it is down while there is one. */
export class Fingers {
  /** @param {Finger} act */
  constructor(act) {
    this._act = act;
    this._on = new Map([
      [AUCTION, new Set()],
      [BUILD, new Set()],
    ]);
  }

  /** @param {number} bit @param {unknown} finger @param {number} stamp */
  down(bit, finger, stamp) {
    const fingers = this._on.get(bit);
    if (!fingers || fingers.has(finger)) return;
    fingers.add(finger);
    if (fingers.size === 1) this._act("press", bit, stamp);
  }

  /** @param {unknown} finger @param {number} stamp */
  up(finger, stamp) {
    for (const [bit, fingers] of this._on)
      if (fingers.delete(finger) && !fingers.size) this._act("release", bit, stamp);
  }

  /** Lift them all: a finger whose end nobody will tell would hold AUCTION until it cancels. */
  /** @param {number} stamp */
  lift(stamp) {
    for (const [bit, fingers] of this._on) {
      if (fingers.size) this._act("release", bit, stamp);
      fingers.clear();
    }
  }

  /** @param {number} bit */
  isDown(bit) {
    return Boolean(this._on.get(bit)?.size);
  }

  /** Follow one button of the page. @param {HTMLElement} element @param {number} bit */
  follow(element, bit) {
    element.addEventListener("pointerdown", (event) => {
      if (event.button > 0) return;
      event.preventDefault();
      element.focus({ preventScroll: true });
      try {
        element.setPointerCapture(event.pointerId);
      } catch {
        // the pointer has gone already: its end is told all the same
      }
      this.down(bit, `pointer ${event.pointerId}`, event.timeStamp);
    });
    for (const end of ["pointerup", "pointercancel", "lostpointercapture"])
      element.addEventListener(end, (event) => {
        const { pointerId, timeStamp } = /** @type {PointerEvent} */ (event);
        this.up(`pointer ${pointerId}`, timeStamp);
      });
    element.addEventListener("contextmenu", (event) => event.preventDefault());
    element.addEventListener("keydown", (event) => {
      if (event.key !== " " && event.key !== "Enter") return;
      event.preventDefault(); // or a click would follow
      event.stopPropagation();
      if (!event.repeat) this.down(bit, `key ${event.code}`, event.timeStamp);
    });
    element.addEventListener("click", (event) => {
      // A screen reader clicks without a finger; after a real finger the click is no news.
      const pointer = /** @type {PointerEvent} */ (event).pointerType;
      if (event.detail === 0 && !pointer && !this.isDown(bit)) this._act("tap", bit, event.timeStamp);
    });
  }

  /** Follow the keys that work wherever the focus is. @param {(key: string) => boolean} other */
  followKeys(other) {
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey || event.repeat) return;
      if (document.querySelector("dialog[open]") || isControl(event)) return;
      const bit = KEYS[event.key.toLowerCase()];
      if (bit) this.down(bit, `key ${event.code}`, event.timeStamp);
      if (bit || other(event.key.toLowerCase())) event.preventDefault();
    });
    document.addEventListener("keyup", (event) => {
      this.up(`key ${event.code}`, event.timeStamp);
      const { target, key } = event;
      const isKnob = target instanceof HTMLElement && target.matches(".press-auction, .press-build");
      if (key === " " && isKnob) event.preventDefault();
    });
    window.addEventListener("blur", (event) => this.lift(event.timeStamp));
    document.addEventListener("visibilitychange", (event) => {
      if (document.hidden) this.lift(event.timeStamp);
    });
  }
}

/** Whether a key belongs to the element that has the focus. @param {KeyboardEvent} event */
function isControl(event) {
  const target = /** @type {HTMLElement} */ (event.target);
  if (target.closest("input, select, textarea")) return true;
  return (event.key === " " || event.key === "Enter") && Boolean(target.closest("button, a, summary"));
}
