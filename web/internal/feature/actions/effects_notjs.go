//go:build !js

package actions

import "github.com/maxence-charriere/go-app/v9/pkg/app"

// Outside a browser there are no effects.

func (t *Actions) connect() {}

func showMedium(app.Value, string) {}
