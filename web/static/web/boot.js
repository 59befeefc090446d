// @ts-check
/**
 * Starts the page: the studio (Go, compiled to WebAssembly) and, at the same
 * time, the engine that it will talk to. Until the studio runs, progress and
 * failures are shown in the shell that came with the page.
 *
 * @typedef {{ stage: string, loaded: number, total: number }} Progress
 */

import { ahead } from "./ahead.js";
import { fill, scrollToEnd } from "./drawing.js";
import { Gallery } from "./gallery.js";
import * as network from "./network.js";
import * as supplied from "./supplied.js";

const here = new URL(".", import.meta.url);

/** Whether the page tells sounds apart: pages of pictures and of sounds differ in their address. */
const sounds = /^#sounds\b/.test(location.hash);
/** The lesson that the address asks for, as "#lesson=hands" and "#sounds&lesson=words" do: asked for once. */
const lesson = /[#&]lesson=(\w+)/.exec(location.hash)?.[1] ?? "";
if (lesson) history.replaceState(null, "", sounds ? "#sounds" : location.pathname + location.search);
addEventListener("hashchange", () => location.reload());

/** Of what the projects are that the page is for. */
const kind = sounds ? "sound" : "image";

/** What was kept of an earlier visit is read meanwhile: see ahead.js. */
const read = ahead(kind);

/** So is the network of the person's own, if one is kept; its file is let go of once the engine has it. */
let kept = network.kept(kind, (loaded, total) => show({ stage: "weights", loaded, total }));
kept.catch(() => {}); // Whoever starts the engine is told.

/** What the studio finds when it gets to run: see web/internal/browser. */
const studio = {
  /** @type {Promise<object> | undefined} The engine: a DeepEMD. */
  engine: undefined,
  /** How far each part of the engine is, by its name. @type {Record<string, Progress>} */
  progress: {},
  /** @type {((progress: Progress) => void) | null} Takes over from the shell. */
  onprogress: null,
  /** What the examples are made of. */
  gallery: new Gallery(),
  sounds,
  /** What is drawn past the studio's components: see drawing.js. */
  fillBars: fill,
  scrollToEnd,
  lesson,
  /** Drawn characters: see characters.js. @param {number} first @param {number} rows @param {number} columns @param {number} side */
  characters(first, rows, columns, side) {
    return import("./characters.js").then(({ cut }) => cut(first, rows, columns, side));
  },
  /** Lets a person draw: see pad.js. @param {HTMLCanvasElement} canvas @param {(blob: Blob) => void} drew */
  pad(canvas, drew) {
    return import("./pad.js").then(({ Pad }) => new Pad(canvas, drew));
  },
  /** The networks that come with the page: see supplied.js. */
  supplied: { ...supplied, small: supplied.offered(sounds) && supplied.chosen() === "small" },
  /** Networks of the person's own: see network.js. */
  network,
  /** The one that the engine was started with. @type {Omit<network.Own, "file"> | undefined} */
  own: undefined,
  /** Why the one that is kept was not used. @type {unknown} */
  unused: undefined,
  /** How fast a network is: see measure.js. @param {Parameters<typeof import("./measure.js").measure>} of */
  measure(...of) {
    return import("./measure.js").then(({ measure }) => measure(...of));
  },
  /** The microphone: see microphone.js of the package. */
  microphone() {
    return import("deepemd/microphone.js").then(({ Microphone }) => new Microphone());
  },
  /** What the network sees of the camera's picture: see framing.js of the package. */
  framing() {
    return import("deepemd/framing.js");
  },
  /** When a video shows another frame: see video-frames.js of the package. @param {HTMLVideoElement} video */
  frames(video) {
    return import("deepemd/video-frames.js").then(({ VideoFrames }) => new VideoFrames(video));
  },
  /** Plays an example of a sound. @param {string} id */
  async play(id) {
    const second = this.gallery.second(id);
    if (second) await (await import("./speaker.js")).play(second);
  },
  /** What happens when something is seen: see effects.js. @type {Promise<import("./effects.js").Effects> | undefined} */
  happening: undefined,
  /** @param {import("./effects.js").Failed} failed */
  effects(failed) {
    return (this.happening ??= import("./effects.js").then(({ Effects }) => new Effects(studio.gallery, failed)));
  },
  /** Hands the person a text as a file. @param {string} text @param {string} name @param {string} type */
  saveText(text, name, type) {
    return import("./download.js").then(({ download }) => download(new Blob([text], { type }), name));
  },
  /** The projects that this browser keeps: see projects.js. */
  projects() {
    return Promise.all([import("./projects.js"), read]).then(([{ Projects }, ahead]) => new Projects(studio.gallery, ahead));
  },
  /** The pictures in folders and archives: see folders.js. @param {any} given */
  find(given) {
    // Of a drop nothing is left after the event but what is taken now.
    const kept = given instanceof DataTransfer ? Array.from(given.items, (item) => item.webkitGetAsEntry?.()).filter(Boolean) : given;
    return import("./folders.js").then(({ find }) => find(kept));
  },
  /** The files in an archive: see folders.js. @param {File} file */
  unpack(file) {
    return import("./folders.js").then(({ unpack }) => unpack(file));
  },
  /** What the browser did not let the page reach. @type {string[]} */
  stopped: [],
  /** What leaves the page: see outgoing.js. */
  outgoing() {
    return import("./outgoing.js").then(({ outgoing }) => outgoing);
  },
  /** What the page says, as the build has made it of a language's file. */
  texts: "",
  /** What it says in a language. @param {string} code */
  async speak(code) {
    const url = new URL(`texts/${code}.txt`, here);
    const response = await fetch(url);
    if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`);
    return response.text();
  },
  /** Loads the engine, for the first time or again. */
  start() {
    this.engine = load();
    this.engine.catch(() => {}); // Whoever awaits it is told.
    return this.engine;
  },
};

/** Called once the engine's worker is on its way. @type {(_: void) => void} */
let launched;
/** @type {Promise<void>} */
const launch = new Promise((resolve) => (launched = resolve));

addEventListener("securitypolicyviolation", ({ blockedURI }) => studio.stopped.push(blockedURI));

async function load() {
  try {
    const [{ DeepEMD }, own] = await Promise.all([import("deepemd"), kept.catch((error) => void (studio.unused = error))]);
    const plain = { onProgress: show, sound: sounds, ...(studio.supplied.small && { weights: supplied.address(sounds, true) }) };
    const engine = DeepEMD.create({ ...plain, ...(own && { weights: own.file }) });
    if (!own) return engine;
    return engine.then(
      (engine) => {
        const { file, ...facts } = own;
        studio.own = facts;
        kept = Promise.resolve(undefined);
        return engine;
      },
      (error) => {
        if (error.code === "network") throw error; // The page's own network would not arrive either.
        studio.unused = error;
        return DeepEMD.create(plain);
      },
    );
  } finally {
    launched();
  }
}

/** How many milliseconds apart progress is drawn: each time costs a slow device some ten. */
const drawnApart = 200;
let drawn = -drawnApart;

/** @param {Progress} progress */
function show(progress) {
  studio.progress[progress.stage] = progress;
  const now = performance.now();
  if (now < drawn + drawnApart && progress.loaded !== progress.total) return;
  drawn = now;
  if (studio.onprogress) {
    studio.onprogress(progress);
    return;
  }
  let filled = 0;
  for (const part of ["engine", "weights"]) {
    const { loaded = 0, total = 0 } = studio.progress[part] ?? {};
    if (total > 0) filled += loaded / total / 2;
  }
  document.getElementById("loading-fill")?.style.setProperty("--fill", String(filled));
}

/**
 * Says in the page that it cannot go on.
 *
 * @param {"TooOld" | "Stopped" | "NotLoaded"} what
 */
function fail(what) {
  /** @type {Record<string, string>} What the page says then: see web/site. */
  const words = /** @type {any} */ (globalThis).preferences.trouble;
  const message = document.createElement("div");
  message.className = "message trouble fatal";
  message.setAttribute("role", "alert");
  const text = document.createElement("div");
  text.append(Object.assign(document.createElement("strong"), { textContent: words[what] }));
  text.append(Object.assign(document.createElement("p"), { textContent: words[what + "Text"] }));
  const again = Object.assign(document.createElement("button"), { type: "button", className: "plain", textContent: words.Again });
  again.onclick = () => location.reload();
  message.append(text, again);
  document.body.append(message);
}

/**
 * Compiles a program, while it arrives where the server says what it is.
 *
 * @param {URL} url
 */
async function compile(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`);
  if (response.headers.get("Content-Type") === "application/wasm") return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}

async function run() {
  if (typeof WebAssembly !== "object") {
    fail("TooOld");
    return;
  }
  const [program, texts] = await Promise.all([
    compile(new URL("app.wasm", here)),
    studio.speak(document.documentElement.lang),
    import("deepemd/wasm_exec.js"),
    launch, // The studio keeps the page busy while it starts: the engine's worker goes first.
  ]);
  studio.texts = texts;
  const { Go } = /** @type {any} */ (globalThis);
  const go = new Go();
  // The studio is meant to run as long as the page.
  go.exit = () => fail("Stopped");
  await go.run(await WebAssembly.instantiate(program, go.importObject));
}

// A file that misses its target must not replace the page.
for (const type of ["dragover", "drop"]) addEventListener(type, (event) => event.preventDefault());

/** The page as a program on the device: kept, updated, installed. */
const device = {
  /** It works without a network. */
  kept: false,
  /** A newer version waits to take over. */
  updated: false,
  /** The browser offers to install it. */
  installable: false,
  /** Set by the studio. @type {(() => void) | null} */
  onchange: null,
  /** @type {ServiceWorkerRegistration | undefined} */
  registration: undefined,
  /** @type {any} */
  prompt: undefined,

  /** Has the browser keep the page, and watches for newer versions. */
  async keep() {
    const registration = (this.registration = await navigator.serviceWorker.register(new URL("../sw.js", here)));
    const look = () => {
      this.kept = Boolean(registration.active);
      // The very first version takes over by itself.
      this.updated = Boolean(registration.active && registration.waiting);
      this.onchange?.();
    };
    look();
    const follow = () => registration.installing?.addEventListener("statechange", look);
    follow();
    registration.addEventListener("updatefound", follow);
    navigator.serviceWorker.addEventListener("controllerchange", look);
    // Pages that stay open for days ask when they are looked at again.
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible") registration.update().catch(() => {});
    });
  },

  /** Lets the newer version take over, and loads the page again. */
  reload() {
    navigator.serviceWorker.addEventListener("controllerchange", () => location.reload(), { once: true });
    if (this.registration?.waiting) this.registration.waiting.postMessage("activate");
    else location.reload(); // It took over in another tab.
  },

  install() {
    this.prompt?.prompt();
    this.prompt = undefined;
    this.installable = false;
    this.onchange?.();
  },
};

addEventListener("beforeinstallprompt", (event) => {
  event.preventDefault(); // The page asks where it suits: in its settings.
  device.prompt = event;
  device.installable = true;
  device.onchange?.();
});

if ("serviceWorker" in navigator) {
  // Once there is nothing more urgent to load. Without it, the page needs the network.
  const soon = () => setTimeout(() => device.keep().catch(() => {}), 1000);
  addEventListener("load", () => studio.engine?.then(soon, soon));
}

Object.assign(globalThis, { studio, device, goappGetenv: () => "" });
studio.start();
run().catch((error) => {
  console.error(error);
  fail("NotLoaded");
});
