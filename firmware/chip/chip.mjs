// An emulated RP2040, controlled by JSON lines. rp2040js emulates the processor; this file adds flash
// memory, pins and USB. Each line on standard input is {"do": NAME, ...} and is answered by one line
// with the chip's state and its events since the last line. Times are microseconds of chip time since
// the first power-on. `pico.py` is the client.

import { readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { GPIOPinState, Simulator, USBCDC } from 'rp2040js';

const ROM = readFileSync(new URL('bootrom.bin', import.meta.url));
const BOOTROM = new Uint32Array(ROM.buffer.slice(ROM.byteOffset, ROM.byteOffset + ROM.length));
const FLASH_BEGINS = 0x10000000;
const WATCHDOG = 0x40058;
// Suppresses warnings about what rp2040js lacks, such as the mailbox of the second core.
const SILENT = { debug() {}, info() {}, warn() {}, error() {} };
const ONE = 1; // nanosecond; times closer than this count as equal, because of rounding

class Chip {
  // flash  the content of its flash memory; modified in place
  // seed   for the random bytes left by an interrupted operation
  constructor(flash, seed) {
    this.image = flash;
    this.seed = seed;
    this.driven = new Array(30).fill(null); // the level driven from outside on each pin
    this.watched = new Set(); // pins whose tones are recorded edge by edge
    this.before = 0; // nanoseconds up to the latest reset
    this.cutAt = Infinity; // the time of the power cut, in nanoseconds
    this.busyNanos = 0;
    this.owed = 0; // nanoseconds for which flash memory still stalls the processor
    this.hasPower = false;
  }

  get nanos() {
    return this.hasPower ? this.before + this.clock.nanos : this.before;
  }

  get micros() {
    return this.nanos / 1000;
  }

  // Add an event of the current time to the next answer.
  note(kind, ...what) {
    (news[kind] ??= []).push([this.micros, ...what]);
  }

  // Power on, or reset because of `why`.
  start(why = 'power') {
    if (this.hasPower) this.stop();
    const watchdog = this.rp2040?.peripherals[WATCHDOG];
    this.hasPower = true;
    ({ clock: this.clock, rp2040: this.rp2040 } = new Simulator());
    this.rp2040.logger = SILENT;
    this.rp2040.loadBootrom(BOOTROM);
    this.rp2040.flash.set(this.image);
    this.cycle = 1e9 / this.rp2040.clkSys; // nanoseconds
    this.rp2040.addClockListener((hz) => (this.cycle = 1e9 / hz));
    const guard = this.rp2040.peripherals[WATCHDOG];
    if (why === 'watchdog') {
      guard.reason = watchdog.reason;
      guard.scratchData.set(watchdog.scratchData);
    }
    guard.onWatchdogTrigger = () => {
      guard.alarm.enable = false;
      guard.timer.enable = false;
      this.resets = true;
    };
    new Flash(this);
    this.pins = new Pins(this);
    this.host = new Host(this);
    this.rp2040.core.PC = FLASH_BEGINS;
  }

  // Power off; flash memory keeps its content.
  stop() {
    if (!this.hasPower) return;
    this.before += this.clock.nanos;
    this.image.set(this.rp2040.flash);
    this.hasPower = false;
    for (const [pin, hz] of this.pins.tones.entries())
      if (hz) this.note('tone', pin, 0, 0);
    for (const { index, outputEnable, outputValue } of this.rp2040.gpio)
      if (outputEnable && outputValue) this.note('edge', index, null);
  }

  // Schedule `action` at a time, in microseconds.
  later(micros, action) {
    const nanos = micros * 1000 - this.before - this.clock.nanos;
    this.clock.createAlarm(action).schedule(Math.max(0, nanos));
  }

  // Run until a time, in microseconds.
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
    const { clock } = this;
    const { core } = this.rp2040;
    while (clock.nanos < goal && !this.resets) {
      const alarm = clock.nextAlarm;
      const until = alarm && alarm.nanos < goal ? alarm.nanos : goal;
      const before = clock.nanos;
      if (core.waiting) {
        clock.tick(Math.max(0, until - before));
        continue;
      }
      // Execute until something may have changed the next event.
      do clock.nanosCounter += core.executeInstruction() * this.cycle;
      while (
        clock.nanosCounter < until && clock.nextAlarm === alarm && !core.waiting && !this.owed && !this.resets
      );
      clock.tick(this.owed);
      this.owed = 0;
      this.busyNanos += clock.nanos - before;
    }
  }
}

// Flash memory as the boot ROM writes it: the time for which each operation stalls the processor, and
// the bytes left by an operation that a power cut interrupts.

const SECTOR = 4096;
const PAGE = 256;
// Typical times of a Pico's W25Q16JV, for a sector and for a page.
const ERASE_NANOS = 45e6;
const PROGRAM_NANOS = 0.4e6;

