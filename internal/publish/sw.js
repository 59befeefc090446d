// @ts-check
/**
 * Keeps the studio on the device, so that it works without a network: every file
 * is kept under the digest of its content and is what the page gets from then on.
 * A new version brings new digests; only what changed is fetched, and only what
 * arrives with the right digest is kept, so that versions never mix. The page
 * says when a new version may take over; nothing is replaced under its feet.
 */

/** The files of this version by their addresses, and the digests of their contents. @type {Record<string, string>} */
const FILES = {};

const CACHE = "deepemd";
const worker = /** @type {any} */ (self);
const scope = new URL(worker.registration.scope);

/**
 * Where a file is kept.
 *
 * @param {string} name
 */
const key = (name) => `${new URL(name, scope)}?sha256=${FILES[name]}`;

/** Files that only some devices use are kept once they have. @param {string} name */
const rare = (name) => name.endsWith("-xs.safetensors");

worker.addEventListener("install", (/** @type {any} */ event) => event.waitUntil(install()));

/** How many times as long as keeping a file took a pause is: so much is left to the page, which people use meanwhile. */
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
 * Fetches a file of this version. What the browser has already is only asked
 * about.
 *
 * @param {string} name
 */
async function fetched(name) {
  const response = await fetch(new URL(name, scope), { cache: "no-cache" });
  if (!response.ok) throw new Error(`${name}: ${response.status}`);
  const body = await response.arrayBuffer();
  const digest = Array.from(new Uint8Array(await crypto.subtle.digest("SHA-256", body)), (byte) => byte.toString(16).padStart(2, "0")).join("");
  if (!digest.startsWith(FILES[name])) throw new Error(`${name} is of another version`);
  // The headers stay, which hold the page's policy; what told of the journey goes.
  const headers = new Headers(response.headers);
  for (const gone of ["Content-Encoding", "X-Uncompressed-Length", "Vary", "Set-Cookie"]) headers.delete(gone);
  headers.set("Content-Length", String(body.byteLength));
  return new Response(body, { headers });
}

worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(activate()));

/** Takes over the pages that are open, and forgets what earlier versions kept. */
async function activate() {
  await worker.clients.claim();
  const cache = await caches.open(CACHE);
  const current = new Set(Object.keys(FILES).map(key));
  for (const request of await cache.keys()) {
    if (!current.has(request.url)) await cache.delete(request);
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
  if (name === "" || name === "index.html") name = "./";
  if (!Object.hasOwn(FILES, name)) return; // the network's
  event.respondWith(kept(name, request));
});

/**
 * @param {string} name
 * @param {Request} request
 */
async function kept(name, request) {
  const cache = await caches.open(CACHE);
  // Browsers may throw away what was kept: then the network is asked as ever.
  const found = await cache.match(key(name));
  if (found || !rare(name)) return found ?? fetch(request);
  const response = await fetched(name).catch(() => undefined);
  if (!response) return fetch(request);
  await cache.put(key(name), response.clone()).catch(() => {}); // where there is no room
  return response;
}
