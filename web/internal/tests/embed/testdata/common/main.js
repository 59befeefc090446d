import { DeepEMD } from "deepemd";
import { emd } from "deepemd/solver";

const video = document.querySelector("video");
navigator.mediaDevices.getUserMedia({ video: true }).then((stream) => {
  video.srcObject = stream;
  return video.play();
});

window.emd = emd;
window.start = (options) => DeepEMD.create(options);
