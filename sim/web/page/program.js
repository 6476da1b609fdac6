// A program of the person's own: the same files as the desktop's, read by the same rules.
//
// Of TOML it knows what such a file can have: texts, whole numbers, lists, tables, inline tables.

/** @typedef {import("./types").Program} Program */

/** @typedef {{at: number, value: any}} Item a value, and the line that it is on */
/** @typedef {Map<string, Item>} Table */

/** A mistake in a file. */
export class Mistake extends Error {
  /** @param {string} text in English, with {fields} @param {number} line @param {Record<string, string>} fields */
  constructor(text, line, fields = {}) {
    super(text);
    this.line = line;
    this.fields = fields;
  }
}

const LARGEST = 100_000; // characters of a file

/** Read TOML. @param {string} text @returns {Table} */
export function toml(text) {
  const reader = new Reader(text);
  const root = /** @type {Table} */ (new Map());
  let table = root;
  let headed = new Set();
  while (reader.skip(true)) {
    if (reader.peek("[")) {
      const many = reader.peek("[[");
      const line = reader.line;
      reader.take(many ? "[[" : "[");
      const path = reader.path();
      reader.take(many ? "]]" : "]");
      table = open(root, path, many, line, headed);
    } else {
      reader.pair(table);
    }
    reader.endOfLine();
  }
  return root;
}

/** @param {Table} root @param {string[]} path @param {boolean} many @param {number} line @param {Set<Table>} headed */
function open(root, path, many, line, headed) {
  let table = root;
  path.forEach((key, depth) => {
    const last = depth === path.length - 1;
    const found = table.get(key);
    if (last && many) {
      if (found && !(Array.isArray(found.value) && found.value.every((item) => item.value instanceof Map)))
        throw new Mistake("{key} is there twice", line, { key });
      const next = /** @type {Table} */ (new Map());
      if (found) found.value.push({ at: line, value: next });
      else table.set(key, { at: line, value: [{ at: line, value: next }] });
      table = next;
      return;
    }
    let next = found?.value;
    if (Array.isArray(next)) next = next[next.length - 1].value;
    if (next === undefined) table.set(key, { at: line, value: (next = new Map()) });
    if (!(next instanceof Map) || (last && headed.has(next)))
      throw new Mistake("{key} is there twice", line, { key });
    table = next;
  });
  if (!many) headed.add(table);
  return table;
}

const ESCAPES = /** @type {Record<string, string>} */ ({ b: "\b", t: "\t", n: "\n", f: "\f", r: "\r", '"': '"', "\\": "\\" });

class Reader {
  /** @param {string} text */
  constructor(text) {
    this._text = text.replace(/^\uFEFF/, "").replace(/\r\n/g, "\n");
    this._place = 0;
    this.line = 1;
    if (text.length > LARGEST) throw new Mistake("the file is too long", 1);
  }

  /** @param {string} what */
  peek(what) {
    return this._text.startsWith(what, this._place);
  }

  /** @param {string} what */
  take(what) {
    this.skip(false);
    if (!this.peek(what)) throw new Mistake('"{what}" is missing', this.line, { what });
    this._place += what.length;
  }

  /** Skip blanks and comments, and ends of lines if `lines`; return whether there is more. */
  /** @param {boolean} lines */
  skip(lines) {
    for (; this._place < this._text.length; this._place++) {
      const letter = this._text[this._place];
      if (letter === "#") {
        while (this._place + 1 < this._text.length && this._text[this._place + 1] !== "\n") this._place++;
      } else if (letter === "\n" && lines) this.line++;
      else if (letter !== " " && letter !== "\t") break;
    }
    return this._place < this._text.length;
  }

  endOfLine() {
    if (this.skip(false) && !this.peek("\n")) throw new Mistake("this is no valid TOML", this.line);
  }

  /** @param {RegExp} pattern sticky */
  _match(pattern) {
    pattern.lastIndex = this._place;
    const found = pattern.exec(this._text);
    if (found) this._place += found[0].length;
    return found;
  }

  path() {
    const path = [this.key()];
    while (this.skip(false) && this.peek(".")) {
      this.take(".");
      path.push(this.key());
    }
    return path;
  }

  key() {
    this.skip(false);
    if (this.peek('"') || this.peek("'")) return this.string();
    const found = this._match(/[A-Za-z0-9_-]+/y);
    if (!found) throw new Mistake("this is no valid TOML", this.line);
    return found[0];
  }

