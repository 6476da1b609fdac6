// The hand of one player: decision, debts, proposals and deeds; and the public parts: players, log and map.

import { means } from "./deal.js";
import { Steady, draw, fill, make, say, seat, shape, show, the, token } from "./dom.js";

const READ_MS = 1000; // nobody reads a deal faster: an earlier press meant something else
const LINES = 5; // of the log, always shown
const CELL = 10; // the width of a space on the map, in SVG units

export class Hand {
  /** @param {(message: Record<string, unknown>, answered?: (why: string) => void) => void} tell */
  constructor(tell) {
    this._tell = tell;
    this._option = -1; // the option whose target is being chosen
    this._known = "";
    this._amount = 0;
    this._said = "";
    this._looksBack = false;
    this._read = ""; // the missed events that the player has read
    /** @type {any} */
    this._view = null;
  }

  show(view) {
    this._view = view;
    const known = JSON.stringify([view.phase, view.decider, view.hand?.options]);
    if (known !== this._known) {
      this._known = known;
      this._option = -1;
      this._said = "";
    }
    this._missed();
    this._out(view);
    this._decide();
    map(view);
    this._owes(view);
    this._proposals(view);
    this._deeds(view);
    everybody(view);
    // Once opened, the list stays open. Read from the element, since its toggle event may come later.
    this._looksBack = the("latest").querySelector("details")?.open ?? this._looksBack;
    fill(the("latest"), view.latest?.length ? view.latest : null, () => [
      make("h2", {}, say("Just now")),
      ...view.latest.slice(-LINES).map((line) => make("p", {}, line)),
      ...(view.latest.length > LINES
        ? [
            make(
              "details",
              { open: this._looksBack },
              make("summary", {}, say("Before that, the latest first")),
              ...view.latest.slice(0, -LINES).reverse().map((line) => make("p", { className: "faint" }, line)),
            ),
          ]
        : []),
    ]);
  }

  /** The events while the player had no telephone, until they are read. */
  _missed() {
    const missed = this._view.hand?.missed ?? null;
    const known = JSON.stringify(missed);
    const cash = missed && this._view.players[this._view.you].cash;
    fill(the("missed"), missed && known !== this._read ? [missed, cash] : null, () => [
      make("h2", {}, say("While you were away")),
      ...(missed.earlier ? [make("p", { className: "faint" }, say("and {count} earlier events", { count: missed.earlier }))] : []),
      ...missed.lines.map((line) => make("p", {}, line)),
      ...(cash === missed.cash
        ? []
        : [make("p", {}, make("b", {}, say("Your cash went from {before} to {after}.", { before: show(missed.cash), after: show(cash) })))]),
      make("button", { on: () => ((this._read = known), this._missed()) }, say("I have read it")),
    ]);
  }

  /** The choices of a bankrupt player: to watch, to bet on the winner, or to referee. */
  _out(view) {
    const isOut = view.hand && !view.players[view.you].alive && view.phase !== "over";
    const bet = view.hand?.bet ?? -1;
    const alive = isOut && view.players.map((player) => player.alive);
    fill(the("out"), isOut ? [alive, bet] : null, () => [
      make("h2", {}, say("You are out of the game")),
      make("p", {}, say("You can watch, bet on the winner, or referee this table.")),
      ...(bet < 0
        ? [
            make("p", {}, say("Who will win? Your bet is final, and everybody sees it at the end.")),
            ...view.players.flatMap((player, on) =>
              player.alive ? [seat(player, () => this._tell({ say: "bet", on }))] : [],
            ),
          ]
        : [make("p", {}, say("You bet on {name}. Everybody sees it at the end.", { name: view.players[bet].name }))]),
      make("a", { href: "#referee" }, say("Referee")),
    ]);
  }

  _decide() {
    const view = this._view;
    const options = view.hand?.options ?? [];
    // The detail addresses the deciding player as "you"; that of a deal or of the end is for everybody.
    const isForAll = view.phase === "deal" || view.phase === "over";
    const detail = isForAll || view.you === view.decider ? view.detail : "";
    const isOver = view.phase === "over";
    const won = isOver ? winners(view) : [];
    const bets = view.bets ?? [];
    const dealt = view.phase === "deal" && view.deal ? means(view.players, view.deal) : [];
    const facts = [view.title, detail, options, this._option, this._amount, this._said, won, bets, view.deal];
    const place = the("decide");
    place.classList.toggle("mine", options.length > 0);
    fill(place, view.phase ? facts : null, () => [
      make("h2", {}, view.title),
      ...won.map(([words, worth]) => make("div", {}, make("p", { className: "won" }, words), make("p", { className: "won-worth" }, worth))),
      ...bets.map((line) => make("p", { className: "won-worth" }, line)),
      ...(won.length ? [] : String(detail).split("\n").map((line) => make("p", {}, line))),
      ...dealt,
      ...(this._option < 0 ? this._options(options) : this._targets(options[this._option])),
      make("p", { className: "said", role: "status" }, this._said),
    ]);
  }

