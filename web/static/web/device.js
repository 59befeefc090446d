// @ts-check
/** A serial device (Web Serial) that receives lines of text. */

import { failure } from "./database.js";
import { sent } from "./outgoing.js";

export class Device {
  #lost;
  /** @type {any} */ #port;
  /** @type {WritableStreamDefaultWriter<Uint8Array> | undefined} */ #writer;

  /** @param {(error: Error) => void} lost called when the connected device is lost */
  constructor(lost) {
    this.#lost = lost;
  }

  /**
   * Lets the user choose a device, and opens it.
   *
   * @param {number} baud bits per second
   */
  async connect(baud) {
    const { serial } = /** @type {any} */ (navigator);
    await this.disconnect();
    let port;
    try {
      port = await serial.requestPort();
    } catch (/** @type {any} */ error) {
      throw failure(error.name === "NotFoundError" ? "aborted" : "no-device", error.message);
    }
    try {
      await port.open({ baudRate: baud });
    } catch (/** @type {any} */ error) {
      throw failure("no-device", error.message);
    }
    this.#port = port;
    this.#writer = port.writable.getWriter();
    port.addEventListener?.("disconnect", () => this.#gone(port, new Error("it was unplugged")));
  }

  /** @param {string} text one line, without its end; dropped while no device is connected */
  write(text) {
    const port = this.#port;
    if (!this.#writer) return;
    sent("lines");
    this.#writer.write(new TextEncoder().encode(text.replace(/[\r\n]+/g, " ") + "\n")).catch((error) => this.#gone(port, error));
  }

  async disconnect() {
    const port = this.#port, writer = this.#writer;
    this.#port = this.#writer = undefined;
    // A lost device cannot be closed.
    await writer?.close().catch(() => {});
    await port?.close().catch(() => {});
  }

  /**
   * @param {any} port
   * @param {Error} error
   */
  #gone(port, error) {
    if (port !== this.#port) return;
    this.disconnect();
    this.#lost(error);
  }
}
