/** Where the network's file lies. */
export declare const url: URL;

/** How many bytes it has. */
export declare const bytes: number;

/** What the network is; README.md has the rest: data, recipe, accuracy, license of the data. */
export declare const card: {
  readonly name: string;
  /** Its architecture. */
  readonly arch: string;
  /** Channels of its blocks. */
  readonly widths: readonly number[];
  /** Side in pixels of the square that it sees. */
  readonly inputSize: number;
  /** Taken off red, green and blue, which are on a scale of 0 to 1; then each is divided by std. */
  readonly mean: readonly [number, number, number];
  readonly std: readonly [number, number, number];
  /** The data that it learned from. */
  readonly trainedOn: string;
  /** Of the file, in hexadecimal digits. */
  readonly sha256: string;
};
