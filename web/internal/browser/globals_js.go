package browser

import "syscall/js"

// Objects of the page that exist before the program starts, looked up once.
var (
	window    = js.Global()
	document  = window.Get("document")
	navigator = window.Get("navigator")
	location  = window.Get("location")
	urls      = window.Get("URL")

	// studio has the engine and the scripts: see web/static/web/boot.js.
	studio = window.Get("studio")
	// gallery has the pixels and embeddings of the examples: see web/static/web/gallery.js.
	gallery = studio.Get("gallery")
	// device has the state of the installed page: see boot.js.
	device = window.Get("device")
	// preferences has the choices of earlier visits, which the page's first script applies before the
	// first paint.
	preferences = window.Get("preferences")
)
