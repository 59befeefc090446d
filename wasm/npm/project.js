// @ts-check
/**
 * Project files, *.deepemd: what was taught, in one file. core/project/FORMAT.md
 * describes it. Opening one gives an engine of the same network the embeddings that
 * the file holds; any other embeds the pictures again.
 *
 * @example
 * import { openProject, saveProject } from "./project.js";
 * const file = await saveProject(engine, { name: "Cups and pens" });
 * await openProject(await DeepEMD.create(), file);
 *
 * @typedef {import("./project.d.ts").Manifest} Manifest
 * @typedef {import("./project.d.ts").Network} Network
 * @typedef {import("./project.d.ts").Draft} Draft
 * @typedef {import("./project.d.ts").Content} Content
 * @typedef {import("./project.d.ts").Unpacked} Unpacked
 */

import { DeepEMDError } from "./error.js";
import { embedders, usual } from "./method.js";
import { encodePNG } from "./png.js";
import { BadArchive, Breather, readZip, ZipWriter } from "./zip.js";

const FORMAT = "deepemd-project";
const VERSION = 2;
const MANIFEST = "manifest.json";
const EMBEDDINGS = "embeddings.safetensors";
const KINDS = ["image", "sound"];

/** The media type of a project file. */
const TYPE = "application/x-deepemd";

/** A header of more bytes is no header. */
const MAX_HEADER = 1 << 16;

/** As in core/project. */
const MAX_EXAMPLES = 100_000;

/**
 * @param {Draft} draft
 * @param {Network} network
 * @param {(exampleId: string) => Content} content
 * @returns {Promise<Blob>}
 */
export async function packProject(draft, network, content) {
  const { preprocess, ...maker } = network;
  let count = 0;
  const classes = draft.classes.map((c) => ({
    ...c,
    examples: c.examples.map((e) => ({ ...e, picture: `pictures/${String(++count).padStart(5, "0")}.png` })),
  }));
  /** @type {Manifest} */
  const manifest = { format: FORMAT, version: VERSION, ...draft, preprocess, network: maker, classes };
  const archive = new ZipWriter();
  await archive.add(MANIFEST, [new TextEncoder().encode(JSON.stringify(manifest, null, 2))]);
  const examples = classes.flatMap((c) => c.examples);
  for (const { id, picture } of examples) {
    const { size, pixels } = content(id);
    await archive.add(picture, [encodePNG(size, size, pixels)]);
  }
  if (count > 0) {
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
        if (embedding.length !== nodes * channels) {
          throw new DeepEMDError("internal", `the embedding of ${id} has ${embedding.length} values, want ${nodes}×${channels}`);
        }
        yield new Uint8Array(embedding.buffer, embedding.byteOffset, embedding.byteLength); // browsers are little-endian
      }
    }
  }
  return archive.finish(TYPE);
}

/**
 * @param {Blob} file
 * @param {{ onProgress?: (checked: number, all: number) => void }} [options]
 * @returns {Promise<Unpacked>}
 */
