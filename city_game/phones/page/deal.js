// The form that composes a deal, which nobody else sees before it is proposed; and the effects of a deal.

import { make, parse, say, show, the } from "./dom.js";

export class Deal {
  /** @param {(message: Record<string, unknown>, answered?: (why: string) => void) => void} tell */
  constructor(tell) {
    this._tell = tell;
    /** @type {any} */
    this._view = null;
    this._known = "";
    the("deal-open").addEventListener("click", () => this._open(true));
    the("deal-close").addEventListener("click", () => this._open(false));
    the("deal-partner").addEventListener("change", () => this._fill());
    the("deal").addEventListener("change", () => this._means());
    the("deal").addEventListener("submit", (event) => {
      event.preventDefault();
      this._propose();
    });
  }

  show(view) {
    this._view = view;
    const able = view.hand && view.players[view.you].alive && view.phase !== "over";
    the("make-deal").hidden = !able;
    if (!able) return this._open(false);
    const known = JSON.stringify([view.players.map((p) => [p.deeds, p.alive]), view.you]);
    if (known !== this._known) {
      this._known = known;
      this._partners();
    }
  }

  /** @param {boolean} open */
  _open(open) {
    the("deal").hidden = !open;
    the("deal-open").hidden = open;
    the("deal-said").textContent = "";
    if (!open) return;
    this._partners();
    the("deal").scrollIntoView({ block: "start" });
  }

  _partners() {
    const { players, you } = this._view;
    const place = the("deal-partner");
    const before = place.value;
    place.replaceChildren(
      ...players.flatMap((player, number) =>
        player.alive && number !== you ? [make("option", { value: String(number) }, player.name)] : [],
      ),
    );
    if ([...place.options].some((option) => option.value === before)) place.value = before;
    this._fill();
  }

  _fill() {
    const { players, you } = this._view;
    const partner = players[Number(the("deal-partner").value)];
    this._choices(the("deal-gives"), players[you].deeds);
    this._choices(the("deal-asks"), partner ? partner.deeds : []);
    this._cards(players[you].jail_cards, partner ? partner.jail_cards : 0);
    this._means();
  }

  _means() {
    const { players, you } = this._view;
    const to = Number(the("deal-partner").value);
    const chosen = { from: you, to, gives: ticked(the("deal-gives")), asks: ticked(the("deal-asks")) };
    the("deal-means").replaceChildren(...(players[to] ? means(players, chosen) : []));
  }

  /** Offer every number of cards, from giving all to getting all. @param {number} mine @param {number} theirs */
  _cards(mine, theirs) {
    const chosen = the("deal-cards").value;
    the("deal-cards-row").hidden = !mine && !theirs;
    the("deal-cards").replaceChildren(
      ...Array.from({ length: mine + theirs + 1 }, (_, place) => place - mine).map((cards) =>
        make(
          "option",
          { value: String(cards), selected: String(cards) === (chosen || "0") },
          // To translators: jail cards.
          cards < 0 ? say("you give {count}", { count: -cards }) : cards ? say("you get {count}", { count: cards }) : say("no cards"),
        ),
      ),
    );
  }

  /** @param {HTMLElement} place */
  _choices(place, deeds) {
    const chosen = new Set(ticked(place));
    place.replaceChildren(
      /** @type {Node} */ (place.querySelector("legend")),
      ...(deeds.length
        ? deeds.map((deed) =>
            make(
              "label",
              { className: "owned", colour: deed.colour },
              make("input", { type: "checkbox", value: String(deed.id), checked: chosen.has(deed.id) }),
              deed.name,
            ),
          )
        : [make("p", { className: "faint" }, say("no deeds"))]),
    );
  }

  _propose() {
    const [pays, wants] = ["deal-pays", "deal-wants"].map((id) => {
      const typed = the(id).value.trim();
      return typed ? parse(typed) : 0;
    });
    if (pays === null || wants === null) {
      the("deal-said").textContent = say("Write a sum as 1.5 or 0.25 (millions), or as 250k.");
      return;
    }
    const message = {
      say: "propose",
      partner: Number(the("deal-partner").value),
      gives: ticked(the("deal-gives")),
      asks: ticked(the("deal-asks")),
      pays: pays - wants,
      cards: Number(the("deal-cards").value || 0),
    };
    this._tell(message, (why) => {
      the("deal-said").textContent = why;
      if (why) return;
      the("deal").reset();
      this._open(false);
      the("make-deal").scrollIntoView({ block: "center" }); // the response appears above it
    });
  }
}

/** @param {HTMLElement} place */
function ticked(place) {
  const boxes = /** @type {NodeListOf<HTMLInputElement>} */ (place.querySelectorAll("input:checked"));
  return [...boxes].map((box) => Number(box.value));
}

// A deal in figures: what each side gives, and the groups that become complete or incomplete.

/**
 * @param {any[]} players
 * @param {{ from: number, to: number, gives: number[], asks: number[] }} deal
 */
export function means(players, { from, to, gives, asks }) {
  const given = chosen(players[from], gives);
  const asked = chosen(players[to], asks);
  return [
    ...side(players[from], given),
    ...side(players[to], asked),
    ...effects(players[from], given, asked),
    ...effects(players[to], asked, given),
  ];
}

/** @param {number[]} ids @returns {any[]} */
function chosen(player, ids) {
  return player.deeds.filter((deed) => ids.includes(deed.id));
}

function side(player, deeds) {
  if (!deeds.length) return [];
  return [
    make("h4", {}, say("{name} gives:", { name: player.name })),
    ...deeds.map((deed) =>
      make(
        "p",
        { className: "owned", colour: deed.colour },
        make("b", {}, deed.name),
        make(
          "small",
          {},
          // To translators: of a district in a deal; "group" is the name of its colour.
          say("price {price}, rent {rent}; {group}, {of} in all", { ...deed, price: show(deed.price), rent: show(deed.rent) }),
        ),
      ),
    ),
  ];
}

/** The groups that a player completes or breaks up. */
function effects(player, lost, won) {
  const groups = new Map([...lost, ...won].map((deed) => [deed.group, deed.of]));
  return [...groups].flatMap(([group, of]) => {
    const count = (deeds) => deeds.filter((deed) => deed.group === group).length;
    const before = count(player.deeds);
    const after = before - count(lost) + count(won);
    const words = { name: player.name, group };
    if (after === of && before < of)
      return [make("p", { className: "effect" }, say("{name} completes {group}: its rents can go up.", words))];
    if (before === of && after < of) return [make("p", { className: "effect" }, say("{name} no longer has all of {group}.", words))];
    return [];
  });
}
