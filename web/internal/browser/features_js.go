package browser

// Exports for the features' bridges to JavaScript.

// The objects of the page, see globals_js.go.
var (
	Window    = window
	Navigator = navigator
	Location  = location
	URLs      = urls
	Studio    = studio
	Gallery   = gallery
	Device    = device
)

// Await blocks the calling goroutine until the promise is settled.
var Await = await

// Object makes a JavaScript object of the given properties.
var Object = object

// Conversions of arguments and results.
var (
	Reporter  = reporter
	Control   = control
	OptionsOf = optionsOf
	Failure   = failure
	FactsOf   = factsOf
)
