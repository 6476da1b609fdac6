// Espressif's esptool-js, which lies beside the page, as far as the page uses it; for the type checker alone.

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
