// The checksum that an ESP32 tells of its flash memory (RFC 1321); browsers know only newer ones.

const SHIFTS = [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]];
const SINES = Array.from({ length: 64 }, (_, step) => Math.floor(Math.abs(Math.sin(step + 1)) * 2 ** 32));
// The mixing of each of the four rounds, and the word of the block that its steps take.
const MIXES = /** @type {((b: number, c: number, d: number) => number)[]} */ ([
  (b, c, d) => (b & c) | (~b & d),
  (b, c, d) => (b & d) | (c & ~d),
  (b, c, d) => b ^ c ^ d,
  (b, c, d) => c ^ (b | ~d),
]);
const WORDS = /** @type {((step: number) => number)[]} */ ([
  (step) => step,
  (step) => 5 * step + 1,
  (step) => 3 * step + 5,
  (step) => 7 * step,
]);

/** Return the checksum as 32 hexadecimal digits. @param {Uint8Array} bytes */
export function md5(bytes) {
  const filled = new Uint8Array(((bytes.length + 8) >> 6 << 6) + 64);
  filled.set(bytes);
  filled[bytes.length] = 0x80;
  const view = new DataView(filled.buffer);
  view.setBigUint64(filled.length - 8, BigInt(bytes.length) * 8n, true);
  const sum = new Int32Array([0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476]);
  for (let at = 0; at < filled.length; at += 64) addBlock(sum, view, at);
  return Array.from(new Uint8Array(sum.buffer), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** @param {Int32Array} sum @param {DataView} view @param {number} at */
function addBlock(sum, view, at) {
  let [a, b, c, d] = sum;
  for (let step = 0; step < 64; step++) {
    const round = step >> 4;
    const word = view.getInt32(at + (WORDS[round](step) & 15) * 4, true);
    const mixed = (a + MIXES[round](b, c, d) + SINES[step] + word) | 0;
    const shift = SHIFTS[round][step & 3];
    [a, d, c, b] = [d, c, b, (b + ((mixed << shift) | (mixed >>> (32 - shift)))) | 0];
  }
  [a, b, c, d].forEach((part, place) => (sum[place] += part));
}
