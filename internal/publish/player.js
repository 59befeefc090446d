// @ts-check
/** The shared page of a project: one file with engine, weights and project that runs anywhere, offline. */

import { DeepEMD } from "deepemd";
import { Camera, Ear } from "deepemd/element-live.js";
import { central, frameOf } from "deepemd/framing.js";
import { Microphone } from "deepemd/microphone.js";
import { openProject, unpackProject } from "deepemd/project.js";
import { Actions } from "./actions.js";
import { forbidden, reason } from "./device.js";
import { Frame } from "./frame.js";
import { part, script } from "./parts.js";
import { fill, make, newRow } from "./rows.js";
import { words } from "./words.js";

const { language, parents } = document.documentElement.dataset;

/** The page's texts; with sounds, some have alternatives. */
let say = words(language ? [language] : navigator.languages);

const frame = new Frame(parents ? parents.split(" ") : [], (source) => engine.classify(source), (by) => {
  $("footer").textContent = by ? say.heard : say.private;
});

/** The most examples to show per class. */
const SHOTS = 12;

/** Milliseconds after which an unchanged answer is announced to screen readers. */
const SETTLED = 700;

/** The number of class colors, as in the studio. */
const HUES = 8;

/** Whether the page runs without visitors, as on a screen in an exhibition: it starts its camera, and starts it again. */
const unattended = location.hash === "#start" && parent === window;

/** Milliseconds until an unattended page tries again. */
const RETRY = 5000;

/**
 * @template {Element} [T=HTMLElement]
 * @param {string} selector
 * @returns {T}
 */
const $ = (selector) => /** @type {T} */ (/** @type {unknown} */ (document.querySelector(selector)));

const video = /** @type {HTMLVideoElement} */ ($("video"));
const canvas = /** @type {HTMLCanvasElement} */ ($("canvas"));
const level = /** @type {HTMLDivElement} */ ($(".level"));
const start = /** @type {HTMLButtonElement} */ ($("#camera"));
const turn = /** @type {HTMLButtonElement} */ ($("#turn"));
const picture = /** @type {HTMLInputElement} */ ($("#picture"));

/** @type {DeepEMD} */
let engine;

/** Whether the project has sounds, not pictures. */
let sounds = false;

/** The running camera or microphone. @type {Camera | Ear | undefined} */
let live;

/** @type {Actions | undefined} */
let actions;

/** The frame of the camera's image. */
let framing = central;

/** The wanted camera of a phone, on its back or on its front. */
let facing = "environment";

/** Counts the visitor's choices: the results of earlier ones are dropped. */
let choices = 0;

/** @type {Map<string, import("./rows.js").Row & { label: string, hue: string }>} */
const rows = new Map();

/** The row of images that belong to no class. @type {import("./rows.js").Row | undefined} */
let rest;

async function open() {
  document.documentElement.lang = say.lang;
  document.documentElement.dataset.theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  $("h1").dir = "auto";
  $("h1").textContent = document.title;
  $("footer").textContent = say.private;
  status(say.loading);

  const project = await unpackProject(await part("project"));
  const { manifest } = project;
  sounds = manifest.kind === "sound";
  if (sounds) {
    say = { ...say, ...say.sounds };
    picture.accept = "audio/*,.mp3,.wav";
    Microphone.recorder = script("recorder");
  }
  $(".invitation").textContent = say.invitation;
  start.textContent = say.start;
  $("#choose").textContent = say.choose;
  framing = frameOf(manifest);
  await showClasses(project);
  actions = new Actions(manifest, {
    display,
    count: (id, n) => rows.get(id)?.count(n),
    name: (of) => (of === "unknown" ? say.unknown : say.nothingTip),
  }, say.lang);

  const [code, weights] = await Promise.all([part("engine"), part("weights")].map(async (blob) => (await blob).arrayBuffer()));
  engine = await DeepEMD.create({ engine: code, weights, worker: script("worker"), sound: sounds, method: manifest.method });
  await openProject(engine, project, { onProgress: (done, all) => done % 20 === 0 && status(say.teaching(done, all)) });
  start.disabled = picture.disabled = false;
  start.onclick = () => (live ? stop() : watch());
  turn.textContent = say.turn;
  turn.onclick = () => {
    facing = facingNow() === "user" ? "environment" : "user";
    stop();
    void watch();
    start.focus(); // this button is hidden until the camera runs
  };
  picture.onchange = () => {
    const file = picture.files?.[0];
    if (file) showFile(file);
    picture.value = ""; // allows choosing the same file again
  };
  // For tests, and for anyone.
  Object.assign(globalThis, { engine });
  status(say.ready);
  frame.ready([...rows].map(([id, { label }]) => ({ id, label })));
  if (unattended) void watch();
}

