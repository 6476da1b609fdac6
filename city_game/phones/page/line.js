// The connection to the table. It reconnects automatically, and repeats unanswered requests.

const SILENCE_MS = 6000; // the table sends a ping at least once a second
const AGAIN_MS = [200, 500, 1000, 2000];

export class Line {
  /**
   * @param {string} address
   * @param {() => Record<string, unknown>} hello returns the first message of each connection
   * @param {(message: any) => void} heard
   * @param {(open: boolean) => void} changed
   */
  constructor(address, hello, heard, changed) {
    this._address = address;
    this._hello = hello;
    this._heard = heard;
    this._changed = changed;
    this._unanswered = new Map();
    this._count = 0;
    this._tries = 0;
    this._heardAt = 0;
    /** @type {WebSocket | null} */
    this._socket = null;
    this._open();
    setInterval(() => this._socket && performance.now() - this._heardAt > SILENCE_MS && this._open(), 1000);
    // After a sleep the connection is dead: reconnect before a finger is there.
    for (const event of ["online", "pageshow", "focus"]) window.addEventListener(event, () => this.wake());
    document.addEventListener("visibilitychange", () => document.hidden || this.wake());
  }

  /**
   * Send a request; until it is answered, each new connection repeats it.
   *
   * @param {Record<string, unknown>} message @param {(why: string) => void} [answered]
   */
  say(message, answered = () => {}) {
    const n = ++this._count;
    const text = JSON.stringify({ n, ...message });
    this._unanswered.set(n, { text, answered });
    if (this._socket?.readyState === WebSocket.OPEN) this._socket.send(text);
  }

  /** Reconnect at once if the connection may be dead. */
  wake() {
    if (!this._socket || performance.now() - this._heardAt > SILENCE_MS / 3) this._open();
  }

  close() {
    this._closed = true;
    this._socket?.close();
  }

  _open() {
    if (this._closed) return;
    if (this._socket) {
      this._socket.onclose = this._socket.onmessage = null;
      this._socket.close();
    }
    this._heardAt = performance.now();
    const socket = (this._socket = new WebSocket(this._address));
    socket.onopen = () => {
      this._tries = 0;
      socket.send(JSON.stringify({ n: 0, say: "hello", ...this._hello() }));
      for (const { text } of this._unanswered.values()) socket.send(text);
      this._changed(true);
    };
    socket.onmessage = (event) => this._take(socket, event.data);
    socket.onclose = () => {
      if (socket !== this._socket) return;
      this._socket = null;
      this._changed(false);
      setTimeout(() => this._socket || this._open(), AGAIN_MS[Math.min(this._tries++, AGAIN_MS.length - 1)]);
    };
  }

  /** @param {WebSocket} socket @param {string} data */
  _take(socket, data) {
    const now = performance.now();
    this._heardAt = now;
    const message = JSON.parse(data);
    if ("ping" in message) socket.send(JSON.stringify({ pong: message.ping, at: now }));
    else if ("done" in message) {
      const waiting = this._unanswered.get(message.done);
      this._unanswered.delete(message.done);
      waiting?.answered(message.why);
    } else this._heard(message);
  }
}
