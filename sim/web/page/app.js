// The page. Each input goes to the unit with its own time stamp, and the unit returns a plan: the trace of
// everything it will do if nobody touches it. The page shows and sounds the plan as its moments arrive. No
// timer decides anything, so that a late picture is only late and never wrong.

import { Desk, TITLES } from "./desk.js";
import { Awake, Version, beAlone, hum, notify, unnotify } from "./device.js";
import { clock, find, later, say, speak } from "./words.js";
import { AUCTION, BUILD, Face, Fingers, SWITCH, tell } from "./face.js";
import { discard, putAside, read, write } from "./storage.js";
import { Speaker } from "./sound.js";
import { Core, History, OLDEST_MS, UnitTime, load, readProgram, since } from "./unit.js";

const SOON_MS = 2_500; // the length of the first plan after an input, short so that the response is quick
const FAR_MS = 25 * 3_600_000; // the length to which later tasks extend it
const TASK_MS = 8; // the length of such a task, short so that a frame or an input can come between two
const PART_LINES = 12; // lines of the plan at a time: a slow telephone makes them in about TASK_MS
const LONGEST_PLAN = 2_000; // lines; near the end of a plan the unit itself is advanced
const YOUNG_MS = 5_000; // a game may be ended without a question while it is younger than this
const REST_MS = 100; // longer than the debounce of the slide switch
const TICK_MS = 1_000;
const RETURN_MS = 6_000; // how long the notice that the game continues is shown
const HUMMED_MS = 300; // a vibration later than this is dropped

const NOTHING = /** @type {Deed} */ ([0, "live", null, null]); // requests a plan without an input

const FORGETS = later("This browser does not store anything: a closed page loses its game.");

const NOTIFIED = ["auction-ended", "hour-ended", "time-called"];

const HUMS = /** @type {Record<string, number[]>} */ ({
  "auction-warning": [200],
  "auction-ended": [150, 75, 600],
  "permit-granted": [80],
  "hour-ended": [900],
  "time-called": [500, 200, 500],
});

export class App {
  /** @param {any} python @param {Facts} facts @param {Kept} kept @param {string} trouble */
  constructor(python, facts, kept, trouble) {
    this._python = python;
    this.facts = facts;
    this.kept = kept;
    this.own = this._readOwn();
    this._face = new Face(facts.lamps);
    this._awake = new Awake();
    this._timer = 0;
    this._parts = new MessageChannel(); // unlike a timer it is not throttled while the page is hidden
    this._parts.port1.onmessage = () => this._extendPlan();
    this._isBack = false; // whether the notice that the game continues is shown
    this.speaker = new Speaker(facts.sound, () => this._tellSound());
    this._fingers = new Fingers((what, bit, stamp) => this.act(what, bit, null, stamp));
    this.time = since(kept.journal.length ? kept.epoch : Date.now(), kept.journal.at(-1)?.[0] ?? 0);
    this._core = this._make();
    this._answer = this._core.do(NOTHING, 0);
    this.history = new History(this._answer.unit);
    this.desk = new Desk(this);
    this.version = new Version(this.desk);
    const isRestored = this._restore();
    this._connect();
    if (isRestored && trouble === "forbidden") this.desk.notice("keep", () => say(FORGETS));
    const words = () => say("Part of the saved state could not be read; the page continues without it.");
    if (!isRestored || trouble === "broken") this.desk.notice("broken", words, 0, () => say("Discard it"), discard);
  }

  // A session of the unit, from switching on to switching off.

  /** Continue where the page was closed; return whether that was possible. */
  _restore() {
    let isRestored = true;
    try {
      this._core.replay(this.kept.journal);
      this.history.forgetAsides(this.time.now()); // they were shown before the page was closed
      this._learn(this._core.do(NOTHING, FAR_MS));
    } catch {
      isRestored = false;
      putAside(JSON.stringify(this.kept));
      this._rebegin(performance.now());
    }
    for (const bit of [AUCTION, BUILD])
      if (this._answer.levels & bit) this._do([this._answer.ms, "release", bit, null], FAR_MS);
    return isRestored;
  }

