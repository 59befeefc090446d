/** Draws images to search: ten kinds, in different colors, sizes and places. */

/** A random number generator from 0 to 1 (mulberry32): every visit has the same images. */
function random(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Canvases of all kinds in turn; the title of each is its kind.
 *
 * @param {number} count
 * @param {number} side in pixels
 */
export function drawings(count, side) {
  const kinds = Object.entries(KINDS);
  return Array.from({ length: count }, (_, i) => {
    const [name, draw] = kinds[i % kinds.length];
    const canvas = Object.assign(document.createElement("canvas"), { width: side, height: side, title: `${name} ${Math.floor(i / kinds.length) + 1}` });
    const c = canvas.getContext("2d"), r = random(i + 1);
    c.scale(side / 100, side / 100); // the kinds draw on 100×100
    draw(c, (low, high) => low + (high - low) * r());
    return canvas;
  });
}

const hsl = (h, s, l) => `hsl(${h} ${s}% ${l}%)`;

function ground(c, top, bottom) {
  const gradient = c.createLinearGradient(0, 0, 0, 100);
  gradient.addColorStop(0, top);
  gradient.addColorStop(1, bottom);
  c.fillStyle = gradient;
  c.fillRect(0, 0, 100, 100);
}

function disc(c, x, y, radius, color) {
  c.fillStyle = color;
  c.beginPath();
  c.ellipse(x, y, radius, radius, 0, 0, 2 * Math.PI);
  c.fill();
}

function shape(c, color, points) {
  c.fillStyle = color;
  c.beginPath();
  for (const [x, y] of points) c.lineTo(x, y);
  c.fill();
}

/** The function that draws each kind; r returns a number between its arguments. */
const KINDS = {
  boat(c, r) {
    ground(c, hsl(r(190, 220), 70, r(70, 88)), hsl(r(195, 215), 60, 85));
    const y = r(58, 68), x = r(36, 64), size = r(0.8, 1.2);
    c.fillStyle = hsl(r(200, 225), 65, r(30, 48));
    c.fillRect(0, y, 100, 100);
    c.save();
    c.translate(x, y);
    c.scale(size, size);
    shape(c, hsl(r(0, 60), 70, 94), [[2, -46], [2, -8], [24, -8]]);
    shape(c, hsl(r(0, 360), 75, 60), [[-1, -40], [-1, -8], [-18, -8]]);
    shape(c, hsl(r(5, 30), 55, 32), [[-28, -5], [28, -5], [18, 9], [-18, 9]]);
    c.restore();
  },
  flower(c, r) {
    ground(c, hsl(r(90, 140), 40, r(70, 85)), hsl(r(100, 140), 45, r(45, 60)));
    const x = r(40, 60), y = r(36, 50), petals = Math.round(r(6, 10)), reach = r(14, 20), hue = r(280, 400);
    c.strokeStyle = hsl(120, 45, 28);
    c.lineWidth = 3.5;
    c.beginPath();
    c.moveTo(x, y);
    c.quadraticCurveTo(x + r(-12, 12), 75, 50, 100);
    c.stroke();
    for (let i = 0; i < petals; i++) {
      const a = (2 * Math.PI * i) / petals;
      disc(c, x + Math.cos(a) * reach, y + Math.sin(a) * reach, reach * 0.58, hsl(hue, 75, i % 2 ? 62 : 68));
    }
    disc(c, x, y, reach * 0.6, hsl(48, 90, 55));
  },
  house(c, r) {
    ground(c, hsl(r(195, 225), 60, r(75, 90)), hsl(r(200, 220), 45, 90));
    c.fillStyle = hsl(r(90, 130), 40, r(38, 50));
    c.fillRect(0, 76, 100, 24);
    const left = r(20, 30), right = r(70, 80), top = r(40, 50), wall = r(15, 60);
    c.fillStyle = hsl(wall, 45, 78);
    c.fillRect(left, top, right - left, 82 - top);
    shape(c, hsl(r(0, 25), 60, 38), [[left - 6, top], [(left + right) / 2, top - r(20, 28)], [right + 6, top]]);
    c.fillStyle = hsl(20, 45, 28);
    c.fillRect((left + right) / 2 - 5, 62, 10, 20);
    c.fillStyle = hsl(205, 60, 45);
    for (const x of [left + 6, right - 16]) c.fillRect(x, top + 7, 10, 10);
  },
  fish(c, r) {
    ground(c, hsl(r(180, 210), 65, r(45, 60)), hsl(r(205, 230), 70, r(22, 34)));
    const x = r(42, 54), y = r(42, 58), size = r(0.85, 1.15), hue = r(0, 55), way = r(0, 1) < 0.5 ? -1 : 1;
    c.save();
    c.translate(x, y);
    c.scale(size * way, size);
    shape(c, hsl(hue, 80, 48), [[20, 0], [40, -16], [35, 0], [40, 16]]);
    c.fillStyle = hsl(hue, 85, 58);
    c.beginPath();
    c.ellipse(0, 0, 28, 16, 0, 0, 2 * Math.PI);
    c.fill();
    c.fillStyle = "#fff";
    for (const at of [-6, 8]) c.fillRect(at, -14, 4, 28);
    disc(c, -17, -4, 3.6, "#fff");
    disc(c, -18, -4, 1.9, "#111");
    c.restore();
    for (let i = 0; i < 5; i++) disc(c, r(8, 92), r(5, 30), r(1, 2.6), "#ffffff70");
  },
  forest(c, r) {
    ground(c, hsl(r(180, 210), 35, r(80, 90)), hsl(r(100, 140), 25, 70));
    for (let i = 0; i < 11; i++) {
      const x = r(0, 100), foot = 62 + i * 3.4, high = r(28, 42), hue = r(110, 165);
      for (const [level, width] of [[0, 7], [0.3, 10], [0.6, 13]]) {
        shape(c, hsl(hue, 42, 18 + level * 12), [[x, foot - high + level * high * 0.6], [x + width, foot - high * 0.45 + level * high * 0.5], [x - width, foot - high * 0.45 + level * high * 0.5]]);
      }
    }
  },
  city(c, r) {
    ground(c, hsl(r(225, 265), 50, r(14, 24)), hsl(r(290, 350), 45, r(35, 50)));
    for (let x = -4; x < 100;) {
      const width = r(10, 18), top = r(22, 62);
      c.fillStyle = hsl(r(220, 250), 30, r(8, 15));
      c.fillRect(x, top, width, 100);
      for (let wx = x + 2; wx < x + width - 2; wx += 4) {
        for (let wy = top + 3; wy < 96; wy += 5) {
          if (r(0, 1) < 0.5) continue;
          c.fillStyle = hsl(48, 90, r(60, 75));
          c.fillRect(wx, wy, 2, 2.6);
        }
      }
      x += width + 1;
    }
  },
  balloon(c, r) {
    ground(c, hsl(r(190, 215), 75, r(60, 72)), hsl(r(195, 215), 60, 88));
    for (let i = 0; i < 3; i++) for (const dx of [-7, 0, 7]) disc(c, [18, 80, 60][i] + dx, [24, 66, 88][i], 6, "#ffffffb0");
    const x = r(42, 58), y = r(36, 46), size = r(20, 27), hue = r(0, 360);
    for (let i = 0; i < 5; i++) {
      c.fillStyle = hsl(hue + (i % 2) * 50, 80, 58);
      c.beginPath();
      c.ellipse(x, y, size * (1 - i * 0.22), size, 0, 0, 2 * Math.PI);
      c.fill();
    }
    c.strokeStyle = hsl(25, 40, 30);
    c.lineWidth = 0.8;
    for (const dx of [-5, 5]) {
      c.beginPath();
      c.moveTo(x + 2 * dx, y + size * 0.88);
      c.lineTo(x + dx, y + size + 14);
      c.stroke();
    }
    c.fillStyle = hsl(28, 50, 38);
    c.fillRect(x - 6, y + size + 13, 12, 9);
  },
  mountain(c, r) {
    ground(c, hsl(r(200, 230), 45, r(72, 86)), hsl(r(20, 45), 60, 86));
    for (let i = 0; i < 3; i++) {
      const x = r(10, 90), top = r(18, 34) + i * 12, width = r(36, 50), hue = r(220, 250);
      shape(c, hsl(hue, 22, 52 - i * 12), [[x - width, 100], [x, top], [x + width, 100]]);
      shape(c, "#f7fbff", [[x - width * 0.2, top + (100 - top) * 0.2], [x, top], [x + width * 0.2, top + (100 - top) * 0.2], [x + 3, top + 9], [x - 4, top + 13]]);
    }
  },
  weave(c, r) {
    const hue = r(0, 360), step = r(9, 14), turn = r(-0.3, 0.3);
    ground(c, hsl(hue, 30, 88), hsl(hue, 30, 88));
    c.translate(50, 50);
    c.rotate(turn);
    for (let at = -80; at < 80; at += step) {
      c.fillStyle = hsl(hue, 60, 42);
      c.globalAlpha = 0.75;
      c.fillRect(-80, at, 160, step * 0.5);
      c.fillStyle = hsl(hue + 150, 55, 45);
      c.fillRect(at, -80, step * 0.5, 160);
    }
    c.globalAlpha = 1;
  },
  planet(c, r) {
    ground(c, "#05060f", hsl(r(230, 280), 45, 12));
    for (let i = 0; i < 45; i++) disc(c, r(0, 100), r(0, 100), r(0.3, 0.9), "#fff");
    const x = r(40, 60), y = r(42, 58), size = r(18, 26), hue = r(0, 360), tilt = r(-0.5, 0.5);
    const light = c.createRadialGradient(x - size * 0.4, y - size * 0.4, 1, x, y, size);
    light.addColorStop(0, hsl(hue, 70, 78));
    light.addColorStop(1, hsl(hue + 25, 60, 26));
    disc(c, x, y, size, light);
    c.strokeStyle = hsl(hue + 40, 45, 75);
    c.lineWidth = 3;
    c.beginPath();
    c.ellipse(x, y, size * 1.7, size * 0.4, tilt, -0.35, Math.PI + 0.35);
    c.stroke();
  },
};
