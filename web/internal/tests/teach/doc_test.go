// Package teach tests teaching in the studio: with a camera, a microphone and files, by hand,
// by keys and on phones, the stage, and classes of many examples.
package teach
