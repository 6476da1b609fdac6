// Forwards the microphone's samples from the audio thread, so that none are lost.

const BLOCK = 2048; // samples per message

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
