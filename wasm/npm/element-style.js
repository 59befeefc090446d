// @ts-check
/** The style sheet of <deep-emd>. The page can set its colors and corners. */

const CSS = `
:host {
  --_surface: var(--deepemd-surface, Canvas);
  --_text: var(--deepemd-text, CanvasText);
  --_soft: color-mix(in srgb, var(--_text) 65%, var(--_surface));
  --_line: color-mix(in srgb, var(--_text) 16%, var(--_surface));
  --_accent: var(--deepemd-accent, #2f6bff);
  --_on-accent: var(--deepemd-on-accent, white);
  --_radius: var(--deepemd-radius, 14px);
  display: grid;
  gap: 12px;
  box-sizing: border-box;
  max-width: 360px;
  padding: 12px;
  border: 1px solid var(--_line);
  border-radius: var(--_radius);
  background: var(--_surface);
  color: var(--_text);
  font: 15px/1.4 system-ui, sans-serif;
}
:host([hidden]), [hidden], ::slotted(deep-emd-class) { display: none !important; }
.stage { position: relative; aspect-ratio: 1; border-radius: calc(var(--_radius) - 4px); overflow: hidden; background: color-mix(in srgb, var(--_text) 8%, var(--_surface)); }
video, canvas { display: block; width: 100%; height: 100%; object-fit: cover; }
video.mirrored { transform: scaleX(-1); }
.off { position: absolute; inset: 0; display: grid; place-items: center; padding: 16px; color: var(--_soft); text-align: center; overflow: hidden; }
.level { position: absolute; inset: auto 0 0; height: 6px; background: rgb(12 16 22 / 60%); }
.level::before { content: ""; position: absolute; inset: 0; background: var(--_soft); transform: scaleX(var(--fill, 0)); transform-origin: left; }
.level.loud::before { background: var(--_accent); }
.name { position: absolute; left: 8px; bottom: 14px; max-width: calc(100% - 16px); padding: 4px 12px; border-radius: 9px; background: rgb(12 16 22 / 78%); color: white; font-weight: 600; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; box-sizing: border-box; }
.name:empty { display: none; }
.message:empty { position: absolute; } /* takes no gap, but stays: screen readers announce only texts of regions that are there */
button { min-height: 44px; padding: 0 16px; border: 1px solid var(--_line); border-radius: 11px; background: none; color: inherit; font: inherit; font-weight: 550; cursor: pointer; }
button:hover:not(:disabled) { border-color: var(--_soft); }
.start:not(.on) { border-color: transparent; background: var(--_accent); color: var(--_on-accent); }
.start:not(.on):hover { background: color-mix(in srgb, var(--_accent) 88%, var(--_text)); }
button:disabled { opacity: .55; cursor: default; }
button:focus-visible { outline: 2px solid var(--_accent); outline-offset: 2px; }
.rows { display: grid; gap: 8px; margin: 0; padding: 0; list-style: none; }
.rows:not(:has(.row)) { display: none; }
.row, .rest { display: grid; grid-template-columns: minmax(0, 1fr) 3.4em; align-items: center; gap: 10px; }
.rest > div { position: relative; padding: 6px 17px; border-radius: 11px; overflow: hidden; color: var(--_soft); }
.row button { position: relative; display: flex; justify-content: space-between; align-items: center; gap: 8px; min-width: 0; overflow: hidden; text-align: start; touch-action: none; user-select: none; -webkit-user-select: none; }
.fill { position: absolute; inset: 0; background: var(--_accent); opacity: .22; transform: scaleX(var(--fill, 0)); transform-origin: left; transition: transform .12s linear; }
.rest .fill { background: var(--_soft); }
.best .fill { opacity: .42; }
.label { position: relative; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.best .label, .best .percent { font-weight: 700; }
.row .count { position: relative; flex: none; color: var(--_soft); font-size: .85em; font-variant-numeric: tabular-nums; }
.percent { text-align: end; white-space: nowrap; color: var(--_soft); font-variant-numeric: tabular-nums; }
.row button[aria-pressed="true"] { border-color: var(--_accent); box-shadow: 0 0 0 3px color-mix(in srgb, var(--_accent) 30%, transparent); }
.message, .hint { margin: 0; color: var(--_soft); font-size: .9em; overflow-wrap: anywhere; }
progress { appearance: none; width: 100%; height: 6px; border: 0; border-radius: 3px; overflow: hidden; background: var(--_line); }
progress::-webkit-progress-bar { background: var(--_line); }
progress::-webkit-progress-value { background: var(--_accent); }
progress::-moz-progress-bar { background: var(--_accent); }
.said { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (prefers-reduced-motion: reduce) { .fill { transition: none; } }
@media (forced-colors: active) {
  .fill, .level::before { forced-color-adjust: none; background: Highlight; }
  progress { forced-color-adjust: none; }
  .row button[aria-pressed="true"] { border-color: Highlight; outline: 3px solid Highlight; }
}
`;

/** @type {WeakMap<Document, CSSStyleSheet>} */
const sheets = new WeakMap();

/**
 * Gives an element the style sheet that all elements of its document share.
 *
 * @param {ShadowRoot} root
 */
export function style(root) {
  const { ownerDocument: page } = root.host;
  const sheet = sheets.get(page) ?? new (page.defaultView ?? window).CSSStyleSheet();
  if (!sheets.has(page)) sheet.replaceSync(CSS);
  sheets.set(page, sheet);
  root.adoptedStyleSheets = [sheet];
}
