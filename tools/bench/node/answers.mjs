// Answers pictures in Node for tools/bench: learns classes from the folders of the first
// line, then says of the file in every further line how long its answer took.
//
//     node answers.mjs <folder of package deepemd>

import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const { DeepEMD } = await import(pathToFileURL(resolve(process.argv[2], "node.js")));
const say = (answer) => console.log(JSON.stringify(answer));

say({ version: `Node ${process.versions.node}` });
const engine = await DeepEMD.create();
let taught = false;
for await (const line of createInterface({ input: process.stdin })) {
  const { path } = JSON.parse(line);
  const begin = performance.now();
  if (taught) {
    await engine.classify(path);
  } else {
    for (const name of readdirSync(path)) {
      const id = await engine.addClass(name);
      for (const file of readdirSync(join(path, name))) await engine.addExample(id, join(path, name, file));
    }
    taught = true;
  }
  say({ ms: performance.now() - begin });
}
engine.dispose();
