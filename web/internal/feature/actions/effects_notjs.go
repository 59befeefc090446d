//go:build !js

package actions

import "github.com/maxence-charriere/go-app/v9/pkg/app"

func (t *Actions) connect() {}

func showMedium(app.Value, string) {}
