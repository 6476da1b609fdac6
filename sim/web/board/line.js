// A serial port of the browser's, as a line: what comes in is handed to whoever has it.

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
