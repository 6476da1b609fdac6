// The instructions of an emulated chip as JavaScript: what is executed often is translated, a run
// of instructions at a time, into a function. That is several times as fast as rp2040js's reading
// of each instruction anew, which goes on for all else and is what this is tested against.
//
// A function returns how many cycles it took; the registers, flags and memories are rp2040js's.
// Interrupts are taken between functions, so that one may come half a microsecond late.

const RAM = 0x20000000;
const FLASH = 0x10000000;
const ROM = 0x4000; // bytes
const PART = 0x80000; // halfwords of each of these that may be code
const [SPENT, PASSED, OUT] = [0, 1, 2]; // cycles of a run, of these those that `pass` knows, whether it ends
const LONGEST = 64; // instructions of a function
const HOT = 30; // times that an instruction is begun with before it is translated
const NEVER = 255; // in place of such a number: it cannot be translated
const WORD = 2; // bits of an address within a word of RAM, of which is known whether it is such code
const SIO = 0xd; // the top digit of addresses that cost a cycle less, and of
const [APB, AHB] = [0x4, 0x5]; // those that cost more
const ALL = 15; // flags: N and Z, C, V as bits
const [NZ, C, V] = [3, 4, 8];
const READS = [NZ, NZ, C, C, NZ, NZ, V, V, C | NZ, C | NZ, NZ | V, NZ | V, NZ | V, NZ | V];
const CONDITIONS = [
  'c.Z', '!c.Z', 'c.C', '!c.C', 'c.N', '!c.N', 'c.V', '!c.V', 'c.C && !c.Z', '!c.C || c.Z',
  'c.N === c.V', 'c.N !== c.V', 'c.N === c.V && !c.Z', 'c.N !== c.V || c.Z',
];
const made = new Map(); // functions that make functions, by their text: a chip that starts again has them

export class Blocks {
  // rp2040  the chip
  // pass    is called with cycles that have passed before a peripheral is asked for something
  constructor(rp2040, pass) {
    this.rp2040 = rp2040;
    this.pass = pass;
    this.registers = new Int32Array(rp2040.core.registers.buffer);
    this.account = new Int32Array(3); // see the names of its places
    this.hasCode = new Uint8Array(rp2040.sram.length >> WORD);
    this.count = new Uint8Array(3 * PART); // of what begins at each address, in three parts
    this.cold = () => this.read();
    this.blocks = new Array(3 * PART).fill(this.cold);
    this.flashEnds = 0; // before this address there are functions
    this.helpers = this.access();
    this.watchWrites();
  }

  // Execute for so many cycles, or until something may have changed what happens next; return how
  // many have passed that `pass` was not called with.
  run(cycles) {
    const { account, blocks, registers } = this;
    const { core } = this.rp2040;
    account[SPENT] = account[PASSED] = account[OUT] = 0;
    while (account[SPENT] < cycles && !account[OUT]) {
      if (core.interruptsUpdated) core.checkForInterrupts();
      account[SPENT] += blocks[place(registers[15])]();
    }
    return account[SPENT] - account[PASSED];
  }

  // Have rp2040js read an instruction, unless it is read so often that it is translated.
  read() {
    const { account, count, registers } = this;
    const here = place(registers[15]);
    if (count[here] !== NEVER && ++count[here] >= HOT) {
      const block = this.translate(registers[15] & ~1); // an exception begins at an odd address
      if (block) {
        this.blocks[here] = block;
        return 0;
      }
      count[here] = NEVER;
    }
    this.pass(account[SPENT] - account[PASSED]);
    account[PASSED] = account[SPENT];
    account[OUT] = 1;
    return this.rp2040.core.executeInstruction();
  }

  // Forget what was made of flash memory that is written.
  wrote(address) {
    if (address < this.flashEnds) this.forget(1);
  }

  forget(part) {
    this.blocks.fill(this.cold, part * PART, (part + 1) * PART);
    this.count.fill(0, part * PART, (part + 1) * PART);
  }

  watchWrites() {
    const { rp2040, hasCode } = this;
    for (const name of ['writeUint32', 'writeUint16', 'writeUint8']) {
      const write = rp2040[name].bind(rp2040);
      rp2040[name] = (address, value) => {
        const word = (address - RAM) >>> WORD;
        if (word < hasCode.length && hasCode[word]) {
          this.forget(2);
          hasCode.fill(0);
        }
        write(address, value);
      };
    }
  }

