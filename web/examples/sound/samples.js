/** An audio worklet that sends the microphone's samples to the page in blocks. */
class Samples extends AudioWorkletProcessor {
  process([channels]) {
    if (channels.length) this.port.postMessage(channels[0].slice());
    return true; // keep running
  }
}

registerProcessor("samples", Samples);
