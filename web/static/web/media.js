// @ts-check
/**
 * The images and sounds that a project's rules use ("actions" of core/project/FORMAT.md). On the
 * device, each is a record like the examples; in a file, each is a data URL in the
 * manifest.
 *
 * @typedef {{ extensions?: Record<string, any> }} Manifest
 */

/** The allowed media of a file. */
const DATA = /^data:((?:image|audio|video)\/[\w.+-]+)(?:;[\w=.+-]+)*;base64,([A-Za-z0-9+/]*={0,2})$/;

/** The ids of media in rules. @param {Manifest} manifest */
function named({ extensions }) {
  const rules = extensions?.actions?.rules;
  if (!Array.isArray(rules)) return [];
  return rules.flatMap((rule) => [rule?.sound, rule?.picture]).filter((id) => typeof id === "string" && id !== "");
}

/**
 * The media that a project uses.
 *
 * @param {Manifest} manifest
 * @param {ReadonlyMap<string, Blob>} media
 * @returns {string[]} ids
 */
export function needed(manifest, media) {
  return [...new Set(named(manifest))].filter((id) => media.has(id));
}

/**
 * Adds the media that a project uses to its manifest, for a file.
 *
 * @template {Manifest} M
 * @param {M} manifest
 * @param {ReadonlyMap<string, Blob>} media
 * @returns {Promise<M>}
 */
export async function withMedia(manifest, media) {
  const ids = needed(manifest, media);
  if (ids.length === 0) return manifest;
  const texts = await Promise.all(ids.map((id) => asText(/** @type {Blob} */ (media.get(id)))));
  const actions = { ...manifest.extensions?.actions, media: Object.fromEntries(ids.map((id, i) => [id, texts[i]])) };
  return { ...manifest, extensions: { ...manifest.extensions, actions } };
}

/**
 * Moves the media out of a file's manifest, and drops invalid ones.
 *
 * @template {Manifest} M
 * @param {M} manifest
 * @returns {{ manifest: M, media: Map<string, Blob> }}
 */
export function withoutMedia(manifest) {
  const { media: texts, ...actions } = manifest.extensions?.actions ?? {};
  if (typeof texts !== "object" || texts === null) return { manifest, media: new Map() };
  const media = new Map(Object.entries(texts).flatMap(([id, text]) => {
    const [, type, data] = DATA.exec(String(text)) ?? [];
    const letters = data?.replace(/=+$/, "");
    if (!type || letters.length % 4 === 1) return []; // not a length of base64
    return [[id, new Blob([Uint8Array.from(atob(letters), (c) => c.charCodeAt(0))], { type })]];
  }));
  return { manifest: { ...manifest, extensions: { ...manifest.extensions, actions } }, media };
}

/**
 * @param {Blob} blob
 * @returns {Promise<string>} a data URL
 */
function asText(blob) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
}