  // What a function calls for memory: `at` is how many cycles of it have passed by then. A write
  // returns whether the function must end, since it may have changed what comes next.
  access() {
    const { rp2040, hasCode } = this;
    const { buffer } = rp2040.sram;
    const [ram8, ram16, ram32] = [new Uint8Array(buffer), new Uint16Array(buffer), new Int32Array(buffer)];
    const flash = rp2040.flash.buffer;
    const [flash8, flash16, flash32] = [new Uint8Array(flash), new Uint16Array(flash), new Int32Array(flash)];
    const size = ram8.length;
    const flashSize = flash8.length;
    const { account } = this;
    const { bootrom } = rp2040;
    const slow = (address, at, extra) => {
      const now = account[SPENT] + at;
      this.pass(now - account[PASSED]);
      const top = address >>> 28;
      account[PASSED] = now - (top === SIO ? -1 : top === APB || top === AHB ? extra : 0);
    };
    const wrote = (address, at, name, value) => {
      slow(address, at, 3);
      rp2040[name](address >>> 0, value);
      account[OUT] = 1;
      return true;
    };
    return {
      load32(address, at) {
        const place = (address - RAM) >>> 0;
        if (place < size) return ram32[place >>> 2];
        const there = (address - FLASH) >>> 0;
        if (there < flashSize) return flash32[there >>> 2];
        if (address >>> 0 < ROM) return bootrom[address >>> 2] | 0;
        slow(address, at, 2);
        return rp2040.readUint32(address >>> 0) | 0;
      },
      load16(address, at) {
        const place = (address - RAM) >>> 0;
        if (place < size) return ram16[place >>> 1];
        const there = (address - FLASH) >>> 0;
        if (there < flashSize) return flash16[there >>> 1];
        slow(address, at, 2);
        return rp2040.readUint16(address >>> 0);
      },
      load8(address, at) {
        const place = (address - RAM) >>> 0;
        if (place < size) return ram8[place];
        const there = (address - FLASH) >>> 0;
        if (there < flashSize) return flash8[there];
        slow(address, at, 2);
        return rp2040.readUint8(address >>> 0);
      },
      store32(address, value, at) {
        const place = (address - RAM) >>> 0;
        if (place >= size || hasCode[place >>> WORD])
          return wrote(address, at, 'writeUint32', value >>> 0);
        ram32[place >>> 2] = value;
        return false;
      },
      store16(address, value, at) {
        const place = (address - RAM) >>> 0;
        if (place >= size || hasCode[place >>> WORD])
          return wrote(address, at, 'writeUint16', value & 0xffff);
        ram16[place >>> 1] = value;
        return false;
      },
      store8(address, value, at) {
        const place = (address - RAM) >>> 0;
        if (place >= size || hasCode[place >>> WORD])
          return wrote(address, at, 'writeUint8', value & 0xff);
        ram8[place] = value;
        return false;
      },
    };
  }

  translate(begin) {
    const steps = [];
    const seen = new Set();
    let pc = begin;
    let ends = false;
    while (!ends && steps.length < LONGEST && !seen.has(pc)) {
      const step = this.decode(pc);
      if (!step) break;
      seen.add(pc);
      steps.push(step);
      ends = step.ends ?? false;
      pc = step.next;
    }
    if (!steps.length) return null;
    const text = written(steps, ends ? null : pc);
    if (begin >>> 28 === 2) for (const at of seen) this.hasCode[(at - RAM) >>> WORD] = 1;
    if (begin >>> 28 === 1) this.flashEnds = Math.max(this.flashEnds, ...[...seen].map((at) => at - FLASH + 4));
    let make = made.get(text);
    if (!make) {
      make = new Function('s', 'c', 'm', `const {${Object.keys(this.helpers)}} = m;\nreturn () => {\n${text}};`);
      made.set(text, make);
    }
    return make(this.registers, this.rp2040.core, this.helpers);
  }

  // Return one instruction, or null for one that is left to rp2040js:
  //   code    (at, flags) => its text; `at` cycles have passed by its end, `flags` must be set
  //   cycles  that it takes
  //   sets, reads  flags
  //   next    the address that follows
  //   ends    whether nothing follows
  decode(pc) {
    const op = this.rp2040.readUint16(pc);
    const wide = op >> 11 >= 0b11101 ? this.rp2040.readUint16(pc + 2) : 0;
    for (const decode of [arithmetic, registers, memory, several, branches]) {
      const found = decode(op, pc, wide);
      if (found) return { cycles: 1, sets: 0, reads: 0, next: pc + 2, ...found };
    }
    return null;
  }
}

// Return where what begins at an address is found: in the ROM, flash memory or RAM.
function place(address) {
  return (address >>> 28) * PART + ((address & 0xfffff) >>> 1);
}

