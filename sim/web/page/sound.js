// The buzzer. Every note is scheduled on the audio clock ahead of its time; no timer plays a note.

/** @typedef {{harmonics: [number, number][], fade_ms: number, volumes: number[]}} Voice */

const LOUDEST = 0.8; // of full scale; a telephone's loudspeaker needs it
const LATE_S = 0.15; // a note that starts later than this is cut at its beginning
const MOVED_S = 0.003; // a scheduled note stays if the clocks have drifted by less
const NEAR_S = 0.03; // a note that starts sooner than this is not moved
// A reading of the clocks may be off by a few ms. A note that follows another within FOLLOWS_S keeps its
// distance to it, which people hear, unless the clocks differ by more than STUMBLED_S: the device stalled.
const FOLLOWS_S = 10;
const STUMBLED_S = 0.02;
const FORGOTTEN_S = 60; // how long a finished note is remembered, so that it is not scheduled again
const AHEAD = 300; // notes scheduled at once
// A browser stops an audio device after 30 s of zeros, and restarts it late, on the main thread. This
// offset prevents that; at 120 dB below full scale no device makes it audible.
const INAUDIBLE = 1e-6;
const STEADY_S = 0.03; // the audio clock kept pace with performance.now() if it moved by less
const RESUMED_MS = 1500; // an interrupted device that a gesture does not resume by then is lost
// The clocks drift apart. Half-way to the next note, within these bounds, all notes are scheduled again.
const SOONEST_MS = 70;
const LATEST_MS = 5000;

/** @typedef {{source: AudioBufferSourceNode, note: Note, when: number, end: number}} Scheduled */

/** @param {Note} note */
const keyOf = (note) => `${note.ms} ${note.hz}`;

/**
 * Make the samples of a note as sim/face/tones.py does; the first sample is not zero.
 *
 * @param {Voice} voice @param {number} hz @param {number} samples @param {number} rate
 */
function samplesOf(voice, hz, samples, rate) {
  const harmonics = voice.harmonics.filter(([n]) => (n === 1 || n * hz < rate / 2));
  const value = (/** @type {number} */ angle) =>
    harmonics.reduce((sum, [n, part]) => sum + part * Math.sin(n * angle), 0);
  let peak = 0;
  for (let step = 0; step < 90; step++) peak = Math.max(peak, value((2 * Math.PI * step) / 360));
  const fade = Math.min(Math.round((voice.fade_ms * rate) / 1000), samples >> 1);
  const made = new Float32Array(samples);
  for (let place = 0; place < samples; place++) {
    const edge = Math.min(place, samples - 1 - place);
    const gain = edge < fade ? (edge + 0.5) / fade : 1;
    made[place] = (gain * value((2 * Math.PI * hz * (place + 0.5)) / rate)) / peak;
  }
  return made;
}

/** Schedules notes on the clock of one audio context. */
export class Score {
  /** @param {BaseAudioContext} context @param {Voice} voice */
  constructor(context, voice) {
    this._context = context;
    this._voice = voice;
    this._gain = context.createGain();
    this._gain.connect(context.destination);
    this._hush = new ConstantSourceNode(context, { offset: INAUDIBLE });
    this._hush.start();
    this._isAwake = false;
    this._buffers = /** @type {Map<string, AudioBuffer>} */ (new Map());
    this._scheduled = /** @type {Map<string, Scheduled>} */ (new Map());
  }

  /** Keep the device running through silence, or let it rest. @param {boolean} wanted */
  keepAwake(wanted) {
    if (wanted === this._isAwake) return;
    this._isAwake = wanted;
    if (wanted) this._hush.connect(this._context.destination);
    else this._hush.disconnect();
  }

  /** @param {number} volume 0 to 3 */
  setVolume(volume) {
    this._gain.gain.value = LOUDEST * this._voice.volumes[volume];
  }

  /**
   * Schedule these notes and no others. A note that has started is only cut if the unit cut it.
   *
   * @param {Note[]} notes @param {(ms: number) => number} when on the clock of the context
   * @param {number} since the last input, ms: a note that is missing was cut then
   */
  lay(notes, when, since) {
    const now = this._context.currentTime;
    const begun = [...this._scheduled.values()].map(({ when }) => when).filter((when) => when < now + NEAR_S);
    const latest = Math.max(...begun);
    const wanted = new Map(notes.slice(0, AHEAD).map((note) => [keyOf(note), note]));
    for (const [key, old] of this._scheduled) {
      const note = wanted.get(key);
      if (old.when <= now) {
        const end = note ? note.ms + note.length : since;
        if (end < old.note.ms + old.note.length) old.source.stop(Math.max(now, when(end)));
        if (!note && old.end < now - FORGOTTEN_S) this._scheduled.delete(key);
        continue;
      }
      const moved = note ? Math.abs(when(note.ms) - old.when) : Infinity;
      const stays = moved < (old.when < latest + FOLLOWS_S ? STUMBLED_S : MOVED_S) || old.when < now + NEAR_S;
      if (note?.length === old.note.length && stays) continue;
      old.source.stop();
      this._scheduled.delete(key);
    }
    for (const [key, note] of wanted)
      if (!this._scheduled.has(key)) this._start(key, note, when(note.ms));
  }

