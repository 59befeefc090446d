/**
 * Types of deepemd/gallery: thousands of pictures that a page keeps on the device and searches by example, in a browser.
 */

import type { Abortable, DeepEMD, DeepEMDError, Explanation, Link, Node, Source } from "./deepemd.js";

export { DeepEMDError } from "./deepemd.js";

/**
 * Opens a gallery, which is kept in the page's own file system (OPFS) under a name; one that is not there is empty. Of a
 * picture it keeps the name and what a search needs, 2.5 kB with the package's network: the pictures stay with the page.
 *
 * Where the browser gives the page no files (a private window of some browsers, a page from a disk), or the device has no more
 * room, the gallery goes on in memory, and {@link Gallery.why} says so. What was kept before stays.
 *
 * @param engines that embed the pictures: one, or several of the same network, which embed at the same time
 * @param name of 1 to 60 characters
 * @throws `bad-gallery` for a file that is cut off, damaged or no gallery, and `newer-gallery` for one of another version:
 *   {@link removeGallery} makes room for a new one; `wrong-network` for pictures that another network or embedder has embedded;
 *   `network`, `unsupported`, `out-of-memory`; the signal's reason when it is aborted.
 */
export function openGallery<S = Source>(engines: DeepEMD<S> | DeepEMD<S>[], name: string, options?: Abortable): Promise<Gallery<S>>;

/**
 * Deletes what is kept of a gallery, also one that cannot be opened.
 *
 * @throws `in-use` while another tab changes it; `unsupported` where the browser gives the page no files.
 */
export function removeGallery(name: string): Promise<void>;

/** A picture with the name by which it is found again. A File by itself has its path for a name, an address itself. */
export interface Named<S = Source> {
  /** Of 1 to 1000 characters, once in a gallery. */
  name: string;
  /** The picture: see Source. */
  source: S;
}

/** Options of {@link Gallery.add}. */
export interface AddOptions extends Abortable {
  /** Called after every picture. */
  onProgress?: ((progress: Adding) => void) | undefined;
}

/** How far adding is. */
export interface Adding {
  /** The picture that is done. */
  name: string;
  /** Pictures that are done, those that failed among them. */
  done: number;
  /** Pictures in all, without those that were there. */
  total: number;
  /** Milliseconds that the others will take, by those before. */
  left: number;
  /** Pictures that could not be read. */
  failed: number;
  /** Pictures that can be found already. */
  kept?: number;
}

/** What adding has come to. */
export interface Added {
  /** Pictures that were added. */
  added: number;
  /** Pictures that the gallery had, by their names. */
  there: number;
  /** Pictures that cannot be read, and why. */
  failed: { name: string; error: DeepEMDError }[];
}

/** Options of {@link Gallery.search}. */
export interface SearchOptions extends Abortable {
  /** How many pictures to find. Default 10. */
  limit?: number | undefined;
  /**
   * How many are matched with the query, part by part, and ranked by that: those whose features as a whole are most like its.
   * 0 ranks by these features. Default 50.
   */
  candidates?: number | undefined;
}

/** What a search has found. */
export interface Search {
  /** The most alike first. */
  found: Found[];
  /** How many were matched. */
  matched: number;
  /** Milliseconds in all. */
  ms: number;
  /** Of them in the network, for the query. */
  embedMs: number;
  /** Of them for the choice among all pictures. */
  chooseMs: number;
  /** Of them for matching. */
  matchMs: number;
}

/** A picture that was found. */
export interface Found {
  /** Its name. */
  name: string;
  /** How alike the parts are that match, −1 to 1; absent where none were matched. */
  similarity?: number;
  /** How alike the pictures are as a whole, −1 to 1. */
  cosine: number;
}

/** Why a picture was found. Regions are those of an {@link Explanation}. */
export interface Match {
  /** How alike the parts are that match, −1 to 1: the sum of all links' scores. */
  similarity: number;
  /** The nodes of the query. */
  query: Node[];
  /** The nodes of the picture that is kept. */
  support: Node[];
  /** Which node matched which: pairs that exchange weight, most first. */
  flow: Link[];
}

/**
 * Pictures that are kept and searched. Several tabs may open one gallery: each finds what the others have added, and one at a
 * time changes it.
 */
export interface Gallery<S = Source> {
  /** The name that it was opened by. */
  readonly name: string;
  /** How many pictures it has. */
  readonly size: number;
  /** Bytes that it takes on the device. */
  readonly bytes: number;
  /** Whether changes are kept: false where the gallery goes on in memory alone. */
  readonly kept: boolean;
  /** Why it does so, for people; empty where changes are kept. */
  readonly why: string;

  /** Whether it has a picture of that name. */
  has(name: string): Promise<boolean>;
  /** The names of all pictures, in the order in which they were added. */
  names(): Promise<string[]>;
  /**
   * Adds pictures: embeds those whose names it lacks. What was added is kept every two seconds: a tab that
   * is closed meanwhile loses no more, and the same call goes on where it was. An abort ends it; what was added by then stays.
   *
   * @throws `in-use` while another tab changes the gallery; `wrong-network` after the engine was told to embed otherwise. A
   *   picture that cannot be read is no error: see {@link Added}.
   */
  add(pictures: Iterable<S | Named<S>>, options?: AddOptions): Promise<Added>;
  /**
   * Finds the pictures most like another.
   *
   * @throws `bad-gallery` for a picture that is damaged where it is kept, with its name; those of {@link DeepEMD.embed}.
   */
  search(source: S, options?: SearchOptions): Promise<Search>;
  /**
   * Matches a picture with one of the gallery, and says which parts matched.
   *
   * @throws `unknown-name`; `bad-argument` with the embedder sampling.
   */
  explain(source: S, name: string, options?: Abortable): Promise<Match>;
  /**
   * Forgets pictures. Their bytes are freed once more were removed than are left.
   *
   * @returns how many there were
   * @throws `in-use`.
   */
  remove(names: Iterable<string>): Promise<number>;
  /**
   * Forgets all pictures, and frees their room.
   *
   * @throws `in-use`.
   */
  clear(): Promise<void>;
  /** Ends the gallery's worker. What is kept stays. Later calls reject with code `disposed`. */
  close(): void;
  /** close, for `using gallery = await openGallery(engine, name)`. */
  [Symbol.dispose](): void;
}
