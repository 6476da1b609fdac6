// A recording as a WAV file: one channel of 16 bits, as every program reads it.

const HEAD = 44; // bytes

/** @param {Int16Array<ArrayBuffer>[]} blocks @param {number} rate @returns {Blob} */
export function wav(blocks, rate) {
  const bytes = blocks.reduce((sum, block) => sum + block.byteLength, 0);
  const head = new DataView(new ArrayBuffer(HEAD));
  const text = (/** @type {number} */ at, /** @type {string} */ letters) =>
    [...letters].forEach((letter, place) => head.setUint8(at + place, letter.charCodeAt(0)));
  text(0, "RIFF");
  head.setUint32(4, HEAD - 8 + bytes, true);
  text(8, "WAVEfmt ");
  head.setUint32(16, 16, true);
  head.setUint16(20, 1, true); // plain samples
  head.setUint16(22, 1, true); // channels
  head.setUint32(24, rate, true);
  head.setUint32(28, rate * 2, true); // bytes a second
  head.setUint16(32, 2, true); // bytes a sample
  head.setUint16(34, 16, true); // bits a sample
  text(36, "data");
  head.setUint32(40, bytes, true);
  return new Blob([head.buffer, ...blocks], { type: "audio/wav" });
}

/** @param {Float32Array} samples of -1 to 1 */
export function sixteenBits(samples) {
  return Int16Array.from(samples, (sample) => Math.round(Math.max(-1, Math.min(1, sample)) * 32767));
}