  /** @param {string} key @param {Note} note @param {number} when */
  _start(key, note, when) {
    const length = note.length / 1000;
    const rate = this._context.sampleRate;
    const samples = Math.max(1, Math.round((note.length * rate) / 1000));
    const sound = `${note.hz} ${samples}`;
    let buffer = this._buffers.get(sound);
    if (!buffer) {
      buffer = this._context.createBuffer(1, samples, rate);
      buffer.getChannelData(0).set(samplesOf(this._voice, note.hz, samples, rate));
      this._buffers.set(sound, buffer);
    }
    const now = this._context.currentTime; // read here, since making a buffer may take a while
    const late = now - when;
    if (late > LATE_S && late >= length) return; // it is over already
    const skipped = late > LATE_S ? late : 0;
    const begins = Math.max(when, now);
    const source = this._context.createBufferSource();
    source.buffer = buffer;
    source.connect(this._gain);
    source.start(Math.round(begins * rate) / rate, skipped);
    this._scheduled.set(key, { source, note, when: begins, end: begins + length - skipped });
  }
}

/** The loudspeaker: its audio context may be blocked, interrupted or lost, and is then replaced. */
export class Speaker {
  /** @param {Voice} voice @param {() => void} changed called when `state` may have changed */
  constructor(voice, changed) {
    this._voice = voice;
    this._changed = changed;
    this._context = /** @type {AudioContext | null} */ (null);
    this._score = /** @type {Score | null} */ (null);
    this._offsets = /** @type {number[]} */ ([]);
    this._timer = 0;
    this._notes = /** @type {Note[]} */ ([]);
    this._since = 0;
    this._toPerformance = (/** @type {number} */ ms) => ms;
    this._volume = 2;
    this._isAwake = false;
    this._isStuck = false; // whether a gesture failed to resume an interrupted context
    this._steady = NaN; // the audio clock's lead at the last call of `keptStep`, in s
  }

  /** "none" before the first touch, "running", or "blocked" */
  get state() {
    if (!this._context) return "none";
    return this._context.state === "running" ? "running" : "blocked";
  }

  /**
   * Open or reopen the sound; browsers allow it only while they handle a touch or a key.
   *
   * A context that a telephone call interrupted resumes automatically, or by this gesture. If neither
   * happens, the next gesture replaces it.
   */
  unlock() {
    if (this._context?.state === "running") return;
    if (this._context && (this._isStuck || this._context.state === "closed")) {
      this._context.onstatechange = null;
      this._context.close().catch(() => {});
      this._context = this._score = null;
      this._isStuck = false;
    }
    if (!this._context) this._open();
    const context = this._context;
    if (!context) return;
    context.resume().then(() => this.again(), () => this._changed());
    setTimeout(() => (this._isStuck = context === this._context && context.state !== "running"), RESUMED_MS);
  }

  /** Try to resume the context without a gesture; opens and closes nothing. */
  recover() {
    this.again();
    if (this._context && this.state === "blocked") this._context.resume().catch(() => {});
  }

  /** Keep the device running through silence, or let it rest. @param {boolean} wanted */
  keepAwake(wanted) {
    this._isAwake = wanted;
    this._score?.keepAwake(wanted);
  }

  /** Whether the audio clock has kept pace with performance.now() since the last call. */
  keptStep() {
    const before = this._steady;
    const context = this._context;
    this._steady = context?.state === "running" ? offsetOf(context) : NaN;
    return Math.abs(this._steady - before) < STEADY_S;
  }

  _open() {
    const session = /** @type {any} */ (navigator).audioSession;
    if (session) session.type = "playback"; // otherwise a telephone's silent switch mutes the unit
    try {
      this._context = new AudioContext({ latencyHint: "interactive" });
    } catch {
      return; // no sound device at all
    }
    this._score = new Score(this._context, this._voice);
    this._score.setVolume(this._volume);
    this._score.keepAwake(this._isAwake);
    this._context.onstatechange = () => {
      this._steady = NaN;
      this.again();
      this._changed();
    };
  }

  /** @param {number} volume */
  setVolume(volume) {
    this._volume = volume;
    this._score?.setVolume(volume);
  }

  /**
   * @param {Note[]} notes @param {number} since the last input, ms
   * @param {(ms: number) => number} toPerformance
   */
  play(notes, since, toPerformance) {
    this._notes = notes;
    this._since = since;
    this._toPerformance = toPerformance;
    this._lay();
  }

  /** Read the clocks afresh and schedule the plan again, after a freeze, a sleep or an interruption. */
  again() {
    this._offsets = [];
    this._lay();
  }

  _lay() {
    clearTimeout(this._timer);
    const context = this._context;
    if (!context || !this._score || context.state !== "running") return;
    // The lead of the output's clock over performance.now(), in s: the median of three readings.
    this._offsets = [...this._offsets, offsetOf(context)].slice(-3);
    const offset = [...this._offsets].sort((a, b) => a - b)[this._offsets.length >> 1];
    const now = performance.now();
    const comes = this._notes.filter((note) => this._toPerformance(note.ms) + note.length > now - 1000);
    this._score.lay(comes, (ms) => this._toPerformance(ms) / 1000 + offset, this._since);
    const next = comes.find((note) => this._toPerformance(note.ms) > now);
    if (!next) return;
    const half = (this._toPerformance(next.ms) - now) / 2;
    this._timer = window.setTimeout(() => this._lay(), Math.min(Math.max(half, SOONEST_MS), LATEST_MS));
  }
}

/** @param {AudioContext} context */
function offsetOf(context) {
  const stamp = context.getOutputTimestamp?.();
  if (stamp?.contextTime && stamp.performanceTime)
    return stamp.contextTime - stamp.performanceTime / 1000;
  const latency = context.outputLatency || context.baseLatency || 0;
  return context.currentTime - latency - performance.now() / 1000;
}
