// Package browsers tests the studio's main path in Firefox and WebKit, too: teach, ask, why,
// keep, share, sounds, the element and no network. Scores must be those of Chromium and of
// native code, and nothing may leave the device. It runs by make test-browsers.
package browsers
