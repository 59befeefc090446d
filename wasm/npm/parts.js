// @ts-check
/**
 * Weights in pieces, for hosts that limit the size of files. The address of the weights has a
 * list of the pieces, which are in the same folder.
 *
 *     {"parts": ["mine.safetensors.0", "mine.safetensors.1"], "bytes": 31457280}
 *
 * `deepemd export-site` writes such pieces.
 */

/** The largest list in bytes; weights are larger. */
export const LIST_BYTES = 1 << 16;

/** The largest number of pieces, each of which is a request. */
const MOST = 256;

/**
 * The pieces in a list, or undefined if the file is not a list; wrong explains why a list is
 * unusable, and is empty otherwise.
 *
 * @param {ArrayBuffer} file
 * @param {string} address of the list
 * @returns {{ addresses: string[], bytes: number, wrong: string } | undefined}
 */
export function listed(file, address) {
  if (file.byteLength > LIST_BYTES) return undefined;
  let list;
  try {
    list = JSON.parse(new TextDecoder().decode(file));
  } catch {
    return undefined; // weights, which are not JSON
  }
  const { parts, bytes } = list ?? {};
  if (!Array.isArray(parts)) return undefined;
  if (parts.length > MOST) return { addresses: [], bytes, wrong: `${parts.length} pieces, more than ${MOST}` };
  /** @type {string[]} */
  const addresses = [];
  for (const name of parts) {
    try {
      addresses.push(new URL(name, address).href);
    } catch {
      return { addresses: [], bytes, wrong: `${JSON.stringify(name)}, which is no address` };
    }
  }
  return { addresses, bytes, wrong: "" };
}
