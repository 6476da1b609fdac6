// The sale, with one large button. A touch bids as soon as it comes down. It bids the amount that its player
// can have read: an amount that has just changed may not have been noticed yet.

import { bidWords, fill, hum, make, parse, say, show, the } from "./dom.js";

const SEEN_MS = 150; // nobody reads an amount and reacts to it faster
const COMES_MS = 400; // how long a new button is disabled: an earlier press meant something else
const STEPS = [1, 5, 10, 25, 50, 100]; // notes of 10k
const USUAL = 10; // the step at the start of each sale, as at the table
const SOLD_MS = 6000; // how long the page names the buyer

/** The amount on the button, and the time from which it can have been read. */
export class Label {
  /** @param {HTMLElement} button */
  constructor(button) {
    this._button = button;
    this._before = 0; // the previous amount
    this._ripe = 0; // when the current one can have been read, by the page's clock
  }

  /** @param {number} amount 0 for nothing @param {number} now */
  say(amount, now) {
    const before = Number(this._button.dataset.amount || 0);
    if (amount === before) return;
    if (now >= this._ripe) this._before = before;
    this._ripe = now + SEEN_MS;
    this._button.dataset.amount = String(amount);
  }

  /** The amount meant by a press: the previous one until the current one can have been read. @param {number} at */
  meant(at) {
    return at < this._ripe ? this._before : Number(this._button.dataset.amount);
  }
}

export class Sale {
  /** @param {(message: Record<string, unknown>, answered?: (why: string) => void) => void} tell */
  constructor(tell) {
    this._tell = tell;
    /** @type {any} */
    this._view = null;
    this._cameAt = 0; // the arrival of the view, by the page's clock
    this.endsAt = 0; // the end of the light, by the page's clock; 0 if unknown
    this._whole = 0;
    this._number = -1;
    this._told = -1; // number of the last sale whose buyer was named
    this._step = USUAL;
    this._button = the("bid");
    this._label = new Label(this._button);
    this._comes = false; // whether the button has just appeared
    this._sent = 0; // the amount of an unanswered bid
    this._follow();
    setInterval(() => this._count(), 100);
  }

  show(view) {
    if (view !== this._view) this._cameAt = performance.now();
    this._view = view;
    const sale = view.sale;
    the("sale").hidden = !sale;
    document.body.classList.toggle("in-sale", Boolean(sale && view.hand && view.phase !== "hammer"));
    this._tellSold(view);
    if (!sale) return;
    if (sale.number !== this._number) {
      Object.assign(this, { _number: sale.number, _step: USUAL, _sent: 0 });
      the("limit-field").value = "";
      the("limit-said").textContent = "";
    }
    this.endsAt = sale.left === null ? 0 : this._cameAt + sale.left;
    this._whole = sale.whole ?? 0;
    the("sale-colour").style.setProperty("--colour", sale.colour);
    the("sale-name").textContent = sale.name;
    the("sale-facts").textContent = say("Printed price {price}, bare rent {rent}", sale);
    the("sale-stands").textContent = this._stands(view);
    this._fillBids(view);
    this._fillTools(view);
    this._fillButton(view);
    this._count();
  }

  /** Name the buyer in an overlay, for some seconds or until the next sale. */
  _tellSold({ sold, players, you }) {
    if (!sold || sold.number !== this._number) the("sold").hidden = true;
    if (!sold || sold.number !== this._number || this._told === sold.number) return;
    this._told = sold.number;
    const amount = show(sold.amount);
    const mine = sold.player === you;
    the("sold").textContent = mine
      ? say("Sold to you: {district}, {amount}", { district: sold.district, amount })
      : say("Sold to {name}: {district}, {amount}", { name: players[sold.player].name, district: sold.district, amount });
    the("sold").classList.toggle("mine", mine);
    the("sold").hidden = false;
    if (mine) hum(60);
    setTimeout(() => this._told === sold.number && (the("sold").hidden = true), SOLD_MS);
  }

