// What travels between the modules; for the type checker alone, no browser loads it.

export interface Snapshot {
  state: "off" | "setup" | "ready" | "auction" | "warning" | "drawing" | "over";
  program: string;
  clock_ms: number;
  volume: number;
  hour_ends: number | null;
  choice: [string, string | number] | null;
}

/** A line of a trace: an event, a lamp, a tone, or what the unit is from then on. */
export interface Line {
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

export interface Answer {
  ms: number;
  levels: number;
  at_rest: boolean;
  why: string;
  unit: Snapshot;
  until: number | null;
  log: Line[];
  plan: Line[];
}

export interface Note {
  ms: number;
  hz: number;
  length: number;
}

export type Deed = [ms: number, what: string, value: number | string | null, more: number | null];

/** A program's values by their names in city_unit/programs.py. */
export interface Program {
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

/** What the page takes over from the desktop's Python, as sim/web/bundle.py writes it. */
export interface Facts {
  version: string;
  files: Record<string, string>;
  lamps: Record<string, string>;
  sound: { harmonics: [number, number][]; fade_ms: number; volumes: number[] };
  programs: Program[];
}

export interface Kept {
  version: number;
  epoch: number;
  seed: number;
  memory: { program: string; clock_ms: number | null; volume: number };
  journal: Deed[];
  own: string[];
  options: { language: string; seconds: boolean; calm: boolean; notify: boolean };
}
