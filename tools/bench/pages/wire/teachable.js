// All code that a model of Teachable Machine takes; tmImage.load fetches the model.
import * as tf from "@tensorflow/tfjs";
import * as image from "@teachablemachine/image";

try {
  await tf.ready();
  globalThis.answered = typeof image.load === "function" || "no load";
} catch (error) {
  globalThis.answered = error;
}
