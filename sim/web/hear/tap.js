// Hands on what the microphone hears, on the audio thread, so that nothing is lost.

const BLOCK = 2048; // samples at once

class Tap extends AudioWorkletProcessor {
  constructor() {
    super();
    this._block = new Float32Array(BLOCK);
    this._filled = 0;
  }

  process([[samples]]) {
    if (!samples) return true;
    for (const sample of samples) {
      this._block[this._filled++] = sample;
      if (this._filled < BLOCK) continue;
      this.port.postMessage(this._block);
      this._filled = 0;
    }
    return true;
  }
}

registerProcessor("tap", Tap);
