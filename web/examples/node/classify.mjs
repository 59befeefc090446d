// Sorts images by example: the examples are the subfolders of a folder, one per class, or a
// project of the studio.
//
//     npm install --install-links ../../../build/npm/*     (after make npm)
//     node classify.mjs things new/*.jpg
//     node classify.mjs cups.deepemd new/*.jpg --into sorted
//     node classify.mjs things new/*.jpg --save things.deepemd
//
// Prints a line for each image: its file, its class, and the probability. --into copies each
// image into a folder of its class, or into "unknown". --save writes the examples to a project
// for the next time.

import { constants, copyFile, mkdir, readdir, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { DeepEMD, openProject, saveProject } from "deepemd/node";

const PICTURE = /\.(jpe?g|png|webp)$/i;

const { values, positionals } = parseArgs({ allowPositionals: true, options: { into: { type: "string" }, save: { type: "string" } } });
const [known, ...pictures] = positionals;
if (known === undefined || (pictures.length === 0 && values.save === undefined)) {
  console.error("usage: node classify.mjs <folder of classes | project.deepemd> [--into <folder>] [--save <project.deepemd>] <pictures>");
  process.exit(2);
}

const engine = await DeepEMD.create();
try {
  if ((await stat(known)).isDirectory()) await teach(known);
  else await openProject(engine, known);
  if (values.save !== undefined) await saveProject(engine, { to: values.save, name: basename(known) });
  for (const picture of pictures) await sort(picture);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
} finally {
  engine.dispose();
}

/** Teaches one class per subfolder, with all its images. */
async function teach(folder) {
  const classes = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isDirectory());
  if (classes.length < 2) throw new Error(`${folder} has ${classes.length} sub-folders: make one for each class, with pictures in it`);
  for (const { name } of classes) {
    const id = await engine.addClass(name);
    const files = (await readdir(join(folder, name))).filter((file) => PICTURE.test(file));
    if (files.length === 0) throw new Error(`${join(folder, name)} has no pictures: put JPEG, PNG or WebP files in it`);
    for (const file of files) await engine.addExample(id, join(folder, name, file));
  }
}

/** Classifies an image and copies it to its folder. Unreadable images are reported and skipped. */
async function sort(picture) {
  try {
    const { unknown, scores } = await engine.classify(picture);
    const label = unknown?.unknown ? "unknown" : scores[0].label;
    console.log(`${picture}\t${label}\t${(100 * scores[0].score).toFixed(1)}%`);
    if (values.into === undefined) return;
    const folder = join(values.into, label.replaceAll(/[/\\]|^\.+/g, "-"));
    await mkdir(folder, { recursive: true });
    await copyFile(picture, join(folder, basename(picture)), constants.COPYFILE_EXCL);
  } catch (error) {
    console.error(`${picture}: ${error.message}`);
    process.exitCode = 1;
  }
}
