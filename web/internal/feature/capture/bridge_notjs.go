//go:build !js

package capture

// Outside a browser there is no camera.

func (c *Capture) connect() {}
