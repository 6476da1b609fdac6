// A serial port of the browser's as a line, and MicroPython's REPL on it, in its mode for programs:
// scripts go in, what they print comes out.

import { later } from "../page/words.js";
import { seal } from "./city_unit.js";

const BAUD = 115200; // as in city_unit/facts.py; over USB it means nothing

export class Line {
  /** @param {SerialPort} port that is open @param {() => void} lost called when it is gone */
  constructor(port, lost) {
    this._port = port;
    this._lost = lost;
    this._writer = /** @type {WritableStream<Uint8Array>} */ (port.writable).getWriter();
    this._reader = /** @type {ReadableStream<Uint8Array>} */ (port.readable).getReader();
    this._isClosed = false;
    this.hasSpoken = false; // whether anything has come in
    this.heard = (/** @type {string} */ _text) => {}; // each byte is a letter
    this._read();
  }

  /** Open a port; throws what the browser says. @param {SerialPort} port @param {() => void} lost */
  static async open(port, lost) {
    await port.open({ baudRate: BAUD, bufferSize: 8192 });
    return new Line(port, lost);
  }

  /** @param {string} text each letter is a byte */
  async say(text) {
    await this._writer.write(Uint8Array.from(text, (letter) => letter.charCodeAt(0)));
  }

  async close() {
    if (this._isClosed) return;
    this._isClosed = true;
    await this._reader.cancel().catch(() => {});
    this._writer.releaseLock();
    await this._port.close().catch(() => {});
  }

  async _read() {
    try {
      for (let got; !(got = await this._reader.read()).done; ) {
        this.hasSpoken = true;
        this.heard(String.fromCharCode(...got.value));
      }
    } catch {
      // the cable was pulled: that the line is gone is all there is to know
    }
    this._reader.releaseLock();
    if (this._isClosed) return;
    await this.close();
    this._lost();
  }
}

const INTERRUPT = "\r\x03\x03";
const RAW = "\r\x01";
const FRIENDLY = "\r\x02";
const CLEAR = "\x03"; // at a prompt: forget what was typed
const PROMPT = ">>> ";
const END = "\x04"; // of a script, of what it printed, of what it complained of
const BANNER = "raw REPL; CTRL-B to exit\r\n>";
const PIECE = 256; // letters at once, with a pause: a board without flow control has no more room
const PAUSE_MS = 8;
const TRY_MS = 600;
// A unit that talks to a desktop takes a Ctrl-C for noise, and lets go of a silent line after five
// seconds.
const TRIES = 16;
const SILENT_TRIES = 3; // where nothing at all has come in, no unit and no MicroPython is there
const LONGEST_MS = 30_000; // the longest step on a board takes five seconds
// A board that restarts in a step says nothing more of it, and its port may stay. So it is greeted as a
// unit when it is silent: a unit answers, a prompt complains, a step that still runs reads nothing.
const GREETED_MS = 1000;
const GREETINGS = 6; // what is not read fits into the board's buffer
const GREETING = seal("watch 1 page");
const RESTARTED = /\*[0-9a-f]{8}\n|>>> /;

export const SILENT = later("The board does not answer as MicroPython does; close other programs that use it.");

/** A fault on the board or on the way there; its message is a text of the page. */
export class Trouble extends Error {
  /** @param {string} text @param {Record<string, string | number>} [fields] */
  constructor(text, fields = {}) {
    super(text);
    this.fields = fields;
  }
}

export class Repl {
  /** @param {Line} line */
  constructor(line) {
    this._line = line;
    this._text = "";
    this._greetings = 0; // of the step that runs
    this._before = 0; // letters that had come in before the first of them
    this._changed = () => {};
    line.heard = (text) => {
      this._text += text;
      this._changed();
    };
  }

  /** Stop what runs on the board, and start it afresh without it; raises Trouble. */
  async begin() {
    for (let attempt = 0; attempt < TRIES; attempt++) {
      this._text = "";
      await this._line.say(INTERRUPT);
      await wait(100);
      await this._line.say(RAW);
      if (await this._has(BANNER, TRY_MS)) {
        this._text = "";
        await this._line.say(END);
        if (await this._has(BANNER, LONGEST_MS)) return;
        break;
      }
      if (!this._line.hasSpoken && attempt + 1 >= SILENT_TRIES) break;
    }
    throw new Trouble(SILENT);
  }

  /** What the board has in its root, asked at the prompt; null where none is, since something runs. */
  /** @returns {Promise<string[] | null>} */
  async names() {
    await this._line.say(FRIENDLY);
    if (!(await this._has(PROMPT, TRY_MS))) return null;
    this._text = "";
    await this._line.say(RAW);
    if (!(await this._has(BANNER, TRY_MS))) return null;
    this._text = "";
    const names = await this.ask("import json, os\nprint(json.dumps(os.listdir()))");
    await this._line.say(FRIENDLY);
    return names;
  }

  /** Run a script; return what it prints last, read as JSON. @param {string} script */
  async ask(script) {
    const printed = (await this.run(script)).trim().split("\n");
    return printed[printed.length - 1] ? JSON.parse(printed[printed.length - 1]) : null;
  }

  /** Run a script; return what it prints. @param {string} script */
  async run(script) {
    await this.tell(script);
    const [printed, complaint] = [await this._until(END), await this._until(END)];
    await this._until(">");
    if (complaint) {
      const lines = textOf(complaint).trim().split("\n");
      throw new Trouble(later("The board says: {words}"), { words: lines[lines.length - 1].trim() });
    }
    return textOf(printed);
  }

  /** Have a script run, and wait for nothing that it says. @param {string} script */
  async tell(script) {
    if (this._greetings) await this._line.say(CLEAR);
    this._text = "";
    this._greetings = 0;
    const bytes = String.fromCharCode(...new TextEncoder().encode(script));
    for (let at = 0; at < bytes.length; at += PIECE) {
      await this._line.say(bytes.slice(at, at + PIECE));
      await wait(PAUSE_MS);
    }
    await this._line.say(END);
    await this._until("OK");
  }

  /** Take what has come in up to a sign, without it. @param {string} sign */
  async _until(sign) {
    for (let waited = 0; !(await this._has(sign, GREETED_MS)); waited += GREETED_MS) {
      if (this._greetings && RESTARTED.test(this._text.slice(this._before))) throw new Trouble(later("The board has restarted; do it again."));
      if (waited + GREETED_MS >= LONGEST_MS) throw new Trouble(later("The board has stopped answering; close other programs that use it, and do it again."));
      if (!this._greetings) this._before = this._text.length;
      if (this._greetings++ < GREETINGS) await this._line.say(GREETING);
    }
    const at = this._text.indexOf(sign);
    const taken = this._text.slice(0, at);
    this._text = this._text.slice(at + sign.length);
    return taken;
  }

  /** Wait for a sign; return whether it came. @param {string} sign @param {number} ms */
  _has(sign, ms) {
    return new Promise((answer) => {
      const finish = (/** @type {boolean} */ found) => {
        clearTimeout(timer);
        this._changed = () => {};
        answer(found);
      };
      const timer = setTimeout(() => finish(false), ms);
      this._changed = () => this._text.includes(sign) && finish(true);
      this._changed();
    });
  }
}

/** The bytes of a line, as a text of such letters. @param {string} bytes */
function textOf(bytes) {
  return new TextDecoder().decode(Uint8Array.from(bytes, (letter) => letter.charCodeAt(0)));
}

/** @param {number} ms */
export function wait(ms) {
  return new Promise((done) => setTimeout(done, ms));
}
