// Package web holds the studio and everything that gives it to browsers:
//
//	studio/       the page: session (state), view (components), browser (JavaScript)
//	shell/        the page as it is before its program runs
//	static/       boot script, icons
//	server/       hands a built site to browsers
//	examples/     ordinary pages that use deepemd.js
//	browsertest/  opens pages in headless Chromium, for tests
//
// The package itself is empty but for its tests, which open the built site as a
// person would.
package web
