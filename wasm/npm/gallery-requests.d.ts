/**
 * The requests to the gallery's worker, and its answers.
 */

import type { Network } from "./project.js";

/** An embedding on its way. */
export interface Embedded {
  /** [nodes, channels]. */
  data: Float32Array;
  /** [channels], if the model has a global descriptor. */
  summary?: Float32Array | undefined;
}

/** A request; each is answered in order. */
export type GalleryRequest =
  | { type: "init"; program: { url: string; bytes: number }; name: string; network: Network }
  | { type: "has"; names: string[] }
  | { type: "names" }
  | { type: "begin" }
  | { type: "add"; name: string; embedded: Embedded }
  | { type: "end" }
  | { type: "remove"; names: string[] }
  | { type: "clear" }
  | { type: "search"; embedded: Embedded; weighting: string; limit: number; candidates: number }
  | { type: "explain"; embedded: Embedded; weighting: string; name: string };

/** The state of the gallery, after each request that opens or changes it. */
export interface GalleryState {
  /** The number of images that a search covers. */
  pictures: number;
  /** Bytes of the index. */
  bytes: number;
  /** Why the gallery is only in memory; empty if it is stored. */
  why: string;
}

/** The answer to a search. */
export interface GalleryFound extends GalleryState {
  /** The best first. */
  found: { name: string; similarity?: number; cosine: number }[];
  /** The number of matched images. */
  matched: number;
  /** Milliseconds to choose them. */
  chooseMs: number;
  /** Milliseconds to match them. */
  matchMs: number;
}

/** The answer to explain. */
export interface GalleryExplained {
  /** The similarity of the two images. */
  similarity: number;
  /** Weights of the query's nodes. */
  query: number[];
  /** Weights of the stored image's nodes. */
  support: number[];
  /** [query, support]. */
  cosines: number[];
  /** [query, support]. */
  flow: number[];
}
