// Judges city_unit.js by the vectors of docs/protocol.md: they come as JSON on the standard
// input; what the client makes of them goes out as JSON. With `serial` all of it goes through
// a serial port of the browser, which is made of real streams here.
import { CityUnit, seal, unseal } from "../../city_unit/host/web/city_unit.js";
import { readFileSync } from "node:fs";

const vectors = JSON.parse(readFileSync(0, "latin1"));
const isSerial = process.argv[2] === "serial";
const WORDS = " more words";
const bytes = new TextEncoder(), text = new TextDecoder();
const settled = async () => { for (let turn = 0; turn < 3; turn++) await new Promise((done) => setTimeout(done)); };

// A port as navigator.serial gives it: what `arrive` takes can be read, what is written is said.
class Port {
  constructor(said) {
    this.said = said;
    this.closed = 0;
  }

  async open({ baudRate }) {
    this.baudRate = baudRate;
    this.readable = new ReadableStream({ start: (arrivals) => { this.arrivals = arrivals; } });
    this.writable = new WritableStream({ write: (chunk) => { this.said.push(unseal(text.decode(chunk).slice(0, -1))); } });
  }

  arrive(data) { this.arrivals.enqueue(bytes.encode(data)); }
  pull() { this.arrivals.error(new Error("The device has been lost.")); }

  async close() {
    if (this.readable.locked || this.writable.locked) throw new TypeError("Cannot close a locked stream");
    this.closed += 1;
  }
}

async function serial(said, options) {
  const port = new Port(said);
  Object.defineProperty(globalThis, "navigator", { value: { serial: { requestPort: async () => port } }, configurable: true });
  const unit = await CityUnit.serial(options);
  return { unit, port, arrive: (data) => port.arrive(data) };
}

function direct(said, options) {
  const unit = new CityUnit((line) => said.push(unseal(line.slice(0, -1))), options);
  return { unit, port: null, arrive: (data) => unit.receive(data) };
}

async function greeted(more = "") {
  const said = [], told = [];
  let now = 0;
  const { unit, port, arrive } = await (isSerial ? serial : direct)(said, { clock: () => now });
  for (const what of ["connected", "disconnected", "event", "edge", "missed", "restarted", "state"])
    unit.on(what, (news) => told.push([what, news]));
  unit.client = "a1b2c3";
  unit.opened();
  const receive = async (data) => { arrive(data); await settled(); };
  await receive(seal("welcome a1b2c3 4711.1 1 0.1.0 test unit" + more));
  await receive(seal("state 4711.1 1000 ready city 3600000 3599000 0 0 0 2 1" + more));
  const at = async (ms) => { now = ms; unit.step(); await settled(); };
  return { unit, port, said, told, at, receive };
}

async function after(line) {
  const { unit, said, told, at, receive } = await greeted();
  let answer = null;
  unit.send("state").then((words) => { answer = ["done", words]; }, (error) => { answer = ["error", error.message]; });
  await at(200);
  said.length = told.length = 0;
  await receive(seal(line));
  return JSON.stringify([said, told.map(([what, news]) => [what, news.number ?? news]), unit.snapshot, answer]);
}

async function madeOf({ line }) {
  const { told, receive } = await greeted();
  told.length = 0;
  await receive(seal(line));
  return told.map(([what, { kind, fields, more }]) => ({ what, kind, fields, more }));
}

// What it says and tells to whom all is said that a talk has; it goes on behind an event.
async function resumed({ after = null, talk }) {
  const said = [], told = [];
  const unit = new CityUnit((line) => said.push(unseal(line.slice(0, -1))), { clock: () => 0, after, history: !after });
  unit.client = "a1b2c3";
  unit.on("connected", () => told.push("connected"));
  unit.on("disconnected", () => told.push("disconnected"));
  unit.on("restarted", ({ boot }) => told.push(`restarted ${boot}`));
  unit.on("missed", ({ first, count }) => told.push(`missed ${first} ${count}`));
  unit.on("event", ({ boot, number, kind }) => told.push(`event ${boot} ${number} ${kind}`));
  unit.opened();
  for (const line of talk) {
    if (line.startsWith("=")) { unit.lost("gone"); unit.opened(); }
    if (line.startsWith("<")) unit.receive(seal(line.slice(2)));
    unit.step();
    await settled();
  }
  return [said.filter((text) => !text.startsWith("ping")).map((text) => `> ${text}`), told];
}

