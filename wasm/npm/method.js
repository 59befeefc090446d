// @ts-check
/**
 * What can be known of methods and projects without an engine. Generated from
 * core/method and core/project: change it there.
 */

/** The default method, which fills in what a project file leaves out. @type {import("./protocol.d.ts").Method} */
export const defaults = {
  "embedder": {
    "kind": "fcn"
  },
  "classifier": "mixture",
  "weighting": "cross-reference",
  "solver": "simplex",
  "temperature": 12.5,
  "balance": true,
  "strangers": {
    "name": true,
    "strictness": 0.42
  }
};

/** The embedders of each kind, complete. @type {Record<string, import("./protocol.d.ts").Embedder>} */
export const embedders = {
  "fcn": {
    "kind": "fcn"
  },
  "grid": {
    "kind": "grid",
    "grid": [
      2,
      3
    ],
    "ratio": 2
  },
  "sampling": {
    "kind": "sampling",
    "patches": 9
  }
};

/** The settings of embedders. */
export const settings = [
  "kind",
  "pyramid",
  "grid",
  "ratio",
  "patches",
  "seed"
];

/** The first field of a project's manifest. */
export const FORMAT = "deepemd-project";

/** The version of that. */
export const VERSION = 2;

/** The kinds of projects. */
export const KINDS = [
  "image",
  "sound",
  "features"
];

/** What a project with a background class requires: a reader that takes it for a class like the others would answer wrongly. */
export const NOTHING = "nothing";

/** The most classes and examples of a project, nodes of a picture, channels of a node, and characters (code points) of a name or an id. */
export const limits = {
  "classes": 10000,
  "examples": 100000,
  "nodes": 4096,
  "channels": 8192,
  "text": 1000
};
