/** Teaches three gestures, and steers the boat with them. */

import { DeepEMD } from "deepemd";
import { Sea } from "./sea.js";

/** Milliseconds between two examples while a button is held. */
const PACE = 120;

const $ = (selector) => document.querySelector(selector);
const camera = $("#camera"), status = $("#status");
const buttons = Array.from(document.querySelectorAll(".teach button"));

const sea = new Sea($("#sea"));
sea.oncatch = (caught) => ($("#caught").value = caught);
sea.start();

// Show every failure, of the start (error) and of later calls: errors of deepemd name the thing and the remedy.
for (const kind of ["error", "unhandledrejection"]) addEventListener(kind, ({ error, reason = error }) => say(reason.message, true));

// Every image shows one of the gestures, so none is unknown.
const engine = await DeepEMD.create({ unknown: false, onProgress: ({ stage }) => say(`Loading the ${stage} …`) });
const gestures = new Map(); // by class id
for (const button of buttons) {
  const id = await engine.addClass(button.firstChild.data.trim());
  gestures.set(id, button);
  hold(button, () => teach(id, button));
}
say("Ready: start the camera.");

$("#start").onclick = async () => {
  camera.srcObject = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "user", width: 640, height: 480 } });
  await camera.play();
  $("#start").hidden = true;
  for (const button of buttons) button.disabled = false;
  say("Hold a button and show its gesture.");
  steer();
};

/** Adds the camera's image as an example of a gesture. */
async function teach(id, button) {
  await engine.addExample(id, camera);
  const taught = engine.classes.map((c) => c.examples.length);
  button.querySelector("small").textContent = taught[buttons.indexOf(button)];
  if (Math.min(...taught) > 0) say("Steer!");
}

/** Classifies one frame after the other. The boat follows the best gesture, faster with higher confidence. */
async function steer() {
  for (;;) {
    await new Promise(requestAnimationFrame);
    if (engine.classes.some((c) => c.examples.length === 0)) continue;
    try {
      const { scores } = await engine.classify(camera);
      sea.steer = scores.reduce((sum, { id, score }) => sum + score * Number(gestures.get(id).dataset.steer), 0);
      show(scores);
    } catch (error) {
      say(error.message, true);
      await new Promise((resolve) => setTimeout(resolve, 1000)); // the engine probably restarts
      say("Steer!");
    }
  }
}

/** Shows the answer as bars, in the order of the buttons. */
function show(scores) {
  const lines = buttons.map((button) => {
    const { label, score } = scores.find(({ id }) => gestures.get(id) === button);
    const line = document.createElement("li");
    for (const [kind, text] of [["name", label], ["bar", ""], ["share", `${Math.round(100 * score)}%`]]) {
      line.append(Object.assign(document.createElement("span"), { className: `${kind} ${button.classList[0]}`, textContent: text }));
    }
    line.firstChild.classList.toggle("best", score === scores[0].score);
    line.children[1].style.setProperty("--fill", score);
    return line;
  });
  $(".bars").replaceChildren(...lines);
}

/** Repeats an action while a button is held, by mouse, finger or key. */
function hold(button, act) {
  let held = false;
  const begin = async () => {
    if (held || button.disabled) return;
    held = true;
    button.classList.add("held");
    while (held) await Promise.all([act(), new Promise((resolve) => setTimeout(resolve, PACE))]);
  };
  const end = () => {
    held = false;
    button.classList.remove("held");
  };
  button.addEventListener("pointerdown", (event) => {
    button.setPointerCapture(event.pointerId);
    begin();
  });
  for (const type of ["pointerup", "pointercancel", "blur"]) button.addEventListener(type, end);
  button.addEventListener("keydown", ({ key }) => (key === " " || key === "Enter") && begin());
  button.addEventListener("keyup", end);
  button.addEventListener("contextmenu", (event) => event.preventDefault()); // a long touch must not open a menu
}

function say(text, trouble = false) {
  status.textContent = text;
  status.classList.toggle("trouble", trouble);
}
