// The disc: paints the unit, words its state for the table and for screen readers, and turns touches,
// mouse, keys and a screen reader's clicks into presses with their time stamps.

import { clock, find, later, say, span } from "./words.js";

/** @typedef {import("./unit.js").History} History @typedef {import("./unit.js").Shown} Shown */

const HOUR_WIDTH = 1000;

export class Face {
  /** @param {Record<string, string>} lamps the meaning of each */
  constructor(lamps) {
    this._lamps = lamps;
    this._texts = /** @type {Map<string, string>} */ (new Map());
    this.announced = ""; // what a screen reader has read out last
  }

  /**
   * @param {Shown} shown @param {Telling} telling @param {string} program its name for people
   * @param {number} levels contacts that are closed @param {History} history @param {number} now
   */
  paint(shown, telling, program, levels, history, now) {
    const on = shown.unit.state !== "off";
    document.body.dataset.mood = telling.mood;
    document.body.classList.toggle("lit", shown.lamps.has("auction"));
    for (const lamp of document.querySelectorAll("[data-lamp]"))
      lamp.classList.toggle("on", shown.lamps.has(lamp.getAttribute("data-lamp") ?? ""));
    const disc = find(".disc");
    disc.classList.toggle("sounding", shown.tone > 0 && shown.unit.volume > 0);
    disc.classList.toggle("switched-on", on);
    disc.classList.toggle("auction-down", Boolean(levels & AUCTION));
    disc.classList.toggle("build-down", Boolean(levels & BUILD));
    find(".slide").setAttribute("aria-checked", String(on));
    for (const name of /** @type {const} */ (["title", "detail", "hint", "clock", "below"])) this._text(`#${name}`, telling[name]);
    this._text("#program", program);
    const { volume, hour_ends, clock_ms } = shown.unit;
    const button = find("#volume");
    button.dataset.volume = String(volume);
    const words = volume ? say("Volume: {number} of 3", { number: volume }) : say("Volume: silent");
    if (button.getAttribute("aria-label") !== words) button.setAttribute("aria-label", words);
    document.title = [telling.title, telling.clock].filter(Boolean).join(" · ") || "City Unit";
    // For screen readers: the lit lamps, except for the flashing one, whose meaning is the title.
    const lit = [...shown.lamps].filter((lamp) => lamp !== "auction").map((lamp) => say(this._lamps[lamp]));
    this._text("#lamps", lit.length && telling.mood !== "drawing" ? say("Lit: {lamps}", { lamps: lit.join(", ") }) : "");
    // The ring fills while AUCTION is held, if the plan says that this cancels an auction.
    const ring = /** @type {SVGElement} */ (document.querySelector(".hold"));
    const cancels = levels & AUCTION ? history.coming("auction-cancelled") : undefined;
    if (cancels && !ring.classList.contains("holding")) ring.style.animationDuration = `${Math.max(0, cancels.ms - now)}ms`;
    ring.classList.toggle("holding", Boolean(cancels));
    const news = telling.mood === "setup" ? telling.title : telling.mood;
    if (news !== this.announced) find("#news").textContent = telling.title; // read out once
    this.announced = news;
    find("#hour").classList.toggle("none", hour_ends === null);
    if (hour_ends === null || !clock_ms) return;
    const passed = Math.min(1, Math.max(0, 1 - (hour_ends - now) / clock_ms));
    find("#passed").setAttribute("width", String(Math.round(passed * HOUR_WIDTH)));
  }

  /** @param {string} selector @param {string} text */
  _text(selector, text) {
    if (this._texts.get(selector) === text) return;
    this._texts.set(selector, text);
    const element = find(selector);
    element.textContent = text;
    element.style.setProperty("--letters", String(Math.max(5, text.length))); // its size follows
  }
}

// The text for the whole table, a function of the unit's state and the time.

/**
 * @typedef {object} Telling
 * @property {string} mood    off, setup, ready, auction, warning, sold, drawing, permit or over
 * @property {string} title   the latest event, to be read across the room
 * @property {string} detail  more about it, smaller
 * @property {string} hint    the buttons that do something now
 * @property {string} clock   the giant digits
 * @property {string} below   the meaning of the digits
 */

