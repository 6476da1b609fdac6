// A browser's serial port as a line of characters, and MicroPython's raw REPL on it, which runs scripts and
// returns their output.

import { later } from "../page/words.js";
import { seal } from "./city_unit.js";

const BAUD = 115200; // as in city_unit/facts.py; without effect over USB

export class Line {
  /** @param {SerialPort} port open @param {() => void} lost called when it disappears */
  constructor(port, lost) {
    this._port = port;
    this._lost = lost;
    this._writer = /** @type {WritableStream<Uint8Array>} */ (port.writable).getWriter();
    this._reader = /** @type {ReadableStream<Uint8Array>} */ (port.readable).getReader();
    this._isClosed = false;
    this.hasSpoken = false; // whether anything was received
    this.heard = (/** @type {string} */ _text) => {}; // receives each byte as a character
    this._read();
  }

  /** Open a port; throws the browser's error. @param {SerialPort} port @param {() => void} lost */
  static async open(port, lost) {
    await port.open({ baudRate: BAUD, bufferSize: 8192 });
    return new Line(port, lost);
  }

  /** @param {string} text one character per byte */
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
      // The cable was pulled; `lost` reports it.
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
const CLEAR = "\x03"; // at a prompt: discard the input
const PROMPT = ">>> ";
const END = "\x04"; // ends a script, its output, and its error output
const BANNER = "raw REPL; CTRL-B to exit\r\n>";
const PIECE = 256; // characters between two pauses: the buffer of a board without flow control
const PAUSE_MS = 8;
const TRY_MS = 600;
// A unit that is connected to a desktop ignores Ctrl-C as noise, and leaves a silent line after five seconds.
const TRIES = 16;
const SILENT_TRIES = 3; // if nothing at all was received, there is neither a unit nor MicroPython
const LONGEST_MS = 30_000; // the longest script takes five seconds
// A board that restarts during a script never finishes its output, and its port may stay open. So a silent
// board is greeted as a unit: a unit answers, a prompt reports an error, a running script ignores it.
const GREETED_MS = 1000;
const GREETINGS = 6; // so many fit into the board's buffer unread
const GREETING = seal("watch 1 page");
const RESTARTED = /\*[0-9a-f]{8}\n|>>> /;

export const SILENT = later("The board does not answer like MicroPython: close other programs that use it.");

/** An error on the board or on the way there; its message is a text of the page. */
export class BoardError extends Error {
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
    this._greetings = 0; // sent during the current script
    this._before = 0; // length of the input before the first greeting
    this._changed = () => {};
    line.heard = (text) => {
      this._text += text;
      this._changed();
    };
  }

  /** Stop the program on the board and soft-reset it without starting main.py; throws BoardError. */
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
    throw new BoardError(SILENT);
  }

  /**
   * List the board's root folder; null if there is no prompt, since a program is running.
   *
   * @returns {Promise<string[] | null>}
   */
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

  /** Run a script; return the last line of its output, parsed as JSON. @param {string} script */
  async ask(script) {
    const printed = (await this.run(script)).trim().split("\n");
    return printed[printed.length - 1] ? JSON.parse(printed[printed.length - 1]) : null;
  }

  /** Run a script; return its output. @param {string} script */
  async run(script) {
    await this.tell(script);
    const [printed, complaint] = [await this._until(END), await this._until(END)];
    await this._until(">");
    if (complaint) {
      const lines = textOf(complaint).trim().split("\n");
      throw new BoardError(later("The board reports: {words}"), { words: lines[lines.length - 1].trim() });
    }
    return textOf(printed);
  }

  /** Start a script without waiting for its output. @param {string} script */
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

  /** Consume the input up to a delimiter; return it without the delimiter. @param {string} sign */
  async _until(sign) {
    for (let waited = 0; !(await this._has(sign, GREETED_MS)); waited += GREETED_MS) {
      if (this._greetings && RESTARTED.test(this._text.slice(this._before))) throw new BoardError(later("The board has restarted: try again."));
      if (waited + GREETED_MS >= LONGEST_MS) throw new BoardError(later("The board no longer answers: close other programs that use it, and try again."));
      if (!this._greetings) this._before = this._text.length;
      if (this._greetings++ < GREETINGS) await this._line.say(GREETING);
    }
    const at = this._text.indexOf(sign);
    const taken = this._text.slice(0, at);
    this._text = this._text.slice(at + sign.length);
    return taken;
  }

  /** Wait for a delimiter; return whether it arrived in time. @param {string} sign @param {number} ms */
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

/** Decode UTF-8. @param {string} bytes one character per byte */
function textOf(bytes) {
  return new TextDecoder().decode(Uint8Array.from(bytes, (letter) => letter.charCodeAt(0)));
}

/** @param {number} ms */
export function wait(ms) {
  return new Promise((done) => setTimeout(done, ms));
}
