package browser

import "syscall/js"

// The objects of the page that this package asks most, looked up once. They are there before
// the program runs, and stay.
var (
	window    = js.Global()
	document  = window.Get("document")
	navigator = window.Get("navigator")
	location  = window.Get("location")
	urls      = window.Get("URL")

	// studio is the work of web/static/web/boot.js: the engine that loads, and scripts.
	studio = window.Get("studio")
	// gallery holds the pixels and embeddings of the examples: see web/static/web/gallery.js.
	gallery = studio.Get("gallery")
	// device says what boot.js knows of the page as a program on the device.
	device = window.Get("device")
	// preferences comes from the first script of the page: what the person chose
	// in earlier visits, in effect since before anything was painted.
	preferences = window.Get("preferences")
)