/** @param {import("deepemd/project.js").Unpacked} project */
async function showClasses(project) {
  const list = $(".classes ul");
  for (const { id, label, hue = 0, disabled, nothing, examples } of project.manifest.classes) {
    if (disabled || nothing || examples.length === 0) continue;
    const color = `hue-${((hue % HUES) + HUES) % HUES}`;
    const { row, ...parts } = newRow(label, `class ${color}`);
    const shots = make("div", "shots");
    for (const example of examples.slice(0, SHOTS)) {
      const img = Object.assign(new Image(), { alt: "", src: URL.createObjectURL(new Blob([await project.picture(example)], { type: "image/png" })) });
      shots.append(img);
    }
    row.append(shots);
    list.append(row);
    rows.set(id, { row, ...parts, label, hue: color });
  }
}

/**
 * @param {string} text
 * @param {boolean} [trouble]
 */
function status(text, trouble = false) {
  $(".status").textContent = text;
  $(".status").classList.toggle("trouble", trouble);
}

/** @param {string} text */
function note(text) {
  $(".note").textContent = text;
}

/** The latest answer in words, and the timer that announces it. */
let answered = "";
/** @type {ReturnType<typeof setTimeout> | undefined} */
let settling;

/** @param {string} text the answer in words; "" removes it */
function announce(text) {
  if (text === answered) return;
  answered = text;
  clearTimeout(settling);
  if (text) settling = setTimeout(() => ($(".said").textContent = text), SETTLED);
  else $(".said").textContent = "";
}

/**
 * @param {import("deepemd").Answer} answer
 * @param {boolean} still whether it is about a file
 */
function show(answer, still) {
  const { scores, unknown } = answer;
  frame.predicted(answer);
  actions?.observe(answer, still);
  const stranger = unknown?.unknown === true;
  for (const { id, score } of scores) {
    const row = rows.get(id);
    if (row) fill(row, score, percent(score), id === scores[0].id && !stranger);
  }
  if (unknown) {
    if (!rest) $(".classes ul").append((rest = newRow(say.unknown, "rest")).row);
    fill(rest, 1 - unknown.known, percent(1 - unknown.known), stranger);
  }
  const best = rows.get(scores[0]?.id);
  const why = unknown?.nothing === undefined ? say.unknownTip : say.nothingTip;
  verdict(stranger ? why : unknown?.together ? say.together : "");
  announce(stranger ? `${say.unknown}. ${why}` : (best?.label ?? ""));
  const caption = $(".caption");
  caption.hidden = !best;
  if (best) {
    caption.className = stranger ? "caption stranger" : `caption ${best.hue}`;
    const name = Object.assign(document.createElement("span"), { className: "name", dir: "auto", textContent: stranger ? say.unknown : best.label });
    caption.replaceChildren(name, ...(stranger ? [] : [Object.assign(document.createElement("span"), { textContent: percent(scores[0].score) })]));
  }
}

/**
 * Shows an action's picture or text on the stage, or nothing.
 *
 * @param {HTMLElement | undefined} content
 * @param {boolean} word
 */
function display(content, word) {
  const effect = $(".effect");
  effect.replaceChildren(...(content ? [content] : []));
  effect.hidden = !content;
  effect.classList.toggle("word", word);
}

/** @param {number} share from 0 to 1 */
const percent = (share) => say.percent(Math.round(100 * share));

/** @param {unknown} error about an image or a sound */
function trouble(error) {
  const { code } = /** @type {{ code?: string }} */ (error);
  if (code === "bad-sound" || code === "silent") return say.reasons[code];
  return typeof code !== "string" || code === "bad-image" ? say.notPicture : say.restarting;
}

/** @param {string} text why an image is unknown, or why a class is named although "unknown" is more probable */
function verdict(text) {
  const line = $(".verdict");
  if (line.textContent !== text) line.textContent = text;
  line.hidden = text === "";
}

/**
 * Shows a picture or the spectrogram of a recording, and its answer. Other files change nothing.
 *
 * @param {Blob} file
 * @param {string} [remark]
 */
async function showFile(file, remark = "") {
  const mine = ++choices;
  note("");
  try {
    const answer = await engine.classify(file, { pixels: sounds });
    const bitmap = await (answer.pixels ? spectrogram(answer.pixels) : createImageBitmap(file));
    if (mine !== choices) return bitmap.close();
    stop();
    const side = Math.min(bitmap.width, bitmap.height);
    canvas.width = canvas.height = side;
    canvas.getContext("2d")?.drawImage(bitmap, (side - bitmap.width) / 2, (side - bitmap.height) / 2);
    bitmap.close();
    canvas.hidden = false;
    $(".invitation").hidden = true;
    show(answer, true);
    note(remark);
  } catch (error) {
    if (mine === choices) note(trouble(error));
  }
}

