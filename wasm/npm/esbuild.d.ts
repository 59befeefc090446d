/** A plugin for esbuild, with the part of esbuild's interface that it uses. */
export interface Plugin {
  /** The name in esbuild's messages. */
  name: string;
  /** Called by esbuild before it builds. */
  setup(build: {
    initialOptions: { format?: string; platform?: string };
    onResolve(options: { filter: RegExp }, callback: (args: { path: string; resolveDir: string }) => any): void;
    onLoad(options: { filter: RegExp; namespace?: string }, callback: (args: { path: string }) => any): void;
  }): void;
}

/**
 * Makes esbuild copy the worker, the engines and the models next to the bundle, which must be a module (format "esm").
 *
 *     await build({ entryPoints: ["main.js"], bundle: true, format: "esm", outdir: "dist", plugins: [deepemd()] });
 */
export default function deepemd(): Plugin;
