// Random instructions, translated by firmware/chip/blocks.mjs and read by rp2040js: registers,
// flags, memory and cycles must be the same after both. Prints how many programs were compared,
// and each that differed. node blocks.mjs PROGRAMS

import { createRequire } from 'node:module';
import { Blocks } from '../../firmware/chip/blocks.mjs';

const require = createRequire(new URL('../../firmware/chip/chip.mjs', import.meta.url));
const { RP2040 } = require('rp2040js');
const CODE = 0x20001000;
const DATA = 0x20020000;
const BREAK = 0xbe00;
const VALUES = [0, 1, 31, 32, 33, 255, 256, 0x7fffffff, 0x80000000, 0xffffffff];
console.warn = console.error = () => {}; // what a peripheral thinks of random accesses

let chance = 1;
function below(most) {
  chance = (Math.imul(chance, 1664525) + 1013904223) >>> 0;
  return Math.floor((chance / 2 ** 32) * most);
}

let odd = false; // whether an access was not aligned, which no compiler makes
const logger = { debug() {}, info() {}, warn() {}, error: () => (odd = true) };
const [read, translated] = [new RP2040(), new RP2040()];
let outside = false; // whether an access was one to no memory, which has effects
const blocks = new Blocks(translated, () => (outside = true));
for (const chip of [read, translated]) chip.logger = logger;
for (const [name, access] of Object.entries(blocks.helpers)) {
  const size = Number(name.match(/\d+/)) / 8;
  blocks.helpers[name] = (address, ...more) => {
    if (address % size) odd = true;
    return access(address, ...more);
  };
}

function prepare(program) {
  const hasTwoRegisters = program.some((op) => op >> 12 === 5); // their sum must be an address
  const registers = Array.from({ length: 16 }, (_, place) => {
    if (place === 13) return DATA + 0x10000;
    if (place < 4) return DATA + 4 * below(64);
    if (hasTwoRegisters) return 4 * below(64);
    return below(2) ? VALUES[below(VALUES.length)] : below(2 ** 32);
  });
  const flags = Array.from({ length: 4 }, () => below(2) === 1);
  for (const chip of [read, translated]) {
    program.forEach((op, place) => chip.writeUint16(CODE + 2 * place, op));
    chip.core.registers.set(registers);
    ['N', 'Z', 'C', 'V'].forEach((flag, place) => (chip.core[flag] = flags[place]));
    chip.core.PC = CODE;
    chip.core.interruptsUpdated = false;
  }
}

function state({ core, sram }, cycles) {
  const data = Buffer.from(sram.buffer, 0x1f000, 0x12000).toString('base64');
  return [cycles, ...core.registers, core.N, core.Z, core.C, core.V, data].join(' ');
}

let compared = 0;
for (let left = Number(process.argv[2]); left > 0; left--) {
  const program = Array.from({ length: 1 + below(3) }, () => below(0x10000));
  if (program.some((op) => op >> 11 === 28 || op >> 12 === 15)) continue; // they lead elsewhere
  prepare([...program, BREAK]);
  blocks.hasCode.fill(0);
  blocks.account.fill(0);
  odd = outside = false;
  const block = blocks.translate(CODE);
  if (!block) continue;
  const cycles = block();
  let spent = 0;
  for (let steps = 0; !outside && steps <= program.length; steps++) {
    spent += read.core.executeInstruction();
    if (read.core.PC === translated.core.PC && spent >= cycles) break;
  }
  if (!outside && !odd) {
    compared++;
    if (state(read, spent) !== state(translated, cycles))
      console.log('differs', program.map((op) => op.toString(16)).join(' '));
  }
  read.sram.set(translated.sram);
  read.bootrom.set(translated.bootrom);
}
console.log(compared);
