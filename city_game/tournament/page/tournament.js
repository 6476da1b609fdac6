// The pages of a tournament: its tables on a projector, and the controls of its referee.

import { clock as counted, fill, kept, learn, make, say, the } from "./dom.js";
import { Line } from "./line.js";
import { Referee } from "./referee.js";

const ROLE = location.hash === "#referee" ? "referee" : "spectator";
const PAGE = Math.random().toString(36).slice(2) + Date.now().toString(36); // identifies this loading of the page
const TURN_MS = 12000; // how long a page of tables is shown
const SCALES = [1.8, 1.5, 1.25, 1.1, 1, 0.9, 0.8, 0.7]; // font sizes to try until all tables fit on one page
const MOST_QUESTIONS = 5; // for the referee, shown on a projector

/** @type {any} */
let view = null;
let seenAt = 0;
let page = 0;
let turnedAt = 0;
let stands = false;
let isOpen = true;
/** @type {HTMLElement[][]} the cards of each page */
let pages = [];
/** @type {Referee | null} */
let tables = null;

const hello = () => ({ page: PAGE, language: kept("language") || navigator.language });
const line = new Line(
  `ws://${location.host}${location.pathname}${ROLE}`,
  hello,
  (message) => (message.welcome ? greet(message.welcome) : message.view && look(message.view)),
  (open) => {
    isOpen = open;
    the("notice").hidden = open;
    the("notice").textContent = open ? "" : say("The tournament does not answer; trying again…");
  },
);

function greet(welcome) {
  learn(welcome.texts, welcome.money, welcome.language);
  document.title = say("Tournament");
  document.body.classList.toggle("referees", ROLE === "referee");
}

function look(news) {
  view = news;
  seenAt = performance.now();
  the("title").textContent = view.title;
  the("champion").hidden = !view.champion;
  the("champion").textContent = view.champion ? `★ ${say("Champions: {team}", { team: view.champion })}` : "";
  const shown = ROLE === "referee" ? view.waits : view.waits.slice(0, MOST_QUESTIONS);
  if (shown.length < view.waits.length) shown.push(`+ ${view.waits.length - shown.length}`);
  const calm = ROLE === "referee" && !shown.length ? [make("li", { className: "calm" }, say("No open questions."))] : null;
  fill(the("waits"), shown.length || calm ? shown : null, () => calm ?? shown.map((words) => make("li", {}, words)));
  board();
  if (ROLE === "referee") rule();
  clocks();
  lay();
}

/** Rebuild only the cards whose facts have changed: somebody may be typing in another. */
function board() {
  const { tables: now = [], byes = [] } = view.rounds.at(-1) ?? {};
  const lists = [
    ...(byes.length ? [[say("advances without playing"), byes.map((team) => [name(team)])]] : []),
    ...(view.rounds.length ? [] : [[say("Teams"), view.teams.map(entry)]]),
    ...view.rounds.slice(0, -1).map(past).reverse(),
  ];
  const cards = the("board").children;
  while (cards.length > now.length + lists.length) cards[cards.length - 1].remove();
  while (cards.length < now.length + lists.length) the("board").append(make("article", {}, make("div"), make("div")));
  now.forEach((table, place) => card(cards[place], table, place));
  lists.forEach(([title, lines], place) => {
    const list = cards[now.length + place];
    list.className = "";
    list.removeAttribute("data-table");
    fill(list.children[0], [title, lines], () => [
      make("h2", {}, title),
      make("ul", { className: "teams" }, ...lines.map((words) => make("li", {}, ...words.map((part) => make("span", {}, part))))),
    ]);
    fill(list.children[1], null, () => []);
  });
}

/** @param {number} team */
const name = (team) => view.teams[team].name;
/** @param {number} amount */
const sum = (amount) => amount.toLocaleString(document.documentElement.lang);

/** @param {number} place */
function entry(team, place) {
  const words = { reserve: say("in reserve"), away: say("absent") }[/** @type {string} */ (team.status)];
  return [`${place + 1}. ${team.name}`, words ?? ""];
}

/** An earlier round: the winner of each table. @param {number} place */
function past(round, place) {
  const firsts = round.tables.flatMap((table, number) =>
    table.teams
      .filter((row) => row.first)
      .map((row) => [`${number + 1}. ${name(row.team)}`, row.wealth === null ? "" : sum(row.wealth)]),
  );
  return [say("Round {round}", { round: place + 1 }), firsts];
}

