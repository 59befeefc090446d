// @ts-check
/**
 * Where the networks lie that an engine takes by default, and how many bytes each has.
 * One named small, where there is one, is for slow devices: a page that offers it names it in its options.
 * `deepemd export-site --weights` writes this file for a network of one's own.
 */
export const networks = {
  pictures: { get url() { return new URL("../weights/resnet12-s.safetensors", import.meta.url); }, bytes: 3216840 },
  small: { get url() { return new URL("../weights/resnet12-xs.safetensors", import.meta.url); }, bytes: 1490680 },
  sounds: { get url() { return new URL("../weights/resnet12-sound.safetensors", import.meta.url); }, bytes: 1018696 },
};
