/** Embeds images once, and ranks them with DeepEMD: every image is a class with one example. */

import { DeepEMD } from "deepemd";
import { drawings } from "./draw.js";

/** Pixels of a thumbnail's side, and the number of results. */
const SIDE = 128, BEST = 10;

const $ = (selector) => document.querySelector(selector);
const gallery = $("#gallery"), status = $("#status"), progress = $("#progress");
const buttons = new Map(); // by the class ids of images

// Show every failure, of the start (error) and of later calls: errors of deepemd name the thing and the remedy.
for (const kind of ["error", "unhandledrejection"]) addEventListener(kind, ({ error, reason = error }) => say(reason.message, true));

// Compare with each image's own example; no image is unknown.
const engine = await DeepEMD.create({ classifier: "nearest", unknown: false, onProgress: ({ stage }) => say(`Loading the ${stage} …`) });
await fill(drawings(200, SIDE));
for (const field of document.querySelectorAll("input")) field.disabled = false;
$("#query").onchange = ({ target }) => search(target.files[0], target.files[0]);
$("#own").onchange = ({ target }) => fill(Array.from(target.files, thumbnail));

/** Replaces all images. */
async function fill(pictures) {
  for (const { id } of engine.classes) await engine.removeClass(id);
  buttons.clear();
  gallery.replaceChildren();
  gallery.classList.remove("searched");
  $("#others").replaceChildren();
  progress.hidden = false;
  const begin = performance.now();
  for (const [i, picture] of pictures.entries()) {
    const canvas = await picture;
    const id = await engine.addClass(canvas.title || `picture ${i + 1}`);
    const { embedding } = await engine.addExample(id, canvas); // the only pass through the model
    const button = document.createElement("button");
    button.setAttribute("aria-label", canvas.title);
    button.append(canvas);
    button.onclick = () => search(canvas, { embedding }, id);
    buttons.set(id, button);
    gallery.append(button);
    progress.value = (i + 1) / pictures.length;
    say(`Embedding: ${i + 1} of ${pictures.length}`);
  }
  progress.hidden = true;
  const seconds = (performance.now() - begin) / 1000;
  say(`${counted(pictures.length)} embedded in ${seconds.toFixed(1)} s. Choose one.`);
}

/** Ranks the images by similarity to another, which may be one of them and is then embedded already. */
async function search(picture, source, own) {
  const { scores, matchMs } = await engine.classify(source);
  const best = scores.filter(({ id }) => id !== own).slice(0, BEST);
  for (const [id, button] of buttons) {
    button.classList.toggle("chosen", id === own);
    button.classList.toggle("near", best.some((b) => b.id === id));
  }
  gallery.classList.add("searched");
  $("#others").replaceChildren(...best.map(found));
  if (best.length === 0) return say("There is no other picture to compare with. Choose several.");
  say(`${counted(scores.length)} compared in ${matchMs.toFixed(0)} ms.`);
  await show(await engine.explain({ source, classId: best[0].id }), picture);
  $("#found").scrollIntoView({ block: "nearest", behavior: "smooth" }); // on a phone it may be out of view
}

/** A result. Logits are similarities, −1 to 1, times the temperature. */
function found({ id, logit }) {
  const entry = document.createElement("li"), button = document.createElement("button"), copy = document.createElement("canvas");
  copy.width = copy.height = SIDE;
  copy.getContext("2d").drawImage(buttons.get(id).firstChild, 0, 0);
  button.setAttribute("aria-label", buttons.get(id).getAttribute("aria-label"));
  button.append(copy);
  button.onclick = () => buttons.get(id).click();
  entry.append(button, `${Math.round((100 * logit) / engine.method.temperature)}%`);
  return entry;
}

/** Draws both images, their best matching parts, and lines between them. */
async function show({ query, support, flow, example }, picture) {
  const canvas = $("#match"), c = canvas.getContext("2d"), side = canvas.height, right = canvas.width - side;
  c.clearRect(0, 0, canvas.width, canvas.height);
  c.drawImage(picture instanceof Blob ? await thumbnail(picture) : picture, 0, 0, side, side);
  c.drawImage(buttons.get(example.classId).firstChild, right, 0, side, side);
  const strongest = flow.toSorted((a, b) => b.score - a.score).slice(0, 7);
  for (const [i, { from, to, score }] of strongest.entries()) {
    const a = box(query[from], 0, side), b = box(support[to], right, side);
    c.strokeStyle = `hsl(${i * 51} 90% 62%)`;
    c.lineWidth = 1.5 + (3.5 * score) / strongest[0].score;
    for (const { x, y, width, height } of [a, b]) c.strokeRect(x + 3, y + 3, width - 6, height - 6);
    c.beginPath();
    c.moveTo(a.x + a.width - 3, a.y + a.height / 2);
    c.bezierCurveTo(side, a.y - 12 * i, right, b.y + 12 * i, b.x + 3, b.y + b.height / 2);
    c.stroke();
  }
}

/** The position on the canvas of a region, which is in fractions of an image. */
function box({ x0, y0, x1, y1 }, left, side) {
  return { x: left + x0 * side, y: y0 * side, width: (x1 - x0) * side, height: (y1 - y0) * side };
}

/** The largest central square of a file, which is the model's view. */
async function thumbnail(file) {
  const bitmap = await createImageBitmap(file), side = Math.min(bitmap.width, bitmap.height);
  const canvas = Object.assign(document.createElement("canvas"), { width: SIDE, height: SIDE, title: file.name ?? "" });
  canvas.getContext("2d").drawImage(bitmap, (bitmap.width - side) / 2, (bitmap.height - side) / 2, side, side, 0, 0, SIDE, SIDE);
  bitmap.close();
  return canvas;
}

function counted(n) {
  return n === 1 ? "1 picture" : `${n} pictures`;
}

function say(text, trouble = false) {
  status.textContent = text;
  status.classList.toggle("trouble", trouble);
}
