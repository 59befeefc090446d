// @ts-check
/**
 * Converts the engine for browsers without relaxed SIMD. The build has fused several instructions
 * into one (internal/wasmopt) and stored the original bytes in the module; this restores them.
 */

/** The name at the end of the module: it follows the places and their number. */
const NAME = "unfused";

/** Bytes per place: an offset and the original bytes. */
const PLACE = 12;

/**
 * Restores the original instructions, in place. Modules without fused instructions stay unchanged.
 *
 * @param {Uint8Array<ArrayBuffer>} module
 */
export function unfused(module) {
  const view = new DataView(module.buffer, module.byteOffset, module.byteLength);
  const end = module.length - 4;
  const begin = end < 0 ? -1 : end - PLACE * view.getUint32(end, true);
  if (begin < NAME.length || !Array.from(NAME).every((c, i) => module[begin - NAME.length + i] === c.charCodeAt(0))) return module;
  // Truncated or damaged modules stay unchanged, too: compiling them reports the error.
  for (let at = begin; at < end; at += PLACE) {
    if (view.getUint32(at, true) > begin - PLACE) return module;
  }
  for (let at = begin; at < end; at += PLACE) module.set(module.subarray(at + 4, at + PLACE), view.getUint32(at, true));
  return module;
}