  /** @param {Table} table */
  pair(table) {
    const line = this.line;
    const path = this.path();
    this.take("=");
    this.skip(false);
    const value = this.value();
    let inner = table;
    for (const key of path.slice(0, -1)) {
      if (!inner.has(key)) inner.set(key, { at: line, value: new Map() });
      inner = inner.get(key)?.value;
      if (!(inner instanceof Map)) throw new Mistake("{key} is there twice", line, { key });
    }
    const key = path[path.length - 1];
    if (inner.has(key)) throw new Mistake("{key} is there twice", line, { key });
    inner.set(key, { at: line, value });
  }

  /** @returns {any} */
  value() {
    if (this.peek('"') || this.peek("'")) return this.string();
    if (this.peek("[")) return this.list();
    if (this.peek("{")) return this.inline();
    const word = this._match(/[A-Za-z0-9_+.:-]+/y)?.[0] ?? "";
    if (word === "true" || word === "false") return word === "true";
    if (/^[+-]?(0|[1-9](_?\d)*)$/.test(word)) return Number(word.replace(/_/g, ""));
    if (/^[+-]?(0|[1-9](_?\d)*)(\.\d(_?\d)*)?([eE][+-]?\d+)?$/.test(word)) return { number: word };
    throw new Mistake("this is no valid TOML", this.line);
  }

  string() {
    const quote = this._text[this._place];
    if (this.peek(quote.repeat(3))) throw new Mistake("a text must be on one line", this.line);
    const found = this._match(quote === '"' ? /"((?:\\.|[^"\\\n])*)"/y : /'([^'\n]*)'/y);
    if (!found) throw new Mistake("a quotation mark is missing", this.line);
    if (quote === "'") return found[1];
    return found[1].replace(/\\(u[0-9a-fA-F]{4}|.)/g, (_, code) => {
      if (code.length === 5) return String.fromCharCode(parseInt(code.slice(1), 16));
      if (!(code in ESCAPES)) throw new Mistake("this is no valid TOML", this.line);
      return ESCAPES[code];
    });
  }

  list() {
    const items = /** @type {Item[]} */ ([]);
    this.take("[");
    while (this.skip(true) && !this.peek("]")) {
      items.push({ at: this.line, value: this.value() });
      this.skip(true);
      if (!this.peek(",")) break;
      this.take(",");
    }
    this.take("]");
    return items;
  }

  inline() {
    const table = /** @type {Table} */ (new Map());
    this.take("{");
    while (this.skip(false) && !this.peek("}")) {
      this.pair(table);
      this.skip(false);
      if (!this.peek(",")) break;
      this.take(",");
    }
    this.take("}");
    return table;
  }
}

// What a program may say, as in sim/engine/program_file.py.

const UNITS = /** @type {Record<string, number>} */ ({ ms: 1, s: 1000, min: 60_000, h: 3_600_000 });
const DAY_MS = 24 * UNITS.h;
const LONGEST_NAME = 20;
const LONGEST_TITLE = 40;
const NAME = /^[a-z][a-z0-9-]{0,19}$/;
const ENDS = ["hour-ended", "time-called"];
const MARKS = ["hour-beep", "phase-started", "last-round", ...ENDS];
const RANKS = /** @type {Record<string, number>} */ ({ tick: 1, beep: 2, signal: 3, moment: 4 });

/** @typedef {(item: Item) => any} Taker */

/** @param {Item} item */
function time(item) {
  const found = typeof item.value === "string" && /^\s*(\d+)(?:\.(\d{1,9}))?\s*([a-z]*)\s*$/.exec(item.value);
  if (!found || !(found[3] in UNITS))
    throw new Mistake('"{value}" is no time; write one like "45 s"', item.at, { value: shown(item.value) });
  const fraction = found[2] ?? "";
  const parts = BigInt(found[1] + fraction) * BigInt(UNITS[found[3]]);
  const scale = 10n ** BigInt(fraction.length);
  if (parts % scale)
    throw new Mistake("{value} is no whole number of milliseconds", item.at, { value: shown(item.value) });
  return Number(parts / scale);
}

/** @param {number} least @param {number} most @param {Taker} [taker] @returns {Taker} */
function within(least, most, taker = time) {
  return (item) => {
    const value = taker(item);
    if (!(value >= least && value <= most))
      throw new Mistake("{value} is too little or too much", item.at, { value: shown(item.value) });
    return value;
  };
}

