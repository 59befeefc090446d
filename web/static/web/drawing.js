// @ts-check
/**
 * What happens to the page so often that it does not go through the studio's components.
 */

/**
 * Writes the figures of the answer's bars, thirty times a second: all of them in one call, and of the page only what
 * differs.
 *
 * @param {Element} answer holds a list of bars, and how fast answers come
 * @param {string} figures a line for each bar: how full it is (0 to 1), the same in words, and what stands beside it, with
 *   tabs between; and how fast answers come, or an empty line
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
  // The text that is there is changed: a new one would be laid out with all around it.
  if (element.firstChild?.nodeType === Node.TEXT_NODE) element.firstChild.nodeValue = text;
  else element.textContent = text;
}

/** The lists whose ends are to be shown. @type {Set<string>} */
const scrolling = new Set();

/**
 * Shows the end of a list that scrolls, unless the focus is in it: once the page is about to be laid out, as where the
 * end is can only be known by laying it out.
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

/** Milliseconds after which the page gets a turn. */
const TURN = 8;

/** @type {(() => void)[]} */
const line = [];

/**
 * Does something now, or soon where a lot is to be done: the page gets a turn now and then.
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

/** What waits until the page has nothing else to do. @type {(() => void)[]} */
const later = [];

/** Milliseconds after which what waits is done on a busy page, too. */
const PATIENCE = 500;

/** Safari has no such call. @type {(work: (deadline: { timeRemaining(): number }) => void) => void} */
const whenIdle = "requestIdleCallback" in globalThis
  ? (work) => requestIdleCallback(work, { timeout: PATIENCE })
  : (work) => setTimeout(() => work({ timeRemaining: () => TURN }), PATIENCE);

/** Who waits to hear whether it is in sight. @type {Map<Element, () => void>} */
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
 * Does something for an element: soon where the element is in sight, else when the page has nothing else to do. Of
 * what was asked for the same element before, what was not done yet need not be.
 *
 * @param {Element} element
 * @param {() => void} work
 */
export function whereSeen(element, work) {
  unsighted.set(element, work);
  sight.observe(element);
}

/** @param {{ timeRemaining(): number }} deadline */
function rest(deadline) {
  do later.shift()?.();
  while (later.length > 0 && deadline.timeRemaining() > 2);
  if (later.length > 0) whenIdle(rest);
}