// The flash functions of the ROM, by their codes, are replaced by breakpoints with these numbers,
// since rp2040js does not emulate the commands of the flash chip.
const HOOKS = { IF: 0xe0, EX: 0xe1, RE: 0xe2, RP: 0xe3, FC: 0xe4, CX: 0xe5 };
const BREAKPOINT = 0xbe00;
const RETURN = 0x4770;
// The breakpoint in place of the ROM's floating point (`bootrom.LICENSE.txt`).
const FLOATING_POINT = 0xf0;
const TABLE_OF_FUNCTIONS = 0x14;

class Flash {
  constructor(chip) {
    this.chip = chip;
    this.rp2040 = chip.rp2040;
    this.chance = chip.seed++ | 1;
    const bytes = new Uint8Array(this.rp2040.bootrom.buffer);
    const rom = new DataView(this.rp2040.bootrom.buffer);
    for (let at = rom.getUint16(TABLE_OF_FUNCTIONS, true); rom.getUint16(at, true); at += 4) {
      const hook = HOOKS[String.fromCharCode(bytes[at], bytes[at + 1])];
      if (!hook) continue;
      const entry = rom.getUint16(at + 2, true) & ~1;
      rom.setUint16(entry, BREAKPOINT | hook, true);
      rom.setUint16(entry + 2, RETURN, true);
    }
    this.rp2040.onBreak = (number) => this.onBreak(number);
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
    const share = this.share('erase', address, length, ERASE_NANOS * Math.ceil(length / SECTOR));
    for (let at = address; at < address + length; at++)
      this.rp2040.flash[at] |= this.bits(share);
  }

  program(address, source, length) {
    const share = this.share('program', address, length, PROGRAM_NANOS * Math.ceil(length / PAGE));
    for (let place = 0; place < length; place++)
      this.rp2040.flash[address + place] &=
        this.rp2040.readUint8(source + place) | ~this.bits(share);
  }

  // Record an operation of this duration; return the share completed before a power cut.
  share(what, address, length, nanos) {
    const { chip } = this;
    chip.note('flash', what, address, length);
    const share = Math.min(1, Math.max(0, (chip.cutAt - chip.nanos) / nanos));
    chip.owed += nanos * share;
    return share;
  }

  // Return eight bits, each set with the probability `share`.
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

// The pins: levels driven from outside, and measured edges and tones.

const PWM = 4; // the function of a pin that carries a tone
const A_PHASE_CORRECT = 2; // bits of its control register
const A_IS_INVERTED = 4;
const B_IS_INVERTED = 8;
const COMPARE = 0x0c; // the register with the duty of both pins

class Pins {
  constructor(chip) {
    this.chip = chip;
    this.rp2040 = chip.rp2040;
    this.tones = new Array(this.rp2040.gpio.length).fill('');
    for (const pin of this.rp2040.gpio) {
      pin.addListener((state, before) => {
        this.settle(pin);
        this.listen(pin.index);
        const isOutput = state <= GPIOPinState.High || before <= GPIOPinState.High;
        if (isOutput && (pin.functionSelect !== PWM || chip.watched.has(pin.index)))
          chip.note('edge', pin.index, state <= GPIOPinState.High ? state : null); // null: released
      });
      this.settle(pin);
    }
    for (const channel of this.rp2040.pwm.channels) this.watch(channel);
  }

  drive(index, level) {
    this.chip.driven[index] = level;
    this.settle(this.rp2040.gpio[index]);
  }

  // Set the level of a pin: by the chip if it is an output, else from outside, else by its pull.
  settle(pin) {
    const outside = this.chip.driven[pin.index];
    let high = pin.rawInputValue;
    if (pin.outputEnable) high = pin.outputValue;
    else if (outside !== null) high = outside === 1;
    else if (pin.pullupEnabled !== pin.pulldownEnabled) high = pin.pullupEnabled;
    if (high !== pin.rawInputValue) pin.setInputValue(high);
  }

  // A generator applies a new pitch and duty at the end of a period, so its pins are checked then.
  // Silence counts from the write of the register, since the pin does not go high again.
  watch(channel) {
    const pins = [channel.pinA1, channel.pinB1, channel.pinA2, channel.pinB2];
    const look = () => {
      for (const index of pins) if (index >= 0 && index < this.tones.length) this.listen(index);
    };
    const take = channel.updateDoubleBuffered.bind(channel);
    channel.updateDoubleBuffered = () => {
      const isNew = channel.ccUpdated || channel.topUpdated;
      take();
      if (isNew) look();
    };
    const write = channel.writeRegister.bind(channel);
    channel.writeRegister = (offset, value) => {
      write(offset, value);
      if (offset === COMPARE) look();
    };
  }

  listen(index) {
    const [hz, share] = this.heard(index);
    const key = hz ? `${hz} ${share}` : '';
    if (key === this.tones[index]) return;
    this.tones[index] = key;
    this.chip.note('tone', index, hz, share); // 0 Hz is silence; share is the duty cycle
  }

