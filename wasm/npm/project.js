// @ts-check
/**
 * Project files (*.deepemd): classes, examples and method in one file. core/project/FORMAT.md
 * describes the format. An engine with the same model uses the embeddings in the file; any other
 * engine embeds the images again.
 *
 * @example
 * import { openProject, saveProject } from "./project.js";
 * const file = await saveProject(engine, { name: "Cups and pens" });
 * await openProject(await DeepEMD.create(), file);
 *
 * @typedef {import("./deepemd.d.ts").DeepEMD} DeepEMD
 * @typedef {import("./project.d.ts").Manifest} Manifest
 * @typedef {import("./project.d.ts").Network} Network
 * @typedef {import("./project.d.ts").Draft} Draft
 * @typedef {import("./project.d.ts").Content} Content
 * @typedef {import("./project.d.ts").Unpacked} Unpacked
 */

import { abortable } from "./abort.js";
import { bad, demand, kindOf, options as checked, shown } from "./check.js";
import { DeepEMDError } from "./error.js";
import { checkManifest, completeEmbedder, damaged, foreign, parseManifest, requirement, SAVING } from "./manifest.js";
import { FORMAT, VERSION } from "./method.js";
import { networks } from "./networks.js";
import { received } from "./platform.js";
import { encodePNG } from "./png.js";
import { fetched, isAddress } from "./source.js";
import { BadArchive, Breather, readZip, ZipWriter } from "./zip.js";

const MANIFEST = "manifest.json", EMBEDDINGS = "embeddings.safetensors";

/** The media type of a project file. */
const TYPE = "application/x-deepemd";

/** The largest header of embeddings in bytes. */
const MAX_HEADER = 1 << 16;

/** Limits of the manifest, and of the pixels, fixed and per byte of the file, as in core/project/archive. */
const MAX_MANIFEST = 1 << 25, FREE_PIXELS = 1 << 25, PIXELS_PER_BYTE = 32;

/**
 * @param {Draft} draft
 * @param {Network} network
 * @param {(exampleId: string) => Content} content
 * @returns {Promise<Blob>}
 */
export async function packProject(draft, network, content) {
  demand(draft, "object", "the draft");
  demand(network, "object", "the network");
  demand(content, "call", "content");
  const { preprocess, ...maker } = network;
  const { requires, ...told } = draft;
  let count = 0;
  const classes = draft.classes?.map?.((c) => ({ // checkManifest rejects anything but lists
    ...c,
    examples: c?.examples?.map?.((e) => {
      const picture = `pictures/${String(++count).padStart(5, "0")}.png`;
      const made = content(e?.id);
      demand(made, "object", `the content of ${shown(e?.id)}`);
      return made.size > 0 ? { ...e, picture } : e;
    }),
  }));
  /** @type {Manifest} */
  const manifest = { format: FORMAT, version: VERSION, ...told, ...requirement(draft), ...(preprocess && { preprocess }), network: maker, classes };
  checkManifest(manifest, bad);
  const text = new TextEncoder().encode(JSON.stringify(manifest, null, 2));
  if (text.length > MAX_MANIFEST) throw bad(`the manifest has ${text.length} bytes: want at most ${MAX_MANIFEST}; store less in extensions`);
  const archive = new ZipWriter();
  await archive.add(MANIFEST, [text]);
  const examples = classes.flatMap((c) => c.examples);
  for (const example of examples) {
    if (!("picture" in example)) continue;
    const { size, pixels } = content(example.id);
    await archive.add(example.picture, [encodePNG(size, size, pixels)]);
  }
  if (examples.some(({ id }) => content(id).embedding)) {
    const { nodes, channels } = network;
    const end = count * nodes * channels * 4;
    let header = `{"embeddings":{"dtype":"F32","shape":[${count},${nodes},${channels}],"data_offsets":[0,${end}]}}`;
    header = header.padEnd(Math.ceil(header.length / 8) * 8);
    const length = new Uint8Array(8);
    new DataView(length.buffer).setUint32(0, header.length, true);
    await archive.add(EMBEDDINGS, tensor());
    function* tensor() {
      yield length;
      yield new TextEncoder().encode(header);
      for (const { id } of examples) {
        const { embedding } = content(id);
        if (embedding?.length !== nodes * channels) {
          throw new DeepEMDError("internal", `the embedding of ${id} has ${embedding?.length ?? "no"} values, want ${nodes}×${channels}`);
        }
        yield new Uint8Array(embedding.buffer, embedding.byteOffset, embedding.byteLength); // browsers are little-endian
      }
    }
  }
  return archive.finish(TYPE);
}

