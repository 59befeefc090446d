// The parameters of a peer's page: ?threads=2 or ?gpu=hardware.
const asked = new URLSearchParams(location.search);
const threads = Number(asked.get("threads") ?? 1);

// The name of the adapter, after "software" if it is not hardware.
async function adapterName() {
  const adapter = await navigator.gpu?.requestAdapter({ powerPreference: "high-performance" });
  if (!adapter) return undefined;
  const { vendor, architecture, device, description, isFallbackAdapter } = adapter.info;
  const name = [...new Set([vendor, architecture, device, description])].filter(Boolean).join(" ");
  const software = isFallbackAdapter || adapter.isFallbackAdapter || /swiftshader|llvmpipe|lavapipe|software|basic render/i.test(name);
  return software ? `software, ${name}` : name;
}

// Makes the page's peer, or says why it is left out. make gets { threads, gpu } and tells name, the
// threads that it really has, and what it measures.
export async function offer(make) {
  try {
    const gpu = asked.get("gpu");
    const adapter = gpu ? await adapterName() : "";
    if (gpu && (!adapter || adapter.startsWith("software"))) {
      globalThis.peer = { name: "", leftOut: "no hardware adapter" };
      return;
    }
    const { name, used, ...measures } = await make({ threads, gpu: Boolean(gpu) });
    let on = `${used} thread${used === 1 ? "" : "s"}`;
    if (used !== threads) on += ` of ${threads}` + (crossOriginIsolated ? "" : ", as the page is not isolated");
    if (gpu) on = `WebGPU (${adapter})`;
    globalThis.peer = { name: `${name}, ${on}`, ...measures };
  } catch (error) {
    globalThis.peer = { name: "", leftOut: String(error) };
  }
}