/** @param {number} place */
function card(article, table, place) {
  const isKnown = table.teams.some((row) => row.wealth !== null);
  const isTie = isKnown && !table.closed && !table.results.length;
  article.className = `${table.call || table.asks || (isKnown && !table.closed) ? "asks" : ""} ${table.closed ? "closed" : ""}`;
  article.dataset.table = String(place);
  const mark = table.closed ? "✓" : table.phase ? "▶" : "·";
  fill(article.children[0], { ...table, left: 0, teams: table.teams.map((row) => ({ ...row, ...view.teams[row.team] })) }, () => [
    make(
      "div",
      { className: "head" },
      make("h2", {}, say("Table {table}", { table: place + 1 })),
      !table.closed && !isKnown && make("span", { className: "clock", role: "timer" }),
    ),
    make("p", { className: "state" }, `${mark} ${table.words}`),
    ...(table.call ? [make("p", {}, `${say("The referee is called")}: ${table.call}`)] : []),
    make("ul", { className: "teams" }, ...table.teams.map((row) => team(row, row.team === table.bank))),
    ...table.notes.map((words) => make("p", {}, make("small", {}, words))),
  ]);
  const present = table.teams.filter((row) => !row.absent).map((row) => row.team);
  const facts = [place, view.rounds.length, present.map(name), table.call, table.callers, !table.phase, table.closed, table.results, table.teams.map((row) => [row.wealth, row.first])];
  fill(article.children[1], ROLE === "referee" ? facts : null, () => ruling(table, place + 1, present, isTie, isKnown));
}

/** @param {boolean} isBank */
function team(row, isBank) {
  const { junior, adult } = view.teams[row.team];
  const players = [`${junior} ${row.chairs[0]}`, `${adult} ${row.chairs[1]}`].map((words) => words.trim()).filter(Boolean);
  if (isBank) players.push(say("bank"));
  const said = [
    row.wealth === null ? "" : sum(row.wealth),
    row.penalty ? say("penalty {amount}", { amount: sum(row.penalty) }) : "",
    row.absent ? say("absent") : "",
    row.first && !view.champion ? say("next round") : "",
  ].filter(Boolean);
  return make(
    "li",
    { className: `${row.first ? "first" : ""} ${row.absent ? "absent" : ""}` },
    make("span", {}, make("b", {}, name(row.team)), make("small", {}, players.join(" · "))),
    make("span", { className: "wealth" }, ...said.flatMap((words, n) => (n ? [make("br"), words] : [words]))),
  );
}

// The referee.

/** Perform a step, and confirm it outside the cards, which may be rebuilt. @param {string} step @param {HTMLElement} answer @param {() => void} [done] */
function act(step, answer, done = () => {}) {
  line.say({ say: "do", step, seen: view.steps }, (why) => {
    answer.textContent = why;
    the("done").textContent = why ? "" : `✓ ${say("Done: {step}", { step })}`;
    if (!why) done();
  });
}

/** A form whose fields become a step. @param {string} button @param {string[]} labels @param {(words: string[]) => string} step */
function asking(button, labels, step) {
  const fields = labels.map(() => make("input", { autocomplete: "off" }));
  const answer = make("p", { role: "status" });
  const send = (event) => {
    event.preventDefault();
    act(step(fields.map((field) => field.value.trim())), answer, () => form.reset());
  };
  const form = make("form", { onsubmit: send }, ...fields.map((field, n) => make("label", {}, labels[n], field)), make("button", { type: "submit" }, button), answer);
  return form;
}

