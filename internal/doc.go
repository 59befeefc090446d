// Package internal is the room of what the tests of several rooms share; it holds
// no code itself.
//
//   - browsertest: pages in headless Chromium
//   - golden: reference data beside the checkout
//   - resnettest: networks with random weights
//   - typescript: the compiler that types are held against
package internal
