// The flash memory of an emulated chip as its boot ROM writes it: how long each operation holds
// up the processor, and what is left of one in the middle of which the power goes.

const SECTOR = 4096;
const PAGE = 256;
// Typical times of the W25Q16JV that a Pico has, of a sector and of a page.
const ERASE_NANOS = 45e6;
const PROGRAM_NANOS = 0.4e6;

// The functions of the ROM, by their codes, are replaced by a breakpoint of this number each:
// what they do with the flash chip's own commands is done here.
const HOOKS = { IF: 0xe0, EX: 0xe1, RE: 0xe2, RP: 0xe3, FC: 0xe4, CX: 0xe5 };
const BREAKPOINT = 0xbe00;
const RETURN = 0x4770;
// What stands in place of the ROM's floating point (`bootrom.LICENSE.txt`).
const FLOATING_POINT = 0xf0;
const TABLE_OF_FUNCTIONS = 0x14;

export class Flash {
  // rp2040  the chip; seed  of what a torn operation leaves
  // done    is called with (operation, address, length), and returns how many nanoseconds are
  //         left until the power goes
  // busy    is called with how many nanoseconds the processor stands still
  constructor(rp2040, seed, done, busy) {
    this.rp2040 = rp2040;
    this.chance = seed | 1;
    this.done = done;
    this.busy = busy;
    this.replaceFunctions();
    rp2040.onBreak = (number) => this.onBreak(number);
  }

  replaceFunctions() {
    const bytes = new Uint8Array(this.rp2040.bootrom.buffer);
    const rom = new DataView(this.rp2040.bootrom.buffer);
    for (let at = rom.getUint16(TABLE_OF_FUNCTIONS, true); rom.getUint16(at, true); at += 4) {
      const hook = HOOKS[String.fromCharCode(bytes[at], bytes[at + 1])];
      if (!hook) continue;
      const entry = rom.getUint16(at + 2, true) & ~1;
      rom.setUint16(entry, BREAKPOINT | hook, true);
      rom.setUint16(entry + 2, RETURN, true);
    }
  }

  onBreak(number) {
    const [first, second, third] = this.rp2040.core.registers;
    if (number === HOOKS.RE) this.erase(first, second);
    else if (number === HOOKS.RP) this.program(first, second, third);
    else if (number === FLOATING_POINT)
      throw new Error('this chip cannot calculate with floats: see firmware/chip/bootrom.LICENSE.txt');
    else if (!Object.values(HOOKS).includes(number)) throw new Error(`breakpoint ${number}`);
  }

  erase(address, length) {
    const nanos = ERASE_NANOS * Math.ceil(length / SECTOR);
    const share = this.share(nanos, this.done('erase', address, length));
    for (let at = address; at < address + length; at++)
      this.rp2040.flash[at] |= this.bits(share);
    this.busy(nanos * share);
  }

  program(address, source, length) {
    const nanos = PROGRAM_NANOS * Math.ceil(length / PAGE);
    const share = this.share(nanos, this.done('program', address, length));
    for (let place = 0; place < length; place++)
      this.rp2040.flash[address + place] &=
        this.rp2040.readUint8(source + place) | ~this.bits(share);
    this.busy(nanos * share);
  }

  share(nanos, left) {
    return Math.min(1, Math.max(0, left / nanos));
  }

  // Return eight bits, each of which is set with the probability `share`.
  bits(share) {
    if (share === 1) return 0xff;
    let found = 0;
    for (let bit = 0; bit < 8; bit++) found = (found << 1) | (this.random() < share ? 1 : 0);
    return found;
  }

  random() {
    this.chance = (Math.imul(this.chance, 1664525) + 1013904223) >>> 0;
    return this.chance / 2 ** 32;
  }
}
