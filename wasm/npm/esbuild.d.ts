/** A plugin for esbuild; of esbuild it uses no more than this. */
export interface Plugin {
  /** What esbuild calls it in messages. */
  name: string;
  /** Called by esbuild before it builds. */
  setup(build: {
    initialOptions: { format?: string };
    onResolve(options: { filter: RegExp }, callback: (args: { path: string; resolveDir: string }) => any): void;
    onLoad(options: { filter: RegExp; namespace?: string }, callback: (args: { path: string }) => any): void;
  }): void;
}

/**
 * Has esbuild copy the worker, the engines and the networks beside the bundle, which has to be a module (format "esm").
 *
 *     await build({ entryPoints: ["main.js"], bundle: true, format: "esm", outdir: "dist", plugins: [deepemd()] });
 */
export default function deepemd(): Plugin;