// Of which boot it is, after greetings of one that it has left: late ones are none.
async function leaving() {
  let now = 0;
  const boots = [], unit = new CityUnit(() => {}, { clock: () => now });
  unit.client = "a1b2c3";
  unit.opened();
  for (const [ms, boot] of [[0, 7], [1, 8], [10000, 7], [10001, 7]]) {
    now = ms;
    unit.receive(seal(`welcome a1b2c3 ${boot}.1 1 0 test unit`));
    boots.push(unit.about.boot);
  }
  return boots;
}

// What comes of commands that a program leaves behind when it closes its client, or gives it then.
async function closing() {
  const { unit } = await greeted();
  const ends = [], end = ({ message }) => ends.push(message);
  unit.send("stop").catch(end);
  unit.send("start").catch(end);
  unit.close();
  unit.send("state").catch(end);
  await settled();
  return ends;
}

// What is told when a callback fails, and what that one throws.
async function failing() {
  const { unit, told, receive } = await greeted();
  const thrown = [], keep = (error) => thrown.push(error.message);
  process.on("uncaughtException", keep);
  unit.on("hour-ended", () => { throw new Error("a fault of the program"); });
  told.length = 0;
  await receive(seal("event 4711.1 1 2000 hour-ended") + seal("event 4711.1 2 2001 auction-ended"));
  await settled();
  process.off("uncaughtException", keep);
  return [told.map(([, { kind }]) => kind), thrown];
}

// What is left of a serial port when the program ends, and when the cable is pulled out.
async function ended(end) {
  const { unit, port, said, told } = await greeted();
  said.length = told.length = 0;
  await end(unit, port);
  await settled();
  unit.close();
  await settled();
  return { said, told: told.map(([what, { why }]) => [what, why]), closed: port.closed, baud: port.baudRate };
}

const repeated = await greeted();
repeated.unit.send("tap auction").catch(() => {});
for (const ms of [0, 100, 150, 299, 300]) await repeated.at(ms);
const gap = await greeted();
await gap.at(1000);
gap.said.length = gap.told.length = 0;
for (const index of [2, 2, 1, 1, 2]) await gap.receive(seal(`event 4711.1 ${index} 2000 hour-ended`));
const silent = await greeted();
for (let ms = 0; ms <= 4000; ms += 50) await silent.at(ms);

const found = {
  sealed: vectors.frames.map(({ text: words }) => seal(words)),
  unsealed: vectors.frames.map(({ line }) => unseal(line)),
  damaged: vectors.damaged.map(({ line }) => unseal(line)),
  told: await Promise.all(vectors.told.map(madeOf)),
  longer: (await greeted(WORDS)).unit.online,
  lengthened: await Promise.all(vectors.lengthened.map(async (line) => [await after(line), await after(line + WORDS)])),
  nothing: await after("x"),
  repeated: repeated.said.filter((words) => words.startsWith("do")),
  gap: [gap.said, gap.told.map(([what, { number }]) => [what, number])],
  silent: [silent.told.map(([what]) => what), silent.said.at(-1)],
  resumed: await Promise.all(vectors.resumed.map(resumed)),
  leaving: await leaving(),
  closing: await closing(),
  failing: await failing(),
  ended: isSerial ? [await ended((unit) => unit.close()), await ended((_, port) => port.pull())] : [],
};
process.stdout.write(JSON.stringify(found), () => process.exit());
