// @ts-check
/**
 * The one place where what a caller shows the engine becomes what a request says of it.
 *
 * @typedef {import("./deepemd.d.ts").Source} Source
 * @typedef {import("./deepemd.d.ts").Picture} Picture
 * @typedef {import("./supervisor.js").Supervisor} Supervisor
 */

import { abortable } from "./abort.js";
import { keep, pack } from "./picture.js";

/**
 * A source on its way to the worker.
 *
 * @typedef {object} Perceived
 * @property {{ picture: Picture }} parts what the request says of it
 * @property {Transferable[]} transfer what may be handed over, where the source is looked at once
 * @property {() => void} release frees what was made for the journey
 */

/**
 * Makes a source ready for the worker.
 *
 * @param {Supervisor} engine that is to look at it
 * @param {Source} source
 * @param {{ signal?: AbortSignal }} how
 * @returns {Promise<Perceived>}
 */
export async function perceive(engine, source, { signal }) {
  let late = false;
  const work = async () => {
    const { picture, release } = await pack(source);
    if (late) release();
    return { parts: { picture }, transfer: "frame" in picture && release !== keep ? [picture.frame] : [], release };
  };
  return abortable(signal, work, () => (late = true));
}
