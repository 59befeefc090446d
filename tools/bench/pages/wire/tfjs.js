// All code that transfer learning with MobileNet and nearest neighbours takes; the network is
// fetched from elsewhere by mobilenet.load().
import * as tf from "@tensorflow/tfjs";
import * as knn from "@tensorflow-models/knn-classifier";
import * as mobilenet from "@tensorflow-models/mobilenet";

try {
  await tf.ready();
  const classifier = knn.create();
  classifier.addExample(tf.tensor1d([1, 0]), "a");
  classifier.addExample(tf.tensor1d([0, 1]), "b");
  const { label } = await classifier.predictClass(tf.tensor1d([0.9, 0.1]), 1);
  globalThis.answered = (label === "a" && typeof mobilenet.load === "function") || `it says ${label}`;
} catch (error) {
  globalThis.answered = error;
}
