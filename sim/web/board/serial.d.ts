// The part of the Web Serial API that the page uses; the type checker's library lacks it.

interface SerialOptions {
  baudRate: number;
  bufferSize?: number;
}

interface SerialSignals {
  dataTerminalReady: boolean;
  requestToSend: boolean;
}

interface SerialPort extends EventTarget {
  readable: ReadableStream<Uint8Array> | null;
  writable: WritableStream<Uint8Array> | null;
  open(options: SerialOptions): Promise<void>;
  close(): Promise<void>;
  getInfo(): { usbVendorId?: number; usbProductId?: number };
  setSignals(signals: SerialSignals): Promise<void>;
}

interface Navigator {
  serial: EventTarget & { getPorts(): Promise<SerialPort[]>; requestPort(): Promise<SerialPort> };
}
