// Finds beeps in a stream of samples, with onset, length and pitch.
//
// A beep is a steady tone of 400 to 6000 Hz that stands out from the background. Each frame of about
// 10 ms is transformed; a run of tonal frames of one pitch is a beep, whose edges lie where its
// amplitude crosses half. `city-unit listen` also copes with rooms, telephones and music; this does not.

const LOWEST_HZ = 400;
const HIGHEST_HZ = 6000;
const BAND_HZ = 9000; // upper limit of the analysed band
const HOP_MS = 1;
const WINDOW_S = 0.0107; // rounded to a power of two of samples; short, so that a tone of 25 ms has a middle
const TONAL = 0.55; // least share of a tone and its harmonics in the power of a frame
const ABOVE = 4; // least ratio of a tone to the background
const QUIETEST = 0.001; // of full scale
const SAME_PITCH = 0.04; // relative; a greater difference is another note
const STEADY = 0.012; // relative; a pitch that varies more is a voice
const SHORTEST_MS = 12;
const GAP_MS = 8; // a shorter gap does not end a tone
const HISTORY_MS = 40; // how long earlier frames are kept, to find the onset of a tone

/** @typedef {{at: number, amplitude: number, hz: number, part: number}} Frame at: ms; part: the tone's share of the power */

/**
 * A beep: its onset in ms since the first sample, its length and pitch, its level relative to full
 * scale, and the uncertainty of its edges in ms.
 *
 * @typedef {{onset_ms: number, length_ms: number, hz: number, level: number, within_ms: number}} Beep
 */

export class Detector {
  /** @param {number} rate samples a second @param {(beep: Beep) => void} heard */
  constructor(rate, heard) {
    this._rate = rate;
    this._heard = heard;
    this._size = 2 ** Math.round(Math.log2(WINDOW_S * rate));
    this._hop = Math.round((rate * HOP_MS) / 1000);
    this._transform = new Transform(this._size);
    this._rest = new Float32Array(0);
    this._taken = 0; // samples before the rest
    this._around = QUIETEST / ABOVE; // the background level
    this._before = /** @type {Frame[]} */ ([]);
    this._run = /** @type {Frame[]} */ ([]); // of the current tone
    this._away = 0; // frames since the last one with the tone
  }

  /** Process the next samples. @param {Float32Array} samples */
  take(samples) {
    const all = new Float32Array(this._rest.length + samples.length);
    all.set(this._rest);
    all.set(samples, this._rest.length);
    let place = 0;
    for (; place + this._size <= all.length; place += this._hop)
      this._look(this._frame(all.subarray(place, place + this._size), this._taken + place));
    this._rest = all.slice(place);
    this._taken += place;
  }

  /** Finish a tone that sounds at the end of the recording. */
  end() {
    if (this._run.length) this._finish();
  }

  /** @param {Float32Array} samples @param {number} place @returns {Frame} */
  _frame(samples, place) {
    const at = ((place + this._size / 2) / this._rate) * 1000;
    const powers = this._transform.powers(samples);
    const width = this._rate / this._size; // of a bin, in Hz
    const last = Math.min(powers.length - 2, Math.floor(BAND_HZ / width));
    let peak = 0;
    let all = 1e-12;
    for (let bin = 2; bin <= last; bin++) {
      all += powers[bin];
      const reachable = bin * width > LOWEST_HZ && bin * width < HIGHEST_HZ;
      if (reachable && powers[bin] > powers[peak]) peak = bin;
    }
    if (!peak) return { at, amplitude: 0, hz: 0, part: 0 };
    const exact = peak + between(powers[peak - 1], powers[peak], powers[peak + 1]);
    let tone = 0;
    for (let harmonic = exact; harmonic <= last; harmonic += exact)
      for (let bin = Math.round(harmonic) - 2; bin <= Math.min(last, Math.round(harmonic) + 2); bin++)
        tone += powers[bin] ?? 0;
    let lobe = 0; // power of the tone at the peak, which the window spreads over neighbouring bins
    for (let bin = Math.max(0, peak - 2); bin <= peak + 2; bin++) lobe += powers[bin] ?? 0;
    return { at, amplitude: Math.sqrt(lobe), hz: exact * width, part: Math.min(1, tone / all) };
  }

  /** @param {Frame} frame */
  _look(frame) {
    const loud = frame.amplitude > Math.max(QUIETEST, this._around * ABOVE);
    const isTone = loud && frame.part > TONAL;
    const first = this._run[0];
    const hz = middle(this._run.slice(-9).map((frame) => frame.hz));
    if (first && isTone && Math.abs(frame.hz / hz - 1) < SAME_PITCH) {
      this._away = 0;
      this._run.push(frame);
    } else if (first && ++this._away * HOP_MS > GAP_MS) {
      this._finish();
    } else if (!first && isTone) {
      this._run = [frame];
      this._away = 0;
    }
    if (!isTone) {
      const around = this._around + 0.02 * (Math.min(frame.amplitude, 4 * this._around) - this._around);
      this._around = Math.max(QUIETEST / ABOVE, around); // after a silence it would rise too slowly
    }
    this._before.push(frame);
    const kept = this._run.length ? this._run[0].at : frame.at;
    while (this._before[0].at < kept - HISTORY_MS) this._before.shift();
  }