/**
 * @param {import("./project.d.ts").ProjectFile} file
 * @param {import("./project.d.ts").OpenOptions} [options]
 * @returns {Promise<Unpacked>}
 */
export async function unpackProject(file, options = {}) {
  const { onProgress, signal } = checked("unpackProject", options, { onProgress: "call", signal: "signal" });
  return abortable(signal, async () => {
    const blob = await blobOf(file, signal);
    return read(blob, (done, all) => {
      signal?.throwIfAborted();
      onProgress?.(done, all);
    });
  });
}

/**
 * @param {Blob} file
 * @param {(checked: number, all: number) => void} onProgress
 */
async function read(file, onProgress) {
  try {
    return await unpack(file, onProgress);
  } catch (error) {
    if (error instanceof BadArchive) throw damaged(error.message);
    if (error instanceof DOMException) throw damaged(`it could not be read (${error.message}): was it moved or changed?`);
    throw error;
  }
}

/**
 * @param {Blob} file
 * @param {(checked: number, all: number) => void} onProgress
 * @returns {Promise<Unpacked>}
 */
async function unpack(file, onProgress) {
  const begin = new Uint8Array(await file.slice(0, 32).arrayBuffer());
  if (String(begin.subarray(0, 4)) !== "80,75,3,4") throw foreign(begin);
  const entries = await readZip(file);
  const head = entries.get(MANIFEST);
  if (!head) throw foreign();
  if (head.size > MAX_MANIFEST) throw damaged(`${MANIFEST} has ${head.size} bytes, more than ${MAX_MANIFEST}`);
  await head.check(new Breather());
  const manifest = parseManifest(await head.bytes());
  const examples = manifest.classes.flatMap((c) => c.examples);
  const pictures = new Map(examples.flatMap(({ picture }) => (picture === undefined ? [] : [[picture, entries.get(picture)]])));
  const breather = new Breather();
  let checked = 0;
  let pixels = FREE_PIXELS + PIXELS_PER_BYTE * file.size;
  for (const [name, entry] of pictures) {
    if (!entry) throw damaged(`it lacks "${name}"`);
    pixels -= areaOf(await entry.check(breather), name);
    if (pixels < 0) throw damaged(`its pictures have more pixels than a file of its size should ("${name}")`);
    checked++;
    onProgress(checked, pictures.size);
  }
  const stored = manifest.network && entries.get(EMBEDDINGS);
  if (!stored && manifest.kind === "features" && examples.length > 0) throw damaged(`it lacks "${EMBEDDINGS}", which cannot be computed again`);
  let tensor = /** @type {Blob | undefined} */ (undefined);
  if (stored && examples.length > 0) {
    await stored.check(breather);
    tensor = await openTensor(await stored.blob(), manifest, examples.length);
    if (tensor) await checkValues(tensor, breather);
  }
  return {
    manifest,
    count: examples.length,
    weights: teacher(manifest),
    picture: async ({ picture = "" }) => /** @type {NonNullable<typeof head>} */ (pictures.get(picture)).blob(),
    async embedding(index, network) {
      if (!tensor || !same(manifest, network)) return undefined;
      const size = network.nodes * network.channels * 4;
      return new Float32Array(await tensor.slice(index * size, (index + 1) * size).arrayBuffer());
    },
  };
}

/**
 * The address of the package's model that taught a project; undefined for the default model and for other models.
 *
 * @param {Manifest} manifest
 */
function teacher({ kind, network }) {
  const { pictures, sounds, ...others } = networks;
  return kind === "image" ? Object.values(others).find(({ sha256 }) => sha256 === network?.sha256)?.url : undefined;
}

/**
 * The number of pixels of a PNG file.
 *
 * @param {Uint8Array} head its first bytes
 * @param {string} name
 */
function areaOf(head, name) {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  if (head.length < 24 || view.getUint32(0) !== 0x89504e47) throw damaged(`"${name}" is not a PNG`);
  return view.getUint32(16) * view.getUint32(20);
}

