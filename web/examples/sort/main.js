/** Sorts photos into albums: embeds each once, learns from the placed photos, and proposes albums for the rest. */

import { DeepEMD } from "deepemd";
import { canMove, choose, listed, move } from "./folder.js";
import { zip } from "./zip.js";

const $ = (selector) => document.querySelector(selector);
const status = $("#status"), progress = $("#progress");

let folder = null; // its handle, if files can be moved
let photos = []; // from folder.js, plus embedding, thumbnail, proposed and example
let albums = new Map(); // class ids by album name
let stop = new AbortController(); // stops work on the folder

// Show every failure, of the start (error) and of later calls: errors of deepemd name the thing and the remedy.
addEventListener("error", ({ error }) => say(error.message, true));
addEventListener("unhandledrejection", (event) => {
  if (event.reason.name !== "AbortError") return say(event.reason.message, true);
  event.preventDefault(); // the folder was changed or closed
});

const engine = await DeepEMD.create({ onProgress: ({ stage }) => say(`Loading the ${stage} …`) });
$("#choose").hidden = !canMove;
$("#older").hidden = canMove;
$("#choose").disabled = $("#files").disabled = false;
$("#move").hidden = !canMove;
say("Ready.");

$("#choose").onclick = async () => {
  const chosen = await choose();
  await open(chosen.photos, chosen.folder);
};
$("#files").onchange = ({ target }) => open(listed(target.files), null);
$("#add").onsubmit = async (event) => {
  event.preventDefault();
  const field = event.target.querySelector("input");
  await add(field.value.trim());
  field.value = "";
  show();
};

/** Embeds the photos of a folder. Photos in subfolders are examples of their album. */
async function open(found, where) {
  stop.abort();
  const { signal } = (stop = new AbortController());
  for (const id of albums.values()) await engine.removeClass(id);
  [folder, photos, albums] = [where, [], new Map()];
  progress.hidden = $("#add").hidden = false;
  $("#done").hidden = true;
  for (const [i, photo] of found.entries()) {
    say(`Looking at ${photo.name}, ${i + 1} of ${found.length}`);
    progress.value = i / found.length;
    try {
      photo.embedding = (await engine.embed(photo.file, { signal })).data; // stored, so that classifying is only matching
    } catch (error) {
      if (error.code !== "bad-image") throw error;
      continue; // not an image, despite its name
    }
    photo.thumbnail = await thumbnail(photo.file);
    signal.throwIfAborted(); // another folder was opened
    photos.push(photo);
    if (photo.album) await teach(photo, photo.album);
    show();
  }
  progress.hidden = true;
  $("#done").hidden = photos.length === 0;
  await propose(signal);
}

/** Adds an album, unless it exists, and returns its class id. */
async function add(name) {
  if (!albums.has(name)) albums.set(name, await engine.addClass(name));
  return albums.get(name);
}

/** Makes a photo an example of an album, or of none. */
async function teach(photo, album) {
  if (photo.example) await engine.removeExample(photo.example);
  photo.example = album && (await engine.addExample(await add(album), photo.file)).id;
  photo.proposed = album;
}

/** Proposes an album for each photo without one. All are embedded, so this is only matching. */
async function propose(signal) {
  const open = photos.filter((photo) => !photo.example);
  const taught = engine.classes.some(({ examples }) => examples.length > 0);
  const answers = taught ? await engine.classifyAll(open, { signal }) : [];
  for (const [i, photo] of open.entries()) {
    const { scores, unknown } = answers[i]?.value ?? { scores: [] };
    photo.proposed = scores.length && !unknown?.unknown ? scores[0].label : "";
  }
  const left = open.filter(({ proposed }) => !proposed).length;
  say(taught ? `${photos.length - left} of ${photos.length} photos have an album. Correct mistakes: the page learns from them.` : "Add an album or two, and choose an album for a photo.");
  show();
}

/** Shows the photos by album, starting with the photos without an album. */
function show() {
  const groups = ["", ...albums.keys()].map((album) => {
    const section = document.createElement("section");
    const inside = photos.filter(({ proposed }) => (proposed ?? "") === album);
    section.className = `album stack ${hue(album)}`;
    const heading = Object.assign(document.createElement("h2"), { textContent: album || "Without an album" });
    heading.append(Object.assign(document.createElement("small"), { textContent: inside.length }));
    const grid = Object.assign(document.createElement("div"), { className: "photos" });
    grid.append(...inside.map(tile));
    section.append(heading, grid);
    section.hidden = !album && inside.length === 0;
    return section;
  });
  $("#albums").replaceChildren(...groups);
}

/** A photo with a list of albums. */
function tile(photo) {
  const figure = document.createElement("figure"), select = document.createElement("select");
  figure.className = photo.example ? "photo sure" : "photo";
  figure.title = photo.name;
  select.setAttribute("aria-label", `Album of ${photo.name}`);
  select.append(...["", ...albums.keys()].map((name) => new Option(name || "no album", name, false, name === (photo.proposed ?? ""))));
  select.onchange = async () => {
    await teach(photo, select.value);
    await propose(stop.signal);
  };
  figure.append(photo.thumbnail, select);
  return figure;
}

$("#move").onclick = async () => {
  const moving = photos.filter(({ proposed, album }) => proposed && proposed !== album);
  for (const [i, photo] of moving.entries()) {
    say(`Moving ${photo.name}, ${i + 1} of ${moving.length}`);
    await move(photo, folder, photo.proposed);
  }
  say(`${moving.length} photos are in their folders.`);
};
$("#zip").onclick = async () => {
  const entries = photos.map(({ name, proposed, file }) => ({ name: proposed ? `${proposed}/${name}` : name, file }));
  save(await zip(entries), "sorted.zip");
};
$("#list").onclick = () => {
  const quoted = (text) => `"${text.replaceAll('"', '""')}"`;
  const lines = photos.map(({ name, album, proposed }) => [album ? `${album}/${name}` : name, proposed ?? ""].map(quoted).join(","));
  save(new Blob([["photo,album", ...lines].join("\r\n")], { type: "text/csv" }), "sorted.csv");
};

/** Saves a file. */
function save(blob, name) {
  const url = URL.createObjectURL(blob);
  Object.assign(document.createElement("a"), { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** A thumbnail of a photo: many full-size photos would fill the memory. */
async function thumbnail(file) {
  const bitmap = await createImageBitmap(file, { resizeHeight: 160, resizeQuality: "medium" });
  const canvas = Object.assign(document.createElement("canvas"), { width: bitmap.width, height: bitmap.height });
  canvas.getContext("2d").drawImage(bitmap, 0, 0);
  bitmap.close();
  return canvas;
}

function hue(album) {
  const place = Array.from(albums.keys()).indexOf(album);
  return place < 0 ? "" : `hue-${place % 6}`;
}

function say(text, trouble = false) {
  status.textContent = text;
  status.classList.toggle("trouble", trouble);
}
