// An emulated chip for a program that speaks with it in lines: each line on standard input is
// {"do": NAME, ...} in JSON, and is answered by one line. Times are microseconds since the chip
// first got its power. `pico.py` is the other end.

import { readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Chip } from './chip.mjs';

let chip;
let news = {};

function note(kind, micros, ...what) {
  const [first] = what;
  const said = first instanceof Uint8Array ? [Buffer.from(first).toString('latin1')] : what;
  (news[kind] ??= []).push([micros, ...said]);
}

const COMMANDS = {
  // A chip with this content in its flash memory, without power.
  make({ flash, seed }) {
    chip = new Chip(new Uint8Array(16 << 20).fill(0xff), seed, note);
    chip.image.set(readFileSync(flash));
  },
  power({ on }) {
    if (on) chip.start();
    else chip.stop();
  },
  // Let it live until then; what happens is in the answer.
  run({ until }) {
    chip.run(until);
  },
  // Let the power go at that time, be it in the middle of a write.
  cut({ at }) {
    chip.cutAt = at * 1000;
  },
  // Put a level on a pin, or null for none, at that time.
  drive({ at, pin, level }) {
    chip.later(at, () => chip.pins.drive(pin, level));
  },
  // Note each change of these pins, those of a tone as well, and of no others' tones.
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