/** Bytes of embeddings to check at a time. */
const BLOCK = 1 << 20;

/**
 * Throws for embeddings that are not finite: their examples would silently have no effect.
 *
 * @param {Blob} tensor
 * @param {Breather} breather
 */
async function checkValues(tensor, breather) {
  for (let at = 0; at < tensor.size; at += BLOCK) {
    const values = new Float32Array(await tensor.slice(at, at + BLOCK).arrayBuffer());
    const bad = values.findIndex((v) => v - v !== 0);
    if (bad >= 0) throw damaged(`value ${at / 4 + bad} of ${EMBEDDINGS} is ${values[bad]}`);
    await breather.breathe();
  }
}

/**
 * The values of the embeddings, without the header.
 *
 * @param {Blob} file
 * @param {Manifest} manifest
 * @param {number} count
 */
async function openTensor(file, manifest, count) {
  const { nodes, channels } = /** @type {NonNullable<Manifest["network"]>} */ (manifest.network);
  const length = new DataView(await file.slice(0, 8).arrayBuffer());
  const size = length.byteLength === 8 ? length.getUint32(0, true) : 0;
  if (size < 2 || size > MAX_HEADER || length.getUint32(4, true) !== 0) throw damaged(`${EMBEDDINGS} has no header`);
  let tensor;
  try {
    tensor = JSON.parse(await file.slice(8, 8 + size).text()).embeddings;
  } catch (error) {
    throw damaged(`${EMBEDDINGS} has no header (${error})`);
  }
  if (tensor?.dtype !== "F32") return undefined; // the images are embedded again
  const [begin, end] = Array.isArray(tensor.data_offsets) ? tensor.data_offsets : [];
  if (!Number.isSafeInteger(begin) || !Number.isSafeInteger(end) || begin < 0) throw damaged(`${EMBEDDINGS} has no offsets of its values`);
  const values = file.slice(8 + size + begin, 8 + size + end);
  if (String(tensor.shape) !== String([count, nodes, channels]) || values.size !== count * nodes * channels * 4) {
    throw damaged(`${EMBEDDINGS} has the shape [${tensor.shape}], want [${[count, nodes, channels]}]`);
  }
  return values;
}

/**
 * Whether a model would compute the same embeddings as the file's.
 *
 * @param {Manifest} manifest
 * @param {Network} network
 */
function same({ kind, network, preprocess }, { preprocess: otherPreprocess, ...other }) {
  if (!network || network.nodes !== other.nodes || network.channels !== other.channels) return false;
  if (kind === "features") return network.name === other.name;
  return (
    network.sha256 === other.sha256 &&
    canonical(completeEmbedder(network.embedder)) === canonical(other.embedder) &&
    canonical(preprocess) === canonical(otherPreprocess)
  );
}

/**
 * JSON with sorted keys.
 *
 * @param {any} value
 * @returns {string}
 */
function canonical(value) {
  return JSON.stringify(value, (_, v) => (v && typeof v === "object" && !Array.isArray(v) ? Object.fromEntries(Object.entries(v).sort()) : v)) ?? "";
}

/**
 * @param {DeepEMD} engine
 * @param {import("./project.d.ts").SaveOptions} [options]
 */
export async function saveProject(engine, options = {}) {
  checkEngine(engine);
  const { name = "", created, extensions, signal } = checked("saveProject", options, SAVING);
  return abortable(signal, async () => {
    const network = await engine.network();
    signal?.throwIfAborted();
    if (network.nodes === 0) throw bad("the shape of the features is unknown: add an example first, or create the engine with nodes and channels");
    const classes = engine.classes;
    const contents = new Map(classes.flatMap((c) => c.examples.map((e) => [e.id, e])));
    const draft = {
      kind: holds(engine),
      name,
      generator: `deepemd ${engine.info.version}`,
      ...(created !== undefined && { created }),
      saved: new Date().toISOString(),
      method: engine.method,
      ...(extensions && { extensions }),
      classes: classes.map(({ id, label, enabled, nothing, examples }, hue) => ({
        id, label, hue, ...(!enabled && { disabled: true }), ...(nothing && { nothing }), examples: examples.map(({ id }) => ({ id })),
      })),
    };
    return packProject(draft, network, (id) => {
      signal?.throwIfAborted();
      return /** @type {Content} */ (contents.get(id));
    });
  });
}

