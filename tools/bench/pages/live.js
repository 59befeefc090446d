// Measures the work of a live page: frames from a canvas of a camera's size, through deepemd.js and
// its worker.
import { DeepEMD } from "/deepemd/deepemd.js";

const canvas = document.querySelector("canvas");
const context = canvas.getContext("2d");

/** Draws frame i of a film: things of a class's own colors, which move. */
function draw(i, kind = 0) {
  const { width, height } = canvas;
  context.fillStyle = `hsl(${(kind * 67) % 360} 30% 40%)`;
  context.fillRect(0, 0, width, height);
  for (let k = 0; k < 8; k++) {
    context.fillStyle = `hsl(${(kind * 67 + k * 40 + i) % 360} 70% ${30 + 5 * k}%)`;
    const x = width * (0.5 + 0.4 * Math.sin(i / 17 + k * (kind + 1)));
    const y = height * (0.5 + 0.4 * Math.cos(i / 23 + k * (kind + 2)));
    if ((k + kind) % 2) context.fillRect(x - 40, y - 20 - 8 * k, 80, 40 + 16 * k);
    else context.beginPath(), context.arc(x, y, 20 + 9 * k, 0, 7), context.fill();
  }
}

const quantile = (times, q) => times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(q * times.length))];

/** Returns an engine with the given numbers of classes and of examples per class. */
async function taught(options, classes = 5, shots = 5) {
  const engine = await DeepEMD.create(options);
  for (let kind = 0; kind < classes; kind++) {
    const id = await engine.addClass(`kind ${kind}`);
    for (let shot = 0; shot < shots; shot++) {
      draw(shot * 31, kind);
      await engine.addExample(id, canvas);
    }
  }
  return engine;
}

/** Classifies frames for the given seconds. */
async function answers(engine, seconds) {
  const times = [];
  const begin = performance.now();
  for (let i = 0; performance.now() - begin < 1000 * seconds; i++) {
    draw(i, Math.floor(i / 30) % 5);
    times.push((await engine.classify(canvas, { live: true })).ms);
  }
  const ms = performance.now() - begin;
  return { rate: (1000 * times.length) / ms, median: quantile(times, 0.5), worst: Math.max(...times), count: times.length };
}

let held; // one engine at a time, reused for the same options
async function engineFor(options) {
  const key = JSON.stringify(options);
  if (held?.key !== key) {
    held?.engine.dispose();
    held = { key, engine: await taught(options) };
    await answers(held.engine, 1);
  }
  return held.engine;
}

globalThis.live = {
  answers: async (options, seconds) => answers(await engineFor(options), seconds),

  /** Capturing an example with its answer, and classifying a frame, in turn. */
  async capture(rounds) {
    const engine = await engineFor({});
    const { id } = engine.classes[0];
    const captured = [], classified = [];
    for (let i = 0; i < rounds; i++) {
      draw(i * 3, 0);
      let begin = performance.now();
      const example = await engine.addExample(id, canvas, { answer: true });
      captured.push(performance.now() - begin);
      begin = performance.now();
      await engine.classify(canvas, { live: true });
      classified.push(performance.now() - begin);
      await engine.removeExample(example.id);
      await engine.classify(canvas, { live: true });
    }
    return { captured: quantile(captured, 0.5), classified: quantile(classified, 0.5) };
  },

  /** Learning, alone; with its check; and while frames are classified. */
  async learn(passes) {
    const engine = await engineFor({});
    const alone = (await engine.train({ passes, check: false })).ms;
    const checked = (await engine.train({ passes })).ms;
    let running = true, worst = 0;
    const learning = engine.train({ passes, check: false }).finally(() => (running = false));
    for (let i = 0; running; i++) {
      draw(i, 1);
      worst = Math.max(worst, (await engine.classify(canvas, { live: true })).ms);
    }
    await learning;
    return { alone, checked, worst };
  },

  /** Milliseconds of a picture of many crops. */
  async crops(options, rounds) {
    const engine = await engineFor(options);
    const times = [];
    for (let i = 0; i < rounds; i++) {
      draw(i, i % 5);
      times.push((await engine.classify(canvas, { live: true })).ms);
    }
    return { ms: quantile(times, 0.5), workers: engine.info.workers, crops: engine.info.crops };
  },

  /** Classifies at most 30 frames per second for the given seconds, and returns the memory use. */
  async memory(seconds) {
    const engine = await engineFor({});
    await engine[Symbol.for("deepemd.memory")](); // resets the pauses
    const begin = performance.now();
    let worst = 0, count = 0;
    while (performance.now() - begin < 1000 * seconds) {
      const next = performance.now() + 1000 / 30;
      draw(count++, Math.floor(count / 30) % 5);
      worst = Math.max(worst, (await engine.classify(canvas, { live: true })).ms);
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, next - performance.now())));
    }
    return { ...(await engine[Symbol.for("deepemd.memory")]()), worst, count };
  },
};
