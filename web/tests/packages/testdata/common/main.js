import { DeepEMD } from "deepemd";

const video = document.querySelector("video");
navigator.mediaDevices.getUserMedia({ video: true }).then((stream) => {
  video.srcObject = stream;
  return video.play();
});

window.start = (options) => DeepEMD.create(options);
