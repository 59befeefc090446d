/** The address of the network's file. */
export declare const url: URL;

/** Its size in bytes. */
export declare const bytes: number;

/** The network in short; README.md has the data and their license, the recipe and the accuracy. */
export declare const card: {
  readonly name: string;
  /** Its architecture. */
  readonly arch: string;
  /** Channels of its blocks. */
  readonly widths: readonly number[];
  /** Side of its input in pixels. */
  readonly inputSize: number;
  /** Subtracted from red, green and blue (0 to 1); the result is divided by std. */
  readonly mean: readonly [number, number, number];
  readonly std: readonly [number, number, number];
  /** The training data. */
  readonly trainedOn: string;
  /** SHA-256 of the file, in hexadecimal digits. */
  readonly sha256: string;
};
