// The referee's view of several tables: their clocks, their last bids, and the bids that need a ruling.

import { bidWords, clock, fill, kept, make, say, the } from "./dom.js";
import { Line } from "./line.js";

const CLOSE_MS = 20; // bids closer than this are shown to the referee even if the clocks decide

export class Referee {
  /** @param {() => Record<string, unknown>} hello @param {boolean} [asks] whether the referee can add tables */
  constructor(hello, asks = true) {
    this._hello = hello;
    this._asks = asks;
    /** @type {Map<string, any>} by address: the table's latest view and connection */
    this._tables = new Map();
    if (asks) for (const address of kept("tables").split(" ").filter(Boolean)) this._add(address);
    setInterval(() => this.fill(), 1000);
  }

  /** Show the table that this page came from. */
  show(view) {
    this._tables.set("", { view, at: performance.now(), open: true });
    this.fill();
  }

  /** Watch exactly the tables at these addresses. @param {string[]} addresses */
  look(addresses) {
    for (const address of this._tables.keys()) if (!addresses.includes(address)) this._forget(address);
    for (const address of addresses) if (!this._tables.has(address)) this._add(address);
    this.fill();
  }

  fill() {
    const now = performance.now();
    const tables = [...this._tables].map(([address, table]) => [address, table.open, table.view, Math.floor(now / 1000)]);
    const typing = document.activeElement?.id === "table-address";
    if (typing) return;
    fill(the("referee"), this._asks || tables.length ? tables : null, () => [
      make("h2", {}, say("Tables")),
      ...(this._asks ? [make("p", { className: "faint" }, say("A referee sees each table's clock and last bids. Bids too close together for the clocks are shown in gold: they need a ruling."))] : []),
      ...[...this._tables].map(([address, table]) => this._card(address, table, now)),
      ...(this._asks ? [this._form()] : []),
    ]);
  }

  /** @param {string} address @param {any} table @param {number} now */
  _card(address, { view, at, open }, now) {
    const title = make("h3", {}, (view?.players ?? []).map((player) => player.name).join(", ") || address);
    const leave = address && this._asks && make("button", { on: () => (this._forget(address), this._keep(), this.fill()) }, say("Stop watching"));
    if (!open || !view?.players) {
      return make("article", {}, title, make("p", {}, open ? say("The game has not started.") : say("The table does not answer.")), leave);
    }
    const left = view.left === null ? "" : clock(view.left - (view.stands ? 0 : now - at));
    const bids = view.referee.bids;
    return make(
      "article",
      {},
      title,
      make("p", {}, left ? say("{time} left of the hour.", { time: left }) : say("There is no clock.")),
      make("p", {}, view.title),
      ...view.referee.calls.map((caller) => make("p", { className: "ruling" }, say("The referee is called: {name}", { name: caller || say("The table") }))),
      make("p", { className: "faint" }, view.referee.unit_online ? say("The unit's clock is known to {within} ms.", view.referee) : say("The unit is disconnected.")),
      make("h4", {}, view.referee.sold),
      ...bids.slice(0, 5).map((bid) => make("p", { className: bid.why ? "void" : "" }, ...bidWords(bid))),
      ...rulings(bids, view.players).map((text) => make("p", { className: "ruling" }, text)),
      leave,
    );
  }

  _form() {
    const field = make("input", { id: "table-address", type: "url", autocomplete: "off", placeholder: "http://192.168.1.20:8737/…/" });
    return make(
      "form",
      { on: null, onsubmit: (event) => (event.preventDefault(), this._enter(field.value)) },
      make("label", {}, say("Another table, by the address that it shows"), field),
      make("button", { type: "submit" }, say("Watch it")),
    );
  }

  /** @param {string} typed */
  _enter(typed) {
    let address = "";
    try {
      const wanted = new URL(typed.trim());
      address = `${wanted.origin}${wanted.pathname}`;
    } catch {
      return;
    }
    if (!this._tables.has(address)) this._add(address);
    this._keep();
    /** @type {HTMLElement | null} */ (document.activeElement)?.blur();
    this.fill();
  }

  /** @param {string} address */
  _add(address) {
    const table = { view: null, at: 0, open: false, line: /** @type {Line | null} */ (null) };
    this._tables.set(address, table);
    table.line = new Line(
      `${address.replace(/^http/, "ws")}referee`,
      this._hello,
      (message) => {
        if (message.view) Object.assign(table, { view: message.view, at: performance.now() });
        this.fill();
      },
      (open) => {
        table.open = open;
        this.fill();
      },
    );
  }

  /** @param {string} address */
  _forget(address) {
    this._tables.get(address)?.line?.close();
    this._tables.delete(address);
  }

  _keep() {
    kept("tables", [...this._tables.keys()].filter(Boolean).join(" "));
  }
}

/**
 * The bids that need a ruling, since the clocks do not decide or hardly do. Two bots are exempt: both bid
 * by the table's own clock.
 *
 * @param {any[]} players
 */
function rulings(bids, players) {
  const found = [];
  for (let place = 1; place < bids.length; place++) {
    const [later, earlier] = [bids[place - 1], bids[place]];
    const apart = later.since - earlier.since;
    const measured = players[later.player].human || players[earlier.player].human;
    if (measured && later.player !== earlier.player && apart < Math.max(CLOSE_MS, later.within + earlier.within))
      found.push(say("{one} and {other} are {ms} ms apart.", { one: earlier.name, other: later.name, ms: apart }));
  }
  for (const bid of bids)
    if (bid.why && bid.left !== null && Math.abs(bid.left) <= bid.within)
      found.push(say("{name} bid within {ms} ms of the light's end.", { name: bid.name, ms: bid.within }));
  return found;
}
