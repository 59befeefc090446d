/**
 * wasm_exec.js is part of the Go distribution that compiles the engine, under the license in
 * wasm_exec.LICENSE.txt. It defines the globals Go, which starts a program, and fs, which the
 * program writes to.
 */
export {};
