// A worker of our pool: it runs the requested calls of deepemdBench and reports their end.
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
