// @ts-check
/**
 * The solver's program, apart from assets.js, so that bundlers leave the engine out of pages
 * that only have the solver, and the solver out of other pages.
 */
export const program = { get url() { return new URL("./deepemd-solver.wasm", import.meta.url); } };