export async function unpackProject(file, { onProgress } = {}) {
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
 * @param {((checked: number, all: number) => void) | undefined} onProgress
 * @returns {Promise<Unpacked>}
 */
async function unpack(file, onProgress) {
  const magic = new Uint8Array(await file.slice(0, 4).arrayBuffer());
  if (String(magic) !== "80,75,3,4") throw foreign();
  const entries = await readZip(file);
  const head = entries.get(MANIFEST);
  if (!head) throw foreign();
  await head.check(new Breather());
  const manifest = parseManifest(new TextDecoder().decode(await head.bytes()));
  const examples = manifest.classes.flatMap((c) => c.examples);
  const pictures = new Map(examples.map(({ picture }) => [picture, entries.get(picture ?? "")]));
  const breather = new Breather();
  let checked = 0;
  for (const [name, entry] of pictures) {
    if (!entry) throw damaged(`it lacks "${name}"`);
    await entry.check(breather);
    checked++;
    onProgress?.(checked, pictures.size);
  }
  const stored = manifest.network && entries.get(EMBEDDINGS);
  let tensor = /** @type {Blob | undefined} */ (undefined);
  if (stored && examples.length > 0) {
    await stored.check(breather);
    tensor = await openTensor(await stored.blob(), manifest, examples.length);
  }
  return {
    manifest,
    count: examples.length,
    picture: async ({ picture }) => /** @type {NonNullable<typeof head>} */ (pictures.get(picture)).blob(),
    async embedding(index, network) {
      if (!tensor || !same(manifest, network)) return undefined;
      const size = network.nodes * network.channels * 4;
      return new Float32Array(await tensor.slice(index * size, (index + 1) * size).arrayBuffer());
    },
  };
}

/**
 * Reads and checks a manifest. One of an earlier version becomes one of the present.
 *
 * @param {string} text
 * @returns {Manifest}
 */
function parseManifest(text) {
  let m;
  try {
    m = JSON.parse(text);
  } catch (error) {
    throw damaged(`${MANIFEST} cannot be read (${error})`);
  }
  if (m?.format !== FORMAT) throw foreign();
  if (m.version > VERSION) throw newer(`it has version ${m.version}, this page reads up to ${VERSION}`);
  if (!Number.isInteger(m.version) || m.version < 1) throw damaged(`version ${m.version}`);
  if (!KINDS.includes(m.kind)) throw newer(`it holds a project of kind "${m.kind}"`);
  if (m.requires?.length) throw newer(`it needs "${m.requires[0]}"`); // this version knows of none
  const short = (/** @type {unknown} */ t) => typeof t === "string" && t.length <= 1000;
  const ids = { classes: new Set(), examples: new Set() };
  const fresh = (/** @type {Set<string>} */ set, /** @type {string} */ id) => short(id) && id !== "" && !set.has(id) && set.add(id);
  const fine =
    short(m.name) &&
    Array.isArray(m.classes) &&
    m.classes.every(
      (/** @type {any} */ c) =>
        fresh(ids.classes, c?.id) && short(c.label) && Array.isArray(c.examples) && c.examples.every((/** @type {any} */ e) => fresh(ids.examples, e?.id) && short(e.picture)),
    ) &&
    ids.examples.size <= MAX_EXAMPLES;
  if (!fine) throw damaged(`${MANIFEST} has classes or examples without a name, or with the same one`);
  if (m.version === 1) return upgraded(m);
  if (typeof (m.method ?? {}) !== "object") throw damaged("its method is none");
  return { ...m, method: complete(m.method ?? {}) };
}

/** The settings of version 1, and what each was. "threshold" was described, and had no reader. */
const SETTINGS = {
  embedder: "object", classifier: "string", weighting: "string", solver: "string", temperature: "number",
  unknown: "boolean", strictness: "number", threshold: "number",
};

/**
 * A manifest of version 1 as one of the present: its settings become the method, those
 * that nobody knows extensions. core/project does the same.
 *
 * @param {any} manifest
 * @returns {Manifest}
 */
function upgraded({ settings, ...m }) {
  settings ??= {};
  if (typeof settings !== "object" || Array.isArray(settings)) throw damaged("its settings are none");
  for (const [name, type] of Object.entries(SETTINGS)) {
    const value = settings[name] ?? undefined;
    if (value !== undefined && typeof value !== type) throw damaged(`its setting "${name}" is no ${type}`);
  }
  const { embedder, classifier, weighting, solver, temperature, unknown, strictness, threshold, ...extensions } = settings;
  const method = complete({
    embedder: embedder ?? m.network?.embedder,
    classifier: classifier || usual.classifier, weighting: weighting || usual.weighting, solver: solver || usual.solver,
    temperature: temperature || usual.temperature,
    strangers: { name: unknown ?? usual.strangers.name, strictness: Math.min(Math.max(strictness ?? usual.strangers.strictness, 0), 1) },
  });
  return { ...m, version: VERSION, method, ...(Object.keys(extensions).length > 0 && { extensions }) };
}

/**
 * A method with what is usual where it says nothing.
 *
 * @param {any} [method]
 * @returns {import("./protocol.d.ts").Method}
 */
function complete({ embedder, strangers, ...others } = {}) {
  return { ...usual, ...others, embedder: completeEmbedder(embedder), strangers: { ...usual.strangers, ...strangers } };
}

/** @param {any} [embedder] */
function completeEmbedder(embedder) {
  return { ...embedders[embedder?.kind ?? usual.embedder.kind], ...embedder };
}

/**
 * The values of the embeddings, after their header.
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
  if (tensor?.dtype !== "F32") return undefined; // the pictures are embedded again
  const [begin, end] = tensor.data_offsets ?? [];
  const values = file.slice(8 + size + begin, 8 + size + end);
  if (String(tensor.shape) !== String([count, nodes, channels]) || values.size !== count * nodes * channels * 4) {
    throw damaged(`${EMBEDDINGS} has the shape [${tensor.shape}], want [${[count, nodes, channels]}]`);
  }
  return values;
}

/**
 * Whether the embeddings of a file are what a network makes.
 *
 * @param {Manifest} manifest
 * @param {Network} network
 */
function same({ network, preprocess }, { preprocess: otherPreprocess, ...other }) {
  return (
    network !== undefined &&
    network.sha256 === other.sha256 &&
    network.nodes === other.nodes &&
    network.channels === other.channels &&
    canonical(completeEmbedder(network.embedder)) === canonical(other.embedder) &&
    canonical(preprocess) === canonical(otherPreprocess)
  );
}

/**
 * JSON with the keys of objects in order.
 *
 * @param {any} value
 * @returns {string}
 */
function canonical(value) {
  return JSON.stringify(value, (_, v) => (v && typeof v === "object" && !Array.isArray(v) ? Object.fromEntries(Object.entries(v).sort()) : v)) ?? "";
}

/**
 * @param {import("./deepemd.d.ts").DeepEMD} engine
 * @param {{ name?: string, created?: string, extensions?: Record<string, unknown> }} [options]
 */
export async function saveProject(engine, { name = "", created, extensions } = {}) {
  const classes = engine.classes;
  const contents = new Map(classes.flatMap((c) => c.examples.map((e) => [e.id, e])));
  const draft = {
    kind: kindOf(engine),
    name,
    generator: `deepemd ${engine.info.version}`,
    created,
    saved: new Date().toISOString(),
    method: engine.method,
    extensions,
    classes: classes.map(({ id, label, enabled, examples }, hue) => ({
      id, label, hue, disabled: enabled ? undefined : true, examples: examples.map(({ id }) => ({ id })),
    })),
  };
  return packProject(draft, await engine.network(), (id) => /** @type {Content} */ (contents.get(id)));
}

/**
 * @param {import("./deepemd.d.ts").DeepEMD} engine
 * @param {Blob | Unpacked} file
 * @param {{ onProgress?: import("./project.d.ts").OnExamples, signal?: AbortSignal }} [options]
 */
export async function openProject(engine, file, { onProgress, signal } = {}) {
  const project = file instanceof Blob ? await unpackProject(file) : file;
  const { kind, method, classes } = project.manifest;
  if (kind !== kindOf(engine)) {
    const [holds, other] = kind === "sound" ? ["sounds", "an engine made with DeepEMD.create({ sound: true })"] : ["pictures", "an engine made without the option sound"];
    throw new DeepEMDError("wrong-kind", `the project holds ${holds}, which this engine does not tell apart: open it in ${other}`);
  }
  await engine.replace(method, async (draft) => {
    const network = await draft.network();
    let index = 0;
    for (const { id, label, disabled, examples } of classes) {
      await draft.addClass(label, { id, enabled: !disabled });
      for (const example of examples) {
        signal?.throwIfAborted();
        const embedding = await project.embedding(index, network);
        await draft.addExample(id, await project.picture(example), { id: example.id, embedding });
        index++;
        onProgress?.(index, project.count);
      }
    }
    signal?.throwIfAborted();
  });
  return project.manifest;
}

/**
 * The kind of projects that an engine takes.
 *
 * @param {import("./deepemd.d.ts").DeepEMD} engine
 * @returns {Manifest["kind"]}
 */
function kindOf(engine) {
  return engine.info.sound ? "sound" : "image";
}

/** @param {string} what */
function damaged(what) {
  return new DeepEMDError("bad-project", `the file is damaged: ${what}. Open another copy of it`);
}

/** @param {string} what */
function newer(what) {
  return new DeepEMDError("newer-project", `the file was made by a newer version of deepemd: ${what}; load the page again to update it`);
}

function foreign() {
  return new DeepEMDError("bad-project", "the file is not a project: choose one that was saved here, *.deepemd");
}
