// Texts, sums and elements of the page. Data from the table is inserted as text, never as HTML.

// Texts and money, in the language of the page.

/** @type {Record<string, string>} */
let texts = {};
let money = { thousands: "{number}k", millions: "{number}M", mark: ".", group: "," };

/** @param {Record<string, string>} said @param {typeof money} forms @param {string} language */
export function learn(said, forms, language) {
  texts = said;
  money = forms;
  document.documentElement.lang = language;
  for (const element of document.querySelectorAll("[data-say]"))
    element.textContent = say(element.getAttribute("data-say") ?? "");
}

/** @param {string} text in English, with {fields} @param {Record<string, string | number>} [fields] */
export function say(text, fields = {}) {
  return (texts[text] ?? text).replace(/\{(\w+)\}/g, (_, name) => String(fields[name]));
}

/** Format a sum of money. @param {number} notes of 10k */
export function show(notes) {
  const sign = notes < 0 ? "−" : "";
  const size = Math.abs(notes);
  if (!size) return "0";
  if (size < 100) return sign + money.thousands.replace("{number}", String(size * 10));
  const [whole, part] = String(size / 100).split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, money.group);
  return sign + money.millions.replace("{number}", part ? grouped + money.mark + part : grouped);
}

/** Format a time as on a clock, rounded up to seconds. @param {number} ms */
export function clock(ms) {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/**
 * Parse a typed sum into notes of 10k, null if invalid; 0,4 and 0.4 and 400k are the same.
 *
 * @param {string} typed
 */
export function parse(typed) {
  const found = /^(\d{0,5})(?:[.,](\d{0,2})0*)?([km]?)$/i.exec(typed.replace(/[\s\u202f\u00a0]/g, ""));
  if (!found || !(found[1] || found[2])) return null;
  const hundredths = Number(found[1] || 0) * 100 + Number((found[2] ?? "").padEnd(2, "0"));
  if (found[3].toLowerCase() !== "k") return hundredths;
  return hundredths % 1000 ? null : hundredths / 1000;
}

// Elements.

/** @param {string} id */
export function the(id) {
  return /** @type {any} */ (document.getElementById(id));
}

/**
 * @param {string} tag
 * @param {Record<string, any>} [look] properties and attributes; "on" is the click listener
 * @param {...(Node | string | null | undefined | false)} inside
 */
export function make(tag, look = {}, ...inside) {
  const element = /** @type {any} */ (document.createElement(tag));
  if (tag === "button") element.type = "button"; // must not submit a form
  for (const [name, value] of Object.entries(look))
    if (name === "on") element.addEventListener("click", value);
    else if (name === "colour") element.style.setProperty("--colour", value);
    else if (name in element) element[name] = value;
    else element.setAttribute(name, value);
  element.append(...inside.filter((part) => part || part === ""));
  return element;
}

const shown = new WeakMap();

/**
 * Rebuild a part of the page, but only if its facts have changed: a finger may be on it.
 *
 * @param {HTMLElement} place @param {unknown} facts @param {() => (Node | string)[]} fill
 */
export function fill(place, facts, fill) {
  const text = JSON.stringify(facts) + document.documentElement.lang;
  place.hidden = facts === null;
  if (shown.get(place) === text) return;
  shown.set(place, text);
  place.replaceChildren(...(facts === null ? [] : fill()));
}

const MOVED_PX = 4;

/** A button that is disabled until it has not moved for `ms`: before that a finger meant something else. */
export class Steady {
  /** @param {HTMLButtonElement} button @param {number} ms @param {() => void} press */
  constructor(button, ms, press) {
    this._button = button;
    this._ms = ms;
    this._top = NaN;
    this._since = 0;
    button.disabled = true;
    button.addEventListener("click", () => this._look() && press());
    const timer = setInterval(() => (button.isConnected ? this._look() : clearInterval(timer)), 100);
  }

  /** Disable the button for `ms` again. */
  rest() {
    this._top = NaN;
    this._look();
  }

  _look() {
    const now = performance.now();
    const top = this._button.getBoundingClientRect().top;
    if (!(Math.abs(top - this._top) <= MOVED_PX)) this._since = now;
    this._top = top;
    const able = now - this._since >= this._ms;
    if (this._button.disabled === able) this._button.disabled = !able;
    return able;
  }
}

const SHAPES = /** @type {Record<string, string>} */ ({
  circle: "M-1 0a1 1 0 1 0 2 0a1 1 0 1 0-2 0Z",
  square: "M-.8-.8H.8V.8H-.8Z",
  triangle: "M0-.95 .98 .8H-.98Z",
  diamond: "M0-1 1 0 0 1-1 0Z",
  star: "M0-1 .31-.42 .95-.31 .49.16 .59.81 0 .52-.59.81-.49.16-.95-.31-.31-.42Z",
  hexagon: "M1 0 .5.87-.5.87-1 0-.5-.87 .5-.87Z",
});

/** Make an SVG element. @param {string} tag @param {Record<string, string | number>} look @param {...Node} inside */
export function draw(tag, look, ...inside) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(look)) element.setAttribute(name, String(value));
  element.append(...inside);
  return element;
}

/** The outline of a player's shape, of radius 1. @param {{ shape: string }} player */
export function shape(player) {
  return SHAPES[player.shape] ?? SHAPES.circle;
}

/** A player's token; either its colour or its shape is enough to recognise it. @param {{ colour: string, shape: string }} player */
export function token(player) {
  const look = { viewBox: "-1.2 -1.2 2.4 2.4", class: "token", "aria-hidden": "true" };
  return draw("svg", look, draw("path", { d: shape(player), fill: player.colour }));
}

/** A button with a player on it. @param {() => void} on @param {...Node} inside */
export function seat(player, on, ...inside) {
  return make("button", { className: "seat", colour: player.colour, on }, token(player), make("b", {}, player.name), ...inside);
}

/** A bid as text, with its time and the uncertainty of that. */
export function bidWords(bid) {
  const known = { seconds: (bid.since / 1000).toFixed(3).replace(".", money.mark), within: bid.within };
  const time = say("at {seconds} s, give or take {within} ms", known);
  return [say("{name}: {amount}", { name: bid.name, amount: show(bid.amount) }), make("small", {}, time)];
}

/** Read or store a value that survives a reload; a browser may refuse. @param {string} name @param {string} [value] */
export function kept(name, value) {
  try {
    if (value === undefined) return localStorage.getItem(name) ?? "";
    localStorage.setItem(name, value);
  } catch {
    // Not stored: the user has to enter it again.
  }
  return value ?? "";
}

/** Vibrate, if the device can; browsers forbid it before the first touch. @param {number} ms */
export function hum(ms) {
  if (navigator.userActivation?.hasBeenActive !== false) navigator.vibrate?.(ms);
}
