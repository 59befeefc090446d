// @ts-check
/**
 * The addresses and sizes in bytes of the default models. `small`, if present, is for slow devices: a page
 * that offers it passes it in its options. `deepemd export-site --weights` writes this file for a custom model.
 */
export const networks = {
  pictures: { get url() { return new URL("../weights/resnet12-s.safetensors", import.meta.url); }, bytes: 3216840 },
  small: { get url() { return new URL("../weights/resnet12-xs.safetensors", import.meta.url); }, bytes: 1490680 },
  sounds: { get url() { return new URL("../weights/resnet12-sound.safetensors", import.meta.url); }, bytes: 1018696 },
};