  /** Start a new session. @param {number} origin when the unit is switched on, as performance.now() counts */
  _rebegin(origin) {
    const seed = new Uint32Array(1);
    crypto.getRandomValues(seed);
    this.kept.seed = seed[0];
    this.kept.journal = [];
    this.time = new UnitTime(origin);
    this._core = this._make();
    this._answer = this._core.do(NOTHING, 0);
    this.history = new History(this._answer.unit);
    this._learn(this._answer);
  }

  _make() {
    const { seed, memory } = this.kept;
    return new Core(this._python, { seed, start: 0, programs: this.own, ...memory });
  }

  // Inputs.

  /**
   * Apply an input, at the time stamp of its event or else now.
   *
   * @param {string} what @param {number | string | null} value @param {number | null} [more]
   * @param {number} [stamp]
   */
  act(what, value, more = null, stamp = NaN) {
    this.wake();
    this.speaker.unlock();
    const begins = (what === "switch" && value) || what === "set up";
    if (begins && this._isAtRest()) this._rebegin(this.time.performance(this.time.at(stamp)));
    const ms = Math.max(this._answer.ms, Math.floor(this.time.at(stamp)));
    const why = this._do([ms, what, value, more], SOON_MS);
    if (what === "press") hum(12);
    this._parts.port2.postMessage(null);
    return why;
  }

  /** @param {Deed} deed @param {number} ahead */
  _do(deed, ahead) {
    const answer = this._core.do(deed, ahead);
    this.kept.journal.push(deed);
    this._learn(answer);
    this._keep();
    return answer.why;
  }

  /** @param {Answer} answer */
  _learn(answer) {
    this._answer = answer;
    this.history.learn(answer);
    this._play();
    this.paint();
  }

  /** Extend the plan for TASK_MS; another task does the rest. */
  _extendPlan() {
    const now = this.time.now();
    const ends = performance.now() + TASK_MS;
    const { history } = this;
    while (history.until !== null && history.until < now + FAR_MS && history.plan.length < LONGEST_PLAN) {
      this.history.lengthen(this._core.further(now + FAR_MS, PART_LINES));
      if (performance.now() < ends) continue;
      this._parts.port2.postMessage(null);
      break;
    }
    if (this.history.until !== null && this.history.until < now + TICK_MS)
      this._learn(this._core.do([Math.floor(now) - OLDEST_MS, "live", null, null], FAR_MS));
    this._play();
  }

  /** The current snapshot of the unit. */
  get unit() {
    return this.history.at(this.time.now()).unit;
  }

  _isAtRest() {
    if (this._answer.at_rest) return true;
    const dark = this.unit.state === "off" && this.history.next() === null;
    return dark && !this._answer.levels && this.time.now() > this._answer.ms + REST_MS;
  }

  /** Whether switching off would lose a game. */
  gameRuns() {
    const { state, hour_ends, clock_ms } = this.unit;
    if (state === "auction" || state === "warning" || state === "drawing") return true;
    return hour_ends !== null && clock_ms - (hour_ends - this.time.now()) > YOUNG_MS;
  }

  /** @param {number} stamp */
  async slide(stamp) {
    this.speaker.unlock();
    if (this.unit.state === "off") this.act("switch", 1, null, stamp);
    else if (!this.gameRuns()) this.act("switch", 0, null, stamp);
    else if (await this.desk.ask(say("Switch off? That ends this game."), say("Switch off"))) this.act("switch", 0);
  }

  async setUp() {
    if (this.gameRuns() && !(await this.desk.ask(say("Set up? That ends this game."), say("Set up")))) return;
    this.act("set up", null);
  }

  /** Whether a program may start; asks if that would end a game. @param {string} name for people */
  async _mayBegin(name) {
    return !this.gameRuns() || this.desk.ask(say("Start {name}? That ends this game.", { name }), say("Start"));
  }

  /** @param {string} name @param {number | null} length */
  async choose(name, length) {
    if (!(await this._mayBegin(this.called(name)))) return;
    const why = this.act("program", name, length);
    if (why) this.desk.notice("refused", () => say("Not now: wait for the light to go out."), 5_000);
  }

