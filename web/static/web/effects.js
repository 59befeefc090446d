// @ts-check
/**
 * The actions: speech, sounds, messages to the page around this one, lines for a device. They
 * stay on this device: online voices are not used.
 *
 * @typedef {import("./gallery.js").Gallery} Gallery
 * @typedef {(code: string, message: string) => void} Failed codes are those of actions in web/internal/kernel/store.go
 *
 * @typedef Deed The actions of one moment: Deed of web/internal/feature/actions/effects.go.
 * @property {string} classId "" if the image fits no class
 * @property {string} of "", "unknown" or "nothing"
 * @property {string} label
 * @property {string} language
 * @property {boolean} say
 * @property {string} sound
 * @property {boolean} send
 * @property {number} counted
 * @property {boolean} serial
 * @property {string} line
 */

import { Around } from "./around.js";
import { Device } from "./device.js";
import { shrunk } from "./shrink.js";
import { say } from "./speech.js";
import { Sounds } from "./tones.js";

export class Effects {
  #gallery;
  #failed;
  #sounds;
  #around = new Around();
  #device;

  /**
   * @param {Gallery} gallery
   * @param {Failed} failed
   */
  constructor(gallery, failed) {
    this.#gallery = gallery;
    this.#failed = failed;
    this.#sounds = new Sounds((id) => gallery.media.get(id));
    this.#device = new Device((error) => failed("no-device", error.message));
  }

  /**
   * Performs actions, and waits until their sounds have ended.
   *
   * @param {Deed} deed
   */
  async perform({ say: says, sound, send, serial, label, language, line, ...about }) {
    const heard = [says && this.#attempt(say(label, language)), sound && this.#attempt(this.#sounds.play(sound))];
    if (send) this.#around.seen({ ...about, label });
    if (serial) this.#device.write(line);
    await Promise.all(heard);
  }

  /** @param {Promise<void>} effect */
  #attempt(effect) {
    return effect.catch((error) => this.#failed(error.code ?? error.name, error.message));
  }

  /** @param {string} classes [{ id, label }] as JSON, for the page around this one */
  greet(classes) {
    this.#around.greet(JSON.parse(classes));
  }

  /**
   * Stores a small copy of a file with the current project.
   *
   * @param {Blob} file
   * @param {"picture" | "sound"} kind
   * @returns {Promise<string>} its id
   */
  async addMedium(file, kind) {
    const medium = await shrunk(file, kind);
    const id = "media-" + Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, "0")).join("");
    this.#gallery.media.set(id, medium);
    return id;
  }

  /** @param {number} baud */
  connect(baud) {
    return this.#device.connect(baud);
  }

  disconnect() {
    return this.#device.disconnect();
  }
}
