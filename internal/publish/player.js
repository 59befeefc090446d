// @ts-check
/**
 * The shared page of a project: one file with engine, weights and project that runs anywhere,
 * offline. The page contains its parts as digits (digits.js), compressed with gzip if the
 * browser that made the page could.
 */

import { DeepEMD } from "deepemd";
import { central, cut, frameOf, show as showFrame } from "deepemd/framing.js";
import { VideoFrames } from "deepemd/video-frames.js";
import { openProject, unpackProject } from "deepemd/project.js";
import { decode } from "../../web/static/web/digits.js";
import { NoCamera, openCamera } from "./camera.js";
import { Frame } from "./frame.js";
import { words } from "./words.js";

const { language, parents } = document.documentElement.dataset;

const say = words(language ? [language] : navigator.languages);

const frame = new Frame(parents ? parents.split(" ") : [], (source) => engine.classify(source), (by) => {
  $("footer").textContent = by ? say.heard : say.private;
});

/** The most examples to show per class. */
const SHOTS = 12;

/** Milliseconds after which an unchanged answer is announced to screen readers. */
const SETTLED = 700;

/** Milliseconds without a frame after which the camera is checked. */
const LULL = 1000;

/** The number of class colors, as in the studio. */
const HUES = 8;

/**
 * @template {Element} [T=HTMLElement]
 * @param {string} selector
 * @returns {T}
 */
const $ = (selector) => /** @type {T} */ (/** @type {unknown} */ (document.querySelector(selector)));

const video = /** @type {HTMLVideoElement} */ ($("video"));
const canvas = /** @type {HTMLCanvasElement} */ ($("canvas"));
const camera = /** @type {HTMLButtonElement} */ ($("#camera"));
const picture = /** @type {HTMLInputElement} */ ($("#picture"));

/** @type {DeepEMD} */
let engine;

/** @type {MediaStream | undefined} */
let stream;

/** The frame of the camera's image. */
let framing = central;

/** Counts the visitor's choices: the results of earlier ones are dropped. */
let choices = 0;

/** @typedef {{ bar: HTMLElement, percent: HTMLElement, row: HTMLElement }} Row */

/** @type {Map<string, Row & { label: string, hue: string }>} */
const rows = new Map();

/** The row of images that belong to no class. @type {Row | undefined} */
let rest;

/**
 * Decodes a part of the page.
 *
 * @param {string} id
 * @returns {Promise<Blob>}
 */
async function part(id) {
  const element = $(`#part-${id}`);
  const bytes = decode((element.textContent ?? "").trim());
  const packed = element.dataset.packed === "gzip";
  element.remove(); // frees the memory of its text
  const blob = new Blob([bytes]);
  if (!packed) return blob;
  return new Response(blob.stream().pipeThrough(new DecompressionStream("gzip"))).blob();
}

