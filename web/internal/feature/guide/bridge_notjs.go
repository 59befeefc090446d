//go:build !js

package guide

func (d *Demo) fetch() {}
func guideRead()       {}
func hideGuide()       {}
func foldGuide(string) {}
func pressed() bool    { return false }
func unfocused() bool  { return false }
