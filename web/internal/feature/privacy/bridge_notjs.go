//go:build !js

package privacy

func host() string                 { return "" }
func watchOutgoing(func(outgoing)) {}
