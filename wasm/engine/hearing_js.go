//go:build sound

package main

import "github.com/deepemd/deepemd/core/hearing"

// The program that is built with the tag sound hears.
func init() { hear = hearing.ForLearner() }
