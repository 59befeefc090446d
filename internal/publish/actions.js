// @ts-check
/**
 * The project's actions on a shared page ("actions" of core/project/FORMAT.md): it speaks, plays, shows and counts. Messages and
 * devices stay with the studio.
 *
 * @typedef {import("deepemd/project.js").Manifest} Manifest
 *
 * @typedef Rule
 * @property {string} [class]
 * @property {string} [of]
 * @property {boolean} [say]
 * @property {string} [sound]
 * @property {string} [show]
 * @property {string} [picture]
 * @property {boolean} [count]
 */

import { withoutMedia } from "../../web/static/web/media.js";
import { say } from "../../web/static/web/speech.js";
import { Sounds } from "../../web/static/web/tones.js";

/** Milliseconds between two answers after which something else may have been seen, or heard: as in actions/sighting.go. */
const LAPSE = 2000, SILENCE = 600;

/** The longest hold in seconds. */
const MAX_HOLD = 60;

/** Milliseconds for which a page of sounds shows a text or picture. */
const SHOWN = 3000;

/** Milliseconds for which a page of sounds does not listen: at most, and after an action ended. */
const ALOUD = 10_000, ECHO = 1000;

/** The most characters of an emoji; longer texts are words. */
const EMOJI = 4;

/**
 * @typedef Stage What actions change on the page.
 * @property {(content: HTMLElement | undefined, word: boolean) => void} display
 * @property {(classId: string, count: number) => void} count
 * @property {(of: string) => string} name the spoken name of an image that fits no class
 */

export class Actions {
  /** @type {Map<string, Rule>} by class or kind of unknown images */ #rules = new Map();
  /** @type {Map<string, Blob>} */ #media;
  /** @type {Map<string, number>} */ #counts = new Map();
  #sounds;
  #hold;
  #hears;
  #stage;
  #language;
  /** The present answer, and the latest that was seen. */ #now = "";
  #seen = "";
  /** The times of the present answer's start and of the latest answer. */ #since = 0;
  #last = -Infinity;
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #again;
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #hiding;
  #aloud = 0;
  /** The time until which a microphone would hear an action. */ mutedUntil = 0;

  /**
   * @param {Manifest} project
   * @param {Stage} stage
   * @param {string} language of speech
   */
  constructor(project, stage, language) {
    const { manifest, media } = withoutMedia(project);
    const { rules, hold } = /** @type {any} */ (manifest.extensions?.actions ?? {});
    for (const rule of Array.isArray(rules) ? rules : []) {
      const subject = subjectOf(rule);
      if (subject && !this.#rules.has(subject)) this.#rules.set(subject, rule);
    }
    this.#media = media;
    this.#hold = 1000 * Math.min(Math.max(Number(hold) || 0, 0), MAX_HOLD);
    this.#hears = manifest.kind === "sound";
    this.#stage = stage;
    this.#language = language;
    this.#sounds = new Sounds((id) => media.get(id));
  }

  /**
   * Acts if the answer has held long enough. The answer about a file holds until the next one.
   *
   * @param {import("deepemd").Answer} answer
   * @param {boolean} still
   */
  observe({ scores, unknown }, still) {
    const best = scores[0];
    const of = unknown?.nothing !== undefined ? "nothing" : "unknown";
    const subject = unknown?.unknown ? subjectOf({ of }) : subjectOf({ class: best?.id });
    clearTimeout(this.#again);
    const wait = this.#wait(subject);
    if (wait > 0 && still) this.#again = setTimeout(() => this.#act(subject, best), wait);
    if (wait === 0) this.#act(subject, best);
  }

  /** Forgets the sightings: the stage has changed. */
  reset() {
    clearTimeout(this.#again);
    this.#now = this.#seen = "";
    this.#last = -Infinity;
    this.#display({});
  }

  /**
   * The milliseconds until an answer counts as seen; Infinity if it was seen before.
   *
   * @param {string} subject
   */
  #wait(subject) {
    const now = performance.now();
    const lapsed = now - this.#last > (this.#hears ? SILENCE : Math.max(LAPSE, this.#hold));
    if (lapsed && this.#hears) this.#seen = "";
    if (subject !== this.#now || lapsed) [this.#now, this.#since] = [subject, now];
    this.#last = now;
    return subject === this.#seen ? Infinity : Math.max(0, this.#since + this.#hold - now);
  }

  /**
   * @param {string} subject
   * @param {{ id: string, label: string } | undefined} best
   */
  #act(subject, best) {
    this.#seen = subject;
    const rule = this.#rules.get(subject) ?? {};
    this.#display(rule);
    if (rule.count && rule.class) {
      const count = (this.#counts.get(subject) ?? 0) + 1;
      this.#counts.set(subject, count);
      this.#stage.count(rule.class, count);
    }
    const aloud = [];
    if (rule.say === true) aloud.push(say(rule.class ? (best?.label ?? "") : this.#stage.name(subject), this.#language));
    if (typeof rule.sound === "string") aloud.push(this.#sounds.play(rule.sound));
    if (aloud.length > 0) this.#mute(aloud);
  }

  /**
   * Mutes the microphone of a page of sounds while actions are audible.
   *
   * @param {Promise<void>[]} aloud
   */
  async #mute(aloud) {
    const mine = ++this.#aloud;
    if (this.#hears) this.mutedUntil = performance.now() + ALOUD;
    await Promise.allSettled(aloud); // a device without a voice or speakers is silent
    if (this.#hears && mine === this.#aloud) this.mutedUntil = performance.now() + ECHO;
  }

  /** @param {Rule} rule */
  #display({ show, picture }) {
    clearTimeout(this.#hiding);
    const medium = this.#media.get(String(picture));
    const text = typeof show === "string" ? show : "";
    /** @type {HTMLElement | undefined} */ let content;
    if (medium) {
      const src = URL.createObjectURL(medium);
      content = Object.assign(new Image(), { className: "medium", alt: "", src, onload: () => URL.revokeObjectURL(src) });
    } else if (text) content = Object.assign(document.createElement("span"), { dir: "auto", textContent: text });
    this.#stage.display(content, !medium && Array.from(text).length > EMOJI);
    if (content && this.#hears) this.#hiding = setTimeout(() => this.#display({}), SHOWN);
  }
}

/**
 * The subject of a rule; "" for an invalid one.
 *
 * @param {Rule} rule
 */
function subjectOf(rule) {
  if (typeof rule?.class === "string" && rule.class !== "") return `class ${rule.class}`;
  return rule?.of === "unknown" || rule?.of === "nothing" ? rule.of : "";
}
