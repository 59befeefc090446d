/** A persistent gallery: stores the embeddings of images, and finds them by similar images. */

import { DeepEMD } from "deepemd";
import { openGallery, removeGallery } from "deepemd/gallery";
import { draw } from "./match.js";
import { caption, chosen, dropped } from "./pictures.js";
import * as thumbnails from "./thumbnails.js";

/** The gallery's name, images per page, and the number of search results. */
const NAME = "example", PAGE = 60, BEST = 10;

const $ = (selector) => document.querySelector(selector);
const video = $("video");

let gallery;
let names = []; // all images, newest first
let stop = new AbortController(); // stops adding
let query, picked; // the last search: its source, its image and its name in the gallery; and the name of the image shown next to it

// Show every failure, of the start (error) and of later calls: errors of deepemd name the thing and the remedy.
addEventListener("error", ({ error }) => say("#status", error.message, true));
addEventListener("unhandledrejection", (event) => {
  if (event.reason.name === "AbortError") event.preventDefault();
  else say("#status", event.reason.message, true);
});

const first = await DeepEMD.create({ onProgress: ({ stage }) => say("#status", `Loading the ${stage} …`) });
// Two engines embed in parallel, if there are enough processors.
const engines = navigator.hardwareConcurrency >= 4 ? [first, await DeepEMD.create({ weights: first.weights })] : [first];

/** Opens the gallery. If that fails, shows why and offers to remove it. */
async function open() {
  const notice = $("#notice"), [text, again] = notice.children;
  try {
    gallery = await openGallery(engines, NAME);
  } catch (error) {
    notice.hidden = again.hidden = false;
    text.textContent = error.message;
    say("#status", "The gallery cannot be opened.", true);
    return;
  }
  for (const control of document.querySelectorAll("input, #camera")) control.disabled = false;
  notice.hidden = again.hidden = true;
  say("#status", "");
  await show();
}

$("#notice button").onclick = async () => {
  await removeGallery(NAME);
  await thumbnails.clear();
  await open();
};

/** Adds images and shows the progress. */
async function add(pictures) {
  if (pictures.length === 0) return say("#status", "The page found no pictures: it reads JPEG, PNG and WebP.", true);
  const { signal } = (stop = new AbortController()), sources = new Map(pictures.map(({ name, source }) => [name, source]));
  const small = []; // pending thumbnails
  navigator.storage?.persist?.(); // protects the gallery when the device runs full; some browsers ask
  let seen = performance.now();
  $(".adding").hidden = false;
  try {
    const { added, there, failed } = await gallery.add(pictures, {
      signal,
      onProgress: ({ name, done, total, left }) => {
        small.push(thumbnails.keep(name, sources.get(name)).catch(() => {})); // unreadable images are counted as failed
        $("#progress").value = done / total;
        say("#status", `Adding: ${count(done)} of ${count(total)}${done < total ? `, ${time(left)} left` : ""}`);
        if (performance.now() - seen < 3000) return;
        seen = performance.now();
        show();
      },
    });
    const notes = [`${count(added)} added`, there && `${count(there)} already stored`, failed.length && `${count(failed.length)} could not be read: ${failed.slice(0, 3).map(({ name }) => caption(name)).join(", ")}`];
    say("#status", notes.filter(Boolean).join(". ") + ".");
  } catch (error) {
    if (!signal.aborted) throw error;
    say("#status", "Stopped. Added pictures stay; add the same pictures again to continue.");
  } finally {
    $(".adding").hidden = true;
    await Promise.all(small);
    await show();
  }
}

/** Shows all images. */
async function show() {
  names = (await gallery.names()).reverse();
  const where = gallery.kept ? "stored on this device" : "in memory";
  $("#kept").textContent = names.length === 0 ? "No pictures yet." : `${count(names.length)} ${names.length === 1 ? "picture" : "pictures"}, ${where}: an index of ${size(gallery.bytes)}, and a thumbnail of each.`;
  $("#clear").hidden = names.length === 0;
  if (!gallery.kept) {
    $("#notice").hidden = false;
    $("#notice p").textContent = `New pictures are lost when the page closes: ${gallery.why}.`;
  }
  $("#pictures").replaceChildren();
  await more();
}

/** Shows the next page of images. */
async function more() {
  const from = $("#pictures").childElementCount;
  const some = await Promise.all(names.slice(from, from + PAGE).map(async (name) => {
    const entry = document.createElement("li");
    entry.append(button(name, await thumbnails.shown(name), async (canvas) => search((await thumbnails.get(name)) ?? canvas, canvas, name)));
    return entry;
  }));
  if ($("#pictures").childElementCount === from) $("#pictures").append(...some); // unless the list has changed
  $("#more").hidden = $("#pictures").childElementCount >= names.length;
}

