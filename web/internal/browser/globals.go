package browser

// Objects of the page that exist before the program starts, looked up once.
var (
	Window    = Global()
	Document  = Window.Get("document")
	Navigator = Window.Get("navigator")
	Location  = Window.Get("location")

	// Studio has the engine and the scripts: see web/static/web/boot.js.
	Studio = Window.Get("studio")
	// Gallery has the pixels and embeddings of the examples: see web/static/web/gallery.js.
	Gallery = Studio.Get("gallery")
	// Device has the state of the installed page: see boot.js.
	Device = Window.Get("device")
	// Preferences has the choices of earlier visits, which the page's first script applies before the
	// first paint.
	Preferences = Window.Get("preferences")
)