// Return the text of a function: flags that are overwritten before they are read are not worked out.
function written(steps, goesOnAt) {
  let live = ALL;
  for (const step of [...steps].reverse()) {
    step.wanted = step.sets & live;
    live = (live & ~step.sets) | step.reads;
    if (step.leaves) live = ALL;
  }
  let cycles = 0;
  let text = '';
  for (const step of steps) {
    cycles += step.cycles;
    text += `{ ${step.code(cycles, step.wanted)} }\n`;
  }
  return goesOnAt === null ? text : `${text}s[15] = ${goesOnAt}; return ${cycles};\n`;
}

function low(op, place) {
  return (op >> place) & 7;
}

function nz(flags) {
  return flags & NZ ? 'c.N = x < 0; c.Z = x === 0;' : '';
}

function sum(target, a, b, carry, flags) {
  return (
    `const a = ${a}, b = ${b}${carry ? ', k = c.C ? 1 : 0' : ''}; const x = (a + b${carry ? ' + k' : ''}) | 0; ${nz(flags)}` +
    (flags & C ? ` c.C = (a >>> 0) + (b >>> 0)${carry ? ' + k' : ''} > 0xffffffff;` : '') +
    (flags & V ? ' c.V = ((a ^ x) & (b ^ x)) < 0;' : '') +
    (target === null ? '' : ` s[${target}] = x;`)
  );
}

function difference(target, a, b, carry, flags) {
  return (
    `const a = ${a}, b = ${b}${carry ? ', k = c.C ? 0 : 1' : ''}; const x = (a - b${carry ? ' - k' : ''}) | 0; ${nz(flags)}` +
    (flags & C ? ` c.C = (a >>> 0) >= (b >>> 0)${carry ? ' + k' : ''};` : '') +
    (flags & V ? ' c.V = ((a ^ b) & (a ^ x)) < 0;' : '') +
    (target === null ? '' : ` s[${target}] = x;`)
  );
}

function plain(sets, code) {
  return { sets, code: (_at, flags) => code(flags) };
}

// Shifts, additions and comparisons with small numbers; what has two low registers.
function arithmetic(op) {
  const [d, n] = [low(op, 0), low(op, 3)];
  const m = `s[${low(op, 6)}]`;
  const by = (op >> 6) & 31;
  const [wide, number] = [low(op, 8), op & 255];
  switch (op >> 11) {
    case 0b00000:
      if (!by) return plain(NZ, (f) => `const x = s[${n}]; s[${d}] = x; ${nz(f)}`);
      return plain(NZ | C, (f) => `const i = s[${n}], x = i << ${by}; s[${d}] = x; ${nz(f)}${f & C ? ` c.C = (i & ${(1 << (32 - by)) | 0}) !== 0;` : ''}`);
    case 0b00001:
      return plain(NZ | C, (f) => `const i = s[${n}], x = ${by ? `(i >>> ${by}) | 0` : '0'}; s[${d}] = x; ${nz(f)}${f & C ? ` c.C = (i >>> ${by ? by - 1 : 31} & 1) !== 0;` : ''}`);
    case 0b00010:
      return plain(NZ | C, (f) => `const i = s[${n}], x = i >> ${by || 31}; s[${d}] = x; ${nz(f)}${f & C ? ` c.C = (i >>> ${by ? by - 1 : 31} & 1) !== 0;` : ''}`);
    case 0b00011: {
      const other = op & 0x400 ? low(op, 6) : m;
      const make = op & 0x200 ? difference : sum;
      return plain(ALL, (f) => make(d, `s[${n}]`, other, false, f));
    }
    case 0b00100:
      return plain(NZ, (f) => `const x = ${number}; s[${wide}] = x; ${nz(f)}`);
    case 0b00101:
      return plain(ALL, (f) => difference(null, `s[${wide}]`, number, false, f));
    case 0b00110:
      return plain(ALL, (f) => sum(wide, `s[${wide}]`, number, false, f));
    case 0b00111:
      return plain(ALL, (f) => difference(wide, `s[${wide}]`, number, false, f));
  }
  if (op >> 10 !== 0b010000) return null;
  const logic = (text, target = d) =>
    plain(NZ, (f) => `const x = ${text}; ${target === null ? '' : `s[${target}] = x; `}${nz(f)}`);
  const [a, b] = [`s[${d}]`, `s[${n}]`];
  switch ((op >> 6) & 15) {
    case 0: return logic(`${a} & ${b}`);
    case 1: return logic(`${a} ^ ${b}`);
    case 2:
      return { sets: NZ | C, reads: C, code: (_at, f) => `const k = ${b} & 255, i = ${a}, x = k > 31 ? 0 : i << k; s[${d}] = x; ${nz(f)} if (k) c.C = (i & 1 << 32 - k) !== 0;` };
    case 3:
      return { sets: NZ | C, reads: C, code: (_at, f) => `const k = ${b} & 255, i = ${a}, x = k > 31 ? 0 : (i >>> k) | 0; s[${d}] = x; ${nz(f)} c.C = k <= 32 ? (i >>> k - 1 & 1) !== 0 : false;` };
    case 4:
      return plain(NZ | C, (f) => `const q = ${b} & 255, k = q < 32 ? q : 32, i = ${a}, x = i >> (k < 32 ? k : 31); s[${d}] = x; ${nz(f)} c.C = (i & 1 << k - 1) !== 0;`);
    case 5: return { sets: ALL, reads: C, code: (_at, f) => sum(d, a, b, true, f) };
    case 6: return { sets: ALL, reads: C, code: (_at, f) => difference(d, a, b, true, f) };
    case 8: return logic(`${a} & ${b}`, null);
    case 9: return plain(ALL, (f) => difference(d, '0', b, false, f));
    case 10: return plain(ALL, (f) => difference(null, a, b, false, f));
    case 11: return plain(ALL, (f) => sum(null, a, b, false, f));
    case 12: return logic(`${a} | ${b}`);
    case 13: return logic(`Math.imul(${a}, ${b})`);
    case 14: return logic(`${a} & ~${b}`);
    case 15: return logic(`~${b}`);
  }
  return null;
}