/** @param {Item} item */
function integer(item) {
  if (typeof item.value !== "number")
    throw new Mistake("{value} is no whole number", item.at, { value: shown(item.value) });
  return item.value;
}

/** @param {Taker} taker @param {number} least @param {number} most @returns {Taker} */
function listOf(taker, least, most) {
  return (item) => {
    if (!Array.isArray(item.value) || item.value.length < least || item.value.length > most)
      throw new Mistake("this is no list of the right length", item.at);
    return item.value.map(taker);
  };
}

/** @param {Item} item */
function name(item) {
  if (typeof item.value !== "string" || !NAME.test(item.value))
    throw new Mistake('"{value}" is no name; use up to 20 of a-z, 0-9 and -', item.at, { value: shown(item.value) });
  return item.value;
}

/** What people call a program: one line that can be seen, in any script. @param {Item} item */
function title(item) {
  const value = typeof item.value === "string" ? item.value.normalize("NFC") : "";
  if (!/^(?:[^\p{C}\p{Z}]| )*$/u.test(value) || !/[\p{L}\p{N}]/u.test(value))
    throw new Mistake('"{value}" is no name; it needs letters', item.at, { value: shown(item.value) });
  if ([...value].length > LONGEST_TITLE || value !== value.trim())
    throw new Mistake('"{value}" is no name; use up to {longest} letters, without blanks around them', item.at, {
      value,
      longest: String(LONGEST_TITLE),
    });
  return value;
}

/** What a program of a title is called in the unit, as in sim/engine/program_name.py. */
/** @param {string} title */
function plainName(title) {
  const base = title.toLowerCase().replaceAll("ß", "ss").normalize("NFKD").replace(/\p{Mn}/gu, "");
  const plain = base.replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "");
  const cut = plain.slice(0, LONGEST_NAME).replace(/-+$/, "");
  if (/^[\0-\x7f]*$/.test(base) && NAME.test(cut)) return cut;
  const number = `-${crc(title)}`;
  const start = NAME.test(plain.slice(0, 1)) ? plain : "program";
  return start.slice(0, LONGEST_NAME - number.length).replace(/-+$/, "") + number;
}

/** The checksum of a text, as Python's zlib.crc32 makes it of its bytes. @param {string} text */
function crc(text) {
  let sum = ~0;
  for (const byte of new TextEncoder().encode(text)) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  }
  return (~sum >>> 0).toString(16).padStart(8, "0");
}

/** @param {string[]} words @returns {Taker} */
function choice(words) {
  return (item) => {
    if (!words.includes(item.value))
      throw new Mistake('"{value}" is unknown here', item.at, { value: shown(item.value) });
    return item.value;
  };
}

/** @param {any} value */
function shown(value) {
  return typeof value === "object" ? "..." : String(value);
}

const moment = within(20, 3_600_000);
const game = within(1, DAY_MS);

/** @param {Item} item */
function auction(item) {
  const lengths = Array.isArray(item.value) ? listOf(moment, 2, 2)(item) : [moment(item), moment(item)];
  if (lengths[0] > lengths[1]) throw new Mistake("the shortest auction comes first", item.at);
  return lengths;
}

const VALUES = /** @type {Record<string, [string, Taker]>} */ ({
  auction: ["auction_ms", auction],
  clock: ["clock_ms", within(0, DAY_MS)],
  clock_choices: ["clock_choices_ms", listOf(game, 1, 10)],
  warning: ["warning_ms", within(0, 3_600_000)],
  cancel_hold: ["cancel_hold_ms", moment],
  slow_flash: ["slow_ms", moment],
  fast_flash: ["fast_ms", moment],
  odds: ["odds", listOf(within(0, 1000, integer), 4, 4)],
  permit_hops: ["permit_hops_ms", listOf(moment, 1, 100)],
  permit_shown: ["permit_shown_ms", moment],
});

/** @typedef {import("./types").Facts} Facts */

