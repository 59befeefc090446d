// @ts-check
/**
 * A drawing pad for finger, pen or mouse. Its drawings look like the page's drawn characters:
 * 105 × 105 pixels, black on white without gray, with lines of the same width.
 */

const SIDE = 105;
/** The width of the lines, in pixels of the picture. */
const LINE = 5;
/** Darker pixels count as ink, 0 to 255. */
const INK = 128;

export class Pad {
  #canvas;
  #context;
  #drew;
  /** The drawing pointer and its position. @type {{ id: number, x: number, y: number } | undefined} */
  #pen;

  /**
   * @param {HTMLCanvasElement} canvas
   * @param {(blob: Blob) => void} drew gets the drawing after each line
   */
  constructor(canvas, drew) {
    this.#canvas = canvas;
    this.#drew = drew;
    const context = canvas.getContext("2d");
    if (!context) throw new Error("the browser has no memory for a pad");
    this.#context = context;
    this.#context.lineCap = this.#context.lineJoin = "round";
    this.#context.lineWidth = (LINE * canvas.width) / SIDE;
    canvas.addEventListener("pointerdown", (event) => this.#begin(event));
    canvas.addEventListener("pointermove", (event) => this.#move(event));
    for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) canvas.addEventListener(end, (event) => this.#end(/** @type {PointerEvent} */ (event)));
    canvas.classList.add("ready");
  }

  /** Clears the pad. */
  wipe() {
    this.#pen = undefined;
    this.#context.clearRect(0, 0, this.#canvas.width, this.#canvas.height);
  }

  /** @param {PointerEvent} event */
  #begin(event) {
    if (this.#pen || event.button !== 0) return;
    event.preventDefault();
    this.#canvas.setPointerCapture(event.pointerId);
    this.#pen = { id: event.pointerId, ...this.#place(event) };
    this.#line(event);
  }

  /** @param {PointerEvent} event */
  #move(event) {
    if (event.pointerId !== this.#pen?.id) return;
    const between = event.getCoalescedEvents?.() ?? [];
    for (const e of between.length > 0 ? between : [event]) this.#line(e);
  }

  /** @param {PointerEvent} event */
  async #end(event) {
    if (event.pointerId !== this.#pen?.id) return;
    this.#pen = undefined;
    this.#drew(await this.#picture());
  }

  /** @param {PointerEvent} event */
  #place(event) {
    const { left, top, width, height } = this.#canvas.getBoundingClientRect();
    return { x: ((event.clientX - left) / width) * this.#canvas.width, y: ((event.clientY - top) / height) * this.#canvas.height };
  }

  /** Draws a line from the previous position. @param {PointerEvent} event */
  #line(event) {
    if (!this.#pen) return;
    const { x, y } = this.#place(event);
    this.#context.beginPath();
    this.#context.moveTo(this.#pen.x, this.#pen.y);
    this.#context.lineTo(x, y);
    this.#context.stroke();
    Object.assign(this.#pen, { x, y });
  }

  /** @returns {Promise<Blob>} a PNG */
  async #picture() {
    const small = Object.assign(document.createElement("canvas"), { width: SIDE, height: SIDE });
    const context = small.getContext("2d");
    if (!context) throw new Error("the browser has no memory for a picture");
    context.imageSmoothingQuality = "high";
    context.fillStyle = "white";
    context.fillRect(0, 0, SIDE, SIDE);
    context.drawImage(this.#canvas, 0, 0, SIDE, SIDE);
    const image = context.getImageData(0, 0, SIDE, SIDE);
    for (let i = 0; i < image.data.length; i += 4) image.data.fill(image.data[i] < INK ? 0 : 255, i, i + 3);
    context.putImageData(image, 0, 0);
    return new Promise((resolve, reject) => {
      small.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("the browser has no memory for a picture"))));
    });
  }
}