const NEWS_MS = 20_000; // how long the last event is shown
const ASIDE_MS = 5_000;
const AGO_MS = 3_000; // the age from which it is shown with its age

// The fixed title and hint of a mood; the other moods compose them.
const MOODS = /** @type {Record<string, string[]>} */ ({
  off: [later("Off"), later("Slide the switch to start a new hour.")],
  setup: ["", later("BUILD: the next choice. AUCTION: choose it.")],
  auction: [later("Auction"), later("Its end is secret (see the help). Hold AUCTION to cancel.")],
  warning: [later("Last bids!"), later("Hold AUCTION to cancel.")],
  drawing: [later("Permit…"), ""],
  over: ["", later("Slide the switch off and on for another game.")],
});
const PERMITS = /** @type {Record<string, string>} */ ({
  1: later("1 block"),
  2: later("2 blocks"),
  3: later("3 blocks"),
  station: later("A station"),
});
// Why the unit refused a press.
const REASONS = /** @type {Record<string, string>} */ ({
  auction: later("Not now: an auction is on."),
  warning: later("Not now: an auction is on."),
  drawing: later("Not now: the light is running."),
  over: later("The game is over: switch off and on."),
  "no-permits": later("This program has no permits."),
});

/**
 * @param {Shown} shown @param {number} now
 * @param {{seconds: boolean, permits: boolean, called: (name: string) => string}} options whether an
 *     auction's seconds are shown; whether the program has permits; the name of a program for people
 * @returns {Telling}
 */
export function tell(shown, now, options) {
  const mood = moodOf(shown, now);
  const ready = options.permits ? say("AUCTION: auction a district. BUILD: draw a building permit.") : say("AUCTION: start an auction.");
  const [title, hint] = (MOODS[mood] ?? []).map((text) => text && say(text));
  const telling = { mood, title: title ?? "", detail: "", hint: hint ?? ready, ...digits(shown, now, options.called) };
  const { latest } = shown;
  const ago = latest ? now - latest.ms : 0;
  if (mood === "setup") telling.title = choice(shown, options.called);
  if (mood === "auction") telling.detail = say("Call out your bids! When the light goes out, the highest one wins.");
  if (mood === "sold") telling.title = ago < AGO_MS ? say("Sold!") : say("Sold! ({ago} ago)", { ago: whole(ago) });
  if (mood === "permit") telling.title = say(PERMITS[String(latest?.permit)]);
  if (mood === "ready") telling.title = news(latest, ago) || say("Ready");
  if (mood === "over") {
    telling.title = latest?.event === "time-called" ? say("Time!") : say("The hour is over!");
    if (ago >= AGO_MS) telling.detail = say("{ago} ago", { ago: whole(ago) });
  }
  if (options.seconds && shown.auctionEnds && (mood === "auction" || mood === "warning")) {
    telling.clock = clock(Math.max(0, Math.ceil((shown.auctionEnds - now) / 1000)));
    telling.below = say("left of this auction");
    telling.hint = say("Hold AUCTION to cancel.");
  }
  telling.detail = aside(shown, now) || telling.detail;
  return telling;
}

/** @param {Shown} shown @param {number} now */
function moodOf(shown, now) {
  const state = shown.unit.state;
  if (state !== "ready") return state;
  const latest = shown.latest;
  if (latest?.event === "permit-granted" && shown.lamps.has(`permit-${latest.permit}`)) return "permit";
  return latest?.event === "auction-ended" && now - latest.ms < NEWS_MS ? "sold" : "ready";
}

/** @param {Shown} shown @param {number} now @param {(name: string) => string} called */
function digits(shown, now, called) {
  const { state, hour_ends, clock_ms } = shown.unit;
  const program = called(shown.unit.program);
  if (state === "off" || state === "setup")
    return { clock: clock_ms ? clock(Math.ceil(clock_ms / 1000)) : "", below: program };
  if (hour_ends !== null)
    return { clock: clock(Math.max(0, Math.ceil((hour_ends - now) / 1000))), below: say("left of this game") };
  // The hour has run out, but waits for the end of an auction or a permit.
  return clock_ms ? { clock: clock(0), below: say("left of this game") } : { clock: "", below: program };
}

