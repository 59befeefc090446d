//go:build !js

package browser

import "github.com/deepemd/deepemd/web/internal/session"

// Connect does nothing outside a browser.
func Connect(*session.Session) {}
