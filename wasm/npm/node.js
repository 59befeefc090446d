// @ts-check
/**
 * deepemd/node: the engine in Node, in a separate thread. Besides the sources of pages, an image
 * or a sound may be the path of a file.
 *
 * @example
 * import { DeepEMD } from "deepemd/node";
 * const engine = await DeepEMD.create();
 * const cup = await engine.addClass("cup"), pen = await engine.addClass("pen");
 * await engine.addExample(cup, "things/cup/1.jpg");
 * await engine.addExample(pen, await readFile("things/pen/1.jpg"));
 * const { scores } = await engine.classify("new.jpg");   // best first
 */

import { node } from "./node-platform.js";
import { install } from "./platform.js";

install(node);

export { DeepEMD, DeepEMDError } from "./deepemd.js";
export { saveProject } from "./node-project.js";
export { openProject, packProject, unpackProject } from "./project.js";
