// @ts-check
/**
 * A plugin for esbuild, which does not copy files that a module references by address: it copies
 * workers, engines and weights next to the bundle.
 *
 *     import { build } from "esbuild";
 *     import deepemd from "deepemd/esbuild";
 *
 *     await build({ entryPoints: ["main.js"], bundle: true, format: "esm", outdir: "dist", plugins: [deepemd()] });
 */

import { readFile } from "node:fs/promises";

/** Modules of this package and of the models' packages. */
const OURS = /[\\/](?:deepemd|resnet12-\w+)[\\/][^\\/]+\.js$/;

/** The address of a file in the module's folder. */
const ADDRESS = /new URL\(("\.\/[^"]+"), import\.meta\.url\)/g;

/** Marks imports that stand for addresses. */
const MARK = "?deepemd-asset";

/** @returns {import("./esbuild.d.ts").Plugin} */
export default function deepemd() {
  return {
    name: "deepemd",
    setup(build) {
      const { platform, format = platform === "neutral" ? "esm" : undefined } = build.initialOptions; // only then esbuild's default
      if (format !== "esm") throw new Error('deepemd/esbuild: the bundle must be a module: set format: "esm"');
      build.onLoad({ filter: OURS }, async ({ path }) => {
        const text = await readFile(path, "utf8");
        /** @type {string[]} */
        const imports = [];
        const contents = text.replace(ADDRESS, (_, name) => {
          imports.push(`import deepemdAsset${imports.length} from ${JSON.stringify(JSON.parse(name) + MARK)};\n`);
          return `new URL(deepemdAsset${imports.length - 1}, import.meta.url)`;
        });
        return imports.length > 0 ? { contents: imports.join("") + contents, loader: "js" } : undefined;
      });
      build.onResolve({ filter: /\?deepemd-asset$/ }, ({ path, resolveDir }) => ({ path: `${resolveDir}/${path.slice(0, -MARK.length)}`, namespace: "deepemd-asset" }));
      build.onLoad({ filter: /.*/, namespace: "deepemd-asset" }, async ({ path }) => ({ contents: await readFile(path), loader: "file" }));
    },
  };
}
