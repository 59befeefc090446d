// Package teach tests teaching the studio with a camera and asking it, live, beside
// native code; and what it says when camera or engine fail.
package teach
