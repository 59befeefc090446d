// @ts-check
/**
 * Where the networks lie that an engine takes by default, from the folder that holds
 * deepemd.js. `deepemd export-site --weights` writes this file for a network of one's own.
 */
export const networks = {
  pictures: "../weights/resnet12-s.safetensors",
  sounds: "../weights/resnet12-sound.safetensors",
};
