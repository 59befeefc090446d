// @ts-check
/**
 * The engine for browsers that do not know fused multiplication and addition, nor sums of
 * products of bytes. The build has put single instructions in the place of several
 * (internal/wasmopt), and has written into the module what stood there: here it is put back.
 */

/** Ends the module: the name of the section, then the places, then how many there are. */
const NAME = "unfused";

/** Bytes that a place has: its offset, then what stood there. */
const PLACE = 12;

/**
 * Undoes the fusing, in place. A module that was not fused stays what it is.
 *
 * @param {Uint8Array<ArrayBuffer>} module
 */
export function unfused(module) {
  const view = new DataView(module.buffer, module.byteOffset, module.byteLength);
  const end = module.length - 4;
  const begin = end < 0 ? -1 : end - PLACE * view.getUint32(end, true);
  if (begin < NAME.length || !Array.from(NAME).every((c, i) => module[begin - NAME.length + i] === c.charCodeAt(0))) return module;
  // A module that was cut off or damaged stays what it is, too: whoever compiles it says so.
  for (let at = begin; at < end; at += PLACE) {
    if (view.getUint32(at, true) > begin - PLACE) return module;
  }
  for (let at = begin; at < end; at += PLACE) module.set(module.subarray(at + 4, at + PLACE), view.getUint32(at, true));
  return module;
}