  _stands({ phase, sale, players, you }) {
    if (phase === "hammer") return say("The light is not on yet.");
    if (sale.leader < 0) return say("Nobody has bid yet.");
    const amount = show(sale.highest);
    if (sale.leader === you) return say("You lead with {amount}.", { amount });
    return say("{name} leads with {amount}.", { name: players[sale.leader].name, amount });
  }

  _next({ sale, players, you }) {
    const wanted = sale.highest ? Math.max(sale.least, sale.highest + this._step) : sale.least;
    const cash = players[you].cash;
    return wanted > cash ? sale.least : wanted;
  }

  _fillButton(view) {
    const { hand, players, you, phase, verdict } = view;
    const mine = hand?.bidding;
    const hidden = !mine || phase === "hammer";
    if (the("bid").hidden && !hidden) {
      this._comes = true; // the layout has just changed: nobody can have meant this button yet
      setTimeout(() => {
        this._comes = false;
        if (this._view?.sale) this.show(this._view);
      }, COMES_MS);
    }
    the("bid").hidden = the("sale-tools").hidden = hidden;
    const judged = verdict && { amount: show(verdict.amount), why: verdict.words };
    if (!mine || !judged) the("verdict").textContent = "";
    else if (verdict.counts) the("verdict").textContent = say("Your {amount} counts.", judged);
    else the("verdict").textContent = say("Your {amount} does not count: {why}", judged);
    if (!mine) return;
    const next = this._next(view);
    const waits = mine.waits || this._sent;
    const able = phase === "bidding" && !mine.leads && next <= players[you].cash && !waits && !this._comes;
    the("bid").disabled = !able;
    the("bid").classList.toggle("passed", mine.passed);
    this._label.say(able ? next : 0, performance.now());
    the("bid-amount").textContent = show(waits || (mine.leads ? view.sale.highest : next));
    the("bid-above").textContent = waits
      ? say("On its way")
      : mine.leads
        ? say("You lead")
        : say("Bid");
    the("bid-below").textContent = this._below(able, next, view);
  }

  /** @param {boolean} able @param {number} next */
  _below(able, next, { phase, hand, players, you }) {
    if (phase === "settling") return say("The light is out");
    if (hand.bidding.leads || hand.bidding.waits) return "";
    if (next > players[you].cash) return say("more than you have");
    // To translators: on the button that bids, after a pass.
    if (hand.bidding.passed && able) return say("a touch cancels your pass and makes a binding bid");
    // To translators: on the button that bids, below the amount.
    return able ? say("a touch makes a binding bid") : "";
  }

  _fillTools({ hand, phase }) {
    const mine = hand?.bidding;
    if (!mine) return;
    the("pass").disabled = !mine.can_pass || mine.passed;
    the("pass").textContent = mine.passed ? say("You have passed") : say("Pass");
    the("limit-field").disabled = phase !== "bidding";
    the("keeps").classList.toggle("unseen", !mine.can_pass || mine.passed);
    the("keeps").textContent = mine.awaited
      ? say("Everybody is waiting for you: bid or pass.")
      : say("While a player neither bids nor passes, the light stays on to its end.");
    the("keeps").classList.toggle("faint", !mine.awaited);
    this._nameLimit();
    the("limit").hidden = mine.passed;
    const amount = show(mine.limit);
    the("limit-said").classList.toggle("faint", !mine.overtaken);
    if (mine.overtaken) the("limit-said").textContent = say("You have been outbid: your maximum of {amount} is now too low.", { amount });
    else if (mine.limit)
      the("limit-said").textContent = say("The table bids for you up to {amount}; nobody sees it.", { amount });
    this._fillSteps();
  }

  /** Label the button next to the maximum; without a typed sum it removes the current maximum. */
  _nameLimit() {
    const removes = this._view?.hand?.bidding?.limit && !the("limit-field").value.trim();
    the("limit-set").textContent = removes ? say("Remove it") : say("Set it");
  }

