//go:build !js

package lesson

import (
	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/kernel"
)

type pad struct{}

func (l *Lesson) connect()                        {}
func openPad(app.Value, func(kernel.Source)) *pad { return &pad{} }
func (*pad) wipe()                                {}