/** @param {{ width: number, height: number, data: Uint8Array }} pixels RGB */
function spectrogram({ width, height, data }) {
  const image = new ImageData(width, height);
  for (let i = 0; i < width * height; i++) image.data.set([data[3 * i], data[3 * i + 1], data[3 * i + 2], 255], 4 * i);
  return createImageBitmap(image);
}

/** Where the running camera is, if the browser knows. */
const facingNow = () => /** @type {MediaStream | null} */ (video.srcObject)?.getVideoTracks()[0]?.getSettings().facingMode;

/** The frame of the running camera: a front camera is a mirror. */
const frameNow = () => ({ ...framing, mirror: framing.mirror ?? facingNow() === "user" });

/** Whether the running camera is one of several, on the back or front. */
async function turns() {
  const devices = await navigator.mediaDevices.enumerateDevices();
  return facingNow() !== undefined && devices.filter(({ kind }) => kind === "videoinput").length > 1;
}

/** Starts the camera or microphone, and answers until it stops. */
async function watch() {
  const mine = ++choices;
  note("");
  const started = (live = sounds ? new Ear({ spectrum: canvas, level }, lose) : new Camera({ video }, lose, frameNow));
  /** @type {import("./device.js").Reason | undefined} */
  let missing;
  if (forbidden(started.kind)) missing = "framedCamera";
  else await started.start({ facing }).catch((error) => (missing = reason(error)));
  if (live !== started) return; // stopped in the meantime
  if (missing) {
    started.stop();
    live = undefined;
    if (mine === choices) (missing === "deniedCamera" ? note : retry)(missing === "lateCamera" ? say.sounds.lateCamera : say[missing]);
    return;
  }
  $(".invitation").hidden = true;
  canvas.hidden = !sounds;
  video.hidden = sounds;
  level.hidden = !sounds;
  start.textContent = say.stop;
  if (!sounds) void turns().then((several) => (turn.hidden = !several || live !== started));
  let failed = false;
  while (live === started) {
    if (!(await started.next()) || performance.now() < (actions?.mutedUntil ?? 0)) continue; // silence, or an action
    try {
      if (live !== started) return;
      const answer = await engine.classify(started.source());
      if (live !== started) return;
      show(answer, false);
      if (failed) note("");
      failed = false;
    } catch (error) {
      if (live !== started) return;
      if (/** @type {any} */ (error).code === "silent") continue;
      failed = true;
      note(trouble(error));
      await new Promise((resolve) => setTimeout(resolve, 500)); // the engine restarts
    }
  }
}

/** Stops the camera or microphone, and removes its answer. */
function stop() {
  choices++;
  actions?.reset();
  if (live && sounds) canvas.hidden = true;
  live?.stop();
  live = undefined;
  video.hidden = level.hidden = turn.hidden = true;
  $(".caption").hidden = true;
  verdict("");
  announce("");
  rest?.row.remove();
  rest = undefined;
  for (const { bar, percent, row } of rows.values()) {
    bar.style.setProperty("--fill", "0");
    bar.setAttribute("aria-valuenow", "0");
    percent.textContent = "–";
    row.classList.remove("best");
  }
  if (canvas.hidden) $(".invitation").hidden = false;
  start.textContent = say.start;
}

/** Stops the camera or microphone, which was taken away. */
function lose() {
  stop();
  retry(say.takenCamera);
}

/** @param {string} trouble why the camera or microphone does not run */
function retry(trouble) {
  note(trouble);
  const mine = choices;
  if (unattended) setTimeout(() => mine === choices && void watch(), RETRY);
}

/** @param {FileList | undefined} files dropped or pasted ones */
function take(files) {
  if (files?.length && engine) void showFile(files[0], files.length > 1 ? say.onePicture : "");
}

const view = $(".view");
addEventListener("paste", ({ clipboardData }) => take(clipboardData?.files));
for (const type of ["dragover", "drop"]) addEventListener(type, (event) => event.preventDefault());
addEventListener("dragover", () => view.classList.add("over"));
addEventListener("dragleave", () => view.classList.remove("over"));
addEventListener("drop", (event) => {
  view.classList.remove("over");
  take(/** @type {DragEvent} */ (event).dataTransfer?.files);
});

open().catch((error) => {
  $(".invitation").hidden = true;
  status(`${say.failed} ${say.reasons[error.code] ?? ""}`.trim(), true);
  frame.failed(error);
});
