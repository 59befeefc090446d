//go:build sound

package main

import (
	"errors"

	"github.com/deepemd/deepemd/core/hearing"
	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/sound"
	"github.com/deepemd/deepemd/wasm"
)

// The program that is built with the tag sound hears.
func init() {
	var ear hearing.Ear
	hear = func(p wasm.Picture) (*imaging.Image, []float32, error) {
		var heard *hearing.Heard
		var err error
		if p.Rate == 0 {
			heard, err = ear.File(p.Data)
		} else {
			heard, err = ear.Samples(p.Samples, p.Rate)
		}
		switch {
		case errors.Is(err, sound.ErrSilent):
			return nil, nil, &wasm.Error{Code: wasm.CodeSilent, Message: err.Error()}
		case err != nil:
			return nil, nil, &wasm.Error{Code: wasm.CodeBadSound, Message: err.Error()}
		}
		return heard.Picture, heard.Second, nil
	}
}