  /** @param {number} step */
  volume(step) {
    const volume = this.unit.volume + step;
    if (volume >= 0 && volume <= 3) this.act("volume", volume);
  }

  // The user's own programs.

  _readOwn() {
    const own = this.kept.own.map((text) => readProgram(this._python, text));
    return own.filter((program) => !program.error); // an earlier version of the page may have accepted more
  }

  /** Import a program file. @param {File} file */
  async take(file) {
    const text = await file.text();
    const program = readProgram(this._python, text, file.name);
    const { name, title, error } = program;
    if (error || this.facts.programs.some((built) => built.name === name)) {
      const nameIsTaken = () => say('{file}: "{value}" is the name of a built-in program', { file: file.name, value: name });
      this.desk.notice("program", () => readProgram(this._python, text, file.name).error || nameIsTaken());
      return;
    }
    if (!(await this._mayBegin(title || name))) return;
    this.kept.own = [...this._without(name), text];
    this.own = this._readOwn();
    this.kept.memory = { ...this.kept.memory, program: name, clock_ms: null };
    this._rebegin(performance.now());
    this._keep();
    this.desk.notice("program", () => say("{name} is ready: slide the switch.", { name: this.called(name) }), 8_000);
    this.desk.listPrograms();
  }

  /** @param {string} name */
  forget(name) {
    this.kept.own = this._without(name);
    this.own = this._readOwn();
    this._keep();
  }

  /** The files of the other programs. @param {string} name */
  _without(name) {
    return this.kept.own.filter((text) => readProgram(this._python, text).name !== name);
  }

  // Output.

  _play() {
    this.speaker.setVolume(this.unit.volume);
    this.speaker.play(this.history.notes(), this.history.since, (ms) => this.time.performance(ms));
  }

  /** Paint the current moment, and schedule the next painting. */
  paint() {
    clearTimeout(this._timer);
    const now = this.time.now();
    const before = this.history.shown.latest;
    const shown = this.history.at(now);
    const { options } = this.kept;
    const called = (/** @type {string} */ name) => this.called(name);
    const telling = tell(shown, now, { seconds: options.seconds, permits: Boolean(this._find(shown.unit.program)?.odds?.length), called });
    this._face.paint(shown, telling, called(shown.unit.program), this.levels(now), this.history, now);
    this.speaker.setVolume(shown.unit.volume);
    this._awake.want(shown.unit.state !== "off");
    this.speaker.keepAwake(shown.unit.state !== "off");
    this.version.learn(shown.unit.state === "off");
    if (this._isBack && !this._isInGame()) this._tellSound();
    const { latest } = shown;
    if (latest && latest !== before) {
      const kind = latest.event ?? "";
      if (now - latest.ms < HUMMED_MS && HUMS[kind]) hum(...HUMS[kind]);
      if (options.notify && document.hidden && NOTIFIED.includes(kind)) notify(telling.title);
    }
    // Paint again at the next visible change.
    const next = this.history.next();
    const phase = this.unit.hour_ends ?? 0; // when the digits change
    const tick = TICK_MS - (((phase - now) % TICK_MS) + TICK_MS) % TICK_MS || TICK_MS;
    const wait = Math.min(next === null ? TICK_MS : next - now, TICK_MS, tick);
    if (this.history.until !== null && now > this.history.until - 2 * TICK_MS) this._extendPlan();
    this._timer = window.setTimeout(() => {
      this.wake();
      if (document.hidden) this.paint();
      else requestAnimationFrame(() => this.paint());
    }, Math.max(0, wait));
  }

  /** The contacts that are closed at `now`; the plan releases a tapped button. @param {number} now */
  levels(now) {
    const down = this._answer.levels & SWITCH;
    const auction = this._fingers.isDown(AUCTION) ? AUCTION : 0;
    const build = this._fingers.isDown(BUILD) ? BUILD : 0;
    const tapped = now - this._answer.ms < 120 ? this._answer.levels : 0;
    return down | auction | build | tapped;
  }

  /** The name of a program for people. @param {string} name */
  called(name) {
    const title = this._find(name)?.title;
    if (title) return title;
    return name in TITLES ? say(TITLES[name]) : name;
  }

