//go:build !js

package network

// Outside a browser the page has one network.

func (n *Network) connect() {}