  _options(options) {
    return options.map((option, place) => {
      const button = make("button", { className: place ? "" : "first" }, option.label);
      const choose = () => this._choose(option, place);
      if (option.calls === "begin" || option.action?.[0] === "accept") new Steady(button, READ_MS, choose);
      else button.addEventListener("click", choose);
      return button;
    });
  }

  /** @param {number} place */
  _choose(option, place) {
    if (option.calls) this._send({ say: "call", calls: option.calls });
    else if (option.action) this._send({ say: "do", action: option.action });
    else {
      this._option = place;
      this._amount = option.amount ? option.targets[0].action.at(-1) : 0;
      this._decide();
    }
  }

  _targets(option) {
    const back = make("button", { on: () => ((this._option = -1), this._decide()) }, say("Back"));
    const aim = (action) =>
      this._send({ say: "do", action: option.amount ? [...action.slice(0, -1), this._amount] : action });
    const opening = option.amount ? [this._opening(option)] : [];
    const amount = show(this._amount);
    const words = option.binds ? say("Open with {amount}, as your bid", { amount }) : say("Open with {amount}", { amount });
    const rows = option.targets.map((target) =>
      make(
        "button",
        { className: "target", colour: target.colour, on: () => aim(target.action) },
        target.name,
        make("small", {}, target.detail),
        option.amount && make("b", {}, words),
      ),
    );
    return [make("h3", {}, option.label), ...opening, make("div", { className: "targets" }, ...rows), back];
  }

  _opening(option) {
    const least = option.targets[0].action.at(-1);
    const change = (by) => () => {
      this._amount = Math.min(option.most, Math.max(least, this._amount + by));
      this._decide();
    };
    const amount = show(this._amount);
    const steps = [-100, -10, 10, 100].map((by) =>
      make("button", { on: change(by) }, (by > 0 ? "+" : "") + show(by)),
    );
    return make("div", { className: "opening" }, make("p", {}, say("Opening bid: {amount}", { amount })), ...steps);
  }

  /** @param {Record<string, unknown>} message */
  _send(message) {
    this._tell({ ...message, step: this._view.step }, (why) => {
      this._said = why;
      this._decide();
    });
  }

  _owes(view) {
    const owes = view.hand?.owes ?? null;
    fill(the("owes"), owes, () => {
      const name = owes.creditor < 0 ? say("the bank") : view.players[owes.creditor].name;
      const lacking = owes.lacking ? say("You are {amount} short.", { amount: show(owes.lacking) }) : "";
      return [
        make("h2", {}, say("You owe {name} {amount}", { name, amount: show(owes.amount) })),
        make("p", {}, lacking),
      ];
    });
  }

  _proposals(view) {
    const proposals = view.hand?.proposals ?? [];
    const fallen = view.hand?.fallen ?? "";
    const calls = Boolean(fallen) || proposals.some((proposal) => !proposal.mine);
    the("proposals").classList.toggle("calls", calls);
    fill(the("proposals"), proposals.length || fallen ? [proposals, fallen] : null, () => [
      ...proposals.map((proposal) => this._proposal(view, proposal)),
      ...(fallen ? [make("p", { className: "said", role: "status" }, fallen)] : []),
    ]);
  }

  _proposal(view, proposal) {
    const { mine, other, gives, asks } = proposal;
    const name = view.players[other].name;
    const said = make("p", { className: "said", role: "status" });
    const reply = (agree) => {
      this._tell({ say: "reply", number: proposal.number, agree }, (why) => {
        said.textContent = why;
        steady.rest();
      });
    };
    const agree = make("button", { className: "first" }, say("Agree"));
    const steady = new Steady(agree, READ_MS, () => reply(true));
    return make(
      "article",
      {},
      make("h2", {}, mine ? say("You proposed to {name}", { name }) : say("{name} proposes, and only you see it", { name })),
      make("p", {}, say("You give: {what}", { what: proposal.you_give })),
      make("p", {}, say("You get: {what}", { what: proposal.you_get })),
      ...(gives ? means(view.players, { from: mine ? view.you : other, to: mine ? other : view.you, gives, asks }) : []),
      !mine && agree,
      make("button", { on: () => reply(false) }, mine ? say("Withdraw") : say("No")),
      said,
    );
  }

  _deeds(view) {
    const hand = view.hand;
    const facts = hand && view.players[view.you].alive ? [hand.deeds, hand.jail_cards, hand.notes] : null;
    fill(the("deeds"), facts, () => [
      make("h2", {}, say("Your deeds")),
      ...(hand.deeds.length ? [make("p", { className: "faint" }, say("Next to each: the rent that a visitor pays today."))] : []),
      ...(hand.deeds.length ? hand.deeds.map(deed) : [make("p", { className: "faint" }, say("None yet."))]),
      ...(hand.jail_cards ? [make("p", {}, say("Jail cards: {count}", { count: hand.jail_cards }))] : []),
      ...hand.notes.map((note) => make("p", {}, note)),
    ]);
  }
}

function deed(deed) {
  const blocks = say("Homes {homes}, factories {works}", deed);
  return make(
    "details",
    { colour: deed.colour, className: deed.mortgaged ? "mortgaged" : "" },
    make("summary", {}, make("b", {}, deed.name), make("span", {}, show(deed.rent))),
    make("p", {}, blocks),
    ...deed.words.map((line) => make("p", { className: "faint" }, line)),
  );
}

