// The computer at an emulated chip's USB: a serial line that holds what has not been taken, may
// stop reading, and beats once a millisecond.

import { USBCDC } from 'rp2040js';

const FRAME_NANOS = 1e6;
const START_OF_FRAME = 1 << 17; // in the registers of interrupts
const INTERRUPT_ENABLE = 0x90;
const FRAME_NUMBER = 0x48;
const IN_BUFFERS = 0x80; // of the endpoints, in the memory that both sides see
const IS_AVAILABLE = 1 << 10;

export class Host {
  // said  is called with the bytes that come from the chip
  constructor(rp2040, said) {
    this.usb = rp2040.usbCtrl;
    this.cdc = new USBCDC(this.usb);
    this.waiting = []; // bytes for the chip
    this.asked = null; // how many it would take now, and at which endpoint
    this.isThere = false;
    this.isReading = true;
    this.held = null; // what the chip wants to send to one that does not read
    this.cdc.onSerialData = said;
    this.cdc.onDeviceConnected = () => (this.isThere = true);
    this.usb.onEndpointRead = (endpoint, size) => {
      if (endpoint !== this.cdc.outEndpoint) return;
      this.asked = { endpoint, size };
      this.pass();
    };
    this.holdWhatIsNotRead();
    this.beat(rp2040.clock);
  }

  send(bytes) {
    for (const byte of bytes) this.waiting.push(byte);
    this.pass();
  }

  read(isReading) {
    this.isReading = isReading;
    if (!isReading || !this.held) return;
    const [offset, value] = this.held;
    this.held = null;
    this.usb.DPRAMUpdated(offset, value);
  }

  open(isOpen) {
    if (this.isThere) this.cdc.cdcSetControlLineState(isOpen ? 3 : 0);
  }

  pass() {
    if (!this.asked || !this.waiting.length) return;
    const { endpoint, size } = this.asked;
    this.asked = null;
    this.usb.endpointReadDone(endpoint, Uint8Array.from(this.waiting.splice(0, size)));
  }

  holdWhatIsNotRead() {
    const updated = this.usb.DPRAMUpdated.bind(this.usb);
    this.usb.DPRAMUpdated = (offset, value) => {
      const isForUs = offset === IN_BUFFERS + 8 * this.cdc.inEndpoint && value & IS_AVAILABLE;
      if (isForUs && !this.isReading) this.held = [offset, value];
      else updated(offset, value);
    };
  }

  // Begin a frame each millisecond, for as long as the chip wants to know: MicroPython sends
  // what it held back then.
  beat(clock) {
    const { usb } = this;
    const frame = clock.createAlarm(() => {
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
      if (begins && !frame.isSet) frame.schedule(FRAME_NANOS);
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
