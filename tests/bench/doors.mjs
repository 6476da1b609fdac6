// Times commands to one unit or many, each at an address of its own, by city_unit.js:
// node doors.mjs COMMANDS ADDRESS...
// prints the ms of each round of commands
import { CityUnit } from "../../city_unit/host/web/city_unit.js";
import { constants, openSync } from "node:fs";
import { connect } from "node:net";
import { Readable, Writable } from "node:stream";
import { ReadStream } from "node:tty";

const [commands, ...addresses] = process.argv.slice(2);

// A pty as a browser gives a serial port: city_unit.js takes its streams.
function serialPort(path) {
  const line = new ReadStream(openSync(path, constants.O_RDWR | constants.O_NOCTTY));
  line.setRawMode(true);
  const open = async () => {}, close = async () => line.destroy();
  return { open, close, readable: Readable.toWeb(line), writable: Writable.toWeb(line) };
}

async function over(address) {
  if (address.startsWith("ws")) return CityUnit.connect(address);
  if (address.startsWith("/")) return CityUnit.serial({ port: serialPort(address) });
  const { hostname, port } = new URL(address);
  const line = connect(Number(port), hostname, () => unit.opened());
  const unit = new CityUnit((text) => line.write(text));
  line.setNoDelay().setEncoding("latin1").on("data", (data) => unit.receive(data));
  setInterval(() => unit.step(), 50);
  return unit;
}

const units = await Promise.all(addresses.map(over));
await Promise.all(units.map((unit) => unit.online || new Promise((done) => unit.on("connected", done))));
await new Promise((done) => setTimeout(done, 1000));
const times = [];
for (let place = 0; place < Number(commands); place++) {
  const asked = performance.now();
  await Promise.all(units.map((unit) => unit.send("counters", 30000)));
  times.push(performance.now() - asked);
}
console.log(JSON.stringify(times));
process.exit();
