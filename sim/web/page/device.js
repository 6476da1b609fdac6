// The device: kept awake while the unit is on, one unit in one tab, a hum, a notification; the page
// without a network, and its new versions: one is offered while the unit is off.

import { say } from "./words.js";

/** Asks for the screen to stay on; it must be asked again whenever the page was hidden. */
export class Awake {
  constructor() {
    this._wanted = false;
    this._lock = /** @type {WakeLockSentinel | null} */ (null);
    this._held = false; // without a break since `wasHeld` was last asked
    document.addEventListener("visibilitychange", () => {
      this._held = false;
      this._ask();
    });
  }

  /** Whether the screen was kept on, and the page looked at, all the time since this was last asked. */
  wasHeld() {
    const holds = !document.hidden && this._lock !== null && !this._lock.released;
    const held = this._held && holds;
    this._held = holds;
    return held;
  }

  /** @param {boolean} wanted */
  want(wanted) {
    if (wanted === this._wanted) return;
    this._wanted = wanted;
    this._ask();
  }

  async _ask() {
    if (!this._wanted) {
      this._lock?.release().catch(() => {});
      this._lock = null;
      return;
    }
    if (document.hidden || !navigator.wakeLock || (this._lock && !this._lock.released)) return;
    try {
      this._lock = await navigator.wakeLock.request("screen");
      if (!this._wanted) this._ask();
    } catch {
      // the battery is low, or the browser does not want to: the screen may go dark
    }
  }
}

const LOCK = "city-unit";

/**
 * Hold the lock that one page has at a time; a page that holds a lock is not frozen either.
 *
 * @param {boolean} take take it from the other page
 * @param {() => void} lost called when another page takes it from this one
 * @returns {Promise<boolean>} whether this page has it; true where there are no locks
 */
export function beAlone(take, lost) {
  if (!navigator.locks) return Promise.resolve(true);
  return new Promise((answer) => {
    const options = take ? { steal: true } : { ifAvailable: true };
    navigator.locks
      .request(LOCK, options, (lock) => {
        answer(lock !== null);
        return lock ? new Promise(() => {}) : undefined;
      })
      .catch(lost);
  });
}

/** A hum in the hand, where there is one; before a first touch no browser allows it. @param {number[]} pattern ms on, off, on ... */
export function hum(...pattern) {
  if (navigator.userActivation?.hasBeenActive !== false) navigator.vibrate?.(pattern);
}

const TAG = "city-unit"; // of the one notification that there is at a time

/** Whether the browser can notify the person of something while the page is not in sight. */
export function canNotify() {
  return "Notification" in window && Boolean(navigator.serviceWorker);
}

/** Say it on a locked telephone, too, if the person allowed it; the buzzer sounds by itself. @param {string} words */
export async function notify(words) {
  if (!canNotify() || Notification.permission !== "granted") return;
  const registration = await navigator.serviceWorker.getRegistration();
  await registration?.showNotification(words, { tag: TAG, icon: "icon-192.png", silent: true }).catch(() => {});
}

/** Take the notification back: the page is looked at. */
export async function unnotify() {
  if (!canNotify()) return;
  const registration = await navigator.serviceWorker.getRegistration();
  for (const notification of (await registration?.getNotifications({ tag: TAG })) ?? []) notification.close();
}

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
