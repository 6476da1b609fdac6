// node --experimental-websocket watch.mjs ws://127.0.0.1:7008/SECRET/NAME   (Node 22: without it)
import { CityUnit } from "../../city_unit/host/web/city_unit.js";

const unit = CityUnit.connect(process.argv[2], { watch: true });
unit.on("connected", ({ about }) => console.log(`connected to ${about.name}`));
unit.on("event", (event) => console.log(event.ms, event.kind, ...Object.values(event.fields)));
unit.on("auction-ended", () => unit.close());
unit.on("disconnected", () => setTimeout(() => process.exit(), 100));
