//go:build !js

package capture

func (c *Capture) connect() {}
