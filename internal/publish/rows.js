// @ts-check
/**
 * The rows of the list of classes, each with a name, a probability and a bar.
 *
 * @typedef {{ bar: HTMLElement, percent: HTMLElement, row: HTMLElement, count: (n: number) => void }} Row
 */

/** @param {string} tag @param {string} [className] @param {string} [textContent] */
export const make = (tag, className = "", textContent = "") => Object.assign(document.createElement(tag), { className, textContent });

/**
 * @param {string} label
 * @param {string} className of the row
 * @returns {Row} count shows the number of sightings
 */
export function newRow(label, className) {
  const row = make("li", className);
  const name = make("span", "name", label);
  name.dir = "auto";
  const counter = make("span", "count");
  const count = (/** @type {number} */ n) => (counter.textContent = ` ×${n}`);
  name.append(counter);
  const percent = make("span", "percent", "–");
  const bar = make("div", "fill");
  bar.append(make("div"));
  bar.setAttribute("role", "meter");
  bar.setAttribute("aria-label", label);
  bar.setAttribute("aria-valuemax", "1");
  bar.setAttribute("aria-valuenow", "0");
  row.append(name, percent, bar);
  return { bar, percent, row, count };
}

/**
 * @param {Row} row
 * @param {number} share from 0 to 1
 * @param {string} text of the share
 * @param {boolean} best
 */
export function fill({ bar, percent, row }, share, text, best) {
  bar.style.setProperty("--fill", String(share));
  bar.setAttribute("aria-valuenow", share.toFixed(6));
  percent.textContent = text;
  row.classList.toggle("best", best);
}
