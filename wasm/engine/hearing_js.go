//go:build sound

package main

import "github.com/deepemd/deepemd/core/sound"

// The program that is built with the tag sound hears.
func init() { hear = sound.ForLearner() }
