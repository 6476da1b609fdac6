// Texts for people, and the elements of a page that show them. English stands where a text is used, and
// is the key of every other language.

import { LANGUAGES } from "./languages.js";

/** @param {string} selector @returns {HTMLElement} */
export function find(selector) {
  const element = document.querySelector(selector);
  if (!element) throw new Error(`there is no ${selector}`);
  return /** @type {HTMLElement} */ (element);
}

/**
 * @template {keyof HTMLElementTagNameMap} Tag @param {Tag} tag
 * @param {Record<string, unknown>} values its properties, and attributes for screen readers @param {(Node | string)[]} inside
 */
export function make(tag, values, ...inside) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(values))
    if (/^role$|-/.test(name)) element.setAttribute(name, String(value));
    else Object.assign(element, { [name]: value });
  element.append(...inside);
  return element;
}

/** @param {string} tag of SVG @param {Record<string, string | number>} values its attributes */
export function shape(tag, values) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(values)) element.setAttribute(name, String(value));
  return element;
}

let table = /** @type {Record<string, string>} */ ({});
let asked = 0; // how often a language was asked for: the last one counts, whichever comes first

/** Choose a language; "" is the browser's own, as far as it is known. */
/** @param {string} language @param {string} [page] the beginning of the names of its texts */
export async function speak(language, page = "") {
  const turn = ++asked;
  const tags = language ? [language] : navigator.languages;
  const code = tags.map((tag) => tag.slice(0, 2)).find((tag) => tag in LANGUAGES) ?? "en";
  // Where there is no network and nothing kept, English is better than silence.
  const load = async () => (await fetch(`${page}${code}.json`)).json();
  const texts = code === "en" ? {} : await load().catch(() => ({}));
  if (turn !== asked) return;
  table = texts;
  document.documentElement.lang = code;
  const manifest = `${code === "en" ? "manifest" : code}.webmanifest`; // for its installation
  document.querySelector("link[rel=manifest]")?.setAttribute("href", manifest);
  document.querySelectorAll("[data-say]").forEach((element) => {
    element.textContent = say(String(element.getAttribute("data-say")));
    if (element instanceof SVGTextElement) fit(element);
  });
  document.querySelectorAll("[data-label]").forEach((element) => {
    element.setAttribute("aria-label", say(String(element.getAttribute("data-label"))));
  });
}

/** All texts of the language of the page, by English. */
export const texts = () => table;

const LETTER = 0.7; // how wide a capital is in most fonts, as a part of its height

/** Write a label of the disc no wider than its room, in any language and font. */
/** @param {SVGTextElement} label */
function fit(label) {
  const { room, size } = label.dataset;
  const wide = (label.textContent ?? "").length * LETTER * Number(size);
  const part = Math.min(1, Number(room) / wide);
  label.setAttribute("font-size", String(Number(size) * part));
  label.setAttribute("textLength", String(wide * part));
}

/** Mark a text that is said later, by its key. @param {string} text */
export const later = (text) => text;

/**
 * Say it in the language of the page.
 *
 * @param {string} text in English, with {fields}
 * @param {Record<string, string | number>} [fields]
 */
export function say(text, fields = {}) {
  return (table[text] ?? text).replace(/\{(\w+)\}/g, (_, name) => String(fields[name]));
}

/** A number as the language of the page sets it. @param {number} value @param {number} [places] as many as it takes, at most 3, unless told */
export function number(value, places) {
  const digits = { minimumFractionDigits: places, maximumFractionDigits: places ?? 3, useGrouping: false };
  return value.toLocaleString(document.documentElement.lang, digits);
}

/** How long something is, in the longest unit that is exact: "50 s", "90 min". @param {number} ms */
export function span(ms) {
  return ms % 60_000 ? `${number(ms / 1000)}\u00a0s` : `${ms / 60_000}\u00a0min`;
}

/** How long something is, as on a clock: "0:06", "4:05", "1:00:00". @param {number} seconds */
export function clock(seconds) {
  const two = (/** @type {number} */ part) => String(part).padStart(2, "0");
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}:${two(seconds % 60)}`;
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`;
}
