// Package browsers tests the studio's main path in Chromium, Firefox and WebKit: teach, ask,
// explain, save, sounds, the element and offline use. Nothing may leave the device. Package share
// compares the answers of the browsers. Run both with make test-browsers.
package browsers