  _fillSteps() {
    const place = the("steps");
    const choose = (step) => {
      this._step = step;
      if (this._view?.sale) this.show(this._view);
    };
    fill(place, this._step, () => [
      place.querySelector("legend"),
      ...STEPS.map((step) => make("button", { on: () => choose(step), "aria-pressed": String(step === this._step) }, show(step))),
    ]);
  }

  _fillBids({ sale, players }) {
    the("give").hidden = !sale.bids.length;
    the("bids").replaceChildren(
      ...sale.bids.map((bid) =>
        make("li", { className: bid.why ? "void" : "", colour: players[bid.player].colour }, ...bidWords(bid)),
      ),
    );
  }

  _count() {
    const sale = this._view?.sale;
    if (!sale) return;
    const left = this.endsAt ? Math.max(0, this.endsAt - performance.now()) : 0;
    // The clock keeps its room while it is hidden, so that the parts below do not move.
    the("sale-left").classList.toggle("unseen", !this.endsAt);
    the("sale-bar").value = this._whole ? left / this._whole : 0;
    // To translators: seconds.
    the("sale-seconds").textContent = say("{count} s", { count: Math.ceil(left / 1000) });
    the("sale").classList.toggle("closing", Boolean(this.endsAt) && left <= sale.warning);
  }

  _follow() {
    const button = this._button;
    const press = (event) => {
      event.preventDefault();
      if (button.disabled) return;
      const at = stampOf(event);
      const amount = this._label.meant(at);
      if (amount) this._bid(amount, at);
    };
    button.addEventListener("pointerdown", (event) => {
      if (event.isPrimary && !event.button) press(event);
    });
    // A held key repeats while the button is disabled: then Space would scroll the page.
    let held = "";
    button.addEventListener("keydown", (event) => {
      if (event.repeat || (event.key !== "Enter" && event.key !== " ")) return;
      held = event.key;
      press(event);
    });
    document.addEventListener("keydown", (event) => {
      if (event.repeat && event.key === held) event.preventDefault();
      else if (!event.repeat && event.target !== button) held = ""; // its release went to another window
    });
    document.addEventListener("keyup", (event) => {
      if (event.key !== held) return;
      event.preventDefault();
      held = "";
    });
    // Assistive tools send only a click, whose detail is 0. A finger has bid at its press already.
    button.addEventListener("click", (event) => {
      if (!event.detail) press(event);
    });
    button.addEventListener("contextmenu", (event) => event.preventDefault());
    the("pass").addEventListener("click", () => this._tell({ say: "pass", sale: this._number }, said));
    the("limit-field").addEventListener("input", () => this._nameLimit());
    the("limit").addEventListener("submit", (event) => {
      event.preventDefault();
      this._limit();
    });
  }

  /** @param {number} amount @param {number} at */
  _bid(amount, at) {
    if (this._sent) return;
    this._sent = amount;
    hum(20);
    the("bid").disabled = true;
    the("bid-above").textContent = say("On its way");
    this._tell({ say: "bid", sale: this._number, amount, at }, (why) => {
      this._sent = 0;
      if (this._view?.sale) this.show(this._view);
      if (why) the("verdict").textContent = why;
    });
  }

  _limit() {
    const mine = this._view?.hand?.bidding;
    const typed = the("limit-field").value.trim();
    const amount = mine?.limit && !typed ? 0 : parse(typed);
    if (amount === null || (!amount && typed)) {
      the("limit-said").textContent = say("Write a sum as 1.5 or 0.25 (millions), or as 250k.");
      return;
    }
    the("limit-said").textContent = "";
    this._tell({ say: "limit", sale: this._number, amount, step: this._step }, (why) => {
      if (why) the("limit-said").textContent = why;
      else the("limit-field").value = "";
      this._nameLimit();
    });
  }
}

/** The time of a press: the event's time stamp, if the browser gives it by the page's clock. @param {Event} event */
function stampOf(event) {
  const now = performance.now();
  return event.timeStamp > now - 1000 && event.timeStamp <= now ? event.timeStamp : now;
}

/** @param {string} why */
function said(why) {
  if (why) the("verdict").textContent = why;
}
