// @ts-check
/**
 * Starts the page: the studio (Go, compiled to WebAssembly) and, in parallel, its engine. Until
 * the studio runs, the page's shell shows progress and failures.
 *
 * @typedef {{ stage: string, loaded: number, total: number }} Progress
 */

import { ahead } from "./ahead.js";
import { drawFile, fill, forgetNear, loadFile, scrollToEnd, whenNear } from "./drawing.js";
import { Gallery } from "./gallery.js";
import * as network from "./network.js";
import * as supplied from "./supplied.js";

const here = new URL(".", import.meta.url);

/** Shows that the page cannot continue: see web/site/index.html.tmpl. @type {(what: "TooOld" | "Stopped" | "NotLoaded") => void} */
const fail = /** @type {any} */ (globalThis).preferences.fail;

/** The number of tries to load a module that everything needs, and the milliseconds between them: a line may fail for a moment. */
const TRIES = 5, PAUSE = 1000;

/**
 * Loads a module, with more tries.
 *
 * @template T
 * @param {() => Promise<T>} load
 * @returns {Promise<T>}
 */
async function persistent(load) {
  for (let tries = 1; ; tries++) {
    try {
      return await load();
    } catch (error) {
      if (tries === TRIES) throw Object.assign(/** @type {Error} */ (error), { code: "network" });
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
  }
}

/** Whether the page is for sounds: pages for images and for sounds differ in their address. */
const sounds = /^#sounds\b/.test(location.hash);
/** The lesson in the address, such as "#lesson=hands" and "#sounds&lesson=words". It opens once. */
const lesson = /[#&]lesson=(\w+)/.exec(location.hash)?.[1] ?? "";
if (lesson) history.replaceState(null, "", sounds ? "#sounds" : location.pathname + location.search);
addEventListener("hashchange", () => location.reload());

// Browsers may keep a page for the way back. It releases its project (lock.js) and its engine.
addEventListener("pagehide", () => studio.engine?.then((/** @type {any} */ engine) => engine.dispose(), () => {}));
addEventListener("pageshow", ({ persisted }) => persisted && location.reload());

/** The kind of the page's projects. */
const kind = sounds ? "sound" : "image";

/** Read the last project in the background: see ahead.js. */
const read = ahead(kind);

/** So is the user's own network, if one is stored. Its file is dropped once the engine has it. */
let kept = network.kept(kind, (loaded, total) => show({ stage: "weights", loaded, total }));
kept.catch(() => {}); // reported when the engine starts

/** The studio's access to the page: see web/internal/browser. */
const studio = {
  /** @type {Promise<object> | undefined} A DeepEMD. */
  engine: undefined,
  /** The progress of each part of the engine, by name. @type {Record<string, Progress>} */
  progress: {},
  /** @type {((progress: Progress) => void) | null} Replaces the shell's progress. */
  onprogress: null,
  /** The content of the examples. */
  gallery: new Gallery(),
  sounds,
  /** Draws without the studio's components: see drawing.js. */
  fillBars: fill,
  drawFile,
  loadFile,
  scrollToEnd,
  whenNear,
  forgetNear,
  lesson,
  /** Drawn characters: see characters.js. @param {number} first @param {number} rows @param {number} columns @param {number} side */
  characters(first, rows, columns, side) {
    return import("./characters.js").then(({ cut }) => cut(first, rows, columns, side));
  },
  /** A drawing pad: see pad.js. @param {HTMLCanvasElement} canvas @param {(blob: Blob) => void} drew */
  pad(canvas, drew) {
    return import("./pad.js").then(({ Pad }) => new Pad(canvas, drew));
  },
  /** The networks of the page: see supplied.js. */
  supplied: { ...supplied, small: supplied.offered(sounds) && supplied.chosen() === "small" },
  /** The user's own networks: see network.js. */
  network,
  /** The own network that the engine started with. @type {Omit<network.Own, "file"> | undefined} */
  own: undefined,
  /** Why the stored network was not used. @type {unknown} */
  unused: undefined,
  /** Measures the speed of a network: see measure.js. @param {Parameters<typeof import("./measure.js").measure>} of */
  measure(...of) {
    return import("./measure.js").then(({ measure }) => measure(...of));
  },
  /** The microphone: see microphone.js of the package. */
  microphone() {
    return import("deepemd/microphone.js").then(({ Microphone }) => new Microphone());
  },
  /** The frame of the camera's image: see framing.js of the package. */
  framing() {
    return import("deepemd/framing.js");
  },
  /** Keeps the screen on: see awake.js of the package. @returns {Promise<() => void>} lets it turn off again */
  awake() {
    return import("deepemd/awake.js").then(({ keepAwake }) => keepAwake());
  },
  /** New frames of a video: see video-frames.js of the package. @param {HTMLVideoElement} video */
  frames(video) {
    return import("deepemd/video-frames.js").then(({ VideoFrames }) => new VideoFrames(video));
  },
  /** Plays an example of a sound, and reports whether the page has its sound. @param {string} id */
  play(id) {
    const content = this.gallery.contents.get(id);
    const sound = content && ("pixels" in content ? content.second : content.picture);
    if (sound) this.playFile(sound);
    return Boolean(sound);
  },
  /** Plays a sound, if it can be read: see speaker.js. @param {Parameters<typeof import("./speaker.js").play>[0]} sound */
  playFile(sound) {
    import("./speaker.js").then(({ play }) => play(sound)).catch(() => {});
  },
  /** Plays a tone, or nothing where there is no sound: see tones.js. @param {string} name */
  beep(name) {
    import("./tones.js").then(({ beep }) => beep(name)).catch(() => {});
  },
  /** The actions: see effects.js. @type {Promise<import("./effects.js").Effects> | undefined} */
  happening: undefined,
  /** @param {import("./effects.js").Failed} failed */
  effects(failed) {
    return (this.happening ??= import("./effects.js").then(({ Effects }) => new Effects(studio.gallery, failed)).catch((error) => {
      this.happening = undefined; // the next call tries again
      throw error;
    }));
  },
  /** Saves a CSV table. The mark makes spreadsheets read UTF-8; texts from Go lose one at their beginning. @param {string} text @param {string} name */
  saveTable(text, name) {
    return import("./download.js").then(({ download }) => download(new Blob(["\ufeff", text], { type: "text/csv" }), name));
  },
  /** The stored projects: see projects.js. */
  projects() {
    return Promise.all([persistent(() => import("./projects.js")), read]).then(([{ Projects }, ahead]) => new Projects(studio.gallery, ahead));
  },
  /** The images in folders and archives: see folders.js. @param {any} given */
  find(given) {
    // A drop's items are gone after the event.
    const kept = given instanceof DataTransfer ? Array.from(given.items, (item) => item.webkitGetAsEntry?.()).filter(Boolean) : given;
    return import("./folders.js").then(({ find }) => find(kept));
  },
  /** The files in an archive: see folders.js. @param {File} file */
  unpack(file) {
    return import("./folders.js").then(({ unpack }) => unpack(file));
  },
  /** Pictures of a video: see video.js. @param {Blob} file */
  pictures(file) {
    return import("./video.js").then(({ picturesOf }) => picturesOf(file));
  },
  /** Requests that the browser blocked. @type {string[]} */
  stopped: [],
  /** The data that leaves the page: see outgoing.js. */
  outgoing() {
    return import("./outgoing.js").then(({ outgoing }) => outgoing);
  },
  /** The texts of the page's language, as the build has converted them. */
  texts: "",
  /** Fetches the texts of a language. @param {string} code */
  async speak(code) {
    const url = new URL(`texts/${code}.txt`, here);
    const response = await fetch(url);
    if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`);
    return response.text();
  },
  /** Starts the engine, for the first time or again. */
  start() {
    this.engine = load();
    this.engine.catch(() => {}); // reported to the caller that awaits it
    return this.engine;
  },
};

/** Called once the engine's worker has started. @type {(_: void) => void} */
let launched;
/** @type {Promise<void>} */
const launch = new Promise((resolve) => (launched = resolve));

addEventListener("securitypolicyviolation", ({ blockedURI }) => studio.stopped.push(blockedURI));

async function load() {
  try {
    const [{ DeepEMD }, own] = await Promise.all([import("deepemd"), kept.catch((error) => void (studio.unused = error))]);
    const plain = { onProgress: show, sound: sounds, ...(studio.supplied.small && { weights: supplied.address(sounds, "small") }) };
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
        if (error.code === "network") throw error; // the page's own network would fail, too
        studio.unused = error;
        return DeepEMD.create(plain);
      },
    );
  } finally {
    launched();
  }
}

/** Milliseconds between updates of the progress: each costs a slow device some ten. */
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
  /** @type {HTMLElement | null} */ (document.querySelector(".engine .fill"))?.style.setProperty("--fill", String(filled));
  const text = document.querySelector("#loading-text");
  if (text) text.textContent = String(text.textContent).replace(/\d+/, String(Math.round(100 * filled)));
}

/**
 * Compiles a program, during its download if the server names its type.
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
    launch, // the studio's start blocks the page: start the engine's worker first
  ]);
  studio.texts = texts;
  const { Go } = /** @type {any} */ (globalThis);
  const go = new Go();
  // The studio runs as long as the page.
  go.exit = () => fail("Stopped");
  await go.run(await WebAssembly.instantiate(program, go.importObject));
}

// Links lead to other pages: go-app would show the studio at their address.
document.addEventListener("click", (event) => /** @type {Element} */ (event.target).closest("a") && event.stopPropagation());

// The heights of what lies over the page, before a key or one of the buttons past many classes moves the focus: see stage.css and messages.css.
const measure = () => ["look", "messages"].forEach((name) => document.documentElement.style.setProperty(`--${name}`, `${document.querySelector(`.${name}`)?.clientHeight ?? 0}px`));
addEventListener("keydown", measure, true);
addEventListener("click", ({ target }) => /** @type {Element} */ (target).closest(".jumps") && measure(), true);

// The focus of a removed element, such as an example that Ctrl+Z takes away, moves to the element before or around it.
/** @type {any} The element with the focus, also after its removal. */
let focused;
addEventListener("focusin", ({ target }) => (focused = target));
addEventListener("focusout", () => queueMicrotask(() => document.activeElement === document.body && focused?.isConnected && (focused = undefined)));
new MutationObserver((changes) => {
  if (!focused || focused.isConnected || document.activeElement !== document.body) return;
  const change = changes.find(({ removedNodes }) => Array.from(removedNodes).some((node) => node.contains(focused)));
  const near = /** @type {Element | undefined} */ ([change?.previousSibling, change?.target].find((node) => node instanceof Element && node.isConnected));
  const next = near?.closest("article, li, section, [tabindex='-1']");
  if (!(next instanceof HTMLElement)) return;
  next.tabIndex = -1;
  next.focus({ preventScroll: true });
}).observe(document, { childList: true, subtree: true });

// A file dropped elsewhere must not replace the page. A canceled dragenter lets a drop follow at once.
for (const type of ["dragenter", "dragover", "drop"]) addEventListener(type, (event) => event.preventDefault());

// While files are dragged over the page, it shows where they can be dropped.
for (const type of /** @type {const} */ (["dragenter", "dragleave", "drop"])) {
  addEventListener(type, ({ relatedTarget, dataTransfer }) => {
    if (type === "dragleave" && relatedTarget) return; // to another element of the page
    document.body.classList.toggle("dragging", type === "dragenter" && Boolean(dataTransfer?.types.includes("Files")));
  });
}

// Pasted files are dropped on the class or stage that has the keyboard's focus, or else is below the pointer. Some programs copy
// text with a picture of it, so fields take the text.
addEventListener("paste", (event) => {
  const { files, types } = event.clipboardData ?? {};
  const focus = /** @type {Element} */ (document.activeElement);
  if (!files?.length || document.querySelector("dialog[open]") || (focus.matches("input, textarea") && types?.includes("text/plain"))) return;
  event.preventDefault();
  const target = (focus.matches(":focus-visible") && focus.closest("[data-drop]")) || document.querySelector("[data-drop]:hover") || document.querySelector("#view");
  const dataTransfer = new DataTransfer();
  for (const file of files) dataTransfer.items.add(file);
  target?.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
});

/** The page on the device: offline storage, updates, installation. */
const device = {
  /** Whether the page works offline. */
  kept: false,
  /** Whether a newer version is ready. */
  updated: false,
  /** Whether the browser offers to install the page. */
  installable: false,
  /** Set by the studio. @type {(() => void) | null} */
  onchange: null,
  /** @type {ServiceWorkerRegistration | undefined} */
  registration: undefined,
  /** @type {any} */
  prompt: undefined,

  /** Stores the page for offline use, and watches for newer versions. */
  async keep() {
    const registration = (this.registration = await navigator.serviceWorker.register(new URL("../sw.js", here)));
    const look = () => {
      this.kept = Boolean(registration.active);
      // The first version activates itself.
      this.updated = Boolean(registration.active && registration.waiting);
      this.onchange?.();
    };
    look();
    const follow = () => registration.installing?.addEventListener("statechange", look);
    follow();
    registration.addEventListener("updatefound", follow);
    navigator.serviceWorker.addEventListener("controllerchange", look);
    // Pages that stay open for days check for updates when they are shown again.
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible") registration.update().catch(() => {});
    });
  },

  /** Activates the newer version, and reloads the page. */
  reload() {
    navigator.serviceWorker.addEventListener("controllerchange", () => location.reload(), { once: true });
    if (this.registration?.waiting) this.registration.waiting.postMessage("activate");
    else location.reload(); // another tab has activated it
  },

  install() {
    this.prompt?.prompt();
    this.prompt = undefined;
    this.installable = false;
    this.onchange?.();
  },
};

addEventListener("beforeinstallprompt", (event) => {
  event.preventDefault(); // the settings offer it instead
  device.prompt = event;
  device.installable = true;
  device.onchange?.();
});

if ("serviceWorker" in navigator) {
  // Wait until nothing more urgent loads. Without it, the page needs the internet.
  const soon = () => setTimeout(() => device.keep().catch(() => {}), 1000);
  addEventListener("load", () => studio.engine?.then(soon, soon));
}

Object.assign(globalThis, { studio, device, goappGetenv: () => "" });
studio.start();
run().catch((error) => {
  console.error(error);
  fail("NotLoaded");
});