// What moves between all registers, and what needs no memory besides.
function registers(op, pc) {
  const [d, n] = [(op & 7) | ((op >> 4) & 8), (op >> 3) & 15];
  const value = n === 15 ? `${pc + 4}` : `s[${n}]`;
  const set = (text) => {
    if (d === 15) return { cycles: 2, ends: true, code: (at) => `s[15] = (${text}) & ~1; return ${at};` };
    return plain(0, () => `s[${d}] = ${d === 13 ? `(${text}) & ~3` : text};`);
  };
  if (op >> 8 === 0b01000100) return set(`(${d === 15 ? pc + 4 : `s[${d}]`} + ${value}) | 0`);
  if (op >> 8 === 0b01000101) return n === 15 ? null : plain(ALL, (f) => difference(null, `s[${d}]`, value, false, f));
  if (op >> 8 === 0b01000110) return set(value);
  const [target, number] = [low(op, 8), (op & 255) << 2];
  if (op >> 11 === 0b10100) return plain(0, () => `s[${target}] = ${(pc & ~3) + 4 + number};`);
  if (op >> 11 === 0b10101) return plain(0, () => `s[${target}] = s[13] + ${number};`);
  if (op >> 7 === 0b101100000) return plain(0, () => `s[13] += ${(op & 127) << 2};`);
  if (op >> 7 === 0b101100001) return plain(0, () => `s[13] -= ${(op & 127) << 2};`);
  const [to, from] = [low(op, 0), `s[${low(op, 3)}]`];
  switch (op >> 6) {
    case 0b1011001000: return plain(0, () => `s[${to}] = ${from} << 16 >> 16;`);
    case 0b1011001001: return plain(0, () => `s[${to}] = ${from} << 24 >> 24;`);
    case 0b1011001010: return plain(0, () => `s[${to}] = ${from} & 65535;`);
    case 0b1011001011: return plain(0, () => `s[${to}] = ${from} & 255;`);
    case 0b1011101000: return plain(0, () => `const i = ${from}; s[${to}] = i << 24 | (i & 65280) << 8 | i >>> 8 & 65280 | i >>> 24;`);
  }
  if (op === 0xbf00) return plain(0, () => '');
  return null;
}

