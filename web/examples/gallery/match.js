/** Draws a match: both images, their best matching parts, and lines between them. */

/** The number of lines. */
const MOST = 7;

/** @param match the result of gallery.explain, @param left and right the two images' squares */
export function draw(canvas, { query, support, flow }, left, right) {
  const c = canvas.getContext("2d"), side = canvas.height, beyond = canvas.width - side;
  c.clearRect(0, 0, canvas.width, canvas.height);
  c.drawImage(left, 0, 0, side, side);
  c.drawImage(right, beyond, 0, side, side);
  const strongest = flow.toSorted((a, b) => b.score - a.score).slice(0, MOST);
  for (const [i, { from, to, score }] of strongest.entries()) {
    const a = box(query[from], 0, side), b = box(support[to], beyond, side);
    c.strokeStyle = `hsl(${i * 51} 90% 62%)`;
    c.lineWidth = 1.5 + 3.5 * Math.max(0, score / strongest[0].score);
    for (const { x, y, width, height } of [a, b]) c.strokeRect(x + 3, y + 3, width - 6, height - 6);
    c.beginPath();
    c.moveTo(a.x + a.width - 3, a.y + a.height / 2);
    c.bezierCurveTo(side, a.y - 12 * i, beyond, b.y + 12 * i, b.x + 3, b.y + b.height / 2);
    c.stroke();
  }
}

/** The position on the canvas of a region, which is in fractions of an image. */
function box({ x0, y0, x1, y1 }, left, side) {
  return { x: left + x0 * side, y: y0 * side, width: (x1 - x0) * side, height: (y1 - y0) * side };
}