/** The names of the winners, each with their worth. @param {any} view @returns {string[][]} */
function winners({ winners, players, you }) {
  return winners.map((place) => [
    place === you ? say("You win!") : say("{name} wins.", { name: players[place].name }),
    say("Worth {amount}", { amount: show(players[place].worth) }),
  ]);
}

function everybody(view) {
  const isOver = view.phase === "over";
  const facts = view.players ? [view.players, view.turn, view.you, view.winners, isOver] : null;
  fill(the("everybody"), facts, () => [
    make("h2", {}, say("All players")),
    make("p", { className: "faint" }, say("Worth is counted as at the end of the game; the player worth most then wins.")),
    ...ranks(view).map((place) => {
      const player = view.players[place];
      const sums = [say("Cash {amount}", { amount: show(player.cash) }), say("Worth {amount}", { amount: show(player.worth) })];
      const [first, second] = isOver ? sums.reverse() : sums;
      const name = make("b", { className: place === view.turn ? "turn" : "" }, player.name);
      return make(
        "details",
        { className: player.alive ? "" : "void" },
        make("summary", {}, token(player), name, make("span", {}, first)),
        make("p", {}, second),
        make("p", {}, marks(player).join(", ")),
        ...player.deeds.map((owned) => make("p", { className: "owned", colour: owned.colour }, owned.name)),
      );
    }),
  ]);
}

/** The players in order of seats; at the end, in order of worth. @param {any} view @returns {number[]} */
function ranks({ players, phase }) {
  const places = players.map((_player, place) => place);
  if (phase !== "over") return places;
  const rank = (place) => (players[place].alive ? players[place].worth : -1);
  return places.sort((a, b) => rank(b) - rank(a));
}

function marks(player) {
  return [
    !player.alive && say("bankrupt"),
    player.jailed && say("in jail"),
    player.jail_cards && say("jail card"),
    ...player.notes,
    player.human && (player.online ? say("with a telephone") : say("at the table")),
    !player.human && say("a bot"),
  ].filter(Boolean);
}

// The track as a small map, with the owners by shape and colour, and the player's place.

function map(view) {
  const facts = view.track && view.you >= 0 ? [view.track, view.you, view.hand?.at, view.players] : null;
  fill(the("map"), facts, () => [
    make("h2", {}, say("Map")),
    make("p", {}, say("You: {place}", { place: view.hand.at })),
    picture(view),
  ]);
}

function picture(view) {
  const spaces = ring(view.track.length);
  const side = Math.max(...spaces.map(([x, y]) => Math.max(x, y))) + 1;
  const words = view.players.flatMap((player) =>
    player.deeds.length
      ? // To translators: the map in words, for a screen reader.
        [say("{name} owns: {what}", { name: player.name, what: player.deeds.map((d) => d.name).join(", ") })]
      : [],
  );
  const svg = draw("svg", {
    viewBox: `-1 -1 ${side * CELL + 2} ${side * CELL + 2}`,
    class: "map",
    role: "img",
    "aria-label": [say("You: {place}", { place: view.hand.at }), ...words].join(". "),
  });
  view.track.forEach(([colour, owner], place) => {
    const [x, y] = spaces[place].map((at) => at * CELL);
    svg.append(draw("rect", { x: x + 0.3, y: y + 0.3, width: CELL - 0.6, height: CELL - 0.6, rx: 1, class: "space" }));
    if (colour) svg.append(draw("rect", { x: x + 1, y: y + 1, width: CELL - 2, height: 2.2, fill: colour }));
    if (owner >= 0) svg.append(mark(view.players[owner], x + CELL / 2, y + 6.2, 2.6));
  });
  const [x, y] = spaces[view.players[view.you].place].map((at) => at * CELL);
  svg.append(draw("rect", { x, y, width: CELL, height: CELL, rx: 1.5, class: "here" }));
  svg.append(...legend(view, side));
  return svg;
}

/** The player of each shape, in the middle of the track. @param {number} side */
function legend(view, side) {
  return view.players.flatMap((player, place) => {
    const [x, y] = [CELL * 2, CELL * (side / 2 + 0.2) + (place - (view.players.length - 1) / 2) * 9.5];
    const words = draw("text", { x: x + 6, y: y + 1.9, class: player.alive ? "" : "void" });
    words.textContent = player.name;
    return [mark(player, x, y, 3.2), words];
  });
}

/** @param {number} x @param {number} y @param {number} size */
function mark(player, x, y, size) {
  const look = { d: shape(player), fill: player.colour, transform: `translate(${x} ${y}) scale(${size})`, class: "mark" };
  return draw("path", look);
}

/** The column and row of each space as on the table, which starts up the left side. @param {number} count @returns {number[][]} */
function ring(count) {
  const side = Math.ceil(count / 4);
  return Array.from({ length: count }, (_, place) => {
    const at = place % side;
    return [[0, side - at], [at, 0], [side, at], [side - at, side]][Math.floor(place / side)];
  });
}
