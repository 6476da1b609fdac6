// Records a unit with the microphone and shows its beeps; nothing leaves the device.

import { clock, find, make, number, say, shape, speak } from "../page/words.js";
import { keptLanguage } from "../page/storage.js";
import { Detector } from "./detector.js";

/** @typedef {import("./detector.js").Beep} Beep */

const LONGEST_S = 30 * 60; // 170 MB, which a telephone's memory holds
const SHOWN_S = 12; // length of the time line
const MOST_ROWS = 500;
const CLIPS = 0.98; // of full scale
const QUIETEST_DB = -60; // the zero of the meter

/** A recording in progress: the microphone, the samples, and the beeps found so far. */
class Recording {
  /** @param {MediaStream} stream @param {AudioContext} context @param {(beep: Beep) => void} heard */
  constructor(stream, context, heard) {
    this._stream = stream;
    this._context = context;
    this.rate = context.sampleRate;
    this.blocks = /** @type {Int16Array<ArrayBuffer>[]} */ ([]);
    this.samples = 0;
    this.level = 0; // peak of the last block
    this.clipped = false;
    this.beeps = /** @type {Beep[]} */ ([]);
    this._detector = new Detector(this.rate, (beep) => {
      this.beeps.push(beep);
      heard(beep);
    });
  }

  /** @param {(beep: Beep) => void} heard */
  static async begin(heard) {
    // A telephone's filters are made for voices, and remove a beep as noise.
    const plain = { echoCancellation: false, noiseSuppression: false, autoGainControl: false };
    const stream = await navigator.mediaDevices.getUserMedia({ audio: { ...plain, channelCount: 1 } });
    const context = new AudioContext();
    await context.audioWorklet.addModule("tap.js");
    const recording = new Recording(stream, context, heard);
    const tap = new AudioWorkletNode(context, "tap", { numberOfOutputs: 0 });
    tap.port.onmessage = ({ data }) => recording.take(data);
    context.createMediaStreamSource(stream).connect(tap);
    return recording;
  }

  get seconds() {
    return this.samples / this.rate;
  }

  /** @param {Float32Array} samples of -1 to 1 */
  take(samples) {
    this.level = samples.reduce((loudest, sample) => Math.max(loudest, Math.abs(sample)), 0);
    this.clipped ||= this.level > CLIPS;
    this.blocks.push(Int16Array.from(samples, (sample) => Math.round(Math.max(-1, Math.min(1, sample)) * 32767)));
    this.samples += samples.length;
    this._detector.take(samples);
  }

  end() {
    for (const track of this._stream.getTracks()) track.stop();
    this._context.close();
    this._detector.end();
  }
}

// The recording as a WAV file: mono, 16 bits.

const HEAD = 44; // bytes

/** @param {Int16Array<ArrayBuffer>[]} blocks @param {number} rate @returns {Blob} */
function wav(blocks, rate) {
  const bytes = blocks.reduce((sum, block) => sum + block.byteLength, 0);
  const head = new DataView(new ArrayBuffer(HEAD));
  const text = (/** @type {number} */ at, /** @type {string} */ letters) =>
    [...letters].forEach((letter, place) => head.setUint8(at + place, letter.charCodeAt(0)));
  text(0, "RIFF");
  head.setUint32(4, HEAD - 8 + bytes, true);
  text(8, "WAVEfmt ");
  head.setUint32(16, 16, true);
  head.setUint16(20, 1, true); // PCM
  head.setUint16(22, 1, true); // channels
  head.setUint32(24, rate, true);
  head.setUint32(28, rate * 2, true); // bytes a second
  head.setUint16(32, 2, true); // bytes a sample
  head.setUint16(34, 16, true); // bits a sample
  text(36, "data");
  head.setUint32(40, bytes, true);
  return new Blob([head.buffer, ...blocks], { type: "audio/wav" });
}

let recording = /** @type {Recording | null} */ (null);
let running = false;
let address = "";

