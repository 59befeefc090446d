// Package teach tests teaching in the studio: with camera, microphone and files, by mouse, keyboard
// and touch, the stage, and classes of many examples.
package teach