// One value from memory, or to it.
function memory(op, pc) {
  const [t, n] = [low(op, 0), low(op, 3)];
  const by = (op >> 6) & 31;
  const sum = `(s[${n}] + s[${low(op, 6)}]) | 0`;
  const near = (times) => `(s[${n}] + ${by * times}) | 0`;
  const load = (name, address, target = t, after = '') => ({ cycles: 2, code: (at) => `s[${target}] = ${name}(${address}, ${at})${after};` });
  const store = (name, address, from = t) => ({
    cycles: 2,
    code: (at) => `if (${name}(${address}, s[${from}], ${at})) { s[15] = ${pc + 2}; return ${at}; }`,
  });
  const [wide, number] = [low(op, 8), (op & 255) << 2];
  switch (op >> 11) {
    case 0b01001: return load('load32', `${(pc & ~3) + 4 + number}`, wide);
    case 0b01100: return store('store32', near(4));
    case 0b01101: return load('load32', near(4));
    case 0b01110: return store('store8', near(1));
    case 0b01111: return load('load8', near(1));
    case 0b10000: return store('store16', near(2));
    case 0b10001: return load('load16', near(2));
    case 0b10010: return store('store32', `(s[13] + ${number}) | 0`, wide);
    case 0b10011: return load('load32', `(s[13] + ${number}) | 0`, wide);
  }
  switch (op >> 9) {
    case 0b0101000: return store('store32', sum);
    case 0b0101001: return store('store16', sum);
    case 0b0101010: return store('store8', sum);
    case 0b0101011: return load('load8', sum, t, ' << 24 >> 24');
    case 0b0101100: return load('load32', sum);
    case 0b0101101: return load('load16', sum);
    case 0b0101110: return load('load8', sum);
    case 0b0101111: return load('load16', sum, t, ' << 16 >> 16');
  }
  return null;
}

// Several registers at once.
function several(op, pc) {
  const list = [0, 1, 2, 3, 4, 5, 6, 7].filter((place) => op & (1 << place));
  const count = list.length;
  const n = low(op, 8);
  const loads = (at) => list.map((place, index) => `s[${place}] = load32((a + ${4 * index}) | 0, ${at});`).join(' ');
  const stores = (at, more = []) =>
    `let e = false; ${[...list, ...more].map((place, index) => `if (store32((a + ${4 * index}) | 0, s[${place}], ${at})) e = true;`).join(' ')}`;
  const leave = (at) => `if (e) { s[15] = ${pc + 2}; return ${at}; }`;
  const back = op & (1 << n) ? '' : `s[${n}] = a + ${4 * count};`;
  if (op >> 11 === 0b11001) return { cycles: 1 + count, code: (at) => `const a = s[${n}]; ${loads(at)} ${back}` };
  if (op >> 11 === 0b11000) return { cycles: 1 + count, code: (at) => `const a = s[${n}]; ${stores(at)} ${back} ${leave(at)}` };
  if (op >> 9 === 0b1011010) {
    const more = op & 0x100 ? [14] : [];
    const room = 4 * (count + more.length);
    return { cycles: 1 + count, code: (at) => `const a = (s[13] - ${room}) | 0; ${stores(at, more)} s[13] = a; ${leave(at)}` };
  }
  if (op >> 9 !== 0b1011110) return null;
  if (!(op & 0x100)) return { cycles: 1 + count, code: (at) => `const a = s[13]; ${loads(at)} s[13] = a + ${4 * count};` };
  return {
    cycles: 3 + count,
    ends: true,
    reads: ALL,
    code: (at) => `const a = s[13]; ${loads(at)} s[13] = a + ${4 * count + 4}; c.BXWritePC(load32((a + ${4 * count}) | 0, ${at}) >>> 0); return ${at};`,
  };
}

function branches(op, pc, wide) {
  if (op >> 12 === 0b1101 && ((op >> 8) & 15) < 14) {
    const condition = (op >> 8) & 15;
    const target = pc + 4 + ((op << 24) >> 23);
    return { leaves: true, reads: READS[condition], code: (at) => `if (${CONDITIONS[condition]}) { s[15] = ${target}; return ${at + 1}; }` };
  }
  if (op >> 11 === 0b11100) return { cycles: 2, next: pc + 4 + ((op << 21) >> 20), code: () => '' };
  const n = (op >> 3) & 15;
  if (op >> 7 === 0b010001111 && !(op & 7))
    return { cycles: 2, ends: true, code: (at) => `const a = s[${n}]; s[14] = ${(pc + 2) | 1}; s[15] = a & ~1; return ${at};` };
  if (op >> 7 === 0b010001110 && !(op & 7))
    return { cycles: 2, ends: true, reads: ALL, code: (at) => `c.BXWritePC(s[${n}] >>> 0); return ${at};` };
  if (op >> 11 === 0b11110 && (wide & 0xd000) === 0xd000) {
    const sign = (op >> 10) & 1;
    const [first, second] = [1 - (sign ^ ((wide >> 13) & 1)), 1 - (sign ^ ((wide >> 11) & 1))];
    const far = (sign ? 0xff000000 : 0) | (first << 23) | (second << 22) | ((op & 0x3ff) << 12) | ((wide & 0x7ff) << 1);
    return { cycles: 3, next: (pc + 4 + far) >>> 0, code: () => `s[14] = ${(pc + 4) | 1};` };
  }
  return null;
}
