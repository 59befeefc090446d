/** Teaches two words, and recognizes them. */

import { DeepEMD } from "deepemd";
import { Ear } from "./ear.js";

const $ = (selector) => document.querySelector(selector);
const answer = $("#answer"), status = $("#status"), start = $("#start");
const words = Array.from(document.querySelectorAll(".word"));

// Show every failure, of the start (error) and of later calls: errors of deepemd name the thing and the remedy.
for (const kind of ["error", "unhandledrejection"]) addEventListener(kind, ({ error, reason = error }) => say(reason.message, true));

// An engine for sounds: sources are samples, and MP3 or WAV files of up to a minute.
const engine = await DeepEMD.create({ sound: true, onProgress: ({ stage }) => say(`Loading the ${stage} …`) });
const ids = [];
let held = -1; // the word of the held button
for (const [i, word] of words.entries()) {
  const [name, button] = word.querySelectorAll("input, button");
  ids.push(await engine.addClass(name.value));
  name.onchange = () => engine.renameClass(ids[i], name.value);
  const hold = () => {
    if (button.disabled) return;
    held = i;
    button.classList.add("held");
  };
  const release = () => {
    button.classList.remove("held");
    // Include a word that ends just after the button is released.
    setTimeout(() => {
      if (held === i && !button.classList.contains("held")) held = -1;
    }, 500);
  };
  button.addEventListener("pointerdown", hold);
  button.addEventListener("keydown", ({ key }) => (key === " " || key === "Enter") && hold());
  for (const type of ["pointerup", "pointerleave", "pointercancel", "blur", "keyup"]) button.addEventListener(type, release);
  button.addEventListener("contextmenu", (event) => event.preventDefault()); // a long touch must not open a menu
}
start.disabled = false;
say("");

start.onclick = async () => {
  const ear = new Ear();
  ear.onsound = (sound) => (held >= 0 ? learn(held, sound) : recognize(sound));
  await ear.start();
  start.hidden = true;
  for (const button of document.querySelectorAll(".teach")) button.disabled = false;
  say("Hold a button and say its word, three times.");
  (function show() {
    requestAnimationFrame(show);
    $(".level div").style.setProperty("--fill", ear.level);
  })();
};

/** Adds a sound as an example of a word, and shows its spectrogram, the model's input. */
async function learn(word, sound) {
  const { size, pixels } = await engine.addExample(ids[word], sound);
  const canvas = Object.assign(document.createElement("canvas"), { width: size, height: size });
  const rgba = new ImageData(size, size);
  for (let i = 0, o = 0; i < pixels.length; i += 3, o += 4) rgba.data.set([pixels[i], pixels[i + 1], pixels[i + 2], 255], o);
  canvas.getContext("2d").putImageData(rgba, 0, 0);
  words[word].querySelector(".takes").append(canvas);
  say(ready() ? "Now say one of them." : "Now the other word.");
}

/** Recognizes the word of a sound. */
async function recognize(sound) {
  if (!ready()) return;
  const { scores, unknown } = await engine.classify(sound);
  const best = unknown?.unknown ? -1 : ids.indexOf(scores[0].id);
  answer.textContent = best < 0 ? "neither" : scores[0].label;
  answer.className = best < 0 ? "" : `hue-${best}`;
  for (const [i, word] of words.entries()) word.classList.toggle("heard", i === best);
  say(scores.map(({ label, score }) => `${label} ${Math.round(100 * score)}%`).join(", "));
}

/** Whether both words have an example. */
function ready() {
  return engine.classes.every(({ examples }) => examples.length > 0);
}

function say(text, trouble = false) {
  status.textContent = text;
  status.classList.toggle("trouble", trouble);
}