async function start() {
  document.documentElement.lang = say.lang;
  document.documentElement.dataset.theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  $(".invitation").textContent = say.invitation;
  $("h1").dir = "auto";
  $("h1").textContent = document.title;
  camera.textContent = say.start;
  $("#choose").textContent = say.choose;
  $("footer").textContent = say.private;
  status(say.loading);

  const project = await unpackProject(await part("project"));
  const { manifest } = project;
  if (manifest.kind !== "image") throw Object.assign(new Error("the project contains sounds, but shared pages recognize only pictures: open its file in the studio"), { code: "wrong-kind" }); // the page's engine is for images
  framing = frameOf(manifest);
  await showClasses(project);

  // A page from a disk can start a worker only from a Blob.
  const worker = URL.createObjectURL(new Blob([$("#worker").textContent ?? ""], { type: "text/javascript" }));
  const [code, weights] = await Promise.all([part("engine"), part("weights")].map(async (blob) => (await blob).arrayBuffer()));
  engine = await DeepEMD.create({ engine: code, weights, worker, method: manifest.method });
  await openProject(engine, project, { onProgress: (done, all) => done % 20 === 0 && status(say.teaching(done, all)) });
  camera.disabled = picture.disabled = false;
  camera.onclick = () => (stream ? stopCamera() : startCamera());
  picture.onchange = () => {
    const file = picture.files?.[0];
    if (file) showPicture(file);
    picture.value = ""; // allows choosing the same file again
  };
  // For tests, and for anyone.
  Object.assign(globalThis, { engine });
  status(say.ready);
  frame.ready([...rows].map(([id, { label }]) => ({ id, label })));
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
 * @param {string} label
 * @param {string} className of the row
 * @returns {Row}
 */
function newRow(label, className) {
  const row = make("li", className);
  const name = make("span", "name", label);
  name.dir = "auto";
  const percent = make("span", "percent", "–");
  const bar = make("div", "fill");
  bar.append(make("div"));
  bar.setAttribute("role", "meter");
  bar.setAttribute("aria-label", label);
  bar.setAttribute("aria-valuemax", "1");
  bar.setAttribute("aria-valuenow", "0");
  row.append(name, percent, bar);
  return { bar, percent, row };
}

/** @param {string} tag @param {string} [className] @param {string} [textContent] */
const make = (tag, className = "", textContent = "") => Object.assign(document.createElement(tag), { className, textContent });

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

/** @param {import("deepemd").Answer} answer */
function show(answer) {
  const { scores, unknown } = answer;
  frame.predicted(answer);
  const stranger = unknown?.unknown === true;
  for (const { id, score } of scores) {
    const row = rows.get(id);
    if (row) fill(row, score, id === scores[0].id && !stranger);
  }
  if (unknown) {
    if (!rest) $(".classes ul").append((rest = newRow(say.unknown, "rest")).row);
    fill(rest, 1 - unknown.known, stranger);
  }
  const best = rows.get(scores[0]?.id);
  const why = stranger ? (unknown.nothing === undefined ? say.unknownTip : say.nothingTip) : "";
  verdict(why);
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
 * @param {Row} row
 * @param {number} share from 0 to 1
 * @param {boolean} best
 */
function fill({ bar, percent: text, row }, share, best) {
  bar.style.setProperty("--fill", String(share));
  bar.setAttribute("aria-valuenow", share.toFixed(6));
  text.textContent = percent(share);
  row.classList.toggle("best", best);
}

/** @param {number} share from 0 to 1 */
const percent = (share) => say.percent(Math.round(100 * share));

/** @param {unknown} error about an image */
function trouble(error) {
  const { code } = /** @type {{ code?: string }} */ (error);
  return typeof code !== "string" || code === "bad-image" ? say.notPicture : say.restarting;
}

/** @param {string} text why an image fits no class */
function verdict(text) {
  const line = $(".verdict");
  if (line.textContent !== text) line.textContent = text;
  line.hidden = text === "";
}

/**
 * Shows a picture and its answer. Other files change nothing.
 *
 * @param {Blob} file
 * @param {string} [remark]
 */
async function showPicture(file, remark = "") {
  const mine = ++choices;
  note("");
  try {
    const answer = await engine.classify(file);
    const bitmap = await createImageBitmap(file);
    if (mine !== choices) return bitmap.close();
    stopCamera();
    const side = Math.min(bitmap.width, bitmap.height);
    canvas.width = canvas.height = side;
    canvas.getContext("2d")?.drawImage(bitmap, (side - bitmap.width) / 2, (side - bitmap.height) / 2);
    bitmap.close();
    canvas.hidden = false;
    $(".invitation").hidden = true;
    show(answer);
    note(remark);
  } catch (error) {
    if (mine === choices) note(trouble(error));
  }
}

async function startCamera() {
  const mine = ++choices;
  note("");
  /** @type {MediaStream | undefined} */
  let got;
  try {
    got = await openCamera();
    if (mine !== choices) return got.getTracks().forEach((track) => track.stop());
    stream = got;
    video.srcObject = got;
    const mirrored = framing.mirror ?? got.getVideoTracks()[0].getSettings().facingMode === "user";
    video.classList.toggle("mirrored", mirrored);
    video.onresize = () => showFrame(video, framing, mirrored);
    await video.play();
    showFrame(video, framing, mirrored);
  } catch (error) {
    if (stream !== got) return; // stopped in the meantime
    closeCamera();
    if (mine === choices) note(say[error instanceof NoCamera ? error.reason : "noCamera"]);
    return;
  }
  canvas.hidden = $(".invitation").hidden = true;
  video.hidden = false;
  camera.textContent = say.stop;
  const frames = new VideoFrames(video);
  let failed = false;
  while (stream === got) {
    try {
      const answer = await engine.classify(cut(video, framing));
      if (stream !== got) return;
      show(answer);
      if (failed) note("");
      failed = false;
    } catch (error) {
      if (stream !== got) return;
      failed = true;
      note(trouble(error));
      await new Promise((resolve) => setTimeout(resolve, 500)); // the engine restarts
    }
    await frames.next(LULL);
  }
}

function closeCamera() {
  video.srcObject = null; // WebKitGTK may hang if a track ends while a video shows it
  stream?.getTracks().forEach((track) => track.stop());
  stream = undefined;
}

/** Stops the camera, and removes its answer. */
function stopCamera() {
  choices++;
  closeCamera();
  video.hidden = true;
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
  camera.textContent = say.start;
}

const view = $(".view");
for (const type of ["dragover", "drop"]) addEventListener(type, (event) => event.preventDefault());
addEventListener("dragover", () => view.classList.add("over"));
addEventListener("dragleave", () => view.classList.remove("over"));
addEventListener("drop", (event) => {
  view.classList.remove("over");
  const files = /** @type {DragEvent} */ (event).dataTransfer?.files ?? [];
  if (files.length > 0 && engine) showPicture(files[0], files.length > 1 ? say.onePicture : "");
});

start().catch((error) => {
  $(".invitation").hidden = true;
  status(`${say.failed} ${error.code === "wrong-kind" ? say.noSounds : (say.reasons[error.code] ?? "")}`.trim(), true);
  frame.failed(error);
});
