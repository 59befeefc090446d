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

// Sets the page's peer, or the reason for its absence. make gets { threads, gpu } and returns the name,
// the actual number of threads, and the measuring functions.
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