async function begin() {
  if (address) URL.revokeObjectURL(address);
  address = "";
  find("#kept").hidden = true;
  find("#beeps").textContent = "";
  find("#line").textContent = "";
  try {
    recording = await Recording.begin(show);
  } catch (error) {
    tell(whyNot(/** @type {Error} */ (error).name));
    return;
  }
  running = true;
  document.body.classList.add("running");
  find("#record").textContent = say("Stop");
  tell(say("Recording. Hold the telephone a hand's width from the unit."));
  paint();
}

/** @param {string} name of an error of the browser */
function whyNot(name) {
  if (name === "NotAllowedError") return say("The microphone was refused; allow it in the browser's settings for this page.");
  if (name === "NotFoundError") return say("This device has no microphone.");
  return say("The microphone cannot be used: {why}.", { why: name });
}

function end() {
  if (!recording || !running) return;
  running = false;
  recording.end();
  document.body.classList.remove("running");
  find("#record").textContent = say("Record again");
  const link = /** @type {HTMLAnchorElement} */ (find("#save"));
  const name = `unit-${new Date().toISOString().slice(0, 19).replace(/\D/g, "-")}.wav`;
  address = URL.createObjectURL(wav(recording.blocks, recording.rate));
  link.href = address;
  link.download = name;
  find("#command").textContent = `city-unit listen ${name}`;
  find("#kept").hidden = false;
  tell(
    recording.clipped
      ? say("It was too loud in places: from further away the edges are measured better.")
      : say("{span} recorded.", { span: clock(Math.round(recording.seconds)) }),
  );
}

/** @param {string} text */
function tell(text) {
  find("#message").textContent = text;
}

/** Add a beep to the table, in the columns of hear.html. @param {Beep} beep */
function show(beep) {
  if (!recording) return;
  const rows = find("#beeps");
  const before = recording.beeps[recording.beeps.length - 2];
  const since = before ? number((beep.onset_ms - before.onset_ms) / 1000, 3) : "";
  const cells = [number(beep.onset_ms / 1000, 3), since, beep.length_ms.toFixed(0), beep.hz.toFixed(0), `± ${Math.ceil(beep.within_ms)}`];
  rows.prepend(make("tr", {}, ...cells.map((textContent) => make("td", { textContent }))));
  if (rows.children.length > MOST_ROWS) rows.lastElementChild?.remove();
}

function paint() {
  if (!recording || !running) return;
  const { seconds, level } = recording;
  const decibels = Math.max(QUIETEST_DB, 20 * Math.log10(level + 1e-9));
  find("#time").textContent = clock(Math.floor(seconds));
  find("#level").setAttribute("width", String(100 * (1 - decibels / QUIETEST_DB)));
  find("#level").classList.toggle("clips", level > CLIPS);
  paintLine(seconds * 1000);
  if (seconds >= LONGEST_S) end();
  else setTimeout(() => requestAnimationFrame(paint), 50);
}

/** Draw the last seconds, with a bar for each beep, taller for a higher pitch. @param {number} now */
function paintLine(now) {
  const line = find("#line");
  line.textContent = "";
  const begins = now - SHOWN_S * 1000;
  for (const beep of recording?.beeps ?? []) {
    if (beep.onset_ms + beep.length_ms < begins) continue;
    const height = Math.max(6, Math.min(38, beep.hz / 100));
    const place = { x: (beep.onset_ms - begins) / SHOWN_S, width: Math.max(2, beep.length_ms / SHOWN_S) };
    line.append(shape("rect", { ...place, y: 40 - height, height }));
  }
}

async function start() {
  await speak(keptLanguage(), "hear-");
  find("#record").textContent = say("Record");
  find("#record").addEventListener("click", () => (running ? end() : begin()));
  if (!navigator.mediaDevices?.getUserMedia) {
    /** @type {HTMLButtonElement} */ (find("#record")).disabled = true;
    tell(say("Browsers allow the microphone only on https pages, or on pages served by the same device."));
  }
  window.addEventListener("beforeunload", (event) => {
    if (running) event.preventDefault(); // the recording would be lost
  });
  document.body.classList.add("alive");
}

start();