/**
 * @param {DeepEMD} engine
 * @param {import("./project.d.ts").ProjectFile | Unpacked} file
 * @param {import("./project.d.ts").OpenOptions} [options]
 */
export async function openProject(engine, file, options = {}) {
  checkEngine(engine);
  const { onProgress, signal } = checked("openProject", options, { onProgress: "call", signal: "signal" });
  const project = isUnpacked(file) ? file : await unpackProject(file, { signal });
  const { kind, method, classes } = project.manifest;
  if (kind !== holds(engine)) {
    const [what, other] = ENGINES[kind];
    throw new DeepEMDError("wrong-kind", `the project holds ${what}, which this engine does not classify: open it in ${other}`);
  }
  await engine.replace(method, async (draft) => {
    if (kind === "features") await adopt(draft, project.manifest);
    const network = await draft.network();
    let index = 0;
    for (const { id, label, disabled, nothing, examples } of classes) {
      await draft.addClass(label, { id, enabled: !disabled, nothing });
      for (const example of examples) {
        signal?.throwIfAborted();
        const embedding = await project.embedding(index, network);
        const picture = example.picture === undefined ? undefined : await project.picture(example);
        if (kind === "features" && embedding) await draft.addExample(id, { embedding }, { id: example.id, ...(picture && { thumbnail: picture }) });
        else await draft.addExample(id, /** @type {Blob} */ (picture), { id: example.id, ...(embedding && { embedding }) });
        index++;
        onProgress?.(index, project.count);
      }
    }
  }, { signal });
  return project.manifest;
}

/** The content of projects by kind, and how to create an engine for it. @type {Record<Manifest["kind"], [string, string]>} */
const ENGINES = {
  image: ["pictures", "an engine made with DeepEMD.create(), without the options sound and backbone"],
  sound: ["sounds", "an engine made with DeepEMD.create({ sound: true })"],
  features: ["features of a network of its own", "an engine made with DeepEMD.matcher, or DeepEMD.create({ backbone }), for the same features"],
};

/**
 * Gives a draft the features' shape of a project; throws for another model's features.
 *
 * @param {import("./deepemd.d.ts").Draft} draft
 * @param {Manifest} manifest of features
 */
async function adopt(draft, manifest) {
  const { name, nodes, channels } = /** @type {NonNullable<Manifest["network"]>} */ (manifest.network);
  const own = await draft.network();
  if (own.name === name && own.nodes === 0) await draft.reshape({ nodes, channels });
  else if (!same(manifest, own)) {
    throw new DeepEMDError("wrong-network", `the project has the features "${name}", ${nodes}×${channels}, and this engine takes "${own.name}", ${own.nodes}×${own.channels}: open it with the network that made them`);
  }
}

/** @param {unknown} engine */
function checkEngine(engine) {
  if (!(engine instanceof EventTarget && "replace" in engine)) throw bad(`the engine is ${shown(engine)}: want one that DeepEMD.create has made`);
}

/**
 * @param {any} file
 * @returns {file is Unpacked}
 */
function isUnpacked(file) {
  return typeof file?.picture === "function" && typeof file.embedding === "function";
}

/**
 * Fetches the content of a file.
 *
 * @param {import("./project.d.ts").ProjectFile} file
 * @param {AbortSignal | undefined} signal
 * @returns {Promise<Blob>}
 */
async function blobOf(file, signal) {
  if (isAddress(file)) return fetched(file, signal);
  const kind = kindOf(file);
  if (kind === "Response") return received(/** @type {Response} */ (file), "project");
  if (kind === "Blob" || kind === "File") return /** @type {Blob} */ (file);
  if (kind === "ArrayBuffer" || ArrayBuffer.isView(file)) {
    const bytes = /** @type {ArrayBuffer} */ (file);
    if (!bytes.byteLength) throw bad("the file is empty: was its memory handed on (transferred) before?");
    return new Blob([bytes]);
  }
  throw bad(`the file is ${shown(file)}: want an address, File, Blob, ArrayBuffer, typed array or Response with a project, *.deepemd`);
}

/**
 * The kind of projects that an engine can open.
 *
 * @param {DeepEMD} engine
 * @returns {Manifest["kind"]}
 */
function holds(engine) {
  return engine.info.features ? "features" : engine.info.sound ? "sound" : "image";
}
