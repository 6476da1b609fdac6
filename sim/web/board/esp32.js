// Puts MicroPython onto an ESP32, by its maker's own library.

import { later } from "../page/words.js";
import { Trouble, wait } from "./repl.js";

// The mark of a file for each chip, and its place in the chip's flash memory.
const CHIPS = /** @type {Record<string, {number: number, address: number}>} */ ({
  ESP32: { number: 0, address: 0x1000 },
  "ESP32-S3": { number: 9, address: 0 },
  "ESP32-C3": { number: 5, address: 0 },
});
const IMAGE = 0xe9; // the first byte of a program
const NUMBER_AT = 12; // where it says for which chip it is
const BAUD = 115200; // of a chip that waits for a program, and
const FAST_BAUD = 460800; // of what is loaded into it first
const RESET_MS = 100;
const SILENT = { clean() {}, write() {}, writeLine() {} };

/** Return the chip that a file is for; raises Trouble. @param {Uint8Array} image */
function chipOf(image) {
  const number = image[NUMBER_AT] | (image[NUMBER_AT + 1] << 8);
  const found = Object.keys(CHIPS).find((chip) => CHIPS[chip].number === number);
  if (image[0] !== IMAGE || !found)
    throw new Trouble(later("This is no MicroPython for an ESP32; its file ends in .bin."));
  return found;
}

/**
 * Empty a chip and put a file into it, checked there; then start it. Raises Trouble.
 *
 * @param {SerialPort} port that is closed @param {Uint8Array} image
 * @param {(part: number) => void} progress
 */
export async function putMicroPython(port, image, progress) {
  const wanted = chipOf(image);
  const { ESPLoader, Transport } = await import("./esptool.js");
  const device = withoutFail(port);
  const transport = new Transport(device);
  const loader = new ESPLoader({ transport, baudrate: FAST_BAUD, romBaudrate: BAUD, terminal: SILENT });
  try {
    await loader.main().catch((/** @type {Error} */ { message }) => {
      throw new Trouble(later("No ESP32 answers that waits for a program: hold BOOT, press RESET, let go of BOOT, and do it again. ({why})"), { why: message });
    });
    const chip = loader.chip.CHIP_NAME;
    if (chip !== wanted) throw new Trouble(later("The file is for {wanted}, and this is {chip}."), { wanted, chip });
    await loader.writeFlash({
      fileArray: [{ data: image, address: CHIPS[chip].address }],
      flashSize: "keep",
      flashMode: "keep",
      flashFreq: "keep",
      eraseAll: true,
      compress: true,
      reportProgress: (_file, done, all) => progress(done / all),
      calculateMD5Hash: md5,
    });
    // Reset the chip by the wires that most boards have for that.
    await device.setSignals({ dataTerminalReady: false, requestToSend: true });
    await wait(RESET_MS);
    await device.setSignals({ dataTerminalReady: false, requestToSend: false });
  } catch (error) {
    if (error instanceof Trouble) throw error;
    throw new Trouble(later("It broke off; do it again. ({why})"), { why: /** @type {Error} */ (error).message });
  } finally {
    await transport.disconnect().catch(() => {});
  }
}

/** A port whose line may lack the wires that reset a board: then a person presses its buttons. */
/** @param {SerialPort} port */
function withoutFail(port) {
  return {
    get readable() { return port.readable; },
    get writable() { return port.writable; },
    open: (/** @type {SerialOptions} */ options) => port.open(options),
    close: () => port.close(),
    getInfo: () => port.getInfo(),
    setSignals: (/** @type {SerialSignals} */ signals) => port.setSignals(signals).catch(() => {}),
  };
}

// The checksum that an ESP32 tells of its flash memory, MD5 (RFC 1321); browsers know only newer ones.

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
