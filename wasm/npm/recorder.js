// @ts-nocheck: this runs where audio is processed, whose names TypeScript does not know.
/** Sends the microphone's samples to the page in blocks of some tens of milliseconds. */
const BLOCK = 2048;

class Recorder extends AudioWorkletProcessor {
  block = new Float32Array(BLOCK);
  filled = 0;

  process([channels]) {
    if (!channels.length) return true;
    for (let i = 0; i < channels[0].length; i++) {
      let sum = 0;
      for (const channel of channels) sum += channel[i];
      this.block[this.filled++] = sum / channels.length;
      if (this.filled < BLOCK) continue;
      this.port.postMessage(this.block, [this.block.buffer]);
      this.block = new Float32Array(BLOCK);
      this.filled = 0;
    }
    return true;
  }
}

registerProcessor("recorder", Recorder);
