// Two classes of one example each, and an answer.
import { DeepEMD } from "deepemd/deepemd.js";

const colour = (r, g, b) => {
  const data = new Uint8Array(84 * 84 * 3);
  for (let i = 0; i < data.length; i += 3) data.set([r, g, b], i);
  return { width: 84, height: 84, data };
};
try {
  const engine = await DeepEMD.create();
  for (const [label, ...rgb] of [["red", 220, 30, 20], ["blue", 20, 30, 240]]) await engine.addExample(await engine.addClass(label), colour(...rgb));
  const { scores } = await engine.classify(colour(200, 40, 30));
  globalThis.answered = scores[0].label === "red" || `it says ${scores[0].label}`;
} catch (error) {
  globalThis.answered = error;
}
