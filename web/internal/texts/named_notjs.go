//go:build !js

package texts

// The languages that tests name. The page's program names none, and loads the one that it
// speaks.
var (
	English = In("en")
	German  = In("de")
)
