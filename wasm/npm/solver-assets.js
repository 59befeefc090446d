// @ts-check
/**
 * Where the solver's program lies: apart from assets.js, so that bundlers put no engine
 * into a page that has the solver alone, and no solver into others.
 */
export const program = { get url() { return new URL("./deepemd-solver.wasm", import.meta.url); } };
