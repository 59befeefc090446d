/** The game: a boat on the sea at night, and falling stars. It does not use the camera. */

const WIDTH = 800, HEIGHT = 600;
const SURFACE = 500; // the water's surface
const SPEED = 460; // of the boat, in pixels per second
const REACH = 62; // of the boat, to each side
const EVERY = 1.4; // seconds between stars

export class Sea {
  /** The direction: −1 is left, 1 is right. The arrow keys override it. */
  steer = 0;
  /** Called with the number of stars caught. @type {((caught: number) => void) | null} */
  oncatch = null;

  #canvas;
  #context;
  #x = WIDTH / 2;
  #velocity = 0;
  #keys = new Set();
  #stars = [];
  #sparks = [];
  #caught = 0;
  #next = 0.5; // seconds until the next star
  #sky = Array.from({ length: 70 }, () => ({ x: Math.random() * WIDTH, y: Math.random() * SURFACE * 0.8, size: 0.6 + Math.random() * 1.3, phase: Math.random() * 7 }));

  /** @param {HTMLCanvasElement} canvas of 800×600 */
  constructor(canvas) {
    this.#canvas = canvas;
    this.#context = canvas.getContext("2d");
    addEventListener("keydown", ({ key }) => this.#keys.add(key));
    addEventListener("keyup", ({ key }) => this.#keys.delete(key));
  }

  start() {
    let last = performance.now();
    const frame = (now) => {
      requestAnimationFrame(frame);
      this.#move(Math.min(0.05, (now - last) / 1000), now / 1000);
      this.#draw(now / 1000);
      last = now;
    };
    requestAnimationFrame(frame);
  }

  /** Moves the game forward. */
  #move(seconds, now) {
    const keys = Number(this.#keys.has("ArrowRight")) - Number(this.#keys.has("ArrowLeft"));
    const wanted = (keys || this.steer) * SPEED;
    this.#velocity += (wanted - this.#velocity) * Math.min(1, 6 * seconds); // boats turn slowly
    this.#x = Math.min(WIDTH - REACH, Math.max(REACH, this.#x + this.#velocity * seconds));
    this.#tell();

    if ((this.#next -= seconds) < 0) {
      this.#next = EVERY;
      this.#stars.push({ x: 60 + Math.random() * (WIDTH - 120), y: -20, speed: 110 + Math.random() * 60 });
    }
    const deck = this.#water(this.#x, now) - 40;
    this.#stars = this.#stars.filter((star) => {
      star.y += star.speed * seconds;
      if (Math.abs(star.y - deck) < 24 && Math.abs(star.x - this.#x) < REACH) {
        this.#burst(star.x, star.y);
        this.oncatch?.(++this.#caught);
        return false;
      }
      return star.y < SURFACE + 30;
    });
    this.#sparks = this.#sparks.filter((spark) => {
      spark.x += spark.vx * seconds;
      spark.y += spark.vy * seconds;
      spark.vy += 260 * seconds;
      return (spark.life -= seconds) > 0;
    });
  }

  /** Describes the boat's position for screen readers. */
  #tell() {
    const place = ["on the left", "in the middle", "on the right"][Math.min(2, Math.floor((3 * this.#x) / WIDTH))];
    const label = `A boat ${place} of the sea`;
    if (this.#canvas.getAttribute("aria-label") !== label) this.#canvas.setAttribute("aria-label", label);
  }

  #burst(x, y) {
    for (let i = 0; i < 18; i++) {
      const angle = Math.random() * 2 * Math.PI, speed = 60 + Math.random() * 160;
      this.#sparks.push({ x, y, vx: Math.cos(angle) * speed, vy: Math.sin(angle) * speed - 80, life: 0.4 + Math.random() * 0.5 });
    }
  }

  /** The water's height at a position. */
  #water(x, now, layer = 0) {
    return SURFACE + layer * 26 + Math.sin(x / (90 + layer * 25) + now * (1.3 - layer * 0.3) + layer) * (9 - layer * 2);
  }

  #draw(now) {
    const c = this.#context;
    const sky = c.createLinearGradient(0, 0, 0, SURFACE);
    sky.addColorStop(0, "#10183a");
    sky.addColorStop(0.6, "#3a3670");
    sky.addColorStop(1, "#c77b85");
    c.fillStyle = sky;
    c.fillRect(0, 0, WIDTH, HEIGHT);
    for (const { x, y, size, phase } of this.#sky) {
      c.globalAlpha = 0.35 + 0.35 * Math.sin(now * 1.5 + phase);
      dot(c, x, y, size, "#fff");
    }
    c.globalAlpha = 1;
    moon(c, 640, 110);
    for (const { x, y } of this.#stars) star(c, x, y, 15, now * 1.5 + x);
    this.#boat(c, now);
    for (const [layer, color] of ["#24467f", "#1b3768", "#132950"].entries()) this.#wave(c, now, layer, color);
    for (const { x, y, life } of this.#sparks) {
      c.globalAlpha = Math.min(1, 2 * life);
      dot(c, x, y, 3, "#ffe29a");
    }
    c.globalAlpha = 1;
  }

  #wave(c, now, layer, color) {
    c.fillStyle = color;
    c.beginPath();
    c.moveTo(0, HEIGHT);
    for (let x = 0; x <= WIDTH; x += 10) c.lineTo(x, this.#water(x, now, layer));
    c.lineTo(WIDTH, HEIGHT);
    c.fill();
  }

  #boat(c, now) {
    const slope = (this.#water(this.#x + 30, now) - this.#water(this.#x - 30, now)) / 60;
    c.save();
    c.translate(this.#x, this.#water(this.#x, now) + 4);
    c.rotate(slope + this.#velocity / 4000);
    shape(c, "#f7efe2", [[4, -112], [4, -34], [48, -34]]); // sails
    shape(c, "#ef8f5b", [[-4, -96], [-4, -34], [-38, -34]]);
    shape(c, "#5b3a29", [[-3, -116], [3, -116], [3, -24], [-3, -24]]);
    shape(c, "#8c4a2f", [[-62, -26], [62, -26], [42, 12], [-42, 12]]);
    shape(c, "#a85c3b", [[-62, -26], [62, -26], [58, -17], [-58, -17]]);
    c.restore();
  }
}

function dot(c, x, y, radius, color) {
  c.fillStyle = color;
  c.beginPath();
  c.arc(x, y, radius, 0, 2 * Math.PI);
  c.fill();
}

function shape(c, color, points) {
  c.fillStyle = color;
  c.beginPath();
  for (const [x, y] of points) c.lineTo(x, y);
  c.fill();
}

/** A disc minus another disc. */
function moon(c, x, y) {
  c.save();
  c.beginPath();
  c.rect(0, 0, WIDTH, HEIGHT);
  c.arc(x + 18, y - 12, 40, 0, 2 * Math.PI);
  c.clip("evenodd");
  dot(c, x, y, 44, "#fdf3d8");
  c.restore();
}

function star(c, x, y, radius, angle) {
  const glow = c.createRadialGradient(x, y, 0, x, y, 3 * radius);
  glow.addColorStop(0, "#ffe29a90");
  glow.addColorStop(1, "#ffe29a00");
  dot(c, x, y, 3 * radius, glow);
  const points = Array.from({ length: 10 }, (_, i) => {
    const a = angle + (i * Math.PI) / 5, r = i % 2 ? radius * 0.45 : radius;
    return [x + Math.cos(a) * r, y + Math.sin(a) * r];
  });
  shape(c, "#ffe29a", points);
}
