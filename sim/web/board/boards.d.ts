// What firmware/tool/for_page.py tells of the boards and of how they are flashed.

export interface Board {
  title: string;
  machine: string;
  body: string; // what its unit calls it
  chip: string;
  left: string[];
  right: string[];
  labels: Record<string, string>;
}

export interface Chip {
  wires: { auction: number; build: number; buzzer: number; lamps: number[] };
  free: number[];
  inputs: number[];
}

export interface Facts {
  version: string;
  lamps: Record<string, string>;
  boards: Record<string, Board>;
  chips: Record<string, Chip>;
  scripts: Record<"stand_down" | "look" | "prepare" | "copy" | "finish" | "restore" | "restart" | "check", string>;
  kept: string[];
  spare_blocks: number; // of the file system, beside those of the files
  least: number[];
  mpy: number;
  files: string[];
}
