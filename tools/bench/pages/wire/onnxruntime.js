// The runtime up to a session, of the smallest model there is: y = x.
import { InferenceSession, Tensor, env } from "onnxruntime-web/wasm";
import { identity } from "./identity.js";

try {
  env.wasm.numThreads = 1;
  env.wasm.wasmPaths = "/app/";
  const session = await InferenceSession.create(identity());
  const { y } = await session.run({ x: new Tensor("float32", [7], [1]) });
  globalThis.answered = y.data[0] === 7 || `it says ${y.data[0]}`;
} catch (error) {
  globalThis.answered = error;
}
