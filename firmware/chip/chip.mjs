// An RP2040 that runs what lies in its flash memory, instruction by instruction at its own time.
// The processor is rp2040js's; here is what this project needs around it.

import { readFileSync } from 'node:fs';
import { RP2040 } from 'rp2040js';
import { Blocks } from './blocks.mjs';
import { Clock } from './clock.mjs';
import { Flash } from './flash.mjs';
import { Pins } from './pins.mjs';
import { Host } from './usb.mjs';

const ROM = readFileSync(new URL('bootrom.bin', import.meta.url));
const BOOTROM = new Uint32Array(ROM.buffer.slice(ROM.byteOffset, ROM.byteOffset + ROM.length));
const FLASH_BEGINS = 0x10000000;
const WATCHDOG = 0x40058;
// It would tell of what it has not got, such as the second processor's letter box.
const SILENT = { debug() {}, info() {}, warn() {}, error() {} };
const HELD_UP = 0; // places in `flags`: nanoseconds are owed, and
const STOPPED = 1; // the chip is not to go on
const ONE = 1; // nanosecond: what is nearer than that is there, however it was rounded

export class Chip {
  // flash  the content of its flash memory, which it changes
  // seed   of what a torn operation leaves there
  // note   is called with (kind, ...) for all that happens; times are taken by `micros`
  constructor(flash, seed, note) {
    this.image = flash;
    this.seed = seed;
    this.note = note;
    this.driven = new Array(30).fill(null);
    this.watched = new Set(); // pins: see `Pins`
    this.before = 0; // nanoseconds until the latest reset
    this.cutAt = Infinity; // when the power goes, in nanoseconds
    this.busyNanos = 0;
    this.idleNanos = 0;
    this.flags = new Int32Array(2);
    this.cycle = new Float64Array(1); // nanoseconds of one
    this.owed = 0;
    this.hasPower = false;
  }

  get nanos() {
    return this.hasPower ? this.before + this.clock.nanos : this.before;
  }

  get micros() {
    return this.nanos / 1000;
  }

  // Give it power, or start it again because of `why`.
  start(why = 'power') {
    if (this.hasPower) this.stop();
    const watchdog = this.rp2040?.peripherals[WATCHDOG];
    this.hasPower = true;
    this.clock = new Clock();
    this.rp2040 = new RP2040(this.clock);
    this.rp2040.logger = SILENT;
    this.rp2040.loadBootrom(BOOTROM);
    this.rp2040.flash.set(this.image);
    this.cycle[0] = 1e9 / this.rp2040.clkSys;
    this.rp2040.addClockListener((hz) => (this.cycle[0] = 1e9 / hz));
    this.guard(why === 'watchdog' ? watchdog : null);
    this.flash = new Flash(
      this.rp2040,
      this.seed++,
      (...what) => {
        this.note('flash', this.micros, ...what);
        this.blocks.wrote(what[1]);
        return this.cutAt - this.nanos;
      },
      (nanos) => {
        this.owed += nanos;
        this.flags[HELD_UP] = 1;
      },
    );
    this.pins = new Pins(
      this.rp2040,
      this.driven,
      (pin, level) => this.note('edge', this.micros, pin, level),
      (pin, hz, share) => this.note('tone', this.micros, pin, hz, share),
      this.watched,
    );
    this.host = new Host(this.rp2040, (bytes) => this.note('said', this.micros, bytes));
    this.blocks = new Blocks(this.rp2040, (cycles) => (this.clock.cell[0] += cycles * this.cycle[0]));
    this.note('start', this.micros, why);
    this.rp2040.core.PC = FLASH_BEGINS;
  }

  // Take its power away; its flash memory stays as it is.
  stop() {
    if (!this.hasPower) return;
    this.before += this.clock.nanos;
    this.image.set(this.rp2040.flash);
    this.hasPower = false;
    for (const [pin, hz] of this.pins.tones.entries())
      if (hz) this.note('tone', this.micros, pin, 0, 0);
    for (const { index, outputEnable, outputValue } of this.rp2040.gpio)
      if (outputEnable && outputValue) this.note('edge', this.micros, index, null);
  }

  guard(before) {
    const watchdog = this.rp2040.peripherals[WATCHDOG];
    if (before) {
      watchdog.reason = before.reason;
      watchdog.scratchData.set(before.scratchData);
    }
    watchdog.onWatchdogTrigger = () => {
      watchdog.alarm.enable = false;
      watchdog.timer.enable = false;
      this.resets = true;
      this.flags[STOPPED] = 1;
    };
  }

  // Have `action` happen at a time, in microseconds, whatever is reset until then.
  later(micros, action) {
    this.clock.at(micros * 1000 - this.before, action);
  }

  // Live until a time, in microseconds.
  run(micros) {
    const goal = Math.min(micros * 1000, this.cutAt);
    while (this.hasPower && goal - this.nanos >= ONE) {
      this.resets = false;
      this.execute(goal - this.before);
      if (this.resets) this.start('watchdog');
    }
    if (this.cutAt - this.nanos < ONE) {
      this.stop();
      this.cutAt = Infinity;
    }
    if (!this.hasPower) this.before = Math.max(this.before, micros * 1000);
  }

  execute(goal) {
    const { blocks, clock, cycle, flags } = this;
    const { core } = this.rp2040;
    const { cell } = clock;
    let busy = 0;
    let idle = 0;
    flags[STOPPED] = 0;
    while (cell[0] < goal && !flags[STOPPED]) {
      const alarm = clock.nextAlarm;
      const until = alarm && alarm.nanos < goal ? alarm.nanos : goal;
      const before = cell[0];
      if (core.waiting) {
        clock.tick(Math.max(0, until - before));
        idle += cell[0] - before;
        continue;
      }
      clock.tick(blocks.run(Math.ceil((until - before) / cycle[0])) * cycle[0]);
      if (flags[HELD_UP]) {
        flags[HELD_UP] = 0;
        clock.tick(this.owed);
        this.owed = 0;
      }
      busy += cell[0] - before;
    }
    this.busyNanos += busy;
    this.idleNanos += idle;
  }
}
