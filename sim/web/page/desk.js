// The controls around the disc: programs, volume, settings, notices and questions.

import { canNotify } from "./device.js";
import { find, later, make, say, span, speak } from "./words.js";

/** @typedef {import("./app.js").App} App */

// Names of the built-in programs for people, with the same texts as in the window.
export const TITLES = /** @type {Record<string, string>} */ ({
  city: later("City"),
  championship: later("championship"),
  timed: later("timed"),
  world: later("world"),
});

// The use of each built-in program.
const FOR = /** @type {Record<string, string>} */ ({
  city: later("the game as it comes in the box"),
  championship: later("tournament rules: 5 minutes to deal out the deeds, then 45 minutes of play"),
  timed: later("the richest player wins at the end of a time that you agree on"),
  world: later("the last bidder wins when the light goes out, without a warning"),
});

// The browser may offer installation before the page has started.
let offer = /** @type {(Event & {prompt(): void}) | null} */ (null);

for (const kind of ["beforeinstallprompt", "appinstalled"])
  window.addEventListener(kind, (event) => {
    event.preventDefault();
    offer = kind === "appinstalled" ? null : /** @type {Event & {prompt(): void}} */ (event);
    find("#install").hidden = !offer;
  });

/** @typedef {() => string} Words a text in the current language */

const LOADED_MS = 10_000; // by then the browser has read a saved file

export class Desk {
  /** @param {App} app */
  constructor(app) {
    this._app = app;
    this._notices = /** @type {Map<string, {bar: HTMLElement, words: Words, action: Words}>} */ (new Map());
    const programs = () => this._open("#programs", () => this.listPrograms());
    const help = () => this._open("#help", () => {});
    const full = () => {
      if (document.fullscreenElement) document.exitFullscreen().catch(() => {});
      else document.documentElement.requestFullscreen?.().catch(() => {});
    };
    let loud = 2; // the volume that unmuting restores
    const mute = () => {
      const { volume } = app.unit;
      if (volume) loud = volume;
      app.act("volume", volume ? 0 : loud);
    };
    this._keys = /** @type {Record<string, () => void>} */ ({
      o: () => app.slide(NaN),
      c: programs,
      h: help,
      "?": help,
      f1: help,
      f: full,
      arrowup: () => app.volume(1),
      arrowdown: () => app.volume(-1),
      m: mute,
    });
    find("#program-button").addEventListener("click", programs);
    find("#help-button").addEventListener("click", help);
    find("#volume").addEventListener("click", () => app.act("volume", (app.unit.volume + 1) % 4));
    find("#full").addEventListener("click", full);
    const report = /** @type {HTMLTextAreaElement} */ (find("#report-text"));
    find("#report-button").addEventListener("click", () =>
      this._open("#report", () => {
        const rows = [`City Unit ${app.facts.version}`, navigator.userAgent, document.documentElement.lang];
        const size = `${innerWidth}x${innerHeight} ${devicePixelRatio}`;
        report.value = [...rows, size, "", JSON.stringify(app.kept)].join("\n");
      }),
    );
    find("#report-save").addEventListener("click", () => {
      const href = URL.createObjectURL(new Blob([`${report.value}\n`], { type: "text/plain" }));
      make("a", { href, download: "city-unit-report.txt" }).click();
      setTimeout(() => URL.revokeObjectURL(href), LOADED_MS);
    });
    find("#set-up").addEventListener("click", () => {
      this._close();
      app.setUp();
    });
    for (const dialog of document.querySelectorAll("dialog"))
      dialog.addEventListener("click", (event) => {
        if (event.target === dialog) dialog.close(); // on its backdrop
      });
    const input = /** @type {HTMLInputElement} */ (find("#file"));
    input.addEventListener("change", () => {
      if (input.files?.[0]) this._app.take(input.files[0]);
      input.value = "";
      this._close();
    });
    document.addEventListener("dragover", (event) => event.preventDefault());
    document.addEventListener("drop", (event) => {
      event.preventDefault();
      const file = event.dataTransfer?.files[0];
      if (file) this._app.take(file);
    });
    this._settings();
  }

  /** Perform a key's action; return whether it has one. @param {string} key */
  key(key) {
    this._keys[key]?.();
    return key in this._keys;
  }

  /** @param {string} selector @param {() => void} fill */
  _open(selector, fill) {
    this._close();
    fill();
    /** @type {HTMLDialogElement} */ (find(selector)).showModal();
  }

  _close() {
    document.querySelectorAll("dialog[open]").forEach((dialog) => /** @type {HTMLDialogElement} */ (dialog).close());
  }

  // Programs.

  listPrograms() {
    const programs = [...this._app.facts.programs, ...this._app.own];
    find("#program-list").replaceChildren(...programs.map((program) => this._listed(program)));
  }

