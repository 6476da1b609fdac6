// Tests city_unit.js with the vectors of docs/protocol.md, read as JSON from standard input.
// With `serial` everything goes through a stand-in for a serial port, made of real streams.
import assert from "node:assert/strict";
import { CityUnit, seal, unseal } from "../../city_unit/host/web/city_unit.js";
import { readFileSync } from "node:fs";

const vectors = JSON.parse(readFileSync(0, "latin1"));
const isSerial = process.argv[2] === "serial";
const WORDS = " more words";
const bytes = new TextEncoder(), text = new TextDecoder();
const settled = async () => { for (let turn = 0; turn < 3; turn++) await new Promise((done) => setTimeout(done)); };

// A port like those of navigator.serial: `arrive` provides input, output is collected.
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

// Frames, and the events of the client.

for (const { text: words, line } of vectors.frames) {
  assert.equal(seal(words), line + "\n");
  assert.equal(unseal(line), words);
}
for (const { line, why } of vectors.damaged) assert.equal(unseal(line), "", why);

for (const { line, kind, fields, more } of vectors.told) {
  const { told, receive } = await greeted();
  told.length = 0;
  await receive(seal(line));
  assert.deepEqual(told.map(([what, news]) => [what, news.kind, news.fields, news.more]), [["event", kind, fields, more]]);
}

// The reactions of a client with a request in flight to a line.
async function after(line) {
  const { unit, said, told, at, receive } = await greeted();
  let answer = null;
  unit.send("state").then((words) => { answer = ["done", words]; }, (error) => { answer = ["error", error.message]; });
  await at(200);
  said.length = told.length = 0;
  await receive(seal(line));
  return JSON.stringify([said, told.map(([what, news]) => [what, news.number ?? news]), unit.snapshot, answer]);
}

// Further words at the end of a line are ignored.
assert.ok((await greeted(WORDS)).unit.online);
const nothing = await after("x");
for (const line of vectors.lengthened) {
  const made = await after(line);
  assert.equal(await after(line + WORDS), made);
  assert.notEqual(made, nothing, line);
}

// The client resumes after an event.
for (const { why, after = null, talk, told: expected } of vectors.resumed) {
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
  const words = said.filter((text) => !text.startsWith("ping")).map((text) => `> ${text}`);
  assert.deepEqual([words, told], [talk.filter((line) => line.startsWith(">")), expected], why);
}

// A late greeting of a previous boot is ignored.
{
  let now = 0;
  const unit = new CityUnit(() => {}, { clock: () => now });
  unit.client = "a1b2c3";
  unit.opened();
  for (const [ms, boot, taken] of [[0, 7, 7], [1, 8, 8], [10000, 7, 8], [10001, 7, 7]]) {
    now = ms;
    unit.receive(seal(`welcome a1b2c3 ${boot}.1 1 0 test unit`));
    assert.equal(unit.about.boot, taken);
  }
}

// A request is repeated under its number; `close` fails the pending ones.
{
  const { unit, said, at } = await greeted();
  unit.send("tap auction").catch(() => {});
  for (const ms of [0, 100, 150, 299, 300]) await at(ms);
  assert.deepEqual(said.filter((words) => words.startsWith("do")), Array(3).fill("do 4711.1 1 tap auction"));

  const ends = [], end = ({ message }) => ends.push(message), { unit: closing } = await greeted();
  closing.send("stop").catch(end);
  closing.send("start").catch(end);
  closing.close();
  closing.send("state").catch(end);
  await settled();
  assert.deepEqual(ends, [
    'no answer to "stop" (closed); the unit may have run it or not',
    'no answer to "start" (closed); it was never sent',
    'no answer to "state" (closed); it was never sent',
  ]);
}

// Missing events are requested, and nothing is delivered twice.
{
  const { said, told, at, receive } = await greeted();
  await at(1000);
  said.length = told.length = 0;
  for (const index of [2, 2, 1, 1, 2]) await receive(seal(`event 4711.1 ${index} 2000 hour-ended`));
  assert.deepEqual([said, told.map(([what, { number }]) => [what, number])], [["since 4711.1 1"], [["event", 1], ["event", 2]]]);
}

// A failing callback loses no other news.
{
  const { unit, told, receive } = await greeted();
  const thrown = [], keep = (error) => thrown.push(error.message);
  process.on("uncaughtException", keep);
  unit.on("hour-ended", () => { throw new Error("a fault of the program"); });
  told.length = 0;
  await receive(seal("event 4711.1 1 2000 hour-ended") + seal("event 4711.1 2 2001 auction-ended"));
  await settled();
  process.off("uncaughtException", keep);
  assert.deepEqual([told.map(([, { kind }]) => kind), thrown], [["hour-ended", "auction-ended"], ["a fault of the program"]]);
}

// A silent unit is gone.
{
  const { told, said, at } = await greeted();
  for (let ms = 0; ms <= 4000; ms += 50) await at(ms);
  assert.deepEqual([told.map(([what]) => what), said.at(-1)], [["state", "connected", "disconnected"], "hello 1 a1b2c3"]);
}

// A serial port is closed by `close`, and when the cable is unplugged.
if (isSerial)
  for (const [end, why] of [[(unit) => unit.close(), "closed"], [(_, port) => port.pull(), "the connection is lost"]]) {
    const { unit, port, said, told } = await greeted();
    said.length = told.length = 0;
    await end(unit, port);
    await settled();
    unit.close();
    await settled();
    assert.deepEqual([told.map(([what, news]) => [what, news.why]), port.closed], [[["disconnected", why]], 1]);
    if (why === "closed") assert.deepEqual([said, port.baudRate], [["bye 4711.1"], 115200]);
  }
console.log("city_unit.js is right");
process.exit();
