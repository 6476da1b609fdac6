// The time of an emulated chip, in nanoseconds since it got its power, and its alarms.
// It stands in for rp2040js's own clock: the time lies in a typed array, since it is moved
// with every instruction and a number in an object would be allocated each time.

class Alarm {
  constructor(clock, callback) {
    this.clock = clock;
    this.callback = callback;
    this.nanos = 0;
    this.next = null;
    this.isSet = false;
  }

  schedule(delayNanos) {
    this.cancel();
    this.nanos = this.clock.nanos + delayNanos;
    this.clock.insert(this);
    this.isSet = true;
  }

  cancel() {
    if (this.isSet) this.clock.remove(this);
    this.isSet = false;
  }
}

export class Clock {
  constructor() {
    this.cell = new Float64Array(1);
    this.nextAlarm = null; // of a list in the order of time
  }

  get nanos() {
    return this.cell[0];
  }

  get micros() {
    return this.cell[0] / 1000;
  }

  createAlarm(callback) {
    return new Alarm(this, callback);
  }

  at(nanos, callback) {
    this.createAlarm(callback).schedule(Math.max(0, nanos - this.nanos));
  }

  insert(alarm) {
    let before = null;
    let after = this.nextAlarm;
    while (after && after.nanos <= alarm.nanos) [before, after] = [after, after.next];
    alarm.next = after;
    if (before) before.next = alarm;
    else this.nextAlarm = alarm;
  }

  remove(alarm) {
    let before = null;
    let here = this.nextAlarm;
    while (here && here !== alarm) [before, here] = [here, here.next];
    if (!here) return;
    if (before) before.next = alarm.next;
    else this.nextAlarm = alarm.next;
  }

  // Let time pass; what is due in it happens at its own time.
  tick(nanos) {
    const goal = this.cell[0] + nanos;
    let alarm = this.nextAlarm;
    while (alarm && alarm.nanos <= goal) {
      this.nextAlarm = alarm.next;
      alarm.isSet = false;
      this.cell[0] = Math.max(this.cell[0], alarm.nanos);
      alarm.callback();
      alarm = this.nextAlarm;
    }
    this.cell[0] = Math.max(this.cell[0], goal);
  }
}
