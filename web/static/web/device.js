// @ts-check
/** A serial device (Web Serial) that receives lines of text. */

import { failure } from "./database.js";
import { sent } from "./outgoing.js";

export class Device {
  #lost;
  /** @type {any} */ #port;
  /** @type {WritableStreamDefaultWriter<Uint8Array> | undefined} */ #writer;
  /** The line that waits. @type {string | undefined} */ #line;

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
    const writer = port.writable.getWriter();
    this.#port = port;
    this.#writer = writer;
    port.addEventListener?.("disconnect", () => this.#gone(writer, new Error("it was unplugged")));
  }

  /**
   * Sends a line. While the device does not read the earlier one, only the latest waits: a device that reads again acts on
   * the present, not on the past.
   *
   * @param {string} text one line, without its end; dropped while no device is connected
   */
  write(text) {
    const writer = this.#writer, waits = this.#line !== undefined;
    if (!writer) return;
    this.#line = text.replace(/[\r\n]+/g, " ") + "\n";
    if (!waits) this.#send(writer).catch((error) => this.#gone(writer, error));
  }

  /** @param {WritableStreamDefaultWriter<Uint8Array>} writer */
  async #send(writer) {
    await writer.ready;
    if (writer !== this.#writer) return;
    const line = this.#line;
    this.#line = undefined;
    sent("lines");
    await writer.write(new TextEncoder().encode(line));
  }

  async disconnect() {
    const port = this.#port, writer = this.#writer;
    this.#port = this.#writer = this.#line = undefined;
    // A lost device cannot be closed. Closing waits for a device that does not read, so the line is aborted.
    await writer?.abort().catch(() => {});
    await port?.close().catch(() => {});
  }

  /**
   * @param {WritableStreamDefaultWriter<Uint8Array>} writer
   * @param {Error} error
   */
  #gone(writer, error) {
    if (writer !== this.#writer) return;
    this.disconnect();
    this.#lost(error);
  }
}
