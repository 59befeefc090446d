// @ts-check
/**
 * Stores the studio on the device for offline use. Each file is stored under the digest of its
 * content, and the page then always gets the stored file. A new version fetches only the files
 * with new digests, and stores a file only if its digest is right, so that versions never mix.
 * The page decides when the new version takes over.
 */

/** Maps the addresses of this version's files to their digests. @type {Record<string, string>} */
const FILES = {};

const CACHE = "deepemd";
const worker = /** @type {any} */ (self);
const scope = new URL(worker.registration.scope);

/**
 * The cache key of a file.
 *
 * @param {string} name
 */
const key = (name) => `${new URL(name, scope)}?sha256=${FILES[name]}`;

/**
 * Whether only some devices or projects need a file; it is stored on its first use. A site without the default model has
 * its own instead, under any name, and no such files.
 *
 * @param {string} name
 */
const rare = (name) => /-x?s\.safetensors$/.test(name) && Object.hasOwn(FILES, "weights/resnet12-photo.safetensors");

worker.addEventListener("install", (/** @type {any} */ event) => event.waitUntil(install()));

/** The length of a pause, in multiples of the time that storing a file took: the page stays responsive. */
const PAUSES = 3;

async function install() {
  const cache = await caches.open(CACHE);
  for (const name of Object.keys(FILES)) {
    if (rare(name) || (await cache.match(key(name)))) continue;
    const begun = performance.now();
    await cache.put(key(name), await fetched(name));
    const took = performance.now() - begun;
    await new Promise((resolve) => setTimeout(resolve, PAUSES * took));
  }
}

/**
 * Fetches a file of this version. The browser revalidates files in its own
 * cache.
 *
 * @param {string} name
 */
async function fetched(name) {
  const response = await fetch(new URL(name, scope), { cache: "no-cache" });
  if (!response.ok) throw new Error(`${name}: ${response.status}`);
  const body = await response.arrayBuffer();
  const digest = Array.from(new Uint8Array(await crypto.subtle.digest("SHA-256", body)), (byte) => byte.toString(16).padStart(2, "0")).join("");
  if (!digest.startsWith(FILES[name])) throw new Error(`${name} is of another version`);
  // Keep the headers with the page's policy; drop the transfer headers.
  const headers = new Headers(response.headers);
  for (const gone of ["Content-Encoding", "X-Uncompressed-Length", "Vary", "Set-Cookie"]) headers.delete(gone);
  headers.set("Content-Length", String(body.byteLength));
  return new Response(body, { headers });
}

worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(activate()));

/** Takes over the open pages, and deletes the files of earlier versions. Other studios of the origin keep theirs. */
async function activate() {
  await worker.clients.claim();
  const cache = await caches.open(CACHE);
  const current = new Set(Object.keys(FILES).map(key));
  const requests = await cache.keys();
  // The page of a studio in a folder below.
  const below = requests.map((/** @type {Request} */ { url }) => url.replace(/\?.*/, "")).filter((url) => url.endsWith("/") && url.startsWith(scope.href) && url !== scope.href);
  for (const request of requests) {
    const { url } = request;
    if (url.startsWith(scope.href) && !current.has(url) && !below.some((folder) => url.startsWith(folder))) await cache.delete(request);
  }
}

worker.addEventListener("message", (/** @type {any} */ event) => {
  if (event.data === "activate") worker.skipWaiting();
});

worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || !request.url.startsWith(scope.href.replace(/[?#].*/, ""))) return;
  let name = url.pathname.slice(scope.pathname.length);
  try {
    name = decodeURIComponent(name);
  } catch {} // no file has such an address
  if (name === "" || name === "index.html") name = "./";
  if (!Object.hasOwn(FILES, name)) return; // fetch it from the network
  event.respondWith(kept(name, request));
});

/**
 * @param {string} name
 * @param {Request} request
 */
async function kept(name, request) {
  const cache = await caches.open(CACHE);
  // Browsers may evict stored files: then fetch them.
  const found = await cache.match(key(name));
  if (found || !rare(name)) return found ?? fetch(request);
  const response = await fetched(name).catch(() => undefined);
  if (!response) return fetch(request);
  await cache.put(key(name), response.clone()).catch(() => {}); // without free space
  return response;
}
