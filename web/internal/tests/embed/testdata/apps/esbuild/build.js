import { build } from "esbuild";
import deepemd from "deepemd/esbuild";

await build({ entryPoints: ["main.js"], bundle: true, format: "esm", outdir: "dist", plugins: [deepemd()] });
