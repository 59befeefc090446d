//go:build !js

package browser

import "github.com/deepemd/deepemd/core/project"

// Kind is that of pictures outside a browser, as the shell is one for pictures.
func Kind() string { return project.KindImage }

// GoTo does nothing outside a browser.
func GoTo(string) {}
