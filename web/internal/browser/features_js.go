package browser

// What the bridges of features need, as they are made like those here.

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

// What calls of scripts and of deepemd.js take, and answer.
var (
	Reporter  = reporter
	Control   = control
	OptionsOf = optionsOf
	Failure   = failure
	FactsOf   = factsOf
)
