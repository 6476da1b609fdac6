// Texts for people, and the elements of a page that show them. The English text stands where it is used,
// and is the key of its translations.

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
let requests = 0; // for a language; only the latest counts, whichever arrives first

/**
 * Switch the page to a language; "" is the browser's, if available, else English.
 *
 * @param {string} language @param {string} [page] the prefix of its files of texts
 */
export async function speak(language, page = "") {
  const turn = ++requests;
  const tags = language ? [language] : navigator.languages;
  const code = tags.map((tag) => tag.slice(0, 2)).find((tag) => tag in LANGUAGES) ?? "en";
  // Fall back to English where there is neither a network nor a cached file.
  const load = async () => (await fetch(`${page}${code}.json`)).json();
  const texts = code === "en" ? {} : await load().catch(() => ({}));
  if (turn !== requests) return;
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

/** All translations into the language of the page, by the English text. */
export const texts = () => table;

const LETTER = 0.7; // width of a capital in most fonts, relative to the font size

/** Fit a label of the disc into its room, in any language and font. @param {SVGTextElement} label */
function fit(label) {
  const { room, size } = label.dataset;
  const wide = (label.textContent ?? "").length * LETTER * Number(size);
  const part = Math.min(1, Number(room) / wide);
  label.setAttribute("font-size", String(Number(size) * part));
  label.setAttribute("textLength", String(wide * part));
}

/** Mark a text that `say` will translate later. @param {string} text */
export const later = (text) => text;

/**
 * Translate a text into the language of the page.
 *
 * @param {string} text in English, with {fields}
 * @param {Record<string, string | number>} [fields]
 */
export function say(text, fields = {}) {
  return (table[text] ?? text).replace(/\{(\w+)\}/g, (_, name) => String(fields[name]));
}

/** Format a number for the language of the page. @param {number} value @param {number} [places] decimals; by default as many as needed, at most 3 */
export function number(value, places) {
  const digits = { minimumFractionDigits: places, maximumFractionDigits: places ?? 3, useGrouping: false };
  return value.toLocaleString(document.documentElement.lang, digits);
}

/** Format a length in the largest exact unit: "50 s", "90 min". @param {number} ms */
export function span(ms) {
  return ms % 60_000 ? `${number(ms / 1000)}\u00a0s` : `${ms / 60_000}\u00a0min`;
}

/** Format a length as on a clock: "0:06", "4:05", "1:00:00". @param {number} seconds */
export function clock(seconds) {
  const two = (/** @type {number} */ part) => String(part).padStart(2, "0");
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}:${two(seconds % 60)}`;
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`;
}
