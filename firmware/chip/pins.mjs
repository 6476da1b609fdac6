// The pins of an emulated chip: what fingers put on them, and what is measured at them.

import { GPIOPinState } from 'rp2040js';

const PWM = 4; // the function of a pin on which a tone is
const A_PHASE_CORRECT = 2; // bits of its control register
const A_IS_INVERTED = 4;
const B_IS_INVERTED = 8;
const COMPARE = 0x0c; // the register that holds how long of each period a pin is high

export class Pins {
  // driven  for each pin the level that somebody outside puts on it, or null; kept over resets
  // edge    is called with (pin, level) for each change of a pin that is no tone
  // tone    is called with (pin, Hz, share of the period that is high); 0 Hz is silence
  // watched the pins of which each change is an edge, that of a tone as well
  constructor(rp2040, driven, edge, tone, watched) {
    this.rp2040 = rp2040;
    this.driven = driven;
    this.tone = tone;
    this.tones = new Array(rp2040.gpio.length).fill('');
    for (const pin of rp2040.gpio) {
      pin.addListener((state, before) => {
        this.settle(pin);
        this.listen(pin.index);
        const isOutput = state <= GPIOPinState.High || before <= GPIOPinState.High;
        if (isOutput && (pin.functionSelect !== PWM || watched.has(pin.index))) edge(pin.index, level(state));
      });
      this.settle(pin);
    }
    for (const channel of rp2040.pwm.channels) this.watch(channel);
  }

  drive(index, level) {
    this.driven[index] = level;
    this.settle(this.rp2040.gpio[index]);
  }

  // Let the level at a pin be what all that is on it makes of it.
  settle(pin) {
    const outside = this.driven[pin.index];
    let high = pin.rawInputValue;
    if (pin.outputEnable) high = pin.outputValue;
    else if (outside !== null) high = outside === 1;
    else if (pin.pullupEnabled !== pin.pulldownEnabled) high = pin.pullupEnabled;
    if (high !== pin.rawInputValue) pin.setInputValue(high);
  }

  // A generator takes a new pitch and duty when a period ends: then there is a look at its pins.
  // Silence is there as soon as it is told: in that period the pin does not go high again.
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
    this.tone(index, hz, share);
  }

  // Return the pitch of a pin and the share of its period that is high.
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

// Return 0 or 1, or null for a pin that nothing in the chip drives.
function level(state) {
  return state <= GPIOPinState.High ? state : null;
}
