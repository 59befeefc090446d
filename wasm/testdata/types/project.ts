// Like deepemd.ts, for deepemd/project.

import { DeepEMD } from "deepemd";
import {
  openProject, packProject, saveProject, unpackProject, type Content, type Draft, type Manifest, type ManifestClass, type ManifestExample, type Network,
  type OnExamples, type OpenOptions, type ProjectFile, type SaveOptions, type Unpacked,
} from "deepemd/project";

export async function projects(engine: DeepEMD, file: File, signal: AbortSignal | undefined): Promise<Blob> {
  const onProgress: OnExamples = (done, all) => console.log(done / all);
  const options: OpenOptions = { signal, onProgress };
  const { format, version, kind, name, generator, created, saved, method, extensions, requires, preprocess, network, classes }: Manifest = await openProject(engine, file, options);
  console.log(format, version, generator, saved, requires, preprocess?.size, network?.sha256, classes.length);
  const unpacked: Unpacked = await unpackProject("cups.deepemd", { signal });
  const taught: URL | undefined = unpacked.weights;
  console.log(taught?.href);
  await openProject(engine, unpacked);
  await openProject(engine, await fetch("cups.deepemd"));
  await openProject(engine, new URL("cups.deepemd", location.href));
  await openProject(engine, new Uint8Array(await file.arrayBuffer()) satisfies ProjectFile);
  const keep: SaveOptions = { name: kind + name, created: created ?? method.classifier, extensions, signal };
  return saveProject(engine, keep);
}

export async function copy({ manifest, count, picture, embedding }: Unpacked, network: Network, contents: Map<string, Content>): Promise<Blob> {
  const [first]: ManifestClass[] = manifest.classes;
  const { id, label, hue, disabled, examples = [] } = first ?? {};
  console.log(count, id, label, hue ?? 0, disabled ?? false);
  for (const example of examples satisfies ManifestExample[]) console.log((await picture(example)).size, example.id, example.picture);
  console.log((await embedding(0, network))?.length, network.nodes, network.channels, network.embedder?.kind, network.name, network.sha256, network.preprocess?.mean);
  const nothing: Content = { size: 1, pixels: new Uint8Array(3), embedding: manifest.network && new Float32Array(9) };
  const draft: Draft = { kind: manifest.kind, name: manifest.name, method: manifest.method, classes: [] };
  return packProject(draft, network, (id) => contents.get(id) ?? nothing);
}
