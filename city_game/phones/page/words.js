// Texts and money, in the language that the table was asked for.

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

/** Notes of 10k as people write them. @param {number} notes */
export function show(notes) {
  const sign = notes < 0 ? "−" : "";
  const size = Math.abs(notes);
  if (!size) return "0";
  if (size < 100) return sign + money.thousands.replace("{number}", String(size * 10));
  const [whole, part] = String(size / 100).split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, money.group);
  return sign + money.millions.replace("{number}", part ? grouped + money.mark + part : grouped);
}

/** A time as on a clock, a begun second as a whole one. @param {number} ms */
export function clock(ms) {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** A number as this language writes it. @param {number} value @param {number} places */
export function decimal(value, places) {
  return value.toFixed(places).replace(".", money.mark);
}

/**
 * A typed sum, in notes of 10k: 0,4 and 0.4 and 400k are the same; null if it is no sum.
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
