//go:build sound

package main

import "github.com/deepemd/deepemd/core/sound"

// The build tag sound selects the variant for sounds.
func init() { hear = sound.ForLearner() }
