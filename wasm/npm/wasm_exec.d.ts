/**
 * wasm_exec.js is a file of the Go distribution, of the toolchain that compiles the
 * engine, under the licence in wasm_exec.LICENSE.txt. It puts Go, which starts a program,
 * and fs, which the program writes to, into the global scope.
 */
export {};