  _finish() {
    const run = this._run;
    const loudness = middle(run.map((frame) => frame.amplitude));
    const edges = crossings(this._before, run[0].at - HISTORY_MS / 2, run[run.length - 1].at, loudness / 2);
    this._run = [];
    this._away = 0;
    if (!edges) return;
    const [onset, end] = edges;
    const inside = run.filter(({ at }) => at > onset + 5 && at < end - 5);
    const pitches = (inside.length ? inside : run).map(({ hz }) => hz);
    const hz = middle(pitches);
    const wavers = middle(pitches.map((pitch) => Math.abs(pitch / hz - 1)));
    const isShort = end - onset < SHORTEST_MS || run.length * HOP_MS < (SHORTEST_MS * 2) / 3; // noise is tonal only briefly
    if (isShort || wavers > STEADY) return;
    // Background sound moves the edges, in proportion to its level relative to the tone.
    const within = Math.min(20, HOP_MS + (10 * this._around) / loudness);
    this._heard({ onset_ms: onset, length_ms: end - onset, hz, level: loudness, within_ms: within });
  }
}

/**
 * The offset of a peak from its bin, interpolated from the logarithms of three powers.
 *
 * @param {number} left @param {number} top @param {number} right
 */
function between(left, top, right) {
  const [a, b, c] = [left, top, right].map((power) => Math.log(power + 1e-20));
  const bend = a - 2 * b + c;
  return bend < 0 ? Math.max(-0.5, Math.min(0.5, (a - c) / (2 * bend))) : 0;
}

/** @param {number[]} values */
function middle(values) {
  return [...values].sort((a, b) => a - b)[values.length >> 1];
}

/**
 * The times at which the amplitude first rises above `half` and last falls below it. A window that
 * covers half of its length with a tone measures half of the tone's amplitude.
 *
 * @param {Frame[]} frames @param {number} from @param {number} last @param {number} half
 */
function crossings(frames, from, last, half) {
  let onset = NaN;
  let end = NaN;
  for (let place = 1; place < frames.length; place++) {
    const [before, frame] = [frames[place - 1], frames[place]];
    if (frame.at < from) continue;
    const part = (half - before.amplitude) / (frame.amplitude - before.amplitude);
    const at = before.at + part * (frame.at - before.at);
    if (before.amplitude < half && frame.amplitude >= half && Number.isNaN(onset)) onset = at;
    if (before.amplitude >= half && frame.amplitude < half && before.at <= last + GAP_MS) end = at;
  }
  if (Number.isNaN(end)) end = last; // the recording ended first
  return Number.isNaN(onset) || end <= onset ? null : [onset, end];
}

/** A fast Fourier transform of real samples, with a Hann window. */
class Transform {
  /** @param {number} size a power of two */
  constructor(size) {
    this._size = size;
    this._window = Float32Array.from({ length: size }, (_, at) => 0.5 - 0.5 * Math.cos((2 * Math.PI * (at + 0.5)) / size));
    this._cos = Float32Array.from({ length: size / 2 }, (_, at) => Math.cos((2 * Math.PI * at) / size));
    this._sin = Float32Array.from({ length: size / 2 }, (_, at) => Math.sin((2 * Math.PI * at) / size));
    const bits = Math.log2(size);
    this._order = Uint32Array.from({ length: size }, (_, at) => {
      let turned = 0;
      for (let bit = 0; bit < bits; bit++) turned |= ((at >> bit) & 1) << (bits - 1 - bit);
      return turned;
    });
    this._real = new Float32Array(size);
    this._imaginary = new Float32Array(size);
    this._powers = new Float32Array(size / 2);
  }

  /** The power in each bin, scaled so that a tone at full scale has 1 in total. @param {Float32Array} samples */
  powers(samples) {
    const { _real: real, _imaginary: imaginary, _size: size } = this;
    for (let at = 0; at < size; at++) {
      real[this._order[at]] = samples[at] * this._window[at];
      imaginary[at] = 0;
    }
    for (let half = 1; half < size; half *= 2) this._join(half);
    const whole = (size * Math.sqrt(3 / 32)) ** 2; // half the window's energy, as the spectrum is one-sided
    for (let bin = 0; bin < size / 2; bin++) this._powers[bin] = (real[bin] ** 2 + imaginary[bin] ** 2) / whole;
    return this._powers;
  }

  /** Combine pairs of transforms of `half` samples. @param {number} half */
  _join(half) {
    const { _real: real, _imaginary: imaginary, _size: size } = this;
    const step = size / (2 * half);
    for (let first = 0; first < size; first += 2 * half)
      for (let at = 0; at < half; at++) {
        const [low, high] = [first + at, first + at + half];
        const [cos, sin] = [this._cos[at * step], this._sin[at * step]];
        const x = real[high] * cos + imaginary[high] * sin;
        const y = imaginary[high] * cos - real[high] * sin;
        real[high] = real[low] - x;
        imaginary[high] = imaginary[low] - y;
        real[low] += x;
        imaginary[low] += y;
      }
  }
}
