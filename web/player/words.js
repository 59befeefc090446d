// @ts-check
/** What a shared page says, in each language of the studio. */

const english = {
  code: "en",
  loading: "Loading …",
  teaching: (/** @type {number} */ done, /** @type {number} */ all) => `Learning: ${done} of ${all}`,
  ready: "Ready",
  start: "Start camera",
  stop: "Stop camera",
  choose: "Choose a picture",
  invitation: "Start the camera, or drop a picture here.",
  private: "Everything happens in this page, on this device. Nothing is sent.",
  heard: "Everything happens in this page, on this device. The page around it is told what is recognised, and gets no pictures.",
  noCamera: "This browser gives the page no camera. Some do so only for pages from the web, not for files: drop or choose pictures instead.",
  deniedCamera: "The camera is not allowed: allow it in the browser's address bar, then start it again. Or drop or choose pictures.",
  framedCamera: 'The page around this one gives it no camera: its iframe needs allow="camera". You can drop or choose pictures instead.',
  missingCamera: "No camera was found: connect one, or drop or choose pictures.",
  unknown: "Unknown",
  unknownTip: "This looks like none of the examples",
  nothingTip: "This looks like “Nothing of these”",
  notPicture: "That is not a picture that can be read: choose a JPEG, PNG or WebP.",
  restarting: "Something went wrong, and is being put right. Try again in a moment.",
  noSounds: "the project holds sounds, and shared pages recognise pictures only. Open its file in the studio.",
  failed: (/** @type {string} */ why) => `The page could not start: ${why}`,
  percent: (/** @type {number} */ share) => `${Math.round(100 * share)}%`,
};

/** @type {typeof english} */
const german = {
  code: "de",
  loading: "Wird geladen …",
  teaching: (done, all) => `Lernen: ${done} von ${all}`,
  ready: "Bereit",
  start: "Kamera starten",
  stop: "Kamera aus",
  choose: "Bild wählen",
  invitation: "Starte die Kamera, oder lass ein Bild hier fallen.",
  private: "Alles geschieht in dieser Seite, auf diesem Gerät. Nichts wird verschickt.",
  heard: "Alles geschieht in dieser Seite, auf diesem Gerät. Die Seite ringsum erfährt, was erkannt wird, und bekommt keine Bilder.",
  noCamera: "Der Browser gibt dieser Seite keine Kamera. Manche tun das nur für Seiten aus dem Netz, nicht für Dateien: Wähle Bilder, oder lass sie hier fallen.",
  deniedCamera: "Die Kamera ist nicht erlaubt: Erlaube sie in der Adresszeile des Browsers, und starte sie dann noch einmal. Oder wähle Bilder, oder lass sie hier fallen.",
  framedCamera: 'Die Seite ringsum gibt dieser keine Kamera: Ihr iframe braucht allow="camera". Du kannst stattdessen Bilder wählen oder hier fallen lassen.',
  missingCamera: "Es wurde keine Kamera gefunden: Schließe eine an, oder wähle Bilder, oder lass sie hier fallen.",
  unknown: "Unbekannt",
  unknownTip: "Das ähnelt keinem der Beispiele",
  nothingTip: "Das sieht aus wie „Nichts davon“",
  notPicture: "Das ist kein Bild, das sich lesen lässt: Nimm JPEG, PNG oder WebP.",
  restarting: "Etwas ist schiefgegangen und wird in Ordnung gebracht. Versuch es gleich noch einmal.",
  noSounds: "Das Projekt enthält Geräusche, und geteilte Seiten erkennen nur Bilder. Öffne die Projektdatei im Studio.",
  failed: (why) => `Die Seite konnte nicht starten: ${why}`,
  percent: (share) => `${Math.round(100 * share)} %`,
};

/**
 * The words of the first language that there is.
 *
 * @param {readonly string[]} languages
 */
export function words(languages) {
  for (const language of languages) {
    for (const each of [english, german]) if (language.toLowerCase().split("-")[0] === each.code) return each;
  }
  return english;
}
