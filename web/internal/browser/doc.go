// Package browser is the studio's only door to JavaScript: the engine, reached
// through deepemd.js as any other page would reach it, the camera, and what an
// event carries. Every file that needs syscall/js is named *_js.go; where a
// function is called from code that also renders outside a browser, a twin in the
// *_notjs.go of the same name has the same signature and does nothing.
package browser

// VideoID is the id of the video element that shows the camera.
const VideoID = "camera"
