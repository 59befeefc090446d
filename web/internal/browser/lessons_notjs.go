//go:build !js

package browser

import (
	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/lessons"
	"github.com/deepemd/deepemd/web/internal/session"
)

// GoToLesson does nothing outside a browser.
func GoToLesson(lessons.Lesson) {}

// Pad is nothing outside a browser.
type Pad struct{}

// OpenPad does nothing outside a browser.
func OpenPad(app.Value, func(session.Source)) *Pad { return &Pad{} }

// Wipe does nothing outside a browser.
func (*Pad) Wipe() {}
