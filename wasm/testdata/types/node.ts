// Like deepemd.ts, for deepemd/node, compiled without the DOM's library.

import { readFile, writeFile } from "node:fs/promises";
import { DeepEMD, DeepEMDError, openProject, saveProject, type Answer, type SaveOptions, type Source } from "deepemd/node";

export async function all(): Promise<Answer> {
  const engine = await DeepEMD.create({ workers: 2, weights: new URL("file:///weights"), onProgress: ({ stage }) => console.log(stage) });
  engine.addEventListener("crash", (event) => console.log(event.detail.restarting), { once: true });
  engine.addEventListener("other", () => {});
  const id = await engine.addClass("cup");
  const sources: Source[] = [await readFile("cup.jpg"), new Blob([]), { width: 1, height: 1, data: new Uint8Array(3) }, { samples: new Float32Array(9), rate: 16000 }];
  for (const source of sources) await engine.addExample(id, source);
  const file: Blob = await saveProject(engine, { to: "cups.deepemd", name: "Cups" } satisfies SaveOptions);
  await openProject(engine, "cups.deepemd", { signal: AbortSignal.timeout(9) });
  const { kind } = await openProject(engine, await readFile("cups.deepemd"));
  await writeFile(kind, file.stream());
  // @ts-expect-error: no picture
  await engine.classify(7);
  // @ts-expect-error: no picture
  await engine.classify({ width: 1 });
  try {
    return await engine.classify(new Uint8Array(9));
  } catch (error) {
    if (error instanceof DeepEMDError && error.code === "bad-image") console.log(error.message);
    throw error;
  } finally {
    engine.dispose();
  }
}
