// city_unit.js over TCP, as `city-unit conform --client "node conform_client.mjs {port} {after}"`
// wants it.
import { CityUnit } from "../../city_unit/host/web/city_unit.js";
import { connect } from "node:net";
import { createInterface } from "node:readline";

const { hostname, port } = new URL(process.argv[2]), last = process.argv[3] ?? "-";
const after = last === "-" ? null : last.split(".").map(Number);
let line = null;
const unit = new CityUnit((text) => line.write(text), { history: true, after });
function open() {
  line = connect(Number(port), hostname, () => unit.opened());
  line.setNoDelay().setEncoding("latin1").on("data", (data) => unit.receive(data));
  line.on("error", () => {}).on("close", () => { unit.lost("the connection is lost"); setTimeout(open, 100); });
}
open();
setInterval(() => unit.step(), 20);
unit.on("event", (event) => console.log(event.number, event.kind));
for await (const command of createInterface({ input: process.stdin }))
  await unit.send(command, 30000).then(() => console.log("done"), (error) => console.log("refused", error.why ?? error.message));
process.exit();
