// Package studio tests the studio: teaching with a camera, a microphone and files, the
// stage, classes of many examples, languages, the keyboard, phones, browsers that lack
// things, custom networks and trouble.
package studio
