// @ts-check
/** Says names aloud, with the device's own voices only. */

import { failure } from "./database.js";

/** Milliseconds to wait for the list of voices, which some browsers load late. */
const PATIENCE = 1000;

/** The current utterance: some browsers never end one without a reference. @type {SpeechSynthesisUtterance | undefined} */
let saying;

/** The browser's voices. */
async function voices() {
  if (speechSynthesis.getVoices().length === 0) {
    await new Promise((resolve) => {
      const late = AbortSignal.timeout(PATIENCE); // removes the listener, which a device without voices never calls
      speechSynthesis.addEventListener?.("voiceschanged", resolve, { once: true, signal: late });
      late.addEventListener("abort", resolve);
    });
  }
  return speechSynthesis.getVoices();
}

/**
 * Says a text, and stops the current one.
 *
 * @param {string} text
 * @param {string} language such as "en"
 */
export async function say(text, language) {
  if (!("speechSynthesis" in globalThis)) throw failure("no-voice", "this browser does not speak");
  const all = await voices();
  const own = all.filter((voice) => voice.localService && voice.lang.toLowerCase().split(/[-_]/)[0] === language);
  if (all.length > 0 && own.length === 0) throw failure("no-voice", `no voice for "${language}" on this device`);
  const wanted = new Set(navigator.languages.map((tag) => tag.toLowerCase()));
  const voice = own.find((v) => v.default) ?? own.find((v) => wanted.has(v.lang.toLowerCase())) ?? own[0];
  const utterance = (saying = new SpeechSynthesisUtterance(text));
  utterance.lang = voice?.lang ?? language;
  if (voice) utterance.voice = voice;
  speechSynthesis.cancel();
  await new Promise((resolve, reject) => {
    utterance.onend = resolve;
    utterance.onerror = ({ error }) => {
      if (error === "canceled" || error === "interrupted") resolve(undefined);
      else reject(failure("no-voice", error));
    };
    speechSynthesis.speak(utterance);
  });
  if (saying === utterance) saying = undefined;
}
