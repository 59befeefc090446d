// One of the workers of our pool: what it is asked for, a call of deepemdBench, it does and says so.
importScripts("/ours/wasm_exec.js");
(async () => {
  const started = new Promise((resolve) => (globalThis.deepemdBenchReady = resolve));
  const go = new Go();
  const { instance } = await WebAssembly.instantiateStreaming(fetch("/ours/bench.wasm"), go.importObject);
  go.run(instance);
  await started;
  onmessage = ({ data: [name, ...given] }) => postMessage(deepemdBench[name](...given));
  postMessage(null);
})();
