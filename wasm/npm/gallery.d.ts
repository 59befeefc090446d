/**
 * Galleries: thousands of images that a page stores in the browser and searches by example.
 *
 * A gallery stores names and embeddings, 3.4 kB per image with the default model, as the index that `deepemd index` writes, in the
 * page's private file system (OPFS). The images stay with the page. Its program (0.59 MB, brotli) is loaded with the first gallery
 * and runs in its own worker.
 *
 * - Several tabs can open one gallery. Each finds the images that the others added. One tab at a time changes it; the others get
 *   `in-use`.
 * - Closing a tab during `add` loses at most the last two seconds. The same `add` then continues: names that exist are skipped.
 * - Without files (private windows of some browsers, pages from a disk, Node) or free space, the gallery continues in memory:
 *   {@link Gallery.kept} is false, and {@link Gallery.why} has the reason. Stored images stay. Call `navigator.storage.persist()` so
 *   that the browser does not clear them.
 *
 * @packageDocumentation
 */

import type { Abortable, DeepEMD, DeepEMDError, Explanation, Link, Node, Source } from "./deepemd.js";

export { DeepEMDError } from "./deepemd.js";

/**
 * Opens a stored gallery, or creates an empty one.
 *
 * @example
 * ```js
 * import { DeepEMD } from "deepemd";
 * import { openGallery } from "deepemd/gallery";
 *
 * const gallery = await openGallery(await DeepEMD.create(), "photos");
 * await gallery.add(files, { onProgress: ({ done, total, left }) => … }); // left: milliseconds
 * const { found } = await gallery.search(file);                           // [{ name, similarity, cosine }], best first
 * ```
 *
 * @param engines one engine that embeds the images, or several with the same model that embed in parallel
 * @param name 1 to 60 characters
 * @throws `bad-gallery` for a file that is truncated, damaged or not a gallery, and `newer-gallery` for another version's gallery:
 *   the remedy is {@link removeGallery}, and to add the images again; `wrong-network` for images that another model or embedder
 *   embedded; `bad-argument` for an engine with a backbone that has not embedded an image yet: call {@link DeepEMD.embed} once before;
 *   `network`, `unsupported`, `out-of-memory`; the signal's reason if aborted.
 */
export function openGallery<S = Source>(engines: DeepEMD<S> | readonly DeepEMD<S>[], name: string, options?: Abortable): Promise<Gallery<S>>;

/**
 * Deletes a stored gallery, even if it cannot be opened.
 *
 * @throws `in-use` while another tab changes it; `unsupported` if galleries are only in memory.
 */
export function removeGallery(name: string): Promise<void>;

/** An image with its name. A File without a name is named by its path, an address by itself. */
export interface Named<S = Source> {
  /** 1 to 1000 characters, unique in the gallery. */
  name: string;
  /** The image: see Source. */
  source: S;
}

/** Options of {@link Gallery.add}. */
export interface AddOptions extends Abortable {
  /** Called after every image. */
  onProgress?: ((progress: Adding) => void) | undefined;
}

/** Progress of adding. */
export interface Adding {
  /** The image that was processed. */
  name: string;
  /** Processed images, including failed ones. */
  done: number;
  /** All images that the gallery did not have before. */
  total: number;
  /** Estimated milliseconds for the remaining images. */
  left: number;
  /** Images that could not be read. */
  failed: number;
  /** Images that a search can already find. */
  kept?: number;
}

/** The result of adding. */
export interface Added {
  /** The number of added images. */
  added: number;
  /** The number of images whose names the gallery already had. */
  there: number;
  /** Images that cannot be read, with the reason. */
  failed: { name: string; error: DeepEMDError }[];
}

/** Options of {@link Gallery.search}. */
export interface SearchOptions extends Abortable {
  /** The number of images to find. Default 10. */
  limit?: number | undefined;
  /**
   * The number of images that are matched with the query and ranked by DeepEMD: those with the most similar global
   * descriptors. 0 ranks all images by the global descriptor. Default 50, or `limit` if that is more.
   */
  candidates?: number | undefined;
}

/** The result of a search. */
export interface Search {
  /** The most similar first. */
  found: Found[];
  /** The number of matched images. */
  matched: number;
  /** Milliseconds in total. */
  ms: number;
  /** Milliseconds for embedding the query. */
  embedMs: number;
  /** Milliseconds for choosing candidates among all images. */
  chooseMs: number;
  /** Milliseconds for matching. */
  matchMs: number;
}

/** A found image. */
export interface Found {
  /** Its name. */
  name: string;
  /** The similarity of the matching regions, −1 to 1; absent without matching. */
  similarity?: number;
  /** The cosine similarity of the global descriptors, −1 to 1. */
  cosine: number;
}

/** Why an image was found. Regions are as in an {@link Explanation}. */
export interface Match {
  /** The similarity of the matching regions, −1 to 1: the sum of all links' scores. */
  similarity: number;
  /** The nodes of the query. */
  query: Node[];
  /** The nodes of the stored image. */
  support: Node[];
  /** The pairs of nodes that exchange weight, the largest amount first. */
  flow: Link[];
}

/** A searchable collection of images: see the description of this module. */
export interface Gallery<S = Source> {
  /** The name passed to openGallery. */
  readonly name: string;
  /** The number of images. */
  readonly size: number;
  /** The size on the device, in bytes. */
  readonly bytes: number;
  /** Whether changes are stored: false if the gallery is only in memory. */
  readonly kept: boolean;
  /** Why changes are not stored, for users; empty if they are. */
  readonly why: string;

  /** Whether an image of that name exists. */
  has(name: string): Promise<boolean>;
  /** The names of all images, in the order in which they were added. */
  names(): Promise<string[]>;
  /**
   * Embeds and adds the images whose names are new. Progress is stored every two seconds. An abort keeps the images added so far.
   *
   * @throws `in-use` while another tab changes the gallery; `wrong-network` after the engine's model or embedder changed. An
   *   image that cannot be read is not an error: see {@link Added}.
   */
  add(pictures: Iterable<S | Named<S>>, options?: AddOptions): Promise<Added>;
  /**
   * Finds the images that are most similar to the source.
   *
   * @throws `bad-gallery` for a damaged stored image, with its name; the errors of {@link DeepEMD.embed}.
   */
  search(source: S, options?: SearchOptions): Promise<Search>;
  /**
   * Matches an image with a stored one, and returns the matching regions.
   *
   * @throws `unknown-name`; `bad-argument` with the embedder sampling.
   */
  explain(source: S, name: string, options?: Abortable): Promise<Match>;
  /**
   * Removes images. Their space is freed once at least 16 were removed, and as many as remain.
   *
   * @returns the number of removed images
   * @throws `in-use`.
   */
  remove(names: Iterable<string>): Promise<number>;
  /**
   * Removes all images and frees their space.
   *
   * @throws `in-use`.
   */
  clear(): Promise<void>;
  /** Ends the gallery's worker. Stored images stay. Later calls reject with the code `disposed`. */
  close(): void;
  /** close, for `using gallery = await openGallery(engine, name)`. */
  [Symbol.dispose](): void;
}
