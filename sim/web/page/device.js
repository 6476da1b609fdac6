// The device: the screen stays on while the unit is on, one tab at a time has the unit, the telephone
// vibrates and shows notifications, and the service worker keeps the page and offers new versions.

import { say } from "./words.js";

/** Keeps the screen on. A browser drops the lock when the page is hidden, so that it is requested again. */
export class Awake {
  constructor() {
    this._wanted = false;
    this._lock = /** @type {WakeLockSentinel | null} */ (null);
    this._held = false; // whether it was held without a break since the last call of `wasHeld`
    document.addEventListener("visibilitychange", () => {
      this._held = false;
      this._ask();
    });
  }

  /** Whether the page was visible with its screen kept on ever since the last call. */
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
      // The browser refuses, for example on a low battery: the screen may go dark.
    }
  }
}

const LOCK = "city-unit";

/**
 * Acquire the lock that one page has at a time. Browsers do not freeze a page that holds a lock.
 *
 * @param {boolean} take whether to take it from another page
 * @param {() => void} lost called when another page takes it from this one
 * @returns {Promise<boolean>} whether this page has it; true where the browser has no locks
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

/** Vibrate, if the device can; browsers forbid it before the first touch. @param {number[]} pattern ms on, off, on ... */
export function hum(...pattern) {
  if (navigator.userActivation?.hasBeenActive !== false) navigator.vibrate?.(pattern);
}

const TAG = "city-unit"; // a new notification replaces the old one with the same tag

/** Whether the browser can show notifications. */
export function canNotify() {
  return "Notification" in window && Boolean(navigator.serviceWorker);
}

/** Show a notification, if the user allowed it; silent, since the page sounds the buzzer. @param {string} words */
export async function notify(words) {
  if (!canNotify() || Notification.permission !== "granted") return;
  const registration = await navigator.serviceWorker.getRegistration();
  await registration?.showNotification(words, { tag: TAG, icon: "icon-192.png", silent: true }).catch(() => {});
}

/** Remove the notification: the page is visible. */
export async function unnotify() {
  if (!canNotify()) return;
  const registration = await navigator.serviceWorker.getRegistration();
  for (const notification of (await registration?.getNotifications({ tag: TAG })) ?? []) notification.close();
}

const LOOK_MS = 3_600_000; // between two checks for a new version; a tab may stay open for weeks

export class Version {
  /** @param {import("./desk.js").Desk} desk */
  constructor(desk) {
    this._desk = desk;
    this._registration = /** @type {ServiceWorkerRegistration | null} */ (null);
    this._isOff = false;
    this._isTaken = false;
  }

  /** Register the service worker, and check for a new version regularly. */
  async begin() {
    if (!navigator.serviceWorker) return;
    try {
      this._registration = await navigator.serviceWorker.register("worker.js");
    } catch {
      return; // not allowed here: the page then needs a network
    }
    this._registration?.addEventListener("updatefound", () => {
      const worker = this._registration?.installing;
      worker?.addEventListener("statechange", () => this._offer());
    });
    navigator.serviceWorker.addEventListener("controllerchange", () => this._isTaken && this._isOff && location.reload());
    window.setInterval(() => this._look(), LOOK_MS);
    this._offer();
  }

  /** Note whether the unit is off; only then a new version is offered. @param {boolean} isOff */
  learn(isOff) {
    if (isOff === this._isOff) return;
    this._isOff = isOff;
    if (isOff) this._look();
    this._offer();
  }

  _look() {
    this._registration?.update().catch(() => {}); // there may be no network
  }

  _offer() {
    const waiting = this._registration?.waiting;
    if (!waiting || !this._isOff) return this._desk.unnotice("version");
    const take = () => {
      this._isTaken = true;
      waiting.postMessage("take over");
    };
    this._desk.notice("version", () => say("A new version is ready."), 0, () => say("Use it now"), take);
  }
}
