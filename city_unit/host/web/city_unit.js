// A client of a City Unit for browsers and Node, over WebSocket (`city-unit serve`) or Web Serial.
// docs/protocol.md specifies the protocol; tests/city_unit/vectors/link.toml tests this file too.
//
//     import { CityUnit } from "./city_unit.js";
//     const unit = CityUnit.connect("ws://127.0.0.1:7008/SECRET/NAME");
//     unit.on("auction-ended", (event) => console.log(event.ms));
//     unit.on("connected", () => unit.send("tap auction"));
//
// Events: "connected", "disconnected", "restarted", "missed", "state" (a snapshot),
// "edge", each event of the unit by its kind, and all of them as "event". Times are ms of the unit.

const GREET_MS = 250, REPEAT_MS = 150, PING_MS = 1000, SILENCE_MS = 3500, ANSWER_MS = 2000;
const STALE_MS = 10000, STEP_MS = 50, TAKEN_OVER = "the unit was restarted or taken over";
const uptime = () => performance.now();
const STATE = ["ms", "state", "program", "clock_ms", "clock_left_ms", "auction_left_ms", "lamps",
  "tone", "volume", "events"];
const EDGE = ["number", "due_ms", "what", "value", "done_us"];
const FIELDS = {
  "switched-on": ["program"], "auction-started": ["length_ms"], "auction-warning": ["left_ms"],
  "permit-granted": ["permit"], "hour-beep": ["left_ms"], "phase-started": ["phase"],
  "last-round": ["left_ms"], refused: ["what", "why"],
};
const WORDS = ["state", "program", "what", "permit", "phase", "why"]; // the rest are numbers

