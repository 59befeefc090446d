// @ts-check
/** Updates of the page that are too frequent for the studio's components. */

/**
 * Updates the answer's bars, thirty times a second: all in one call, and only the parts of the page that
 * change.
 *
 * @param {Element} answer has a list of bars, and the rate of answers
 * @param {string} figures a line for each bar: its value (0 to 1), the value as text, and its label, separated by
 *   tabs; then the rate of answers, or an empty line
 */
export function fill(answer, figures) {
  const lines = figures.split("\n");
  write(answer.querySelector(".speed"), lines.pop() ?? "");
  const bars = answer.querySelector(".bars")?.children ?? [];
  for (let i = 0; i < bars.length && i < lines.length; i++) {
    const [, meter, beside] = bars[i].children;
    const [value, words, shown] = lines[i].split("\t");
    if (meter.getAttribute("aria-valuenow") !== value) {
      meter.setAttribute("aria-valuenow", value);
      /** @type {HTMLElement} */ (meter).style.setProperty("--fill", value);
    }
    if (meter.getAttribute("aria-valuetext") !== words) meter.setAttribute("aria-valuetext", words);
    write(beside, shown);
  }
}

/**
 * @param {Element | null} element
 * @param {string} text
 */
function write(element, text) {
  if (!element || element.textContent === text) return;
  // Change the existing text node: a new one would cause a larger layout.
  if (element.firstChild?.nodeType === Node.TEXT_NODE) element.firstChild.nodeValue = text;
  else element.textContent = text;
}

/** The ids of lists to scroll. @type {Set<string>} */
const scrolling = new Set();

/**
 * Scrolls a list to its end, unless the focus is in it. It waits for the next frame, because the position of the end
 * requires a layout.
 *
 * @param {string} id
 */
export function scrollToEnd(id) {
  if (scrolling.size === 0) {
    requestAnimationFrame(() => {
      for (const list of Array.from(scrolling, (id) => document.getElementById(id))) {
        if (list && !list.contains(document.activeElement)) list.scrollTop = list.scrollHeight;
      }
      scrolling.clear();
    });
  }
  scrolling.add(id);
}

/** The file that each element shows or plays, or soon will. @type {WeakMap<Element, object | null | undefined>} */
const files = new WeakMap();

/**
 * Draws an image file's central square, upright, as the model sees it, unless the canvas gets another file before this one is
 * decoded. Files that are not images draw nothing: classifying them reports the error.
 *
 * @param {HTMLCanvasElement} canvas
 * @param {Blob | { blob: () => Promise<Blob> }} file
 */
export async function drawFile(canvas, file) {
  files.set(canvas, file);
  try {
    const bitmap = await createImageBitmap(file instanceof Blob ? file : await file.blob());
    const { width, height } = bitmap, side = Math.min(width, height);
    if (files.get(canvas) === file) {
      canvas.width = canvas.height = side;
      canvas.getContext("2d")?.drawImage(bitmap, Math.trunc((side - width) / 2), Math.trunc((side - height) / 2));
    }
    bitmap.close();
  } catch {}
}

/**
 * Loads a file into an audio or image element; a later call for the element replaces an earlier one. Without a file, an audio
 * element becomes silent.
 *
 * @param {HTMLAudioElement | HTMLImageElement} element
 * @param {Blob | { blob: () => Promise<Blob> } | null | undefined} file
 */
export async function loadFile(element, file) {
  files.set(element, file);
  URL.revokeObjectURL(element.src);
  if (!file) {
    element.removeAttribute("src");
    if ("load" in element) element.load();
    return;
  }
  const blob = file instanceof Blob ? file : await file.blob().catch(() => undefined); // classifying it reports the error
  if (!blob || files.get(element) !== file) return;
  const address = (element.src = URL.createObjectURL(blob));
  element.onload = () => URL.revokeObjectURL(address); // of an image, which then has the file
}

/** Milliseconds of work before the page gets a turn. */
const TURN = 8;

/** @type {(() => void)[]} */
const line = [];

/**
 * Runs work now, or soon if much is waiting: the page gets turns in between.
 *
 * @param {() => void} work
 */
export function inTurn(work) {
  if (line.push(work) === 1) queueMicrotask(turn);
}

function turn() {
  const end = performance.now() + TURN;
  try {
    while (line.length > 0 && performance.now() < end) line.shift()?.();
  } finally {
    if (line.length > 0) setTimeout(turn);
  }
}

/** Work for an idle page. @type {(() => void)[]} */
const later = [];

/** Milliseconds after which that work runs on a busy page, too. */
const PATIENCE = 500;

/** Safari lacks requestIdleCallback. @type {(work: (deadline: { timeRemaining(): number }) => void) => void} */
const whenIdle = "requestIdleCallback" in globalThis
  ? (work) => requestIdleCallback(work, { timeout: PATIENCE })
  : (work) => setTimeout(() => work({ timeRemaining: () => TURN }), PATIENCE);

/** Work by elements whose visibility is being checked. @type {Map<Element, () => void>} */
const unsighted = new Map();

const sight = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) {
      const work = unsighted.get(target);
      sight.unobserve(target);
      unsighted.delete(target);
      if (!work) continue;
      if (isIntersecting) inTurn(work);
      else if (later.push(work) === 1) whenIdle(rest);
    }
  },
  { rootMargin: "200px" },
);

/**
 * Runs work for an element: soon if the element is visible, otherwise when the page is idle. New work
 * replaces the element's pending work.
 *
 * @param {Element} element
 * @param {() => void} work
 */
export function whereSeen(element, work) {
  unsighted.set(element, work);
  sight.observe(element);
}

/** Work for elements that are not near the window yet. @type {WeakMap<Element, () => void>} */
const distant = new WeakMap();

/** Tab and Page Down move less than the margin, so elements are drawn in time. */
const nearness = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) continue;
      distant.get(target)?.();
      forgetNear(target);
    }
  },
  { rootMargin: "1000px" },
);

/**
 * Runs work once an element is near the window.
 *
 * @param {Element} element
 * @param {() => void} work
 */
export function whenNear(element, work) {
  distant.set(element, work);
  nearness.observe(element);
}

/** Drops the work for an element. @param {Element} element */
export function forgetNear(element) {
  distant.delete(element);
  nearness.unobserve(element);
}

/** @param {{ timeRemaining(): number }} deadline */
function rest(deadline) {
  do later.shift()?.();
  while (later.length > 0 && deadline.timeRemaining() > 2);
  if (later.length > 0) whenIdle(rest);
}