/** @param {number} number @param {number[]} present @param {boolean} isTie @param {boolean} isKnown */
function ruling(table, number, present, isTie, isKnown) {
  const answer = make("p", { role: "status" });
  const button = (words, step) => make("button", { type: "button", on: () => act(step, answer) }, words);
  const labels = present.map((team) => say("Wealth of {team}: 1500, or 900+600", { team: name(team) }));
  const [verb, title] = isKnown ? ["correct", say("Correct the result")] : ["result", say("Enter the result")];
  const result = asking(title, labels, (words) => `${verb} ${number} ${words.join(" ")}`);
  const decide = make("div", { className: "buttons" }, ...present.map((team) => button(say("{team} advances", { team: name(team) }), `decide ${number} ${team + 1}`)));
  const asked = [table.call, ...table.callers].filter(Boolean).join("; ");
  return [
    ...(asked ? [asking(say("Ruled"), [asked], ([words]) => `answer ${number} ${words}`)] : []),
    ...(isTie ? [decide] : []),
    ...(table.results.length ? [make("div", { className: "buttons" }, ...table.results.map((words) => button(say("{result} is right", { result: words }), `correct ${number} ${words}`)))] : []),
    ...(table.phase || table.closed ? [] : [make("div", { className: "buttons" }, button(say("Start"), `start ${number}`))]),
    ...(table.closed ? [] : [result]),
    ...(isTie ? [] : [make("details", {}, make("summary", {}, say("Decide otherwise")), ...(table.closed ? [result] : []), decide)]),
    answer,
  ];
}

function rule() {
  fill(the("rules"), document.documentElement.lang, () => {
    const answer = make("p", { role: "status" });
    const button = (words, step) => make("button", { type: "button", on: () => act(step(), answer) }, words);
    return [
      make("h2", {}, say("For the referee")),
      make(
        "div",
        { className: "buttons" },
        button(say("Draw the next round"), () => "draw"),
        button(say("Start all clocks"), () => "start"),
        button(say("Undo the last step"), () => `undo ${view.last.slice(0, 200)}`), // only the one shown
        answer,
      ),
      asking(say("Do it"), [say("A step, as typed in the terminal")], ([step]) => step),
    ];
  });
  tables ??= new Referee(hello, false);
  tables.look(view.live);
}

// The projector.

function clocks() {
  const round = view?.rounds.at(-1);
  for (const article of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-table]"))) {
    const table = round?.tables[Number(article.dataset.table)];
    if (!table) continue;
    const passed = table.runs ? (performance.now() - seenAt) / 1000 : 0;
    const time = counted(1000 * (table.left - passed));
    const clock = article.querySelector(".clock");
    if (clock && clock.textContent !== time) clock.textContent = time;
  }
}

/** Put all cards on one page if they stay readable, else as many per page as fit completely. */
function lay() {
  if (ROLE === "referee") return;
  for (const scale of SCALES) {
    document.documentElement.style.setProperty("--scale", String(scale));
    pages = divide();
    if (pages.length < 2) break;
  }
  turn(0);
}

function divide() {
  /** @type {HTMLElement[][]} */
  const found = [];
  let top = 0;
  for (const one of /** @type {HTMLElement[]} */ ([...the("board").children])) {
    const isOver = one.offsetTop + one.offsetHeight - top > the("board").clientHeight;
    // Only a new row starts a page; cards of the same row stay together.
    if (!found.length || (isOver && one.offsetTop > (found.at(-1)?.at(-1)?.offsetTop ?? 0))) {
      found.push([]);
      top = one.offsetTop;
    }
    found.at(-1)?.push(one);
  }
  return found;
}

/** @param {number} by */
function turn(by) {
  if (!pages.length) return;
  page = (page + by + pages.length) % pages.length;
  pages.forEach((cards, number) => cards.forEach((one) => one.classList.toggle("away", number !== page)));
  the("board").scrollTop = pages[page][0].offsetTop;
  if (by) turnedAt = performance.now();
  const words = { page: page + 1, pages: pages.length };
  the("pages").textContent = pages.length < 2 ? "" : `${stands ? "❚❚" : "▶"} ${say("Page {page} of {pages}: arrows turn pages, Space pauses or resumes", words)}`;
}

addEventListener("resize", lay);
addEventListener("keydown", (event) => {
  if (ROLE === "referee" || event.ctrlKey || event.altKey || event.metaKey) return;
  const by = { ArrowRight: 1, ArrowDown: 1, PageDown: 1, ArrowLeft: -1, ArrowUp: -1, PageUp: -1 }[event.key];
  if (event.key === " ") stands = !stands;
  else if (!by) return;
  event.preventDefault();
  turn(by ?? 0);
});
addEventListener("hashchange", () => location.reload());
setInterval(() => {
  if (!view || !isOpen) return;
  clocks();
  if (!stands && pages.length > 1 && performance.now() - turnedAt > TURN_MS) turn(1);
}, 250);
