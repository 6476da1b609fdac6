// What the pages' scripts find beside them or in the browser, as far as they use it; for the type checker alone.

// Written by sim/web/bundle.py: the languages there are, each by what its speakers call it.
declare module "*/languages.js" {
  export const LANGUAGES: Record<string, string>;
}

// The interpreter.
declare module "*/micropython.mjs" {
  export function loadMicroPython(options: { heapsize: number; stdout: (text: string) => void }): Promise<any>;
}

// Espressif's esptool-js.
declare module "*/esptool.js" {
  export class Transport {
    constructor(device: object);
    disconnect(): Promise<void>;
  }

  export class ESPLoader {
    constructor(options: { transport: Transport; baudrate: number; romBaudrate: number; terminal: object });
    chip: { CHIP_NAME: string };
    main(): Promise<string>;
    writeFlash(options: {
      fileArray: { data: Uint8Array; address: number }[];
      flashSize: "keep";
      flashMode: "keep";
      flashFreq: "keep";
      eraseAll: boolean;
      compress: boolean;
      reportProgress: (file: number, done: number, all: number) => void;
      calculateMD5Hash: (image: Uint8Array) => string;
    }): Promise<void>;
  }
}

// The Web Serial API, which the type checker's library lacks.

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