function crc(text) {
  let sum = ~0;
  for (const letter of text) {
    sum ^= letter.charCodeAt(0);
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return (~sum >>> 0).toString(16).padStart(8, "0");
}

// Make a line of a text; return the text of a line, "" if it is not a valid frame.
export const seal = (text) => `${text}*${crc(text)}\n`;
export function unseal(line) {
  const text = line.slice(0, -9);
  return /^[ -~]{10,127}$/.test(line) && seal(text) === line + "\n" ? text : "";
}

const number = (word) => (/^\d{1,10}$/.test(word) && word < 2 ** 30 ? Number(word) : -1);
const named = (names, words) => Object.fromEntries(words.slice(0, names.length).map(
  (word, at) => [names[at], WORDS.includes(names[at]) ? word : number(word)]));

export class CityUnit {
  // `say` sends a line; `watch`: only observe; `history`: start with all stored events; `after`:
  // [boot, number] of the last event received, to continue after it; `clock` returns ms.
  constructor(say, { watch = false, history = false, after = null, clock = uptime } = {}) {
    Object.assign(this, { clock, after, online: false, snapshot: null, about: null, replay: null });
    this.say = (text) => say(seal(text));
    this.client = `c${Math.random().toString(36).slice(2, 12)}`;
    this.greeting = watch ? "watch" : "hello";
    this.calls = new Map();
    this.requests = []; // the first is in flight
    this.replaysBoots = history || after !== null; // whether to request events of earlier boots
    this.boot = after?.[0];
    this.next = after ? after[1] + 1 : history ? 0 : null; // the number of the next event
    this.previous = new Map(); // boots: until when to ignore their greetings, and their next event
    this.tag = this.rest = "";
    this.sequence = this.pings = this.greetAt = this.pingAt = this.askAt = 0;
  }

  static connect(address, options) {
    let socket = null;
    const unit = new CityUnit((line) => socket.readyState === 1 && socket.send(line), options);
    const open = () => {
      if (unit.isClosed) return;
      socket = new WebSocket(address);
      socket.onopen = () => unit.opened();
      socket.onmessage = (message) => unit.receive(message.data);
      socket.onclose = () => { unit.lost("the connection is lost"); setTimeout(open, 2 * GREET_MS); };
    };
    open();
    return unit.driven(() => socket.close());
  }

  // Connect to a board at `port`, or at the serial port that the person chooses; call it from a
  // click then (Chrome, Edge).
  static async serial({ port = null, ...options } = {}) {
    port ??= await navigator.serial.requestPort();
    await port.open({ baudRate: 115200 });
    const writer = port.writable.getWriter(), reader = port.readable.getReader();
    const bytes = new TextEncoder(), text = new TextDecoder("latin1"), gone = () => {};
    const unit = new CityUnit((line) => writer.write(bytes.encode(line)).catch(gone), options);
    const read = async () => {
      for (let got; !(got = await reader.read()).done;) unit.receive(text.decode(got.value));
    };
    const end = () => {
      unit.lost("the connection is lost");
      reader.releaseLock();
      writer.releaseLock();
      return port.close();
    };
    unit.opened();
    read().catch(gone).then(end).catch(gone);
    return unit.driven(() => reader.cancel().catch(gone));
  }

  // Step by a timer until `close`, which calls `hangUp` to end the connection.
  driven(hangUp) {
    return Object.assign(this, { hangUp, timer: setInterval(() => this.step(), STEP_MS) });
  }

  on(what, call) { this.calls.set(what, [...(this.calls.get(what) ?? []), call]); }
  off(what, call) { this.calls.set(what, this.calls.get(what).filter((other) => other !== call)); }
  tell(what, news) {
    const later = (error) => setTimeout(() => { throw error; }); // after all other calls
    for (const call of this.calls.get(what) ?? [])
      try { call(news); } catch (error) { later(error); }
  }

  // Send a command: resolves to the answer, rejects if it was refused or not answered.
  // `why` of the error is the reason of a refusal.
  send(text, timeout = ANSWER_MS) {
    return new Promise((resolve, reject) => {
      const request = { text, resolve, reject, expires: this.clock() + timeout, repeatAt: 0 };
      this.requests.push(request);
      if (this.isClosed) this.fail(request, "closed");
      this.step();
    });
  }

  close() {
    if (this.isClosed) return;
    this.isClosed = true;
    clearInterval(this.timer);
    if (this.online) this.say(`bye ${this.tag}`);
    this.lost("closed");
    for (const request of [...this.requests]) this.fail(request, "closed");
    this.hangUp?.();
  }

  opened() {
    Object.assign(this, { isOpen: true, rest: "", greetAt: 0 });
    this.previous.forEach((boot) => { boot.until = 0; }); // a new connection has no late greetings
    this.step();
  }

  lost(why) { this.isOpen = false; this.offline(why); }
  offline(why) {
    if (!this.online) return;
    Object.assign(this, { online: false, greetAt: 0 });
    this.tell("disconnected", { why });
  }

  // Return whether a periodic action is due; if so, schedule the next one.
  isDue(what, every) {
    const now = this.clock();
    if (now < this[what]) return false;
    this[what] = now + every;
    return true;
  }

  step() {
    const now = this.clock();
    const late = this.requests.filter((request) => now >= request.expires);
    for (const request of late) this.fail(request, "timed out");
    if (this.online && now - this.heardAt >= SILENCE_MS) this.offline("the unit no longer answers");
    if (!this.isOpen) return;
    if (!this.online) {
      if (this.isDue("greetAt", GREET_MS)) this.say(`${this.greeting} 1 ${this.client}`);
      return;
    }
    if (this.isDue("pingAt", PING_MS)) this.say(`ping ${this.tag} ${++this.pings}`);
    const [request] = this.requests;
    if (!request || now < request.repeatAt) return;
    request.sequence ??= ++this.sequence;
    request.repeatAt = now + REPEAT_MS;
    this.say(`do ${this.tag} ${request.sequence} ${request.text}`);
  }

  fail(request, why) {
    this.requests.splice(this.requests.indexOf(request), 1);
    const known = request.sequence ? "the unit may have run it or not" : "it was never sent";
    request.reject(new Error(`no answer to "${request.text}" (${why}); ${known}`));
  }

  receive(data) {
    const lines = (this.rest + data).split(/[\r\n]/);
    this.rest = lines.pop().slice(0, 128);
    for (const line of lines) this.read(...unseal(line).split(" "));
    this.step();
  }

  read(what, tag, ...words) {
    if (what === "welcome") return this.welcome(tag, ...words);
    if (!tag || tag !== this.tag || !(this.online || what === "state")) return;
    this.heardAt = this.clock();
    if (what === "state") this.state(named(STATE, words));
    else if (what === "done" || what === "refused") this.answer(what, ...words);
    else if (what === "stranger") this.offline(TAKEN_OVER);
    else if (what === "edge") this.tell("edge", named(EDGE, words));
    else if (!this.replay) this.follow(what, number(words[what === "pong" ? 2 : 0]), words);
  }

  // Handle the lines about events of the current boot, in order.
  follow(what, next, words) {
    if (what === "gone") this.next = this.missing(this.next, next);
    else if (what === "event" && next === this.next) this.next = this.event(this.boot, words);
    else if (next > this.next && (what === "event" || what === "pong")) this.askSince();
  }

  welcome(client, tag, protocol, version, body, name) {
    if (this.online || client !== this.client || protocol !== "1" || !name) return;
    const [boot, session] = tag.split(".").map(number), known = this.previous.get(boot);
    if (!(boot >= 0 && session >= 0) || this.clock() < known?.until) return;
    if ((this.boot ?? boot) !== boot) this.changeBoot(known?.next);
    const [request] = this.requests;
    if (tag !== this.tag && request?.sequence) this.fail(request, TAKEN_OVER);
    Object.assign(this, { about: { boot, version, body, name }, boot, tag });
  }

  // Handle a restart, another unit, or the return of a previous one, which continues at `next`.
  changeBoot(next) {
    if (this.replaysBoots && next === undefined) {
      this.replay ??= this.replayBoots(this.boot, this.next);
    }
    this.previous.set(this.boot, { until: this.clock() + STALE_MS, next: this.next ?? 0 });
    Object.assign(this, { isNewBoot: true, after: null, next: next ?? 0 });
  }

  state(snapshot) {
    if (Object.keys(snapshot).length < STATE.length || Object.values(snapshot).includes(-1)) return;
    this.snapshot = snapshot;
    this.tell("state", snapshot);
    if (this.online) return;
    Object.assign(this, { online: true, pingAt: 0 });
    // `after` may be invented, and beyond the latest event.
    this.next = this.after ? Math.min(this.next, snapshot.events) : this.next ?? snapshot.events;
    this.after = null;
    if (this.requests.length) this.requests[0].repeatAt = 0;
    if (!this.replay) this.begin();
  }

  // Start to receive the events of the current boot.
  begin() {
    if (this.isNewBoot) this.tell("restarted", { boot: this.boot });
    this.tell("connected", { about: this.about, snapshot: this.snapshot });
    Object.assign(this, { isNewBoot: false, askAt: 0 });
    this.askSince();
  }

  // Request the events of an earlier boot from number `next`, and of the boots after it, as far as
  // the unit has stored them.
  async replayBoots(boot, next) {
    const again = "again", ended = (error) => (error.why || this.isClosed ? "" : again);
    for (let text = again; text;) {
      text = await this.send(`journal ${boot} ${next}`, Infinity).catch(ended);
      const [kept, ...words] = text.split(" ");
      if (!words[2]) continue; // no more events, or a restart of the unit: then request it again
      if (number(kept) !== boot) {
        [boot, next] = [number(kept), 0];
        this.tell("restarted", { boot });
      }
      this.missing(next, number(words[0]));
      next = this.event(boot, words);
    }
    this.replay = null;
    if (this.online) this.begin();
  }

  // Deliver an event; return the number of the next.
  event(boot, [index, at, kind, ...words]) {
    const names = FIELDS[kind] ?? [], place = number(index), ms = number(at);
    if (ms < 0 || !kind) return place;
    const fields = named(names, words), more = words.slice(names.length);
    const event = { number: place, ms, kind, fields, more, boot };
    this.tell("event", event);
    this.tell(kind, event);
    return place + 1;
  }

  // Report the events between `first` and `next` as missed, if any; return the next number.
  missing(first, next) {
    if (next > first) this.tell("missed", { first, count: next - first });
    return Math.max(first, next);
  }

  askSince() { if (this.isDue("askAt", REPEAT_MS)) this.say(`since ${this.tag} ${this.next}`); }

  answer(what, sequence, ...words) {
    const [request] = this.requests;
    if (!request || request.sequence !== number(sequence)) return;
    this.requests.shift();
    if (what === "done") return request.resolve(words.join(" "));
    const error = new Error(`the unit refused "${request.text}": ${words[0]}`);
    request.reject(Object.assign(error, { why: words[0] }));
  }
}