/** Make a program of a file's text. @param {string} text @param {Facts} facts @returns {Program} */
export function read(text, facts) {
  const table = toml(text);
  const written = required(table, "name", title, 1);
  const isPlain = NAME.test(written);
  const program = /** @type {Program} */ ({ name: isPlain ? written : plainName(written) });
  const given = table.get("title");
  const called = given ? title(given) : isPlain ? "" : written;
  program.title = called === program.name ? "" : called;
  for (const [key, [attribute, taker]] of Object.entries(VALUES)) {
    const item = table.get(key);
    if (item) program[attribute] = taker(item);
  }
  if (table.has("cues")) program.cues = cues(table.get("cues"), facts);
  program.marks = marks(table.get("marks"));
  finish(table, ["name", "title", "cues", "marks", ...Object.keys(VALUES)]);
  check(table, { ...facts.defaults, ...program });
  return program;
}

/** @param {Table} table @param {string} key @param {Taker} taker @param {number} line */
function required(table, key, taker, line) {
  const item = table.get(key);
  if (!item) throw new Mistake('"{key}" is missing', line, { key });
  return taker(item);
}

/** @param {Table} table @param {string[]} known */
function finish(table, known) {
  for (const [key, item] of table)
    if (!known.includes(key)) throw new Mistake('unknown key "{key}"', item.at, { key });
}

/** @param {Item | undefined} item */
function marks(item) {
  if (!item) return [];
  if (!Array.isArray(item.value) || item.value.some((mark) => !(mark.value instanceof Map)))
    throw new Mistake("write each mark as a table of its own, [[marks]]", item.at);
  const spans = [];
  let latest = DAY_MS + 1;
  for (const { at, value: mark } of item.value) {
    const kind = required(mark, "tell", choice(MARKS), at);
    const first = required(mark, "left", time, at);
    const every = mark.has("every") ? game(mark.get("every")) : 0;
    const last = every ? required(mark, "until", time, at) : 0;
    const label = mark.has("phase") ? name(mark.get("phase")) : "";
    finish(mark, ["tell", "left", "every", "phase", ...(every ? ["until"] : [])]);
    if (first >= latest) throw new Mistake("marks stand in order of time, the earliest first", at);
    if (last > first) throw new Mistake('"until" must leave less than "left"', at);
    if (ENDS.includes(kind) !== (first === 0))
      throw new Mistake("only an end leaves nothing, and an end leaves nothing", at);
    latest = every ? last : first;
    spans.push([kind, first, last, every, label]);
  }
  if (spans.length && !ENDS.includes(String(spans[spans.length - 1][0])))
    throw new Mistake("the last mark must be an end", item.at);
  return spans;
}

/** @param {Item | undefined} item @param {Facts} facts */
function cues(item, facts) {
  if (!(item?.value instanceof Map)) throw new Mistake("write the sounds as a table, [cues]", item?.at ?? 1);
  const made = { ...facts.cues };
  for (const [event, { at, value: cue }] of item.value) {
    if (!(event in facts.cues)) throw new Mistake('unknown key "{key}"', at, { key: event });
    if (!(cue instanceof Map)) throw new Mistake("a sound has a rank and notes", at);
    const rank = RANKS[required(cue, "rank", choice(Object.keys(RANKS)), at)];
    const notes = required(cue, "play", listOf(note, 1, 40), at);
    finish(cue, ["rank", "play"]);
    made[event] = [rank, ...notes.flat()];
  }
  return made;
}

/** @param {Item} item */
function note(item) {
  const found = typeof item.value === "string" && /^(\d+) Hz (\d+) ms$/.exec(item.value);
  if (!found || Number(found[1]) > 10_000 || Number(found[2]) < 1 || Number(found[2]) > 10_000)
    throw new Mistake('"{value}" is no note; write "2700 Hz 400 ms"', item.at, { value: shown(item.value) });
  return [Number(found[1]), Number(found[2])];
}

/** @param {Table} table @param {any} program */
function check(table, program) {
  const at = (/** @type {string} */ key) => table.get(key)?.at ?? 1;
  if (Boolean(program.clock_ms) !== Boolean(program.marks.length))
    throw new Mistake("a clock needs marks, and marks need a clock", at("clock"));
  if (program.clock_choices_ms.length && !program.clock_choices_ms.includes(program.clock_ms))
    throw new Mistake("the clock itself must be one of its choices", at("clock_choices"));
  if (program.warning_ms >= program.auction_ms[0])
    throw new Mistake("the warning must be shorter than the shortest auction", at("warning"));
  if (program.odds.length && !program.odds.some((/** @type {number} */ odds) => odds > 0))
    throw new Mistake("at least one permit must be possible", at("odds"));
}
