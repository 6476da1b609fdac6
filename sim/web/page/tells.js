// The text for the whole table, as a function of the unit and of the time.

import { clock, say, span } from "./words.js";

/** @typedef {import("./story.js").Shown} Shown @typedef {import("./types").Line} Line */

/**
 * @typedef {object} Telling
 * @property {string} mood    off, setup, ready, auction, warning, sold, drawing, permit or over
 * @property {string} title   the news, across the room
 * @property {string} detail  beside it, smaller
 * @property {string} hint    the buttons that do something now
 * @property {string} clock   the giant digits
 * @property {string} below   the meaning of the digits
 */

const NEWS_MS = 20_000; // the last event stays for so long
const ASIDE_MS = 5_000;
const AGO_MS = 3_000; // from then on it is said how long ago it was

/**
 * @param {Shown} shown @param {number} now
 * @param {{seconds: boolean, permits: boolean, called: (name: string) => string}} asked whether an
 *     auction's seconds are shown; whether the program has permits; the name of a program for people
 * @returns {Telling}
 */
export function tell(shown, now, asked) {
  const telling = { mood: moodOf(shown, now), title: "", detail: "", hint: "", ...digits(shown, now, asked.called) };
  const latest = shown.latest;
  const ago = latest ? now - latest.ms : 0;
  switch (telling.mood) {
    case "off":
      telling.title = say("Off");
      telling.hint = say("Slide the switch: a new hour begins.");
      break;
    case "setup":
      telling.title = choice(shown, asked.called);
      telling.hint = say("BUILD: the next choice. AUCTION: take it.");
      break;
    case "auction":
      telling.title = say("Auction");
      telling.detail = say("Call out your bids! When the light goes out, the highest one wins.");
      telling.hint = say("Its end is secret (see the help). Hold AUCTION to cancel.");
      break;
    case "warning":
      telling.title = say("Last bids!");
      telling.hint = say("Hold AUCTION to cancel.");
      break;
    case "sold":
      telling.title = ago < AGO_MS ? say("Sold!") : say("Sold! ({ago} ago)", { ago: whole(ago) });
      telling.hint = ready(asked.permits);
      break;
    case "drawing":
      telling.title = say("Permit…");
      break;
    case "permit":
      telling.title = permit(latest);
      telling.hint = ready(asked.permits);
      break;
    case "over":
      telling.title = latest?.event === "time-called" ? say("Time!") : say("The hour is over!");
      if (ago >= AGO_MS) telling.detail = say("{ago} ago", { ago: whole(ago) });
      telling.hint = say("Slide the switch off and on for another game.");
      break;
    default:
      telling.title = news(latest, ago) || say("Ready");
      telling.hint = ready(asked.permits);
  }
  if (asked.seconds && shown.auctionEnds && (telling.mood === "auction" || telling.mood === "warning")) {
    telling.clock = clock(Math.max(0, Math.ceil((shown.auctionEnds - now) / 1000)));
    telling.below = say("left of this auction");
    telling.hint = say("Hold AUCTION to cancel.");
  }
  telling.detail = aside(shown, now) || telling.detail;
  return telling;
}

/** @param {Shown} shown @param {number} now */
function moodOf(shown, now) {
  const state = shown.unit.state;
  if (state !== "ready") return state;
  const latest = shown.latest;
  if (latest?.event === "permit-granted" && shown.lamps.has(`permit-${latest.permit}`)) return "permit";
  return latest?.event === "auction-ended" && now - latest.ms < NEWS_MS ? "sold" : "ready";
}

/** @param {Shown} shown @param {number} now @param {(name: string) => string} called */
function digits(shown, now, called) {
  const { state, hour_ends, clock_ms } = shown.unit;
  const program = called(shown.unit.program);
  if (state === "off" || state === "setup")
    return { clock: clock_ms ? clock(Math.ceil(clock_ms / 1000)) : "", below: program };
  if (hour_ends !== null)
    return { clock: clock(Math.max(0, Math.ceil((hour_ends - now) / 1000))), below: say("left of this game") };
  // An hour that waits for an auction or a permit has run out as well.
  return clock_ms ? { clock: clock(0), below: say("left of this game") } : { clock: "", below: program };
}

/** @param {boolean} permits */
function ready(permits) {
  return permits
    ? say("AUCTION: auction a district. BUILD: draw a building permit.")
    : say("AUCTION: begin an auction.");
}

/** @param {Shown} shown @param {(name: string) => string} called */
function choice(shown, called) {
  const [page, value] = shown.unit.choice ?? ["", ""];
  if (page === "program") return say("Program: {name}", { name: called(String(value)) });
  if (page === "length") return say("Length: {length}", { length: span(Number(value)) });
  return value === 0 ? say("Volume: silent") : say("Volume: {number} of 3", { number: value });
}

/** @param {Line | null} latest */
function permit(latest) {
  const permits = /** @type {Record<string, string>} */ ({
    1: say("1 block"),
    2: say("2 blocks"),
    3: say("3 blocks"),
    station: say("A station"),
  });
  return permits[latest?.permit ?? ""] ?? "";
}

/** @param {Line | null} latest @param {number} ago */
function news(latest, ago) {
  if (!latest || ago >= NEWS_MS) return "";
  switch (latest.event) {
    case "auction-cancelled":
      return say("Cancelled");
    case "last-round":
      return say("The last round!");
    case "phase-started":
      if (latest.phase === "deeds") return say("Deal out the deeds");
      if (latest.phase === "play") return say("Play!");
      return say("Phase: {name}", { name: latest.phase ?? "" });
    default:
      return "";
  }
}

/** @param {Shown} shown @param {number} now */
function aside(shown, now) {
  const line = shown.aside;
  if (!line || now - line.ms >= ASIDE_MS) return "";
  if (line.event === "hour-beep") return say("{left} to go", { left: clock(Math.round((line.left_ms ?? 0) / 1000)) });
  const reasons = /** @type {Record<string, string>} */ ({
    auction: say("Not now: an auction runs."),
    warning: say("Not now: an auction runs."),
    drawing: say("Not now: the light runs."),
    over: say("The game is over: switch off and on."),
    "no-permits": say("This program has no permits."),
  });
  return reasons[line.why ?? ""] ?? "";
}

/** @param {number} ms */
function whole(ms) {
  return clock(Math.floor(ms / 1000));
}
