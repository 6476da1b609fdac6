// The elements of a page: found, and made.

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
