// Package browsers tests the studio's main path in Firefox and WebKit: teach, ask, explain, save,
// share, sounds, the element and offline use. Scores must agree with Chromium and native code, and
// nothing may leave the device. Run it with make test-browsers.
package browsers
