// @ts-check
/**
 * Makes a self-contained web page of a project: fills share/player.html, which the build has
 * written, with engine, weights and project. internal/publish/page.go does the same for the
 * command.
 */

import { encode } from "./digits.js";

/**
 * Pages of up to this many examples have no embeddings, which would be most of the file: they
 * embed the images when they open. page.go has the same number.
 */
export const BRIEF = 120;

/**
 * @param {string} name
 * @param {Blob} project a project file
 * @param {ArrayBuffer} weights
 * @param {string} engine the address of the program in the site
 * @returns {Promise<Blob>}
 */
export async function page(name, project, weights, engine) {
  const here = new URL("../", import.meta.url);
  const [html, program] = await Promise.all([fetched(new URL("share/player.html", here)), fetched(new URL(engine, here))]);
  const title = name.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);
  // The page uses its reader's language and answers every parent.
  const [before, after] = (await html.text()).replace("{{language}}", "").replace("{{parents}}", "").split("{{parts}}");
  const parts = [];
  for (const [id, content] of /** @type {[string, Blob][]} */ ([["engine", program], ["weights", new Blob([weights])], ["project", project]])) {
    const packed = await gzip(content);
    const how = packed === content ? "" : ' data-packed="gzip"';
    parts.push(`<script type="text/plain" id="part-${id}"${how}>`, encode(new Uint8Array(await packed.arrayBuffer())), "</script>\n");
  }
  return new Blob([before.replace("{{title}}", () => title), ...parts, after], { type: "text/html" });
}

/** @param {URL} url */
async function fetched(url) {
  const response = await fetch(url).catch((error) => {
    throw Object.assign(new Error(`${url.pathname} could not be fetched: is the server reachable? (${error.message})`), { code: "network" });
  });
  if (!response.ok) throw Object.assign(new Error(`${url.pathname} could not be fetched: the server answered ${response.status}`), { code: "network" });
  return response.blob();
}

/**
 * Compresses content, if the browser can and the content shrinks.
 *
 * @param {Blob} content
 */
async function gzip(content) {
  if (typeof CompressionStream !== "function") return content;
  const packed = await new Response(content.stream().pipeThrough(new CompressionStream("gzip"))).blob();
  return packed.size < content.size ? packed : content;
}
