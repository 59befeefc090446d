// Package teach tests teaching the studio with a camera and asking it, live, beside
// native code.
package teach