  /** @param {string} program */
  _find(program) {
    return [...this.facts.programs, ...this.own].find(({ name }) => name === program);
  }

  // The device.

  /** Correct the unit's time and the sound if the device slept. */
  wake() {
    const [screen, sound] = [this._awake.wasHeld(), this.speaker.keptStep()]; // each call resets both
    const slept = this.time.wake(screen || sound);
    if (Math.abs(this.time.epoch() - this.kept.epoch) > TICK_MS) this._keep(); // the system clock was set
    if (!slept) return;
    const asleep = { span: clock(Math.round(slept / 1000)) };
    this.desk.notice("slept", () => say("The device slept for {span}; the unit's time has been corrected.", asleep), 15_000);
    this.speaker.again();
    this._play();
  }

  _return() {
    this.wake();
    if (this.kept.options.notify && !document.hidden) unnotify();
    this.speaker.recover();
    this.paint();
  }

  _tellSound() {
    this._isBack = false;
    const blocked = this.speaker.state === "blocked";
    if (this.speaker.state === "none") this._offerSound(() => "");
    else if (blocked && !document.hidden) this._offerSound(() => say("The sound is blocked."));
    else this.desk.unnotice("sound");
  }

  /** @param {() => string} words */
  _offerSound(words) {
    this.desk.notice("sound", words, 0, () => say("Tap for sound"), () => this.speaker.unlock());
  }

  /** Whether the unit is on and its hour is not over. */
  _isInGame() {
    const { state } = this.unit;
    return state !== "off" && state !== "over";
  }

  _connect() {
    this._fingers.follow(find(".press-auction"), AUCTION);
    this._fingers.follow(find(".press-build"), BUILD);
    find(".slide").addEventListener("click", (event) => this.slide(event.timeStamp));
    this._fingers.followKeys((key) => this.desk.key(key));
    for (const kind of ["visibilitychange", "resume"]) document.addEventListener(kind, () => this._return());
    for (const kind of ["pageshow", "focus"]) window.addEventListener(kind, () => this._return());
    window.addEventListener("pagehide", () => this._fingers.lift(performance.now()));
    // A touch or key anywhere unlocks the sound: browsers count a release of a pointer or a press of a key.
    for (const kind of ["pointerup", "keydown"])
      document.addEventListener(kind, () => this.desk.isNoticed("sound") && this.speaker.unlock(), true);
    if (!this._isInGame()) return;
    // The words are shown for RETURN_MS; the button for the sound stays until it is used.
    this._isBack = true;
    this._offerSound(() => say("The game continues."));
    setTimeout(() => this._isBack && this._tellSound(), RETURN_MS);
  }

  _keep() {
    const { program, clock_ms, volume } = this.unit;
    this.kept.memory = { program, clock_ms, volume };
    this.kept.epoch = Math.round(this.time.epoch());
    if (this._isAtRest()) this.kept.journal = [];
    if (!write(this.kept)) this.desk.notice("keep", () => say(FORGETS));
    else this.desk.unnotice("keep");
  }

  /** Save the settings and apply them. @param {boolean} [isNewLanguage] then a screen reader repeats the title */
  keepOptions(isNewLanguage) {
    if (isNewLanguage) this._face.announced = "";
    this._keep();
    this.paint();
  }
}

async function begin() {
  performance.mark("script");
  const { kept, trouble } = read();
  const loading = load();
  const moved = () => location.reload(); // another page took the unit over
  await speak(kept.options.language);
  if (!(await beAlone(false, moved))) {
    await new Promise((answer) => {
      find("#elsewhere").hidden = false;
      find("#here").addEventListener("click", answer, { once: true });
    });
    find("#elsewhere").hidden = true;
    await beAlone(true, moved);
    Object.assign(kept, read().kept);
  }
  const { python, facts } = await loading;
  const app = new App(python, facts, kept, trouble);
  document.body.classList.add("alive");
  performance.mark("alive");
  Object.assign(window, { app }); // for the console, and for our tests
  app.version.begin();
}

begin();
