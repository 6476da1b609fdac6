// The page of a telephone, in one of three roles: player, spectator or referee.

import { Deal } from "./deal.js";
import { clock, fill, hum, kept, learn, make, say, seat, show, the, token } from "./dom.js";
import { Hand } from "./hand.js";
import { Line } from "./line.js";
import { Referee } from "./referee.js";
import { Sale } from "./sale.js";

const ROLE = { "#watch": "spectator", "#referee": "referee" }[location.hash] ?? "player";
const PAGE = Math.random().toString(36).slice(2) + Date.now().toString(36); // identifies this loading of the page

/** @type {any} */
let view = null;
let isOpen = false;
let hourEndsAt = 0;
let seatSaid = "";
let pauseSaid = ""; // why a pause was refused, until the phase changes
let wasMine = false;
let wasLost = false;
let waiting = ""; // the section that needs the player, "" for none

const hello = () => ({ page: PAGE, token: kept("token"), language: kept("language") || navigator.language });
const line = new Line(
  `ws://${location.host}${location.pathname}${ROLE}`,
  hello,
  (message) => (message.welcome ? greet(message.welcome) : message.view && look(message.view)),
  (open) => {
    isOpen = open;
    notice();
  },
);
const tell = line.say.bind(line);
const sale = new Sale(tell);
const hand = new Hand(tell);
const deal = new Deal(tell);
const referee = ROLE === "referee" ? new Referee(hello) : null;

function greet(welcome) {
  learn(welcome.texts, welcome.money, welcome.language);
  document.title = say("City game");
  the("language").replaceChildren(
    ...welcome.languages.map(([code, name]) =>
      make("option", { value: code, selected: code === welcome.language }, name),
    ),
  );
  const sentences = welcome.how.map((sentence) => make("li", {}, sentence));
  the("how").querySelector("ul").replaceChildren(...sentences);
  the("how").hidden = false;
  the("language").setAttribute("aria-label", say("Language"));
  the("foot").hidden = false;
  the("watch").hidden = ROLE === "spectator";
  the("refer").hidden = ROLE === "referee";
  the("play").hidden = ROLE === "player";
}

function look(news) {
  if (view?.phase !== news.phase || view?.unit !== news.unit) pauseSaid = "";
  view = news;
  if (ROLE === "player" && view.token) kept("token", view.token);
  hourEndsAt = view.left ? performance.now() + view.left : 0;
  countHour();
  document.body.classList.toggle("seated", view.you >= 0);
  document.body.classList.toggle("rules", ROLE === "referee");
  top_();
  seats();
  sale.show(view);
  hand.show(view);
  deal.show(view);
  referee?.show(view);
  notice();
  call();
}

function top_() {
  const player = view.you >= 0 ? view.players[view.you] : null;
  the("top").hidden = !view.players;
  the("leave").hidden = !player;
  the("pause").hidden = !player || view.phase === "over";
  the("call-referee").hidden = !player || !(view.refers || view.called);
  the("call-referee").textContent = view.called ? say("Withdraw the call for the referee") : say("Call the referee");
  the("pause").textContent = view.unit === "pause" ? say("Resume") : say("Pause");
  if (!player) {
    the("who").textContent = say("City game");
    the("cash").textContent = "";
    the("token").replaceChildren();
    return;
  }
  document.documentElement.style.setProperty("--mine", player.colour);
  the("who").textContent = player.name;
  the("cash").textContent = show(player.cash);
  the("token").replaceChildren(...token(player).childNodes);
}

function seats() {
  const wanted = ROLE === "player" && view.you < 0 && view.players;
  const known = (player) => [player.name, player.human, player.colour];
  fill(the("seats"), wanted ? [view.players.map(known), view.taken, seatSaid] : null, () => [
    make("h2", {}, say("Who are you?")),
    ...view.players.flatMap((player, place) =>
      player.human
        ? // The note has its room from the start: a row that grew would move the others under a finger.
          [seat(player, () => sit(place), make("small", { className: view.taken[place] ? "" : "unseen" }, say("has a telephone: take the seat over?")))]
        : [],
    ),
    make("p", { className: "said", role: "status" }, seatSaid),
  ]);
}

/** @param {number} player */
function sit(player) {
  const name = view.players[player].name;
  const over = view.taken[player];
  if (over && !confirm(say("Take over the seat of {name}? The other telephone loses it, and shows that.", { name }))) return;
  tell({ say: "seat", player, over }, (why) => {
    seatSaid = why;
    seats();
  });
}

function notice() {
  let words = "";
  if (!isOpen) words = say("The table does not answer; trying again…");
  else if (view && !view.players) words = say("The game has not started. Keep this page open.");
  else if (view?.lost_seat) words = say("Another telephone has taken over your seat. If that was wrong, take it back below.");
  else if (view?.unit) words = view.title;
  else words = pauseSaid;
  the("notice").textContent = words;
  the("notice").hidden = !words;
  // Red is for faults only, not for a pause or a game that has not started.
  const isWrong = !isOpen || view?.lost_seat || (view?.unit && view.unit !== "pause");
  the("notice").classList.toggle("calm", !isWrong);
  document.body.classList.toggle("alone", !isOpen);
}

/** Vibrate when something new needs the player, and say what. */
function call() {
  const proposal = view.hand?.proposals.find((p) => !p.mine);
  const mine = Boolean(view.hand?.options.length || proposal);
  if ((mine && !wasMine) || (view.lost_seat && !wasLost)) hum(60);
  wasMine = mine;
  wasLost = Boolean(view.lost_seat);
  const name = proposal && view.players[proposal.other].name;
  waiting = proposal ? "proposals" : mine ? "decide" : "";
  the("calls").textContent = proposal ? say("{name} proposes a deal", { name }) : mine ? say("It is your decision") : "";
  beckon();
}

/** Offer a jump to the section that needs the player, if it is out of sight and no sale is on. */
function beckon() {
  const box = waiting ? the(waiting).getBoundingClientRect() : null;
  const seen = box && box.bottom > the("top").offsetHeight + 40 && box.top < innerHeight - 40;
  const busy = document.body.classList.contains("in-sale") || (waiting === "decide" && !the("deal").hidden);
  the("calls").hidden = !box || seen || busy;
}

function countHour() {
  const now = view?.stands ? hourEndsAt - view.left : performance.now();
  const time = hourEndsAt ? clock(hourEndsAt - now) : "";
  the("hour").textContent = view?.phase === "over" ? "" : view?.last_turn ? say("last turn") : time;
}

the("language").addEventListener("change", () => {
  kept("language", the("language").value);
  location.reload();
});
the("pause").addEventListener("click", () =>
  tell({ say: "pause" }, (why) => {
    pauseSaid = why;
    notice();
    if (why) the("notice").scrollIntoView({ block: "center" }); // the button is at the foot
  }),
);
the("call-referee").addEventListener("click", () => tell({ say: "referee", on: !view.called }));
the("leave").addEventListener("click", () => {
  if (confirm(say("Leave this seat? Another telephone can then take it."))) {
    tell({ say: "leave" });
    kept("token", " ");
  }
});
the("calls").addEventListener("click", () => the(waiting || "top").scrollIntoView({ block: "center" }));
window.addEventListener("scroll", beckon, { passive: true });
window.addEventListener("hashchange", () => location.reload());
setInterval(countHour, 500);
