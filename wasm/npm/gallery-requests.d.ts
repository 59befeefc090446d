/**
 * What the page asks the gallery's worker, and what that answers.
 */

import type { Network } from "./project.js";

/** An embedding on its way. */
export interface Embedded {
  /** [nodes, channels]. */
  data: Float32Array;
  /** [channels], where the network gives one. */
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

/** How the gallery is, after whatever opens or changes it. */
export interface GalleryState {
  /** Pictures that are searched. */
  pictures: number;
  /** Bytes of the index. */
  bytes: number;
  /** Why the gallery is in memory alone; empty where it is kept. */
  why: string;
}

/** The answer to a search. */
export interface GalleryFound extends GalleryState {
  /** The best first. */
  found: { name: string; similarity?: number; cosine: number }[];
  /** How many were matched. */
  matched: number;
  /** Milliseconds to choose them. */
  chooseMs: number;
  /** Milliseconds to match them. */
  matchMs: number;
}

/** The answer to explain. */
export interface GalleryExplained {
  /** Of the two pictures. */
  similarity: number;
  /** Weights of the query's nodes. */
  query: number[];
  /** Weights of the kept picture's nodes. */
  support: number[];
  /** [query, support]. */
  cosines: number[];
  /** [query, support]. */
  flow: number[];
}