/** An image button. */
function button(name, canvas, act) {
  const made = document.createElement("button");
  made.title = caption(name);
  made.setAttribute("aria-label", made.title);
  made.append(canvas);
  made.onclick = () => act(canvas);
  return made;
}

/** Finds the images most similar to another, which may be in the gallery. */
async function search(source, picture, own) {
  const { found, ms, embedMs } = await gallery.search(source, { limit: BEST + 1, candidates: 50 });
  const best = found.filter(({ name }) => name !== own).slice(0, BEST);
  query = { source, picture, own };
  say("#outcome", best.length === 0 ? "There is no other picture yet." : `Searched ${count(gallery.size)} pictures in ${(ms - embedMs).toFixed(0)} ms.`);
  for (const part of ["#match", "#name", "#remove"]) $(part).hidden = best.length === 0;
  const entries = await Promise.all(best.map(async ({ name, similarity }) => {
    const entry = document.createElement("li");
    entry.append(button(name, await thumbnails.shown(name), () => pick(name)), `${Math.max(0, Math.round(100 * similarity))}%`);
    entry.dataset.name = name;
    return entry;
  }));
  $("#others").replaceChildren(...entries);
  if (best.length > 0) await pick(best[0].name);
  $("#found").scrollIntoView({ block: "nearest", behavior: "smooth" }); // on a phone it may be out of view
}

/** Shows how a found image matches. */
async function pick(name) {
  picked = name;
  for (const entry of $("#others").children) entry.firstChild.classList.toggle("chosen", entry.dataset.name === name);
  $("#name").textContent = caption(name);
  const { source, picture } = query;
  try {
    const match = await gallery.explain(source, name), other = await thumbnails.shown(name);
    if (picked === name) draw($("#match"), match, picture, other);
  } catch (error) {
    if (error.code !== "unknown-name") throw error; // it was removed, here or in another tab
  }
}

$("#files").onchange = ({ target }) => add(chosen(target));
$("#folder").onchange = ({ target }) => add(chosen(target));
$("#query").onchange = async ({ target }) => {
  const [file] = target.files;
  target.value = "";
  await search(file, await thumbnails.square(file));
};
$("#stop").onclick = () => stop.abort();
$("#more").onclick = more;
$("#remove").onclick = async () => {
  await gallery.remove([picked]);
  await thumbnails.forget([picked]);
  await show();
  await search(query.source, query.picture, query.own);
};
$("#clear").onclick = async () => {
  if (!confirm(`Remove all ${count(names.length)} pictures from the gallery? Your files stay as they are.`)) return;
  await gallery.clear();
  await thumbnails.clear();
  $("#others").replaceChildren();
  for (const part of ["#match", "#name", "#remove"]) $(part).hidden = true;
  say("#outcome", "Choose a picture, or click one of the gallery.");
  say("#status", "All pictures are removed.");
  await show();
};

// Files dropped anywhere are added.
addEventListener("dragover", (event) => {
  event.preventDefault();
  document.body.classList.add("over");
});
addEventListener("dragleave", () => document.body.classList.remove("over"));
addEventListener("drop", async (event) => {
  event.preventDefault();
  document.body.classList.remove("over");
  if (gallery) await add(await dropped(event.dataTransfer));
});

$("#camera").onclick = async () => {
  video.srcObject = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment", width: 640, height: 480 } });
  await video.play();
  $("#live").hidden = false;
};
$("#off").onclick = () => {
  for (const track of video.srcObject.getTracks()) track.stop();
  $("#live").hidden = true;
};
$("#look").onclick = async () => {
  const shot = await frame();
  await search(shot, await thumbnails.square(shot));
};
$("#take").onclick = async () => add([{ name: `camera, ${new Date().toLocaleString()} ${Date.now()}`, source: await frame() }]);

/** The camera's current image as a file. */
async function frame() {
  const canvas = Object.assign(document.createElement("canvas"), { width: video.videoWidth, height: video.videoHeight });
  canvas.getContext("2d").drawImage(video, 0, 0);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", 0.92));
}

const count = (n) => n.toLocaleString("en");
const size = (bytes) => (bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`);
const time = (ms) => (ms < 90_000 ? `${Math.ceil(ms / 1000)} s` : `${Math.round(ms / 60_000)} min`);

function say(where, text, trouble = false) {
  $(where).textContent = text;
  $(where).classList.toggle("trouble", trouble);
}

await open();