/** @param {Shown} shown @param {(name: string) => string} called */
function choice(shown, called) {
  const [page, value] = shown.unit.choice ?? ["", ""];
  if (page === "program") return say("Program: {name}", { name: called(String(value)) });
  if (page === "length") return say("Length: {length}", { length: span(Number(value)) });
  return value === 0 ? say("Volume: silent") : say("Volume: {number} of 3", { number: value });
}

/** @param {Line | null} latest @param {number} ago */
function news(latest, ago) {
  if (!latest || ago >= NEWS_MS) return "";
  switch (latest.event) {
    case "auction-cancelled":
      return say("Cancelled");
    case "last-round":
      return say("The last round!");
    case "phase-started":
      if (latest.phase === "deeds") return say("Deal out the deeds");
      if (latest.phase === "play") return say("Play!");
      return say("Phase: {name}", { name: latest.phase ?? "" });
    default:
      return "";
  }
}

/** @param {Shown} shown @param {number} now */
function aside(shown, now) {
  const line = shown.aside;
  if (!line || now - line.ms >= ASIDE_MS) return "";
  if (line.event === "hour-beep") return say("{left} to go", { left: clock(Math.round((line.left_ms ?? 0) / 1000)) });
  const why = REASONS[String(line.why)];
  return why ? say(why) : "";
}

/** @param {number} ms */
const whole = (ms) => clock(Math.floor(ms / 1000));

export const AUCTION = 1;
export const BUILD = 2;
export const SWITCH = 4;

/** @typedef {"press" | "release" | "tap"} Touch */
/** @typedef {(what: Touch, bit: number, stamp: number) => void} Finger */

const KEYS = /** @type {Record<string, number>} */ ({ a: AUCTION, " ": AUCTION, b: BUILD, enter: BUILD });

/** Tracks the fingers on each button; a button is down while any finger is on it. */
export class Fingers {
  /** @param {Finger} act */
  constructor(act) {
    this._act = act;
    this._on = new Map([
      [AUCTION, new Set()],
      [BUILD, new Set()],
    ]);
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

  /**
   * Release all buttons: a finger whose end is never reported would hold AUCTION until it cancels.
   *
   * @param {number} stamp
   */
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

  /** Listen to one button of the page. @param {HTMLElement} element @param {number} bit */
  follow(element, bit) {
    element.addEventListener("pointerdown", (event) => {
      if (event.button > 0) return;
      event.preventDefault();
      element.focus({ preventScroll: true });
      try {
        element.setPointerCapture(event.pointerId);
      } catch {
        // The pointer was lifted already; its end is still reported.
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
      event.preventDefault(); // prevents a click
      event.stopPropagation();
      if (!event.repeat) this.down(bit, `key ${event.code}`, event.timeStamp);
    });
    element.addEventListener("click", (event) => {
      // A screen reader clicks without a pointer; the click of a real finger was counted at its press.
      const pointer = /** @type {PointerEvent} */ (event).pointerType;
      if (event.detail === 0 && !pointer && !this.isDown(bit)) this._act("tap", bit, event.timeStamp);
    });
  }

  /** Listen to the keys that work wherever the focus is. @param {(key: string) => boolean} other handles other keys */
  followKeys(other) {
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey || event.repeat) return;
      const target = /** @type {HTMLElement} */ (event.target);
      const isForButton = (event.key === " " || event.key === "Enter") && target.closest("button, a, summary");
      if (isForButton || document.querySelector("dialog[open]")) return;
      const bit = KEYS[event.key.toLowerCase()];
      if (bit) this.down(bit, `key ${event.code}`, event.timeStamp);
      if (bit || other(event.key.toLowerCase())) event.preventDefault();
    });
  }
}
