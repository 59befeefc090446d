/**
 * What these types know only of some places: a program for Node is compiled without the
 * DOM's library, and a page without Node's types.
 */

/** What `new Name()` makes, where such a global class is known; never elsewhere. */
export type Global<Name extends string> = typeof globalThis extends { [K in Name]: { prototype: infer Instance } } ? Instance : never;

/** A compiled module of WebAssembly, where the type is known; never elsewhere. */
export type WebAssemblyModule = typeof globalThis extends { WebAssembly: { Module: { prototype: infer Module } } } ? Module : never;

/** What EventTarget's addEventListener takes as listener and as options, and removeEventListener as options. */
export type Listener = Parameters<EventTarget["addEventListener"]>[1];
export type Listening = Parameters<EventTarget["addEventListener"]>[2];
export type Unlistening = Parameters<EventTarget["removeEventListener"]>[2];
