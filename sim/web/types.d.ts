// The types of the pages, for the type checker only; no browser loads this file.

// Data passed between the modules of the unit's page; the body's requests and responses are documented in
// sim/web/body.py.

interface Snapshot {
  state: "off" | "setup" | "ready" | "auction" | "warning" | "drawing" | "over";
  program: string;
  clock_ms: number;
  volume: number;
  hour_ends: number | null;
  choice: [string, string | number] | null;
}

/** A line of a trace: an event, a lamp, a tone, or a new snapshot. */
interface Line {
  ms: number;
  event?: string;
  lamp?: string;
  on?: boolean;
  tone?: number;
  unit?: Snapshot;
  length_ms?: number;
  permit?: string;
  phase?: string;
  what?: string;
  why?: string;
  left_ms?: number;
}

interface Answer {
  ms: number;
  levels: number;
  at_rest: boolean;
  why: string;
  unit: Snapshot;
  until: number | null;
  log: Line[];
  plan: Line[];
}

interface Note {
  ms: number;
  hz: number;
  length: number;
}

type Deed = [ms: number, what: string, value: number | string | null, more: number | null];

/** A program's values by name, as in city_unit/programs.py. */
interface Program {
  name: string;
  title: string;
  clock_ms: number;
  clock_choices_ms: number[];
  auction_ms: number[];
  warning_ms: number;
  odds: number[];
  marks: (string | number)[][];
  cues?: Record<string, (string | number)[]>;
  [other: string]: unknown;
}

/** The contents of core.json, as sim/web/bundle.py writes it, and the built-in programs. */
interface Facts {
  version: string;
  files: Record<string, string>;
  lamps: Record<string, string>;
  sound: { harmonics: [number, number][]; fade_ms: number; volumes: number[] };
  programs: Program[];
}

interface Kept {
  version: number;
  epoch: number;
  seed: number;
  memory: { program: string; clock_ms: number | null; volume: number };
  journal: Deed[];
  own: string[];
  options: { language: string; seconds: boolean; calm: boolean; notify: boolean };
}

// The facts about boards and flashing that firmware/tool/for_page.py writes.

interface Board {
  title: string;
  machine: string;
  body: string; // the unit's own name for it
  chip: string;
  left: string[];
  right: string[];
  labels: Record<string, string>;
}

interface Chip {
  wires: { auction: number; build: number; buzzer: number; lamps: number[] };
  free: number[];
  inputs: number[];
}

interface BoardFacts {
  version: string;
  lamps: Record<string, string>;
  boards: Record<string, Board>;
  chips: Record<string, Chip>;
  scripts: Record<"stand_down" | "look" | "prepare" | "copy" | "finish" | "restore" | "restart" | "check", string>;
  kept: string[];
  spare_blocks: number; // of the file system, in addition to those of the files
  least: number[];
  mpy: number;
  files: string[];
}

// Other modules and browser interfaces, as far as the scripts use them.

// Written by sim/web/bundle.py: the native name of each language.
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

// city_unit/host/web/city_unit.js, as far as the board page uses it.
declare module "*/city_unit.js" {
  export function seal(text: string): string;

  export class CityUnit {
    constructor(say: (line: string) => unknown, options?: { watch?: boolean });
    online: boolean;
    about: { boot: number; version: string; body: string; name: string } | null;
    snapshot: Record<string, any> | null;
    on(what: string, call: (news: any) => void): void;
    send(command: string): Promise<string>;
    opened(): void;
    lost(why: string): void;
    receive(text: string): void;
    step(): void;
    close(): void;
  }
}
