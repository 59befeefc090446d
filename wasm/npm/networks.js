// @ts-check
/**
 * Where the networks lie that an engine takes by default, and how many bytes each has.
 * `deepemd export-site --weights` writes this file for a network of one's own.
 */
export const networks = {
  pictures: { get url() { return new URL("../weights/resnet12-s.safetensors", import.meta.url); }, bytes: 3216840 },
  sounds: { get url() { return new URL("../weights/resnet12-sound.safetensors", import.meta.url); }, bytes: 1018696 },
};
