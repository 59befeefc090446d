//go:build !js

package network

func (n *Network) connect() {}
