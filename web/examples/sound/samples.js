/** Runs where audio is processed, and hands the page what the microphone gives, block by block. */
class Samples extends AudioWorkletProcessor {
  process([channels]) {
    if (channels.length) this.port.postMessage(channels[0].slice());
    return true; // go on
  }
}

registerProcessor("samples", Samples);
