// Package stage tests what a person does on the studio's stage: start the camera, choose
// the frame, record, show the empty scene, see where the evidence lies, test a picture.
package stage