  // Return the pitch and the duty cycle of a pin.
  heard(index) {
    const channel = this.rp2040.pwm.channels[(index >> 1) & 7];
    if (this.rp2040.gpio[index].functionSelect !== PWM || !(channel.csr & 1)) return [0, 0];
    const counts = channel.timer.top + 1;
    const next = (index & 1 ? channel.cc >>> 16 : channel.cc & 0xffff) / (channel.top + 1);
    const share = (index & 1 ? channel.alarmB : channel.alarmA).target / counts;
    if ([next, share].some((part) => part <= 0 || part >= 1)) return [0, 0];
    const divider = (channel.div >> 4 || 256) + (channel.div & 15) / 16;
    const passes = channel.csr & A_PHASE_CORRECT ? 2 : 1;
    const isInverted = channel.csr & (index & 1 ? B_IS_INVERTED : A_IS_INVERTED);
    return [this.rp2040.clkSys / divider / counts / passes, isInverted ? 1 - share : share];
  }
}

// The computer at the chip's USB: a serial line that queues bytes until the chip requests them, and
// starts a frame every millisecond.

const FRAME_NANOS = 1e6;
const START_OF_FRAME = 1 << 17; // in the registers of interrupts
const INTERRUPT_ENABLE = 0x90;
const FRAME_NUMBER = 0x48;

class Host {
  constructor(chip) {
    this.usb = chip.rp2040.usbCtrl;
    this.cdc = new USBCDC(this.usb);
    this.waiting = []; // bytes for the chip
    this.asked = null; // the size and endpoint of the chip's pending read
    this.cdc.onSerialData = (bytes) => chip.note('said', Buffer.from(bytes).toString('latin1'));
    this.usb.onEndpointRead = (endpoint, size) => {
      if (endpoint !== this.cdc.outEndpoint) return;
      this.asked = { endpoint, size };
      this.pass();
    };
    this.beat(chip.clock);
  }

  send(bytes) {
    for (const byte of bytes) this.waiting.push(byte);
    this.pass();
  }

  pass() {
    if (!this.asked || !this.waiting.length) return;
    const { endpoint, size } = this.asked;
    this.asked = null;
    this.usb.endpointReadDone(endpoint, Uint8Array.from(this.waiting.splice(0, size)));
  }

  // Start a frame each millisecond while the chip enables that interrupt; MicroPython then sends
  // held-back bytes.
  beat(clock) {
    const { usb } = this;
    const frame = clock.createAlarm(() => {
      frame.scheduled = false;
      if (!(usb.intEnable & START_OF_FRAME)) return;
      usb.sofFrameNumber = (usb.sofFrameNumber + 1) & 0x7ff;
      usb.intRaw |= START_OF_FRAME;
      usb.checkInterrupts();
      frame.schedule(FRAME_NANOS);
    });
    const write = usb.writeUint32.bind(usb);
    usb.writeUint32 = (offset, value) => {
      write(offset, value);
      const begins = offset === INTERRUPT_ENABLE && value & START_OF_FRAME;
      if (begins && !frame.scheduled) frame.schedule(FRAME_NANOS);
    };
    const read = usb.readUint32.bind(usb);
    usb.readUint32 = (offset) => {
      const value = read(offset);
      if (offset === FRAME_NUMBER) {
        usb.intRaw &= ~START_OF_FRAME;
        usb.checkInterrupts();
      }
      return value;
    };
  }
}

let chip;
let news = {};

const COMMANDS = {
  // Create a chip with this flash memory, without power.
  make({ flash, seed }) {
    chip = new Chip(new Uint8Array(16 << 20).fill(0xff), seed);
    chip.image.set(readFileSync(flash));
  },
  power({ on }) {
    if (on) chip.start();
    else chip.stop();
  },
  // Run until a time; the answer has the events.
  run({ until }) {
    chip.run(until);
  },
  // Cut the power at a time, even in the middle of a write.
  cut({ at }) {
    chip.cutAt = at * 1000;
  },
  // Drive a pin from outside at a time; null releases it.
  drive({ at, pin, level }) {
    chip.later(at, () => chip.pins.drive(pin, level));
  },
  // Record the tones of exactly these pins edge by edge.
  watch({ pins }) {
    chip.watched.clear();
    for (const pin of pins) chip.watched.add(pin);
  },
  send({ text }) {
    chip.host.send(Buffer.from(text, 'latin1'));
  },
  keep({ flash, length }) {
    const content = chip.hasPower ? chip.rp2040.flash : chip.image;
    writeFileSync(flash, content.subarray(0, length));
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  news = {};
  let error;
  try {
    COMMANDS[request.do](request);
  } catch (problem) {
    error = String(problem.stack ?? problem);
  }
  const state = chip && {
    power: chip.hasPower,
    now: chip.micros,
    busy: chip.busyNanos / 1e3,
  };
  process.stdout.write(`${JSON.stringify({ ...state, ...news, error })}\n`);
}
