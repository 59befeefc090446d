// A page that stores images and searches them.
import { DeepEMD } from "deepemd";
import { DeepEMDError, openGallery, removeGallery } from "deepemd/gallery";
import type { Added, Adding, AddOptions, Found, Gallery, Match, Named, Search, SearchOptions } from "deepemd/gallery";

export async function keep(files: FileList, signal: AbortSignal): Promise<string> {
  const engine = await DeepEMD.create(), other = await DeepEMD.create({ weights: engine.weights });
  let gallery: Gallery;
  try {
    gallery = await openGallery([engine, other] as const, "photos", { signal });
  } catch (error) {
    if (!(error instanceof DeepEMDError) || error.code !== "bad-gallery") throw error;
    await removeGallery("photos");
    gallery = await openGallery(engine, "photos");
  }
  if (!gallery.kept) console.warn(gallery.name, gallery.why);
  const options: AddOptions = {
    signal,
    onProgress: ({ name, done, total, left, failed, kept = 0 }: Adding) => console.log(`${name}: ${done} of ${total}, ${left} ms, ${failed}, ${kept}`),
  };
  const shot: Named = { name: "shot", source: new ImageData(8, 8) };
  const { added, there, failed }: Added = await gallery.add([...files, "pictures/one.jpg", shot], options);
  for (const { name, error } of failed) console.log(name, error.code);
  return `${added + there} of ${gallery.size}, ${gallery.bytes} bytes`;
}

export async function find(gallery: Gallery, file: File): Promise<number> {
  const how: SearchOptions = { limit: 5, candidates: 100 };
  const { found, matched, ms, embedMs, chooseMs, matchMs }: Search = await gallery.search(file, how);
  const best: Found | undefined = found[0];
  if (!best) return 0;
  const { similarity, query, support, flow }: Match = await gallery.explain(file, best.name);
  console.log(similarity, best.similarity ?? best.cosine, matched, ms, embedMs, chooseMs + matchMs);
  for (const { from, to, amount } of flow) console.log(query[from]?.x0, support[to]?.x0, amount);
  if (await gallery.has(best.name)) await gallery.remove([best.name]);
  console.log((await gallery.names()).length);
  await gallery.clear();
  gallery.close();
  gallery[Symbol.dispose]();
  return similarity;
}