  /** A row of the list: one button, or one for each length of the program. @param {Program} program */
  _listed(program) {
    const { name } = program;
    const chosen = this._app.unit;
    const called = this._app.called(name);
    const isOwn = this._app.own.includes(program);
    const lengths = program.clock_choices_ms ?? [];
    const use = isOwn ? "" : FOR[name];
    const [shortest, longest] = program.auction_ms.map(span);
    const facts = [];
    if (!lengths.length) facts.push(program.clock_ms ? say("{length} of play", { length: span(program.clock_ms) }) : say("no clock"));
    if (shortest === longest) facts.push(say("auctions of {length}", { length: shortest }));
    else facts.push(say("auctions of {shortest} to {longest}", { shortest, longest }));
    if (program.odds.length) facts.push(say("permits"));
    const words = [make("strong", { textContent: called }), " ", facts.join(", "), ...(use ? [make("br", {}), say(use)] : [])];
    const choice = (/** @type {number | null} */ length, /** @type {(Node | string)[]} */ ...inside) => {
      const isChosen = name === chosen.program && (length ?? chosen.clock_ms) === chosen.clock_ms;
      const onclick = () => {
        this._close();
        if (!isChosen) this._app.choose(name, length);
      };
      const button = make("button", { onclick, "aria-pressed": isChosen }, ...inside);
      if (length !== null) button.setAttribute("aria-label", `${span(length)}, ${called}`);
      return button;
    };
    const item = make("li", {});
    if (lengths.length) {
      const buttons = lengths.map((length) => choice(length, span(length)));
      item.append(make("div", { className: "lengths", role: "group", "aria-label": called }, make("p", {}, ...words), ...buttons));
    } else item.append(choice(null, ...words));
    if (!isOwn) return item;
    const onclick = () => {
      if (this._app.unit.program === name) return;
      this._app.forget(name);
      this.listPrograms();
    };
    const label = say("Forget {name}", { name: program.title || name });
    item.append(make("button", { className: "small", textContent: say("Forget"), "aria-label": label, onclick }));
    return item;
  }

  // Settings.

  _settings() {
    const { options } = this._app.kept;
    for (const name of /** @type {("seconds" | "calm")[]} */ (["seconds", "calm"])) {
      const box = /** @type {HTMLInputElement} */ (find(`#${name}`));
      box.checked = options[name];
      box.addEventListener("change", () => {
        options[name] = box.checked;
        this._calm();
        this._app.keepOptions();
      });
    }
    const box = /** @type {HTMLInputElement} */ (find("#notify"));
    find("#notify-row").hidden = !canNotify();
    box.checked = options.notify && canNotify() && Notification.permission === "granted";
    box.addEventListener("change", async () => {
      if (box.checked) box.checked = (await Notification.requestPermission()) === "granted";
      options.notify = box.checked;
      this._app.keepOptions();
    });
    find("#install").addEventListener("click", () => offer?.prompt());
    const language = /** @type {HTMLSelectElement} */ (find("#language"));
    language.value = options.language;
    language.addEventListener("change", async () => {
      options.language = language.value;
      await speak(language.value);
      this._sayAgain();
      this._app.keepOptions(true);
    });
    this._calm();
  }

  _calm() {
    document.body.classList.toggle("calm", this._app.kept.options.calm);
  }

  // Notices and questions.

  /**
   * Show a notice until it is closed or `ms` have passed (0: no time limit).
   *
   * @param {string} name @param {Words} words @param {number} [ms]
   * @param {Words} [action] the text of its button @param {() => void} [act]
   */
  notice(name, words, ms = 0, action = () => say("OK"), act = () => {}) {
    this.unnotice(name);
    const onclick = () => {
      this.unnotice(name);
      act();
    };
    const bar = make("p", {}, make("span", {}), " ", make("button", { onclick }));
    bar.dataset.notice = name;
    this._notices.set(name, { bar, words, action });
    this._sayAgain();
    find("#notices").append(bar);
    if (ms) setTimeout(() => this._notices.get(name)?.bar === bar && this.unnotice(name), ms);
  }

  _sayAgain() {
    for (const { bar, words, action } of this._notices.values()) {
      /** @type {HTMLElement} */ (bar.firstChild).textContent = words();
      /** @type {HTMLElement} */ (bar.lastChild).textContent = action();
    }
  }

  /** @param {string} name */
  isNoticed(name) {
    return this._notices.has(name);
  }

  /** @param {string} name */
  unnotice(name) {
    this._notices.get(name)?.bar.remove();
    this._notices.delete(name);
  }

  /** Ask the user; return whether the answer is yes. @param {string} question @param {string} yes */
  ask(question, yes) {
    const dialog = /** @type {HTMLDialogElement} */ (find("#question"));
    find("#question-text").textContent = question;
    find("#yes").textContent = yes;
    dialog.returnValue = "";
    this._close();
    dialog.showModal();
    return new Promise((answer) => {
      dialog.addEventListener("close", () => answer(dialog.returnValue === "yes"), { once: true });
    });
  }
}
