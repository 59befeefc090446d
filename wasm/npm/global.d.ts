/**
 * Types of globals that exist only in some environments: a program for Node is compiled without the
 * DOM's library, and a page without Node's types.
 */

/** The type of `new Name()` if such a global class is known, otherwise never. */
export type Global<Name extends string> = typeof globalThis extends { [K in Name]: { prototype: infer Instance } } ? Instance : never;

/** A compiled WebAssembly module if the type is known, otherwise never. */
export type WebAssemblyModule = typeof globalThis extends { WebAssembly: { Module: { prototype: infer Module } } } ? Module : never;

/** The listener and the options of EventTarget's addEventListener, and the options of removeEventListener. */
export type Listener = Parameters<EventTarget["addEventListener"]>[1];
export type Listening = Parameters<EventTarget["addEventListener"]>[2];
export type Unlistening = Parameters<EventTarget["removeEventListener"]>[2];
