// The page without a network, and its new versions: one is offered while the unit is off.

import { say } from "./words.js";

const LOOK_MS = 3_600_000; // a tab may stay open for weeks

export class Version {
  /** @param {import("./desk.js").Desk} desk */
  constructor(desk) {
    this._desk = desk;
    this._registration = /** @type {ServiceWorkerRegistration | null} */ (null);
    this._isOff = false;
    this._isTaken = false;
  }

  /** Have the page kept, and look for a new version now and then. */
  async begin() {
    if (!navigator.serviceWorker) return;
    try {
      this._registration = await navigator.serviceWorker.register("worker.js");
    } catch {
      return; // not allowed here: the page works all the same while there is a network
    }
    this._registration?.addEventListener("updatefound", () => {
      const worker = this._registration?.installing;
      worker?.addEventListener("statechange", () => this._offer());
    });
    navigator.serviceWorker.addEventListener("controllerchange", () => this._isTaken && this._isOff && location.reload());
    window.setInterval(() => this._look(), LOOK_MS);
    this._offer();
  }

  /** Learn whether the unit is off: a game is never interrupted. @param {boolean} isOff */
  learn(isOff) {
    if (isOff === this._isOff) return;
    this._isOff = isOff;
    if (isOff) this._look();
    this._offer();
  }

  _look() {
    this._registration?.update().catch(() => {}); // without a network there is nothing new
  }

  _offer() {
    const waiting = this._registration?.waiting;
    if (!waiting || !this._isOff) return this._desk.unnotice("version");
    const take = () => {
      this._isTaken = true;
      waiting.postMessage("take over");
    };
    this._desk.notice("version", () => say("A new version is here."), 0, () => say("Use it now"), take);
  }
}
