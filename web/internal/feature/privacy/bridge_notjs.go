//go:build !js

package privacy

// Outside a browser the page has no address, and nothing leaves it.

func host() string                 { return "" }
func watchOutgoing(func(outgoing)) {}
