// The runtime up to where it wants its model, which createFromOptions is not given.
import { FilesetResolver, ImageEmbedder } from "@mediapipe/tasks-vision";

try {
  const fileset = await FilesetResolver.forVisionTasks("/app");
  await ImageEmbedder.createFromOptions(fileset, { baseOptions: { modelAssetBuffer: new Uint8Array(64) } });
  globalThis.answered = "it takes a model of zeros";
} catch (error) {
  globalThis.answered = /model|flatbuffer|unable|failed/i.test(String(error)) || error;
}
