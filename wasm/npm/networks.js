// @ts-check
/**
 * The addresses, sizes in bytes and digests of the models. `pictures` and `sounds` are the defaults. `small`, if present,
 * is for slow devices: a page that offers it passes it in its options. Projects open with the model that
 * taught them, if it is one of these. `deepemd export-site --weights` writes this file for a custom model.
 */
export const networks = {
  pictures: { get url() { return new URL("../weights/resnet12-photo.safetensors", import.meta.url); }, bytes: 3153880, sha256: "d5941800ce8e97fc36584b8857817495d3a432ab8fe3dc73bc0866fdf9a5a485" },
  small: { get url() { return new URL("../weights/resnet12-xs.safetensors", import.meta.url); }, bytes: 1490680, sha256: "e5c0d8ecbd6e5429ce14d02947e0588bfedacc769161a1ba550e233f22fe9c70" },
  former: { get url() { return new URL("../weights/resnet12-s.safetensors", import.meta.url); }, bytes: 3216840, sha256: "60024f8b19cc7ff7f0158a8816d8138d548a16fc721bef148db806cd8633735f" },
  sounds: { get url() { return new URL("../weights/resnet12-sound.safetensors", import.meta.url); }, bytes: 1018696, sha256: "a2fdc6a657ee1a3372819e013401aac0786c3acddce5529351bfe601399b93df" },
};
